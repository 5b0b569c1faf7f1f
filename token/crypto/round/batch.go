package round

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// kind is a kind of work, from T to R.
type kind[T, R any] struct {
	cause cause // 0 means forWork
	// do sets dst[i] of a batch to the result of items[i]. It returns nil if it
	// accepts all items, and otherwise the errors of the first ones, at least of one.
	do      func(*batch[T, R]) []error
	batches sync.Pool // of *batch[T, R]
}

// terms is the common part of the requests of a batch.
type terms struct {
	g      group.Group
	table  group.Table
	search int
}

// batch is requests of tasks for one kind of work, on the same terms.
type batch[T, R any] struct {
	terms
	run   *run
	kind  *kind[T, R]
	do    func(*batch[T, R]) []error // of the kind
	items []T
	asks  []ask[R]
	dst   []R
}

// ask is a request of one task: the next items of a batch.
type ask[R any] struct {
	task    *task
	results *[]R // where the task finds its results
	count   int
}

// worker is a batch of any types.
type worker interface {
	waits() cause
	pending() bool
	compute()
	release()
}

// batch returns the batch of u for these terms.
func (k *kind[T, R]) batch(u *run, on terms) *batch[T, R] {
	for _, w := range u.batches {
		if b, ok := w.(*batch[T, R]); ok && b.kind == k && b.terms == on {
			return b
		}
	}
	b, ok := k.batches.Get().(*batch[T, R])
	if !ok {
		b = &batch[T, R]{kind: k, do: k.do}
	}
	b.run, b.terms = u, on
	u.batches = append(u.batches, b)
	return b
}

// wait adds a request of the task of r, and returns when it is done.
func (b *batch[T, R]) wait(r Round, results *[]R, items ...T) {
	b.items = append(b.items, items...)
	b.asks = append(b.asks, ask[R]{r.self, results, len(items)})
	r.wait(b.waits())
}

func (b *batch[T, R]) waits() cause  { return cmp.Or(b.kind.cause, forWork) }
func (b *batch[T, R]) pending() bool { return len(b.asks) > 0 }

// compute does the work of all requests and lets their tasks go on. Requests stay if
// do gave no verdict on them.
func (b *batch[T, R]) compute() {
	b.forgetStopped()
	decided := len(b.items)
	b.dst = slices.Grow(b.dst[:0], decided)[:decided]
	var errs []error
	var panicked any
	if decided > 0 {
		panicked = caught(func() { errs = b.do(b) })
	}
	if errs != nil && panicked == nil {
		if len(errs) == 0 {
			errs = []error{errNoResult}
		}
		decided = min(decided, len(errs))
	}
	at, served := 0, 0
	for _, a := range b.asks {
		t, end := a.task, at+a.count
		t.errs = errs[min(at, len(errs)):min(end, len(errs))]
		refuses := slices.ContainsFunc(t.errs, func(err error) bool { return err != nil })
		if !refuses && end > decided {
			break
		}
		if !refuses {
			t.errs = nil
		} else {
			t.errs = append(slices.Clip(t.errs), slices.Repeat([]error{ErrUndecided}, a.count-len(t.errs))...)
		}
		if a.results != nil {
			*a.results = b.dst[at:end:end]
		}
		t.panicked, t.waits = panicked, forNothing
		at, served = end, served+1
	}
	b.items, b.asks = slices.Delete(b.items, 0, at), slices.Delete(b.asks, 0, served)
}

// errNoResult reports a Do without a result.
var errNoResult = errors.New("round: work without a result")

// forgetStopped removes the requests of tasks that were stopped.
func (b *batch[T, R]) forgetStopped() {
	stopped := func(a ask[R]) bool { return a.task.done }
	if !slices.ContainsFunc(b.asks, stopped) {
		return
	}
	from, kept := 0, b.items[:0]
	for _, a := range b.asks {
		if !stopped(a) {
			kept = append(kept, b.items[from:from+a.count]...)
		}
		from += a.count
	}
	clear(b.items[len(kept):])
	b.items, b.asks = kept, slices.DeleteFunc(b.asks, stopped)
}

// release clears the batch and gives its memory back: parts of commitments tell more
// than the whole.
func (b *batch[T, R]) release() {
	clear(b.items[:cap(b.items)])
	clear(b.asks[:cap(b.asks)])
	clear(b.dst[:cap(b.dst)])
	b.run, b.terms, b.items = nil, terms{}, b.items[:0]
	b.asks, b.dst = b.asks[:0], b.dst[:0]
	b.kind.batches.Put(b)
}

// caught runs f and returns the value of its panic, or nil.
func caught(f func()) (panicked any) {
	defer func() { panicked = recover() }()
	f()
	return nil
}
