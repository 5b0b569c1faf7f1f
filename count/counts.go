// Package count counts the work of computations in groups, independently of the
// machine: the operations, their sizes and their numbers.
//
// A Recorder has a bucket of Counts for each phase of a protocol, and the names
// of buckets make a tree of phases. Everything that depends on the kind of an
// operation is in one table.
//
// The package imports no other package of this module and no group. Packages
// below it count:
//
//	zn       a group modulo n that counts the cost of algorithms, and pairings
//	mathlib  a driver that counts for code written on IBM/mathlib
//	cost     unit costs, and predicted times
//
// token/crypto/group/opcount counts for a group.Group.
// docs/measuring.md explains the two views.
package count

// Layer is the place where an operation happened.
type Layer uint8

// Outer operations are requested by a protocol. Operations inside a
// scalar multiplication or an MSM are counted separately, and so is
// precomputation: multiples of a base are kept, so that its next use is
// cheaper.
const (
	Outer Layer = iota
	Inside
	Precomputed
	numLayers
)

// Event is one kind of operation. Group distinguishes the groups of a pairing
// ("G2", "GT"), of signatures and of hashes; it is empty for a single group and for G1.
type Event struct {
	Layer Layer
	Group string
	Op    Op
	Size  int
	Together
}

// Together describes the call that contains a sum; it is zero for a sum alone.
// Equally long sums of one call can share work, and a table of more points
// holds fewer multiples of each.
type Together struct {
	Call  int // terms of all sums of this length in the call
	Table int // points in the table, 0 without one
}

// One returns the outer event of an operation without a list.
func One(op Op) Event { return Event{Op: op, Size: 1} }

// Of returns the outer event of an operation over size terms.
func Of(op Op, size int) Event { return Event{Op: op, Size: size} }

// Tally is work in additions, doublings and negations.
type Tally struct{ Adds, Doubles, Negs uint64 }

// Plus returns the sum of both.
func (t Tally) Plus(u Tally) Tally {
	return Tally{t.Adds + u.Adds, t.Doubles + u.Doubles, t.Negs + u.Negs}
}

// times returns the work of n times t.
func (t Tally) times(n uint64) Tally { return Tally{n * t.Adds, n * t.Doubles, n * t.Negs} }

// tally returns the work of one event in additions.
func (e Event) tally() Tally {
	if work := operations[e.Op].work; work != nil {
		return work(uint64(max(e.Size, 1)))
	}
	return Tally{}
}

// Counts maps events to their numbers.
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

// Select returns the events for which keep returns true.
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
			t = t.Plus(e.tally().times(n))
		}
	}
	return t
}

// Outer returns the additions of the outer layer, without additions inside
// scalar multiplications and MSMs.
func (c Counts) Outer() Tally { return c.Layer(Outer) }

// Inside returns the work in scalar multiplications and MSMs, including
// precomputation on their bases.
func (c Counts) Inside() Tally { return c.Layer(Inside).Plus(c.Layer(Precomputed)) }

// Total returns the sum of Outer and Inside.
func (c Counts) Total() Tally { return c.Outer().Plus(c.Inside()) }

// Calls returns the number of calls of op.
func (c Counts) Calls(op Op) (calls uint64) {
	for e, n := range c {
		if e.Op == op && e.Layer == Outer {
			calls += n
		}
	}
	return calls
}

// Terms returns the sum of the sizes of the calls of op.
func (c Counts) Terms(op Op) (terms uint64) {
	for e, n := range c {
		if e.Op == op && e.Layer == Outer {
			terms += n * uint64(e.Size)
		}
	}
	return terms
}
