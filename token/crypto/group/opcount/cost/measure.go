package cost

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/opcount/count"
)

// TableSize asks for the costs of sums over a table of that many points, made
// with that budget (group.Fixed.NewTable).
type TableSize struct{ Points, Budget int }

// Options say how to measure.
type Options struct {
	Sample   time.Duration // how long each figure is measured
	Tables   []TableSize
	Now      func() time.Duration // the clock; nil for wall time
	Progress func(done, of int)   // called now and then; may be nil
}

// insider is a Group that shows the operations that its own are made of. Each
// function does one for each of points from to to-1.
type insider interface {
	Inside(points []group.Point) map[string]func(from, to int)
}

// sizesOf are the sizes at which each operation is measured.
var sizesOf = map[count.Op][]int{
	count.Add: {1}, count.Double: {1}, count.ScalarMul: {1},
	count.MSM:      {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128},
	count.Sum:      {1, 2, 3, 8, 64, 512},
	count.SumPow2:  {1, 16, 32, 64},
	count.SumBits:  {1, 16, 32, 64},
	count.Encode:   {1, 16, 128},
	count.Decode:   {1},
	count.FieldMul: {1, 4, 16, 64, 512},
	count.FieldInv: {1, 2, 8, 64},

	count.HashToCurve: {1},
}

// fixedSizes are the terms of a call at which tables are measured, all even.
var fixedSizes = []int{2, 4, 6, 16, 34, 66, 130, 256}

// lockstepTerms and lockstepSums are the sums of a call at which several sums
// together are measured, insideSizes the operations in a row inside.
var (
	lockstepTerms = []int{1, 2, 4, 16}
	lockstepSums  = []int{1, 2, 4, 16}
	insideSizes   = []int{1, 16, 128, 1024}
)

// Measure measures g: each figure is the median of short samples that are taken
// in rounds over all figures. What disturbs the machine for a
// moment then meets one sample of many figures and not all of one.
// The error is that of ctx.
func Measure(ctx context.Context, g group.Group, o Options) (*Costs, error) {
	m := newMeasurer(g)
	c := &Costs{Ops: map[string]Curve{}, Inside: map[string]Curve{}}
	for _, op := range slices.Sorted(maps.Keys(sizesOf)) {
		c.Ops[op.String()] = m.curve(sizesOf[op], func(n int) func() { return m.operation(op, n) })
	}
	if in, ok := g.(insider); ok {
		for name, do := range in.Inside(m.points.list) {
			c.Inside[name] = m.curve(insideSizes, func(n int) func() { return m.inside(do, n) })
		}
	}
	for _, terms := range lockstepTerms {
		calls := m.curve(lockstepSums, func(sums int) func() { return m.lockstep(sums, terms) })
		c.Lockstep = append(c.Lockstep, Lockstep{terms, calls})
	}
	for _, t := range o.Tables {
		c.Fixed = append(c.Fixed, m.table(t))
	}
	sub := m.curve([]int{1}, func(int) func() {
		return func() { m.dst[0] = g.SubPoints(m.points.one(), m.points.one()) }
	})
	if err := m.run(ctx, o); err != nil {
		return nil, err
	}
	// A negation has no call of its own; what a subtraction takes more than an
	// addition can be below the noise.
	add := c.Ops[count.Add.String()].At(1)
	c.Ops[count.Neg.String()] = Curve{{1, max(sub.At(1)-add, 0)}}
	c.Spread = m.spread()
	return c, nil
}

// table plans the figures of one table.
func (m *measurer) table(size TableSize) Fixed {
	t := m.g.NewTable(m.points.next(size.Points), size.Budget)
	plan := func(sum func(n int) int) Curve {
		return m.curve(fixedSizes, func(n int) func() { return m.fixed(t, n, sum(n)) })
	}
	return Fixed{
		Table: size.Points, Bytes: t.Bytes(),
		One:  plan(func(n int) int { return n }),
		Two:  plan(func(n int) int { return n / 2 }),
		Each: plan(func(int) int { return 1 }),
	}
}

// A sample lasts sampleTime or one call, whatever is longer: less than the time
// for which a busy system lets a program run, so that a wall clock, too, sees
// few that were interrupted. A figure is the median of as many
// as Options.Sample has room for, and at least of minSamples.
const (
	sampleTime = 300 * time.Microsecond
	minSamples = 5
)

// figure is one figure that is measured.
type figure struct {
	call    func()
	calls   int       // in a sample
	samples []float64 // nanoseconds of a call, sorted in the end
	spent   time.Duration
	ns      *float64 // where their median goes
}

// curve plans to measure call(n) for each size n; run fills it in.
func (m *measurer) curve(sizes []int, call func(n int) func()) Curve {
	c := make(Curve, len(sizes))
	for i, n := range sizes {
		c[i].Size = n
		m.figures = append(m.figures, &figure{call: call(n), calls: 1, ns: &c[i].NS})
	}
	return c
}

// run measures what was planned.
func (m *measurer) run(ctx context.Context, o Options) error {
	if o.Now == nil {
		start := time.Now()
		o.Now = func() time.Duration { return time.Since(start) }
	}
	rounds := max(int(o.Sample/sampleTime), minSamples)
	for round := range rounds {
		for i, f := range m.figures {
			if err := ctx.Err(); err != nil {
				return err
			}
			if o.Progress != nil {
				o.Progress(round*len(m.figures)+i, rounds*len(m.figures))
			}
			if len(f.samples) < minSamples || f.spent < o.Sample {
				f.sample(o.Now, min(sampleTime, o.Sample/minSamples))
			}
		}
	}
	for _, f := range m.figures {
		slices.Sort(f.samples)
		*f.ns = f.samples[len(f.samples)/2]
	}
	return nil
}

// sample times as many calls as take at least that long; before the first
// sample is one that is not timed.
func (f *figure) sample(now func() time.Duration, least time.Duration) {
	if len(f.samples) == 0 {
		f.call()
	}
	for {
		start := now()
		for range f.calls {
			f.call()
		}
		took := now() - start
		if took >= least {
			f.spent += took
			f.samples = append(f.samples, float64(took.Nanoseconds())/float64(f.calls))
			return
		}
		f.calls *= 2
	}
}

// spread is Costs.Spread.
func (m *measurer) spread() float64 {
	var spreads []float64
	for _, f := range m.figures {
		n := len(f.samples)
		half := f.samples[n*3/4] - f.samples[n/4]
		spreads = append(spreads, half/max(*f.ns, 1))
	}
	slices.Sort(spreads)
	return spreads[len(spreads)/2]
}
