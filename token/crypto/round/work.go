package round

import (
	"sync"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Work is a kind of work that costs less for many tasks together, such as
// equations with random weights or signatures checked in lanes. It is done when no
// task can go on without it. A Work must not be copied; tasks that wait for the
// same one, in the same phase, are served by one call.
type Work[T any] struct {
	// Do does the work for items, in the order of the tasks, and returns nil if it
	// accepts all of them. Otherwise it returns the results of the first items, at
	// least of one. It is called again for the others, unless their tasks are
	// stopped by an error before them.
	Do func(g group.Group, items []T) []error

	requests sync.Pool // of *requests[T]
}

// Wait does the work for item together with the items of other tasks, and returns
// its result.
func (w *Work[T]) Wait(r Round, item T) error {
	q := w.find(r)
	q.items = append(q.items, item)
	q.asks = append(q.asks, ask{task: r.self, count: 1})
	r.wait(forWork)
	return r.self.err
}

// Bisect returns a Work.Do for items that hold or do not, where holds decides
// several at once. It finds the first item that does not hold by bisection, in
// about the time of the first call, and refuses it.
func Bisect[T any](refusal error, holds func(g group.Group, items []T) bool) func(group.Group, []T) []error {
	return func(g group.Group, items []T) []error {
		if holds(g, items) {
			return nil
		}
		first, n := 0, len(items) // items[first:first+n] do not hold together
		for n > 1 {
			if half := n / 2; holds(g, items[first:first+half]) {
				first, n = first+half, n-half
			} else {
				n = half
			}
		}
		results := make([]error, first+1)
		results[first] = refusal
		return results
	}
}

// requests are the requests for one Work in one phase.
type requests[T any] struct {
	of    *Work[T]
	g     group.Group
	items []T
	asks  []ask
}

func (w *Work[T]) find(r Round) *requests[T] {
	for _, q := range r.run.work {
		if q, ok := q.(*requests[T]); ok && q.of == w && q.g == r.Group {
			return q
		}
	}
	q, ok := w.requests.Get().(*requests[T])
	if !ok {
		q = new(requests[T])
	}
	q.of, q.g = w, r.Group
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
	panicked := caught(func() { results = q.of.Do(q.g, q.items) })
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
