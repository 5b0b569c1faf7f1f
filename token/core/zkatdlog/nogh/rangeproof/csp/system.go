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
)

// Values are 64-bit integers; 2·64 + 4 generators are padded to 2⁸.
const (
	maxBits   = 64
	maxRounds = 8
)

// ErrConfig says that a Config does not describe a range proof.
var ErrConfig = errors.New("CSP parameters")

// Config is the public parameters. The generators have no known relation; the
// caller has checked them.
type Config struct {
	Group       group.Group
	Bits        int           // n, from 1 to 64
	G0, G1, H   group.Point   // of type, value and blinding factor; G0 enters challenges only
	Left, Right []group.Point // n+1 each
	TableBytes  int           // memory for precomputed multiples, 0 for the default
}

// System proves and verifies under one Config.
type System struct {
	g      group.Group
	shared *shared
}

// shared is what all views of a System have in common. It is immutable after
// tables has run.
type shared struct {
	config Config
	header [sha256.Size]byte // where every transcript starts
	n      int
	width  int // 2n+4, the length of the form
	padded int // N, the next power of two
	rounds int // R = log₂ N
	split  [maxRounds][2][]int32
	commit []int32 // table places of Pc without the bits: A₀, B, h
	basis  basis
	pow2   []group.Scalar // 2ⁱ, i < n
	ones   []group.Scalar // N/2 of them
	length int            // of an encoded proof
	tables func() tables
	spaces sync.Pool
	teams  sync.Pool
}

// tables is what Precompute builds.
type tables struct {
	points group.Table    // A, B, g₁, h, the curve's generator
	bits   group.BitTable // A₍ᵢ₊₁₎ if bit i is set, else nothing
}

// Places in the table: Eᵢ, without the factor η of the last two, stands at i,
// and the padding, which is one point however often it occurs, after them.
func (s *shared) atRight() int   { return s.n + 1 }
func (s *shared) atG1() int      { return s.width - 2 }
func (s *shared) atH() int       { return s.width - 1 }
func (s *shared) atPadding() int { return s.width }

var _ rangeproof.System = (*System)(nil)

// New returns the System of c. ErrConfig if the bit length is not in 1..64,
// the numbers of generators differ from n+1, or the order of the group is not
// above 2n, the largest place that polynomials are evaluated at.
func New(c Config) (*System, error) {
	n := c.Bits
	if n < 1 || n > maxBits {
		return nil, fmt.Errorf("%w: bit length %d is not in 1..%d", ErrConfig, n, maxBits)
	}
	if len(c.Left) != n+1 || len(c.Right) != n+1 {
		return nil, fmt.Errorf("%w: %d left and %d right generators for %d bits", ErrConfig, len(c.Left), len(c.Right), n)
	}
	if c.Group.Order().Cmp(big.NewInt(int64(2*n))) <= 0 {
		return nil, fmt.Errorf("%w: a group of order %v is too small for %d bits", ErrConfig, c.Group.Order(), n)
	}
	s := &shared{config: c, n: n, width: 2*n + 4}
	s.rounds = bits.Len(uint(s.width - 1))
	s.padded = 1 << s.rounds
	s.header = newTranscript(c.Group).parameters(c)
	s.tables = sync.OnceValue(s.build)
	s.splitRounds()
	s.basis = newBasis(c.Group, n)
	s.pow2, s.ones = make([]group.Scalar, n), make([]group.Scalar, s.padded/2)
	c.Group.Powers(s.pow2, c.Group.Uint64(2))
	c.Group.Powers(s.ones, c.Group.Uint64(1))
	s.spaces.New = func() any { return newWorkspace(s) }
	s.teams.New = func() any { return new(team) }
	system := &System{g: c.Group, shared: s}
	s.length = len(system.newProof().Append(nil))
	return system, nil
}

// build precomputes everything that depends on the generators alone.
func (s *shared) build() tables {
	g, c := s.config.Group, s.config
	points := make([]group.Point, 0, s.width+1)
	points = append(append(points, c.Left...), c.Right...)
	points = append(points, c.G1, c.H, g.Generator())
	return tables{
		points: g.NewTable(points, c.TableBytes),
		bits:   g.NewBitTable(c.Left[1:], make([]group.Point, s.n)),
	}
}

// splitRounds lists the table places of each round's Lc and Rc. At a round
// with half length d a current generator is a sum over the original ones whose
// index is the same modulo 2d; Lc takes those with bit log₂ d clear and Rc the
// others, in ascending order. All padding is one term, the last one. In round
// 0 the padding of the witness is still zero, so Lc has width - d terms only.
func (s *shared) splitRounds() {
	s.commit = []int32{0}
	for i := range s.n + 1 {
		s.commit = append(s.commit, int32(s.atRight()+i))
	}
	s.commit = append(s.commit, int32(s.atH()))
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

// Kind is rangeproof.CSP.
func (s *System) Kind() rangeproof.Kind { return rangeproof.CSP }

// Bits is n.
func (s *System) Bits() int { return s.shared.n }

// On returns the System for g, a view of the same group.
func (s *System) On(g group.Group) rangeproof.System { return &System{g: g, shared: s.shared} }

// Precompute builds the tables and returns their size in bytes.
func (s *System) Precompute() int {
	t := s.shared.tables()
	return t.points.Bytes() + t.bits.Bytes()
}
