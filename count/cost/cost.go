// Package cost turns counts into time: it measures the cost of each operation on
// this machine, and predicts from outer counts how long a computation takes if
// it does nothing else. Which calls are measured is the matter of each algebra:
// token/crypto/group/unitcost measures a group.Group.
//
//	cost.go      Costs, and what an event or a computation is predicted to take
//	measure.go   Meter: the time of calls
//	file.go      unit costs of a machine in a file
//	report.go    counts, predictions and unit costs as text
//
// What a prediction leaves out is everything that is no group or field
// operation: hashing, drawing randomness, encoding of messages, memory. The
// ratio of measured to predicted time therefore says how much an implementation
// loses around its group operations. docs/counting.md has figures.
package cost

import (
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/count"
)

// Sample is what one call with size terms takes, in nanoseconds.
type Sample struct {
	Size int     `json:"size"`
	NS   float64 `json:"ns"`
}

// Curve is a cost as a function of size: samples by rising size.
type Curve []Sample

// At is linear between samples, and beyond the last ones as between them. No
// terms cost nothing.
func (c Curve) At(size int) float64 {
	if len(c) == 0 || size == 0 {
		return 0
	}
	if len(c) == 1 {
		return c[0].NS * float64(size) / float64(c[0].Size)
	}
	i, _ := slices.BinarySearchFunc(c, size, func(s Sample, size int) int { return s.Size - size })
	i = min(max(i, 1), len(c)-1)
	a, b := c[i-1], c[i]
	return a.NS + (b.NS-a.NS)*float64(size-a.Size)/float64(b.Size-a.Size)
}

// Fixed is the cost of a call over one table as a function of its terms: all in
// one sum, in two sums of half of them, as L and R of an inner-product argument
// are, and each term in a sum of its own.
type Fixed struct {
	Table int   `json:"table"` // points
	Bytes int   `json:"bytes"` // memory of the table
	One   Curve `json:"one"`
	Two   Curve `json:"two"`
	Each  Curve `json:"each"`
}

// share is what a sum of terms in a call is charged: the cost of a call whose
// sums are all as long as this one, divided by their number. Between the
// measured numbers of sums it is linear.
func (f Fixed) share(terms, call int) float64 {
	sums := float64(call) / float64(terms)
	one, two, each := f.One.At(call), f.Two.At(call), f.Each.At(call)
	whole := one + (two-one)*(sums-1)
	if sums > 2 {
		whole = two + (each-two)*(sums-2)/float64(call-2)
	}
	return whole / sums
}

// Lockstep is the cost of a call of sums of Terms terms each, over points that
// are not known in advance, as a function of how many there are.
type Lockstep struct {
	Terms int   `json:"terms"` // of each sum
	Calls Curve `json:"calls"`
}

// Costs are the unit costs of one Group on one machine.
type Costs struct {
	Machine  string           `json:"machine"` // for whoever keeps them
	Date     string           `json:"date"`
	Ops      map[string]Curve `json:"ops"`      // by Name
	Inside   map[string]Curve `json:"inside"`   // what the above are made of, by the backend's names
	Lockstep []Lockstep       `json:"lockstep"` // by rising Terms
	Fixed    []Fixed          `json:"fixed"`
	// Spread is how far apart samples of one figure are: the middle half of
	// them, as a part of their median; the median over all figures.
	Spread float64 `json:"spread"`
}

// Name is the key of the cost of op in a group: "msm", "G2 msm".
func Name(group string, op count.Op) string {
	return strings.TrimPrefix(group+" "+op.String(), " ")
}

// Of predicts one event in nanoseconds; false if nothing like it was measured.
func (c *Costs) Of(e count.Event) (ns float64, known bool) {
	switch {
	case e.Op == count.FixedMSM:
		return c.fixed(e)
	case e.Call > 0:
		return c.together(e)
	}
	curve, known := c.Ops[Name(e.Group, e.Op)]
	return curve.At(e.Size), known
}

func (c *Costs) fixed(e count.Event) (ns float64, known bool) {
	if len(c.Fixed) == 0 || e.Size == 0 {
		return 0, e.Size == 0
	}
	nearest := slices.MinFunc(c.Fixed, func(a, b Fixed) int {
		return distance(a.Table, e.Table) - distance(b.Table, e.Table)
	})
	return nearest.share(e.Size, e.Call), true
}

// together is what one of several sums of a call is charged: never more than
// alone. Between the measured lengths it is linear.
func (c *Costs) together(e count.Event) (ns float64, known bool) {
	sums := e.Call / max(e.Size, 1)
	one := make(Curve, len(c.Lockstep))
	for i, l := range c.Lockstep {
		one[i] = Sample{l.Terms, l.Calls.At(sums) / float64(sums)}
	}
	alone, known := c.Ops[Name(e.Group, e.Op)]
	return min(one.At(e.Size), alone.At(e.Size)), known && len(one) > 0
}

func distance(a, b int) int { return max(a-b, b-a) }

// Predict adds up the outer events of c, and lists those that it knows no
// cost of.
func (c *Costs) Predict(counts count.Counts) (ns float64, unknown []count.Event) {
	for _, e := range counts.Sorted() {
		if e.Layer != count.Outer {
			continue
		}
		unit, known := c.Of(e)
		if !known {
			unknown = append(unknown, e)
		}
		ns += unit * float64(counts[e])
	}
	return ns, unknown
}
