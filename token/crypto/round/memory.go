package round

import (
	"fmt"
	"io"
	"sync"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Memory is scratch memory of one prover or verifier, which cuts its
// vectors from it. All of it is cleared by Wipe, so no secret is left in memory that is
// used again.
type Memory struct {
	scalars arena[group.Scalar]
	points  arena[group.Point]
	rows    arena[group.Row]
	terms   arena[group.Terms]
	bytes   arena[byte]
}

// Format implements fmt.Formatter for every verb and writes no secret.
func (Memory) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "memory of a prover") }

// memories keep the memory of a prover, wiped, for the next proof.
var memories = sync.Pool{New: func() any { return new(Memory) }}

// NewMemory returns empty memory. The caller ends with Wipe.
func NewMemory() *Memory { return memories.Get().(*Memory) }

// Scalars returns n scalars that are 0.
func (m *Memory) Scalars(n int) []group.Scalar { return m.scalars.cut(n) }

// Points returns n points, each the identity.
func (m *Memory) Points(n int) []group.Point { return m.points.cut(n) }

// Rows returns n empty rows.
func (m *Memory) Rows(n int) []group.Row { return m.rows.cut(n) }

// Terms returns n empty sums.
func (m *Memory) Terms(n int) []group.Terms { return m.terms.cut(n) }

// Bytes returns an empty slice with room for n bytes.
func (m *Memory) Bytes(n int) []byte { return m.bytes.cut(n)[:0] }

// Wipe clears everything that was cut and keeps the memory for others. Vectors of
// m must not be used afterwards.
func (m *Memory) Wipe() {
	m.scalars.wipe()
	m.points.wipe()
	m.rows.wipe()
	m.terms.wipe()
	m.bytes.wipe()
	memories.Put(m)
}

// arena is one piece of memory, and older smaller ones where vectors still lie.
type arena[T any] struct {
	free  []T
	whole []T
	older [][]T
	total int
}

func (a *arena[T]) cut(n int) []T {
	a.total += n
	if n > len(a.free) {
		if a.whole != nil {
			a.older = append(a.older, a.whole)
		}
		a.whole = make([]T, max(n, 2*len(a.whole)))
		a.free = a.whole
	}
	v := a.free[:n:n]
	a.free = a.free[n:]
	return v
}

// wipe clears the vectors. The next user finds one piece for as many.
func (a *arena[T]) wipe() {
	clear(a.whole[:len(a.whole)-len(a.free)])
	for _, old := range a.older {
		clear(old)
	}
	clear(a.older)
	a.older = a.older[:0]
	if a.total > len(a.whole) {
		a.whole = make([]T, a.total)
	}
	a.free, a.total = a.whole, 0
}
