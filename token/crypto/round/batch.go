package round

import (
	"slices"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// kind is a kind of work that this package knows: from T to R.
type kind[T, R any] struct {
	// do sets dst[i] to the result of items[i]. If it fails, it returns the index of
	// the first item that is wrong.
	do func(g group.Group, t group.Table, dst []R, items []T) (int, error)
	// results is where a task finds its results.
	results func(*task) *[]R

	batches []batch[T, R]
	used    int // the first ones have requests
}

// batch is the requests for one kind of work, over one table, in one phase.
type batch[T, R any] struct {
	g     group.Group
	table group.Table
	items []T
	asks  []ask
	dst   []R
}

// ask is a request of one task: the next items of a batch.
type ask struct {
	task  *task
	count int
}

// ask adds a request to the batch of g and t.
func (k *kind[T, R]) ask(of *task, g group.Group, t group.Table, items []T) {
	b := k.find(g, t)
	b.items = append(b.items, items...)
	b.asks = append(b.asks, ask{of, len(items)})
}

func (k *kind[T, R]) find(g group.Group, t group.Table) *batch[T, R] {
	for i := range k.batches[:k.used] {
		if b := &k.batches[i]; b.g == g && b.table == t {
			return b
		}
	}
	if k.used == len(k.batches) {
		k.batches = append(k.batches, batch[T, R]{})
	}
	k.used++
	b := &k.batches[k.used-1]
	b.g, b.table = g, t
	return b
}

func (k *kind[T, R]) pending() bool { return k.used > 0 }

// compute does the work of all requests and lets their tasks go on.
func (k *kind[T, R]) compute() {
	for i := range k.batches[:k.used] {
		k.computeBatch(&k.batches[i])
	}
	k.used = 0
}

func (k *kind[T, R]) computeBatch(b *batch[T, R]) {
	b.items, b.asks = withoutStopped(b.items, b.asks)
	b.dst = slices.Grow(b.dst[:0], len(b.items))[:len(b.items)]
	if len(b.items) == 0 {
		return
	}
	wrong, err := 0, error(nil)
	panicked := caught(func() { wrong, err = k.do(b.g, b.table, b.dst, b.items) })
	items, dst := b.items, b.dst
	for _, a := range b.asks {
		own := dst[:a.count:a.count]
		*k.results(a.task) = own
		if err != nil && len(b.asks) > 1 && panicked == nil { // who is wrong
			panicked = caught(func() { wrong, a.task.err = k.do(b.g, b.table, own, items[:a.count]) })
		} else {
			a.task.err = err
		}
		a.task.wrong, a.task.panicked, a.task.waits = wrong, panicked, forNothing
		items, dst = items[a.count:], dst[a.count:]
	}
	clear(b.items)
	clear(b.asks)
	b.items, b.asks = b.items[:0], b.asks[:0]
}

// wipe clears the results: parts of commitments tell more than the whole.
func (k *kind[T, R]) wipe() {
	k.used = 0
	for i := range k.batches {
		b := &k.batches[i]
		clear(b.items[:cap(b.items)])
		clear(b.asks[:cap(b.asks)])
		clear(b.dst[:cap(b.dst)])
		*b = batch[T, R]{items: b.items[:0], asks: b.asks[:0], dst: b.dst[:0]}
	}
}

// withoutStopped removes the requests of tasks that were stopped.
func withoutStopped[T any](items []T, asks []ask) ([]T, []ask) {
	if !slices.ContainsFunc(asks, func(a ask) bool { return a.task.done }) {
		return items, asks
	}
	from, kept, left := 0, items[:0], asks[:0]
	for _, a := range asks {
		if !a.task.done {
			kept, left = append(kept, items[from:from+a.count]...), append(left, a)
		}
		from += a.count
	}
	clear(items[len(kept):])
	clear(asks[len(left):])
	return kept, left
}

// caught runs f and returns the value of its panic, or nil.
func caught(f func()) (panicked any) {
	defer func() { panicked = recover() }()
	f()
	return nil
}
