package runner

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// An Operation is what is measured, and how its inputs are made. Different
// workers call it concurrently, one worker calls it one at a time. The context
// that it gets ends when the run is interrupted, and at Config.Timeout. What
// an operation computes should be used (returned, or kept by
// runtime.KeepAlive), or the compiler may leave it out.
type Operation struct {
	policy string
	pool   int                         // inputs of a Pool
	once   func(context.Context) error // before all workers
	bind   func(context.Context, binding) (bound, error)
}

// binding is for whom an Operation is bound.
type binding struct {
	worker, workers int
	seed            uint64
}

// bound is an Operation for one worker: before is not timed, and nil if there
// is nothing to do.
type bound struct {
	before func(context.Context) error
	work   func(context.Context) error
}

// Func is an operation without inputs.
func Func(work func(context.Context) error) Operation {
	return Operation{policy: "none", bind: func(context.Context, binding) (bound, error) {
		return bound{work: work}, nil
	}}
}

// Once is an operation whose workers share one input, made before they start.
func Once[T any](setup func(context.Context) (T, error), work func(context.Context, T) error) Operation {
	var in T
	return Operation{
		policy: "once",
		once: func(ctx context.Context) (err error) {
			in, err = setup(ctx)
			return err
		},
		bind: func(context.Context, binding) (bound, error) {
			return bound{work: func(ctx context.Context) error { return work(ctx, in) }}, nil
		},
	}
}

// PerWorker is an operation whose workers, numbered from 0, each make an input
// of their own before any of them starts.
func PerWorker[T any](setup func(ctx context.Context, worker int) (T, error), work func(context.Context, T) error) Operation {
	return Operation{policy: "per worker", bind: func(ctx context.Context, b binding) (bound, error) {
		in, err := setup(ctx, b.worker)
		return bound{work: func(ctx context.Context) error { return work(ctx, in) }}, err
	}}
}

// Each is an operation that has a new input each time, made by its worker and
// not timed. Its operations are never batched.
func Each[T any](setup func(ctx context.Context, worker int) (T, error), work func(context.Context, T) error) Operation {
	return Operation{policy: "per operation", bind: func(_ context.Context, b binding) (bound, error) {
		var in T
		return bound{
			before: func(ctx context.Context) (err error) {
				in, err = setup(ctx, b.worker)
				return err
			},
			work: func(ctx context.Context) error { return work(ctx, in) },
		}, nil
	}}
}

// Pool is an operation that walks inputs in an order that Config.Seed gives,
// again and again, each worker from another place. With fewer inputs than
// workers, two workers can have the same one at the same time.
func Pool[T any](inputs []T, work func(context.Context, T) error) Operation {
	return Operation{policy: "pool", pool: len(inputs), bind: func(_ context.Context, b binding) (bound, error) {
		if len(inputs) == 0 {
			return bound{}, fmt.Errorf("%w: a pool of no inputs", ErrConfig)
		}
		order := rand.New(rand.NewPCG(b.seed, 0)).Perm(len(inputs))
		next := b.worker * len(inputs) / b.workers
		return bound{work: func(ctx context.Context) error {
			in := inputs[order[next]]
			if next++; next == len(order) {
				next = 0
			}
			return work(ctx, in)
		}}, nil
	}}
}

// distinct returns how many inputs of a pool the workers used that made so
// many calls each, after those of the warm-up.
func (op Operation) distinct(warm, calls []uint64) (n int) {
	used := make([]bool, op.pool)
	for w, c := range calls {
		from := w*op.pool/len(calls) + int(warm[w]%uint64(op.pool))
		for i := range min(c, uint64(op.pool)) {
			at := (from + int(i)) % op.pool
			if !used[at] {
				used[at] = true
				n++
			}
		}
	}
	return n
}
