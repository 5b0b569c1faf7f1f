// Package cost predicts time from counts: it measures the cost of each
// operation on this machine, and predicts from outer counts the time of a
// computation without other work. Each algebra selects the calls to
// measure: token/crypto/group/unitcost measures a group.Group.
//
// A Meter times calls, Costs predict, and a File has the unit costs of a
// machine.
//
// A prediction excludes everything except group and field operations: hashing,
// drawing randomness, encoding of messages, memory. The ratio of measured to
// predicted time therefore shows the overhead of an implementation.
// docs/measuring.md has figures.
package cost

import (
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/count"
)

// Sample is the time of one call with size terms, in nanoseconds.
type Sample struct {
	Size int     `json:"size"`
	NS   float64 `json:"ns"`
}

// Curve is a cost as a function of size: samples by rising size.
type Curve []Sample

// At interpolates linearly between samples, and extrapolates beyond the last
// ones. A call without terms is free.
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
// one sum, in two sums of equal length (as L and R of an inner-product
// argument), and in sums of one term each.
type Fixed struct {
	Table int   `json:"table"` // points
	Bytes int   `json:"bytes"` // memory of the table
	One   Curve `json:"one"`
	Two   Curve `json:"two"`
	Each  Curve `json:"each"`
}

// share is the cost attributed to one sum in a call: the cost of a call of sums
// of this length, divided by their number. It interpolates linearly between the
// measured numbers of sums.
func (f Fixed) share(terms, call int) float64 {
	sums := float64(call) / float64(terms)
	one, two, each := f.One.At(call), f.Two.At(call), f.Each.At(call)
	whole := one + (two-one)*(sums-1)
	if sums > 2 {
		whole = two + (each-two)*(sums-2)/float64(call-2)
	}
	return whole / sums
}

// Lockstep is the cost of a call of sums of Terms terms each over unknown
// points, as a function of the number of sums.
type Lockstep struct {
	Terms int   `json:"terms"` // of each sum
	Calls Curve `json:"calls"`
}

// Costs are the unit costs of one Group on one machine.
type Costs struct {
	Machine  string           `json:"machine"` // identifies the machine in files
	Date     string           `json:"date"`
	Ops      map[string]Curve `json:"ops"`      // by Name
	Inside   map[string]Curve `json:"inside"`   // the operations inside the above, by the backend's names
	Lockstep []Lockstep       `json:"lockstep"` // by rising Terms
	Fixed    []Fixed          `json:"fixed"`
	// Spread is the interquartile range of the samples of a figure relative to
	// their median; it is the median over all figures.
	Spread float64 `json:"spread"`
}

// Name is the key of the cost of op in a group: "msm", "G2 msm".
func Name(group string, op count.Op) string {
	return strings.TrimPrefix(group+" "+op.String(), " ")
}

// Of predicts one event in nanoseconds; known is false if no similar event was
// measured.
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

// together is the cost attributed to one of several sums of a call, at most its
// cost alone. It interpolates linearly between the measured lengths.
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

// predict sums the costs of the outer events of c, and lists the events of
// unknown cost.
func (c *Costs) predict(counts count.Counts) (ns float64, unknown []count.Event) {
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
