// Package count says how much work a computation in groups was, in numbers
// that no machine changes: which operations, of which size, how often.
//
//	counts.go    Event, Counts and the views of them: outer, inside, total
//	recorder.go  Recorder and its buckets, one a phase of a protocol
//	tree.go      buckets as the tree that their names are
//	text.go      as text, for people and for files
//	units.go     as the figures of a benchmark
//
// It imports nothing of this module and knows no group. Packages below it count:
//
//	recode   integers cut into digits
//	zn       a group modulo n that counts the cost of algorithms, and pairings
//	mathlib  a driver that counts for code written on IBM/mathlib
//	cost     unit costs, and predicted times
//
// token/crypto/group/opcount counts for a group.Group.
// docs/counting.md explains the two views.
package count

import "maps"

// Op is a kind of operation.
type Op uint8

// The operations. Where a call takes a list, Event.Size is its length.
const (
	Add         Op = iota // P + Q
	Double                // P + P
	Neg                   // -P
	ScalarMul             // s·P
	MSM                   // Σ sᵢ·Pᵢ
	FixedMSM              // Σ sᵢ·Pᵢ over points with precomputed multiples
	Sum                   // Σ Pᵢ
	SumPow2               // Σ 2ⁱ·Pᵢ
	SumBits               // Σ of one point of each of several known pairs
	Table                 // preparing points for FixedMSM
	BitTable              // preparing pairs for SumBits
	HashToCurve           // bytes to a point
	Encode                // a point to bytes
	Decode                // bytes to a point
	Pairing               // Π e(Pᵢ, Qᵢ)
	FinalExp              // the last step of a pairing
	FieldMul              // multiplications of scalars
	FieldInv              // inversions of scalars, batched in one call
	FieldExp              // a power of a scalar
	numOps
)

// Layer says where an operation happened.
type Layer uint8

// Outer operations are those that were asked for. Those inside a scalar
// multiplication or an MSM are told apart: precomputed multiples of a base are
// kept, so that the next use of it is cheaper.
const (
	Outer Layer = iota
	Inside
	Precomputed
	numLayers
)

// Event is one kind of operation. Group tells the groups of a pairing apart
// ("G2", "GT"); it is empty for the only group and for G1.
type Event struct {
	Layer Layer
	Group string
	Op    Op
	Size  int
	Together
}

// Together is the call in which a sum was asked for, zero where it was alone:
// equally long sums of one call can share work, and a table of more points has
// fewer multiples of each.
type Together struct {
	Call  int // terms of all sums of this length in the call
	Table int // points in the table, 0 without one
}

// One is the outer event of an operation that takes no list.
func One(op Op) Event { return Event{Op: op, Size: 1} }

// Of is the outer event of an operation over size terms.
func Of(op Op, size int) Event { return Event{Op: op, Size: size} }

// Tally is work in additions alone.
type Tally struct{ Adds, Doubles, Negs uint64 }

// Plus returns the sum of both.
func (t Tally) Plus(u Tally) Tally {
	return Tally{t.Adds + u.Adds, t.Doubles + u.Doubles, t.Negs + u.Negs}
}

// Times returns the work of n times t.
func (t Tally) Times(n uint64) Tally { return Tally{n * t.Adds, n * t.Doubles, n * t.Negs} }

// tally is the work of one event in plain additions; that of a scalar
// multiplication is not its own but that of the events inside.
func (e Event) tally() Tally {
	n := uint64(max(e.Size, 1))
	switch e.Op {
	case Add:
		return Tally{Adds: 1}
	case Double:
		return Tally{Doubles: 1}
	case Neg:
		return Tally{Negs: 1}
	case Sum, SumBits:
		return Tally{Adds: n - 1}
	case SumPow2: // Horner's rule
		return Tally{Adds: n - 1, Doubles: n - 1}
	}
	return Tally{}
}

// Counts says how often each event happened.
type Counts map[Event]uint64

// Merge adds d to c.
func (c Counts) Merge(d Counts) {
	for e, n := range d {
		c[e] += n
	}
}

// AddTally adds the events of t, which happened in layer.
func (c Counts) AddTally(layer Layer, group string, t Tally) {
	for op, n := range map[Op]uint64{Add: t.Adds, Double: t.Doubles, Neg: t.Negs} {
		if n > 0 {
			c[Event{Layer: layer, Group: group, Op: op, Size: 1}] += n
		}
	}
}

// Minus returns c without the events of d, which are among those of c.
func (c Counts) Minus(d Counts) Counts {
	diff := maps.Clone(c)
	for e, n := range d {
		if diff[e] -= n; diff[e] == 0 {
			delete(diff, e)
		}
	}
	return diff
}

// Select returns the events for which keep holds.
func (c Counts) Select(keep func(Event) bool) Counts {
	kept := Counts{}
	for e, n := range c {
		if keep(e) {
			kept[e] = n
		}
	}
	return kept
}

// In returns the events of one group.
func (c Counts) In(group string) Counts {
	return c.Select(func(e Event) bool { return e.Group == group })
}

// Layer returns the additions, doublings and negations of one layer.
func (c Counts) Layer(l Layer) (t Tally) {
	for e, n := range c {
		if e.Layer == l {
			t = t.Plus(e.tally().Times(n))
		}
	}
	return t
}

// Outer counts a scalar multiplication or an MSM as none of its own.
func (c Counts) Outer() Tally { return c.Layer(Outer) }

// Inside is the work in scalar multiplications and MSMs, precomputation on
// their bases included.
func (c Counts) Inside() Tally { return c.Layer(Inside).Plus(c.Layer(Precomputed)) }

// Total is Outer and Inside together.
func (c Counts) Total() Tally { return c.Outer().Plus(c.Inside()) }

// Calls says how often op was asked for.
func (c Counts) Calls(op Op) (calls uint64) {
	for e, n := range c {
		if e.Op == op && e.Layer == Outer {
			calls += n
		}
	}
	return calls
}

// Terms adds up the sizes of the calls of op.
func (c Counts) Terms(op Op) (terms uint64) {
	for e, n := range c {
		if e.Op == op && e.Layer == Outer {
			terms += n * uint64(e.Size)
		}
	}
	return terms
}
