package round

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Work is a kind of work that costs less for many tasks together, such as
// equations with random weights or signatures checked in lanes. It is done when no
// task can go on without it. A Work must not be copied; tasks that wait for the
// same one, in the same phase, are served by one call. Either Do or Holds is set.
type Work[T any] struct {
	// Do does the work for items, in the order of the tasks and in parts that e runs,
	// and returns nil if it accepts all of them. Otherwise it returns the results of
	// the first items, at least of one. It is called again for the others, unless their
	// tasks are stopped by an error before them.
	Do func(g group.Group, e executor.Executor, items []T) []error

	// Holds decides several items at once, which Refusal refuses if they do not
	// hold. The first one that does not is found by bisection, in about the time of
	// the first call.
	Holds   func(g group.Group, items []T) bool
	Refusal error

	kind kind[T, struct{}]
}

// ErrUnsearched is added to the refusal of several items that do not hold
// together, without a search for the wrong one.
var ErrUnsearched = errors.New("among several")

// SearchAtMost returns r for tasks with a search for a wrong item, by Work.Holds,
// only among at most that many: a search takes the time of the verification, and
// malicious proofs must not cause it. Otherwise all are refused.
func (r Round) SearchAtMost(items int) Round {
	r.search = items
	return r
}

// SearchAll returns r without the limit of SearchAtMost.
func (r Round) SearchAll() Round {
	r.search = min(r.search, 0)
	return r
}

// SearchEach returns r for tasks that go on after others fail: all wrong
// items, by Work.Holds, are found at once.
func (r Round) SearchEach() Round {
	r.search = searchEach
	return r
}

// searchEach is the limit of SearchEach.
const searchEach = -1

// ErrUndecided is the result for items without a verdict: an item before them is
// refused.
var ErrUndecided = errors.New("no verdict: an item before it is refused")

// Wait does the work for item together with the items of other tasks, and returns
// its result.
func (w *Work[T]) Wait(r Round, item T) error {
	if errs := w.WaitAll(r, []T{item}); errs != nil {
		return errs[0]
	}
	return nil
}

// WaitAll is Wait for many items. It returns nil if all of them are accepted. Without
// SearchEach, items after the first refused one may be ErrUndecided.
func (w *Work[T]) WaitAll(r Round, items []T) []error {
	if len(items) == 0 {
		return nil
	}
	if r.run == nil {
		return slices.Repeat([]error{ErrNotRunning}, len(items))
	}
	b := w.kind.batch(r.run, terms{g: r.Group, search: r.search})
	if b.do == nil {
		b.do = w.do
	}
	b.wait(r, nil, items...)
	return r.self.errs
}

// Fill returns the results of WaitAll for items, where errs has an error for each of
// items that were not waited for, or is nil.
func Fill(errs, results []error) []error {
	if errs == nil {
		return results
	}
	for i := range errs {
		if errs[i] == nil && len(results) > 0 {
			errs[i], results = results[0], results[1:]
		}
	}
	return errs
}

// do does the work of a batch.
func (w *Work[T]) do(b *batch[T, struct{}]) []error {
	items, search := b.items, b.terms.search
	switch {
	case w.Do != nil:
		return w.Do(b.g, b.run.executor, items)
	case w.Holds(b.g, items):
		return nil
	case search > 0 && len(items) > search:
		return slices.Repeat([]error{fmt.Errorf("%w, %w", w.Refusal, ErrUnsearched)}, len(items))
	}
	holds := func(items []T) bool { return w.Holds(b.g, items) }
	if search != searchEach {
		first := firstWrong(items, holds)
		return append(make([]error, first), w.Refusal)
	}
	wrong, errs := make([]bool, len(items)), make([]error, len(items))
	allWrong(items, wrong, holds)
	for i := range errs {
		if wrong[i] {
			errs[i] = w.Refusal
		}
	}
	return errs
}
