package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/zkatbench/zkatbench/node/payments"
	"github.com/zkatbench/zkatbench/node/service"
	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// local is a service in this process with a ledger in a temporary folder.
type local struct {
	*service.Service
	store *store.Store
	dir   string
}

// newLocal starts a service that knows the inputs of payments.
func (s *settings) newLocal(pool *payments.Pool, list []payments.Payment) (*local, error) {
	dir, err := os.MkdirTemp("", "node")
	if err != nil {
		return nil, err
	}
	kept, err := store.Open(dir, store.Options{Digest: pool.Network.Params.Digest(), Reserve: s.reserve})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	l := &local{store: kept, dir: dir, Service: service.New(service.Config{
		Validator: pool.Network.Validator(validator.Options{Ledger: kept}),
		Store:     kept, Batch: s.batch, Linger: s.linger, Queue: s.queue, Blocks: s.workers,
	})}
	return l, credit(kept, list)
}

// credit stores the tokens that payments spend.
func credit(s *store.Store, list []payments.Payment) error {
	var tokens []validator.Created
	for _, p := range list {
		tokens = append(tokens, p.Inputs...)
	}
	return s.Put(tokens...)
}

func (l *local) close() error {
	l.Stop()
	return errors.Join(l.store.Close(), os.RemoveAll(l.dir))
}

// pay returns an operation that submits payments, each once. The error of a payment
// other than accepted is the reason.
func pay[P any](list []P, submit func(context.Context, P) error) runner.Operation {
	var next atomic.Int64
	return runner.Func(func(ctx context.Context) error {
		i := next.Add(1) - 1
		if i >= int64(len(list)) {
			return errors.New("all payments are made")
		}
		return submit(ctx, list[i])
	})
}

// complete returns an error unless all payments of a run were accepted.
func complete(r *result.Result) error {
	if r != nil && (r.Failed > 0 || r.Done == 0) {
		return fmt.Errorf("%d of %d payments failed: %v", r.Failed, r.Done+r.Failed, r.Errors)
	}
	return nil
}

// demonstrate shows the throughput of a service in this process.
func (s *settings) demonstrate(ctx context.Context, stdout io.Writer) (err error) {
	pool, err := payments.New(payments.Config{})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "making %d payments (v2, BN254, 64 bits, X.509, 2 inputs, 2 outputs)\n", s.count)
	list, err := pool.Take(s.count)
	if err != nil {
		return err
	}
	l, err := s.newLocal(pool, list)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	begin := cputime.Process()
	r, err := runner.Run(ctx,
		runner.Config{Workers: min(2*s.batch, len(list)), Ops: int64(len(list)), WarmUp: -1},
		pay(list, func(ctx context.Context, p payments.Payment) error {
			v, err := l.Submit(ctx, p.Anchor, p.Raw)
			return errors.Join(err, v.Err)
		}))
	err = errors.Join(err, complete(r))
	if err != nil {
		return err
	}
	cpu := (cputime.Process() - begin) / time.Duration(r.Done)
	fmt.Fprintf(stdout, "%d payments accepted and on disk in %.2f s: %.0f transactions a second\n", r.Done,
		r.Elapsed.Seconds(), float64(r.Done)/r.Elapsed.Seconds())
	fmt.Fprintf(stdout, "processor time of a transaction: %.2f ms; blocks of at most %d requests\n",
		cpu.Seconds()*1e3, s.batch)
	fmt.Fprintf(stdout, "serve a network: -listen=ADDRESS -params=FILE -dir=FOLDER; see -h\n")
	return nil
}
