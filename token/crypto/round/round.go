// Package round runs provers and verifiers together and computes in one call
// all that they wait for: sums over tables, sums over new points, inverses, and any
// work that the caller defines.
//
// Kinds of work that this package does not know are values of type Work, and tasks
// that wait for the same Work wait together. A search finds the wrong ones of items
// that do not hold together.
//
// A task is one function that reads like its specification, from top to bottom.
// Where it needs a sum it asks for it and waits:
//
//	err := round.Run(g, func(r round.Round) error {
//		return r.Each(len(jobs), func(r round.Round, i int) error {
//			cd := r.Fixed(table, rowC, rowD)
//			x := challenge(cd[0], cd[1])
//			…
//		})
//	})
//
// Tasks run in turns, in one goroutine at a time, so they need no locks. The
// first task runs in the goroutine of the caller; each other one is a coroutine
// (iter.Pull). Results never depend on the other tasks.
package round

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Round is a task's view of a run: the group, in the phase of the task, and the
// tasks that wait together. It is valid until the task returns.
type Round struct {
	// Group is the group of the task. A Group that counts is the view of its phase.
	Group  group.Group
	run    *run
	self   *task
	search int // the limit of SearchAtMost, or searchEach
}

// ErrNotRunning reports a Round that no Run has made.
var ErrNotRunning = errors.New("round: not in a run")

// Format implements fmt.Formatter for every verb and writes no secret.
func (Round) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "round of a prover") }

// Run runs one task, which may run others together. It returns the error of the
// task. A panic of any task is a panic of Run.
func Run(g group.Group, f func(Round) error) error { return RunOn(executor.Serial{}, g, f) }

// RunOn is Run with an executor for parts of Work.
func RunOn(e executor.Executor, g group.Group, f func(Round) error) error {
	u := newRun()
	u.executor = e
	defer u.end()
	return f(Round{Group: g, run: u, self: &u.main})
}

// Together runs tasks together until each has returned, and returns the error of
// the first one that failed, in the order of the arguments. When a task fails,
// tasks after it are stopped where they wait: their deferred functions run.
func (r Round) Together(tasks ...func(Round) error) error {
	return r.Each(len(tasks), func(r Round, i int) error { return tasks[i](r) })
}

// Each is Together for n tasks with one function.
func (r Round) Each(n int, f func(r Round, i int) error) error { return r.each(n, f, false) }

// FailFast is Each for tasks that all stop when the first fails, also
// tasks before it, except the first task. It returns that error. Of
// tasks that fail at the same time, it is the error of the lowest index.
func (r Round) FailFast(n int, f func(r Round, i int) error) error { return r.each(n, f, true) }

func (r Round) each(n int, f func(r Round, i int) error, failFast bool) error {
	if n == 0 {
		return nil
	}
	if n == 1 {
		return f(r, 0)
	}
	if r.run == nil {
		return ErrNotRunning
	}
	return r.run.each(r, n, f, failFast)
}

// Phase returns r in a phase of the protocol, for groups that count
// (group.Phase). Work of different phases is done together only if the group does
// not count.
func (r Round) Phase(names ...string) Round {
	if _, counts := r.Group.(group.Observer); counts {
		for _, name := range names {
			r.Group = r.run.phase(r.Group, name)
		}
	}
	return r
}

// Fixed returns the sum of each row over the points of t. Like all results, the
// slice is valid until the task waits again. The rows must not change before.
func (r Round) Fixed(t group.Table, rows ...group.Row) []group.Point {
	fixed.batch(r.run, terms{g: r.Group, table: t}).wait(r, &r.self.points, rows...)
	return r.self.points
}

// Sums returns the sum of each row over points that are not known in advance.
func (r Round) Sums(rows ...group.Terms) []group.Point {
	sums.batch(r.run, terms{g: r.Group}).wait(r, &r.self.points, rows...)
	return r.self.points
}

// Inverses returns 1/x for each x, and 0 for 0.
func (r Round) Inverses(xs ...group.Scalar) []group.Scalar {
	inverses.batch(r.run, terms{g: r.Group}).wait(r, &r.self.scalars, xs...)
	return r.self.scalars
}

// The kinds of work that this package knows.
var (
	fixed = kind[group.Row, group.Point]{cause: forFixed, do: func(b *batch[group.Row, group.Point]) []error {
		b.g.FixedMSM(b.dst, b.table, b.items)
		return nil
	}}
	sums     = kind[group.Terms, group.Point]{cause: forSums, do: sumByLength}
	inverses = kind[group.Scalar, group.Scalar]{cause: forInverses,
		do: func(b *batch[group.Scalar, group.Scalar]) []error {
			b.g.InvVec(b.dst, b.items)
			return nil
		}}
)

// sumByLength computes the sums, with equally many points side by side: groups
// compute such neighbours in the lanes of vectors.
func sumByLength(b *batch[group.Terms, group.Point]) []error {
	changes := 0
	for i := 1; i < len(b.items); i++ {
		if len(b.items[i].Points) != len(b.items[i-1].Points) {
			changes++
		}
	}
	if changes <= 1 {
		b.g.MSMs(b.dst, b.items)
		return nil
	}
	m, n := NewMemory(), len(b.items)
	defer m.Wipe()
	order, rows, results := make([]int, n), m.Terms(n), m.Points(n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return len(b.items[i].Points) - len(b.items[j].Points)
	})
	for k, i := range order {
		rows[k] = b.items[i]
	}
	b.g.MSMs(results, rows)
	for k, i := range order {
		b.dst[i] = results[k]
	}
	return nil
}
