// Package cost turns counts into time: it measures what each operation of a
// Group costs on this machine, and predicts from outer counts how long a
// computation takes if it does nothing else.
//
//	cost.go      Costs, and what an event or a computation is predicted to take
//	measure.go   measuring a Group
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

	"github.com/zkatbench/zkatbench/token/crypto/group/opcount/count"
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

// Costs are the unit costs of one Group on one machine.
type Costs struct {
	Ops   map[string]Curve `json:"ops"` // by the name of a count.Op
	Fixed []Fixed          `json:"fixed"`
}

// Of predicts one event in nanoseconds; false if nothing like it was measured.
func (c *Costs) Of(e count.Event) (ns float64, known bool) {
	if e.Op != count.FixedMSM {
		curve, known := c.Ops[e.Op.String()]
		return curve.At(e.Size), known && e.Group == ""
	}
	if len(c.Fixed) == 0 {
		return 0, false
	}
	if e.Size == 0 {
		return 0, true
	}
	nearest := slices.MinFunc(c.Fixed, func(a, b Fixed) int {
		return distance(a.Table, e.Fixed.Table) - distance(b.Table, e.Fixed.Table)
	})
	return nearest.share(e.Size, e.Fixed.Call), true
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
