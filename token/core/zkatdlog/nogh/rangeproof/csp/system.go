package csp

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"sync"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// Values are 64-bit integers; 2·64 + 4 generators are padded to 2⁸.
const (
	maxBits   = 64
	maxRounds = 8
)

// ErrConfig reports an invalid Config.
var ErrConfig = errors.New("CSP parameters")

// Config is the public parameters. The caller must check that the generators
// are independent: no party may know a relation between them.
type Config struct {
	Group       group.Group
	Bits        int           // n, from 1 to 64
	G0, G1, H   group.Point   // of type, value and blinding factor; G0 enters only challenges
	Left, Right []group.Point // n+1 each
	TableBytes  int           // memory for precomputed multiples; 0 means the default
}

// scheme is the System of one Config.
type scheme struct {
	rangeproof.Base
	config Config
	header [sha256.Size]byte // initial state of every transcript
	width  int               // 2n+4, the length of the form
	padded int               // N, the next power of two
	rounds int               // R = log₂ N
	split  [maxRounds][2][]int32
	ofPc   []int32 // table indices of Pc without the bits: A₀, B, h
	basis  basis

	transcripts sync.Pool         // of *transcript
	equations   round.Work[claim] // checked in one
}

// Indices in the table: Eᵢ, without the factor η of the last two, is at i,
// followed by the padding, a single point regardless of its number of
// occurrences.
func (s *scheme) atRight() int   { return s.N + 1 }
func (s *scheme) atG1() int      { return s.width - 2 }
func (s *scheme) atH() int       { return s.width - 1 }
func (s *scheme) atPadding() int { return s.width }

// New returns the System of c. The error is ErrConfig if the bit length is not
// in 1..64, the numbers of generators differ from n+1, or the order of the
// group is at most 2n, the largest evaluation point of polynomials.
func New(c Config) (rangeproof.System, error) {
	n := c.Bits
	if n < 1 || n > maxBits {
		return nil, fmt.Errorf("%w: bit length %d is not in 1..%d", ErrConfig, n, maxBits)
	}
	if len(c.Left) != n+1 || len(c.Right) != n+1 {
		return nil,
			fmt.Errorf("%w: %d left and %d right generators for %d bits", ErrConfig, len(c.Left),
				len(c.Right), n)
	}
	if c.Group.Order().Cmp(big.NewInt(int64(2*n))) <= 0 {
		return nil,
			fmt.Errorf("%w: a group of order %v is too small for %d bits", ErrConfig, c.Group.Order(), n)
	}
	s := &scheme{config: c, width: 2*n + 4}
	s.rounds = bits.Len(uint(s.width - 1))
	s.padded = 1 << s.rounds
	s.Base = rangeproof.NewBase(c.Group, n, s.padded/2, s.build)
	s.transcripts.New = func() any { return newTranscript(c.Group) }
	s.equations.Holds, s.equations.Refusal = s.hold, rangeproof.ErrRejected
	s.header = newTranscript(c.Group).parameters(c)
	s.basis = newBasis(c.Group, n)
	s.splitRounds()
	s.SetProofLen(s.newProof(c.Group))
	return s, nil
}

// build precomputes everything that depends only on the generators: multiples
// of A, B, g₁, h and the generator of the curve. A set bit selects A₍ᵢ₊₁₎, a
// clear bit selects zero.
func (s *scheme) build() rangeproof.Tables {
	g, c := s.config.Group, s.config
	points := make([]group.Point, 0, s.width+1)
	points = append(append(points, c.Left...), c.Right...)
	points = append(points, c.G1, c.H, g.Generator())
	return rangeproof.Tables{
		Points: g.NewTable(points, c.TableBytes),
		Bits:   g.NewBitTable(c.Left[1:], make([]group.Point, s.N)),
	}
}

// splitRounds lists the table indices of Lc and Rc for each round. In a round
// with half length d, a current generator is a sum over the original ones with
// the same index modulo 2d; Lc takes the entries with bit log₂ d clear and Rc the
// others, in ascending order. All padding is one term, the last one. In round 0
// the padding of the witness is still zero, so Lc has only width - d terms.
func (s *scheme) splitRounds() {
	s.ofPc = []int32{0}
	for i := range s.N + 1 {
		s.ofPc = append(s.ofPc, int32(s.atRight()+i))
	}
	s.ofPc = append(s.ofPc, int32(s.atH()))
	for j := range s.rounds {
		d := s.padded >> (j + 1)
		for k := range s.width {
			if j == 0 && k < d && k+d >= s.width {
				continue
			}
			side := &s.split[j][k/d&1]
			*side = append(*side, int32(k))
		}
		for side := range s.split[j] {
			if len(s.split[j][side]) < s.padded/2 && (j > 0 || side == 1) {
				s.split[j][side] = append(s.split[j][side], int32(s.atPadding()))
			}
		}
	}
}

// Kind returns rangeproof.CSP.
func (s *scheme) Kind() rangeproof.Kind { return rangeproof.CSP }
