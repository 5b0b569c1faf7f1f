package runner

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/zkatbench/zkatbench/runner/result"
)

// An Operation is the measured function and the set-up of its inputs. Different
// workers call it concurrently; calls of one worker are sequential. Its context
// ends when the run is interrupted, and after Config.Timeout. The operation
// should use its results (return them, or pass them to runtime.KeepAlive), or
// the compiler may remove the computation.
type Operation struct {
	policy string
	pool   int                         // number of inputs of a Pool
	once   func(context.Context) error // runs before all workers
	bind   func(context.Context, binding) (bound, error)
	mix    []Share // the operations of a Mix
}

// binding identifies the worker that an Operation is bound to.
type binding struct {
	worker, workers int
	seed            uint64
}

// bound is an Operation bound to one worker. before runs untimed ahead of each
// call; it may be nil.
type bound struct {
	before func(context.Context) error
	work   func(context.Context) error
	part   *int // of a Mix, the index of the operation of the last call
	parts  int  // number of operations of a Mix; 0 otherwise
}

// Func returns an operation without inputs.
func Func(work func(context.Context) error) Operation {
	return Operation{policy: "none", bind: func(context.Context, binding) (bound, error) {
		return bound{work: work}, nil
	}}
}

// Once returns an operation with one input that all workers share, made before
// they start.
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

// PerWorker returns an operation with one input for each worker, numbered from
// 0. All inputs are made before any worker starts.
func PerWorker[T any](setup func(ctx context.Context, worker int) (T, error),
	work func(context.Context, T) error) Operation {
	return Operation{policy: "per worker", bind: func(ctx context.Context, b binding) (bound, error) {
		in, err := setup(ctx, b.worker)
		return bound{work: func(ctx context.Context) error { return work(ctx, in) }}, err
	}}
}

// Each returns an operation with a new input for each call, made by the worker
// outside the measured time. Its calls are never batched.
func Each[T any](setup func(ctx context.Context, worker int) (T, error),
	work func(context.Context, T) error) Operation {
	return Operation{policy: result.EachPolicy, bind: func(_ context.Context, b binding) (bound, error) {
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

// Pool returns an operation that walks over inputs repeatedly, in an order
// determined by Config.Seed, each worker from another position. With fewer
// inputs than workers, two workers can use the same input at the same time.
func Pool[T any](inputs []T, work func(context.Context, T) error) Operation {
	return Operation{policy: "pool", pool: len(inputs),
		bind: func(_ context.Context, b binding) (bound, error) {
			if len(inputs) == 0 {
				return bound{}, fmt.Errorf("%w: a pool without inputs", ErrConfig)
			}
			order := rand.New(rand.NewPCG(b.seed, 0)).Perm(len(inputs))
			next := b.worker * len(inputs) / b.workers
			return bound{work: func(ctx context.Context) error {
				in := inputs[order[next]]
				next++
				if next == len(order) {
					next = 0
				}
				return work(ctx, in)
			}}, nil
		}}
}

// distinct returns the number of distinct inputs of a pool that workers used in
// calls[i] calls each, after warm[i] calls in the warm-up.
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
