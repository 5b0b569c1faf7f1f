// Package unitcost measures the costs of the operations of a Group on this
// machine.
//
// Package count/cost times the calls and predicts times from their costs.
package unitcost

import (
	"context"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/cost"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TableSize selects the costs of sums over a table of this number of points,
// made with this budget (group.Fixed.NewTable).
type TableSize struct{ Points, Budget int }

// insider is a Group that exposes the operations inside its operations. Each
// function performs one operation for each of the points from to to-1.
type insider interface {
	Inside(points []group.Point) map[string]func(from, to int)
}

// fixedSizes lists the measured numbers of terms of a call over a table, all
// even.
var fixedSizes = []int{2, 4, 6, 16, 34, 66, 130, 256}

// lockstepTerms and lockstepSums are the terms and numbers of sums in measured
// calls of several sums, insideSizes the numbers of consecutive operations
// inside.
var (
	lockstepTerms = []int{1, 2, 4, 16}
	lockstepSums  = []int{1, 2, 4, 16}
	insideSizes   = []int{1, 16, 128, 1024}
)

// Measure measures the operations of g, also over tables of the given sizes.
// The error is the error of ctx.
func Measure(ctx context.Context, g group.Group, tables []TableSize, o cost.Options) (*cost.Costs, error) {
	m := newMeasurer(g)
	c := &cost.Costs{Ops: map[string]cost.Curve{}, Inside: map[string]cost.Curve{}}
	for _, op := range count.Ops() {
		if o, ok := operations[op]; ok {
			c.Ops[op.String()] = m.meter.Curve(o.sizes, func(n int) func() { return o.call(m, n) })
		}
	}
	if in, ok := g.(insider); ok {
		for name, do := range in.Inside(m.points.list) {
			c.Inside[name] = m.meter.Curve(insideSizes, func(n int) func() { return m.inside(do, n) })
		}
	}
	for _, terms := range lockstepTerms {
		calls := m.meter.Curve(lockstepSums, func(sums int) func() { return m.lockstep(sums, terms) })
		c.Lockstep = append(c.Lockstep, cost.Lockstep{Terms: terms, Calls: calls})
	}
	for _, t := range tables {
		c.Fixed = append(c.Fixed, m.table(t))
	}
	sub := m.meter.Curve([]int{1}, func(int) func() {
		return func() { m.dst[0] = g.SubPoints(m.points.one(), m.points.one()) }
	})
	if err := m.meter.Run(ctx, o); err != nil {
		return nil, err
	}
	// No call only negates. The difference between a subtraction and an
	// addition can be below the noise.
	add := c.Ops[count.Add.String()].At(1)
	c.Ops[count.Neg.String()] = cost.Curve{{Size: 1, NS: max(sub.At(1)-add, 0)}}
	c.Spread = m.meter.Spread()
	return c, nil
}

// table plans the figures of one table.
func (m *measurer) table(size TableSize) cost.Fixed {
	t := m.g.NewTable(m.points.next(size.Points), size.Budget)
	plan := func(sum func(n int) int) cost.Curve {
		return m.meter.Curve(fixedSizes, func(n int) func() { return m.fixed(t, n, sum(n)) })
	}
	return cost.Fixed{
		Table: size.Points, Bytes: t.Bytes(),
		One:  plan(func(n int) int { return n }),
		Two:  plan(func(n int) int { return n / 2 }),
		Each: plan(func(int) int { return 1 }),
	}
}
