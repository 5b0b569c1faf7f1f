// Package pedersen commits to values under public generators with no known
// relation (Pedersen, CRYPTO '91; here with two messages, a type and a value).
package pedersen

import (
	"errors"
	"slices"
	"sync"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// ErrOpening says that an opening does not reproduce its commitment.
var ErrOpening = errors.New("opening does not reproduce the commitment")

// The generators by their place in the table of a Key.
const (
	G0 = iota // of the type
	G1        // of the value
	H         // of the blinding factor
	generators
)

// Key is the commitment key (g₀, g₁, h).
type Key struct {
	group group.Group
	table group.Table
}

// NewKey returns the key with the given generators, which the caller has
// checked, and precomputes their multiples.
func NewKey(g group.Group, bases [generators]group.Point) *Key {
	return &Key{group: g, table: g.NewTable(bases[:], keyTableBytes)}
}

// keyTableBytes allows windows of eight bits for three generators of 96 bytes.
const keyTableBytes = 2 << 20

// On returns the key for g, a view of the same group (see group.Phase).
func (k *Key) On(g group.Group) *Key { return &Key{group: g, table: k.table} }

// Group is the group that the key is for.
func (k *Key) Group() group.Group { return k.group }

// Table holds g₀, g₁, h in this order.
func (k *Key) Table() group.Table { return k.table }

// Base returns one generator: G0, G1 or H.
func (k *Key) Base(i int) group.Point { return k.table.Point(i) }

// Commit returns t·g₀ + v·g₁ + r·h.
func (k *Key) Commit(t, v, r group.Scalar) group.Point {
	return group.FixedSum(k.group, k.table, G0, t, v, r)
}

// CommitValues returns t·g₀ + vᵢ·g₁ + rᵢ·h for each i; the lengths are equal.
func (k *Key) CommitValues(t group.Scalar, vs, rs []group.Scalar) []group.Point {
	return k.commitments(func(int) group.Scalar { return t }, vs, rs)
}

// Commitments returns tᵢ·g₀ + vᵢ·g₁ + rᵢ·h for each i; the lengths are equal.
func (k *Key) Commitments(ts, vs, rs []group.Scalar) []group.Point {
	return k.commitments(func(i int) group.Scalar { return ts[i] }, vs, rs)
}

func (k *Key) commitments(t func(i int) group.Scalar, vs, rs []group.Scalar) []group.Point {
	m := memories.Get().(*memory)
	defer m.put()
	m.scalars = slices.Grow(m.scalars, generators*len(vs)) // growing later would leave secrets behind
	for i := range vs {
		m.scalars = append(m.scalars, t(i), vs[i], rs[i]) // G0, G1, H
	}
	for i := range vs {
		m.rows = append(m.rows, group.Row{First: G0, Scalars: m.scalars[generators*i:][:generators]})
	}
	points := make([]group.Point, len(vs))
	k.group.FixedMSM(points, k.table, m.rows)
	return points
}

// memory holds the rows of one call.
type memory struct {
	scalars []group.Scalar
	rows    []group.Row
}

// memories keep the scalars and rows of a commitment, which would be allocations for each.
var memories = sync.Pool{New: func() any { return new(memory) }}

// put wipes the memory and gives it back.
func (m *memory) put() {
	clear(m.scalars[:cap(m.scalars)])
	clear(m.rows)
	m.scalars, m.rows = m.scalars[:0], m.rows[:0]
	memories.Put(m)
}

// Open returns ErrOpening unless c = t·g₀ + v·g₁ + r·h, and always of the zero
// value of Key.
func (k *Key) Open(c group.Point, t, v, r group.Scalar) error {
	if k.group == nil || !k.group.Equal(c, k.Commit(t, v, r)) {
		return ErrOpening
	}
	return nil
}
