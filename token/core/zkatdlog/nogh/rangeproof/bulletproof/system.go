package bulletproof

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// maxRounds is log₂ of the largest bit length: values are 64-bit integers.
const maxRounds = 6

// ErrConfig says that a Config does not describe a range proof.
var ErrConfig = errors.New("bulletproof parameters")

// Config is the public parameters. The caller must have checked the generators: no
// party may know a relation between them.
type Config struct {
	Group       group.Group
	Bits        int         // n, a power of two, at most 64
	G1, H       group.Point // of value and blinding factor
	P, Q        group.Point // of the vector commitments' blinding, of the inner product
	Left, Right []group.Point
	TableBytes  int // memory for precomputed multiples, 0 for the default
}

// scheme is the System of one Config.
type scheme struct {
	rangeproof.Base
	config Config
	rounds int
	split  [maxRounds][2][]int32 // table places of the terms of L and R, for each round
	ofD    []int32               // table places of the terms of D
	static []byte                // G₀ … Gₙ₋₁, Q as the transcript absorbs them

	transcripts sync.Pool         // of *transcript
	equations   round.Work[claim] // checked in one
}

// Places in the table. The left generators follow, then the right ones.
// Neighbours are used in one row.
const (
	atG1   = iota
	atH    // blinding factor
	atQ    // the inner product
	atP    // the vector commitments' blinding
	atSumG // Σ Gᵢ
	atSumH // Σ Hᵢ
	atLeft
)

// New returns the System of c: ErrConfig if the bit length is not a power of
// two up to 64 or the numbers of generators differ from it.
func New(c Config) (rangeproof.System, error) {
	n := c.Bits
	if n < 1 || n > 1<<maxRounds || n&(n-1) != 0 {
		return nil, fmt.Errorf("%w: bit length %d is not a power of two up to %d", ErrConfig, n, 1<<maxRounds)
	}
	if len(c.Left) != n || len(c.Right) != n {
		return nil,
			fmt.Errorf("%w: %d left and %d right generators for %d bits", ErrConfig, len(c.Left),
				len(c.Right), n)
	}
	g, s := c.Group, &scheme{config: c, rounds: bits.TrailingZeros(uint(n))}
	s.Base = rangeproof.NewBase(g, n, n, s.build)
	s.transcripts.New = func() any { return newTranscript(g, n) }
	s.equations.Holds, s.equations.Refusal = s.hold, rangeproof.ErrRejected
	s.static = g.AppendPoints(nil, lengthPrefix(g), append(slices.Clone(c.Left), c.Q))
	s.splitRounds(n)
	s.SetProofLen(s.newProof(g))
	return s, nil
}

// build precomputes everything that depends on the generators alone. A bit
// chooses Gᵢ if it is set, otherwise -Hᵢ.
func (s *scheme) build() rangeproof.Tables {
	g, c := s.config.Group, s.config
	points := []group.Point{c.G1, c.H, c.Q, c.P, group.Sum(g, c.Left), group.Sum(g, c.Right)}
	points = append(append(points, c.Left...), c.Right...)
	minus := make([]group.Point, s.N)
	for i, p := range c.Right {
		minus[i] = g.SubPoints(group.Point{}, p)
	}
	return rangeproof.Tables{Points: g.NewTable(points, c.TableBytes), Bits: g.NewBitTable(c.Left, minus)}
}

// splitRounds lists the table places of each round's L and R. At a round with
// half length w the current vectors are sums over original indices; original
// index i is at place i mod 2w. L takes G of the upper places and H of the
// lower ones, R the others, and both take Q last. D takes P, all G and all H.
func (s *scheme) splitRounds(n int) {
	s.ofD = append(s.ofD, atP)
	for i := range 2 * n {
		s.ofD = append(s.ofD, int32(atLeft+i))
	}
	for j := range s.rounds {
		w := n >> (j + 1)
		var left, right []int32
		for i := range n {
			gi, hi := int32(atLeft+i), int32(atLeft+n+i)
			if i&w != 0 {
				left, right = append(left, gi), append(right, hi)
			} else {
				left, right = append(left, hi), append(right, gi)
			}
		}
		s.split[j] = [2][]int32{append(left, atQ), append(right, atQ)}
	}
}

// Kind is rangeproof.Bulletproof.
func (s *scheme) Kind() rangeproof.Kind { return rangeproof.Bulletproof }
