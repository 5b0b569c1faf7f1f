package bulletproof

import (
	"errors"
	"fmt"
	"math/bits"
	"sync"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// maxRounds is log₂ of the largest bit length: values are 64-bit integers.
const maxRounds = 6

// ErrConfig says that a Config does not describe a range proof.
var ErrConfig = errors.New("bulletproof parameters")

// Config is the public parameters. The generators have no known relation; the
// caller has checked them.
type Config struct {
	Group       group.Group
	Bits        int         // n, a power of two, at most 64
	G1, H       group.Point // of value and blinding factor
	P, Q        group.Point // of the vector commitments' blinding, of the inner product
	Left, Right []group.Point
	TableBytes  int // memory for precomputed multiples, 0 for the default
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
	n      int
	rounds int
	split  [maxRounds][2][]int32 // table places of the terms of L and R, for each round
	pow2   []group.Scalar        // 2ⁱ
	ones   []group.Scalar
	length int // of an encoded proof
	tables func() tables
	spaces sync.Pool
	teams  sync.Pool
}

// tables is what Precompute builds.
type tables struct {
	points group.Table    // in the order of the constants below
	bits   group.BitTable // Gᵢ if bit i is set, else -Hᵢ
	static []byte         // G₀ … Gₙ₋₁, Q as the transcript absorbs them
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

var _ rangeproof.System = (*System)(nil)

// New returns the System of c: ErrConfig if the bit length is not a power of
// two up to 64 or the numbers of generators differ from it.
func New(c Config) (*System, error) {
	n := c.Bits
	if n < 1 || n > 1<<maxRounds || n&(n-1) != 0 {
		return nil, fmt.Errorf("%w: bit length %d is not a power of two up to %d", ErrConfig, n, 1<<maxRounds)
	}
	if len(c.Left) != n || len(c.Right) != n {
		return nil, fmt.Errorf("%w: %d left and %d right generators for %d bits", ErrConfig, len(c.Left), len(c.Right), n)
	}
	s := &shared{config: c, n: n, rounds: bits.TrailingZeros(uint(n))}
	s.tables = sync.OnceValue(s.build)
	s.splitRounds()
	s.pow2, s.ones = make([]group.Scalar, n), make([]group.Scalar, n)
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
	points := []group.Point{c.G1, c.H, c.Q, c.P, g.Sum(c.Left), g.Sum(c.Right)}
	points = append(append(points, c.Left...), c.Right...)
	minus := make([]group.Point, s.n)
	for i, p := range c.Right {
		minus[i] = g.SubPoints(group.Point{}, p)
	}
	static := g.AppendPoints(nil, lengthPrefix(g), append(append([]group.Point(nil), c.Left...), c.Q))
	return tables{
		points: g.NewTable(points, c.TableBytes),
		bits:   g.NewBitTable(c.Left, minus),
		static: static,
	}
}

// splitRounds lists the table places of each round's L and R. At a round with
// half length w the current vectors are sums over original indices; original
// index i stands at place i mod 2w. L takes G of the upper places and H of the
// lower ones, R the others, and both take Q last.
func (s *shared) splitRounds() {
	for j := range s.rounds {
		w := s.n >> (j + 1)
		var left, right []int32
		for i := range s.n {
			gi, hi := int32(atLeft+i), int32(atLeft+s.n+i)
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
func (s *System) Kind() rangeproof.Kind { return rangeproof.Bulletproof }

// Bits is n.
func (s *System) Bits() int { return s.shared.n }

// On returns the System for g, a view of the same group.
func (s *System) On(g group.Group) rangeproof.System { return &System{g: g, shared: s.shared} }

// Precompute builds the tables and returns their size in bytes.
func (s *System) Precompute() int {
	t := s.shared.tables()
	return t.points.Bytes() + t.bits.Bytes()
}
