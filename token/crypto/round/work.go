package round

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Work is a kind of work that costs less for many tasks together, such as
// equations with random weights or signatures checked in lanes. It is done when no
// task can go on without it. A Work must not be copied; tasks that wait for the
// same one, in the same phase, are served by one call. Either Do or Holds is set.
type Work[T any] struct {
	// Do does the work for items, in the order of the tasks, and returns nil if it
	// accepts all of them. Otherwise it returns the results of the first items, at
	// least of one. It is called again for the others, unless their tasks are
	// stopped by an error before them.
	Do func(g group.Group, items []T) []error

	// Holds decides several items at once, which Refusal refuses if they do not
	// hold. The first one that does not is found by bisection, in about the time of
	// the first call.
	Holds   func(g group.Group, items []T) bool
	Refusal error
	// SearchAll means that Holds is cheap, so that a wrong item is searched for
	// whatever the limit of SearchAtMost is.
	SearchAll bool

	requests sync.Pool // of *requests[T]
}

// ErrUnsearched is added to the refusal of several items that do not hold
// together, of which the wrong one was not searched for.
var ErrUnsearched = errors.New("among several")

// SearchAtMost returns r for tasks whose wrong item, by Work.Holds, is searched for
// only among at most that many: a search takes as long as the verification, and
// malicious proofs must not cause it. Otherwise all are refused.
func (r Round) SearchAtMost(items int) Round {
	r.search = items
	return r
}

// SearchEach returns r for tasks that go on whatever becomes of the others: all wrong
// items, by Work.Holds, are found at once (AllWrong).
func (r Round) SearchEach() Round {
	r.search = searchEach
	return r
}

// searchEach is the limit of SearchEach.
const searchEach = -1

// Wait does the work for item together with the items of other tasks, and returns
// its result.
func (w *Work[T]) Wait(r Round, item T) error {
	if r.run == nil {
		return ErrNotRunning
	}
	q := w.find(r)
	q.items = append(q.items, item)
	q.asks = append(q.asks, ask{task: r.self, count: 1})
	r.wait(forWork)
	return r.self.err
}

// do does the work.
func (w *Work[T]) do(g group.Group, items []T, search int) []error {
	switch {
	case w.Do != nil:
		return w.Do(g, items)
	case w.Holds(g, items):
		return nil
	case search > 0 && len(items) > search && !w.SearchAll:
		return slices.Repeat([]error{fmt.Errorf("%w, %w", w.Refusal, ErrUnsearched)}, len(items))
	}
	holds := func(items []T) bool { return w.Holds(g, items) }
	if search == searchEach {
		wrong, results := make([]bool, len(items)), make([]error, len(items))
		AllWrong(items, wrong, holds)
		for i := range results {
			if wrong[i] {
				results[i] = w.Refusal
			}
		}
		return results
	}
	results := make([]error, 1+FirstWrong(items, holds))
	results[len(results)-1] = w.Refusal
	return results
}

// requests are the requests for one Work in one phase.
type requests[T any] struct {
	of     *Work[T]
	g      group.Group
	search int
	items  []T
	asks   []ask
}

func (w *Work[T]) find(r Round) *requests[T] {
	for _, q := range r.run.work {
		if q, ok := q.(*requests[T]); ok && q.of == w && q.g == r.Group && q.search == r.search {
			return q
		}
	}
	q, ok := w.requests.Get().(*requests[T])
	if !ok {
		q = new(requests[T])
	}
	q.of, q.g, q.search = w, r.Group, r.search
	r.run.work = append(r.run.work, q)
	return q
}

// compute does the work of all requests. Items without a result stay.
func (q *requests[T]) compute() {
	q.items, q.asks = withoutStopped(q.items, q.asks)
	if len(q.items) == 0 {
		return
	}
	var results []error
	panicked := caught(func() { results = q.of.do(q.g, q.items, q.search) })
	n := len(results)
	if results == nil || n > len(q.items) || panicked != nil {
		n = len(q.items)
	}
	for i, a := range q.asks[:n] {
		a.task.err, a.task.panicked, a.task.waits = nil, panicked, forNothing
		if results != nil {
			a.task.err = results[i]
		}
	}
	q.items, q.asks = append(q.items[:0], q.items[n:]...), append(q.asks[:0], q.asks[n:]...)
}

func (q *requests[T]) pending() bool { return len(q.asks) > 0 }

// release gives the memory back.
func (q *requests[T]) release() {
	clear(q.items[:cap(q.items)])
	clear(q.asks[:cap(q.asks)])
	w := q.of
	*q = requests[T]{items: q.items[:0], asks: q.asks[:0]}
	w.requests.Put(q)
}
