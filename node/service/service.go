// Package service validates token requests in blocks and applies them to a ledger on
// disk.
//
//	service.go  Service: a bounded queue, blocks, verdicts
//	grpc.go     the service over gRPC
//	metrics.go  figures of a service as OpenMetrics
//
// A request waits in the queue until a block is full or the first request of the block
// has waited long enough. Several blocks are validated at the same time. The store
// decides between requests that spend the same token.
package service

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// Errors of Submit. All other errors are of the store or of the context.
var (
	ErrBusy    = errors.New("queue is full")
	ErrStopped = errors.New("service is stopping")
)

// Config configures a Service. Zero fields have defaults.
type Config struct {
	Validator *validator.Validator
	Store     *store.Store
	Batch     int           // requests of a block; default 64
	Linger    time.Duration // longest wait for more requests of a block; default 2 ms
	Queue     int           // requests that wait; default 4096
	Blocks    int           // blocks that are validated at the same time; default GOMAXPROCS
}

// A Verdict is the answer to a request.
type Verdict struct {
	// Err is the reason of a refusal, nil for an accepted request.
	Err   error
	Block uint64 // of an accepted request, counted from 1
}

// A Service validates requests. It is safe for concurrent use.
type Service struct {
	c       Config
	m       *metrics
	queue   chan *submission
	blocks  chan []*submission
	numbers atomic.Uint64 // of blocks
	workers sync.WaitGroup

	stopping sync.RWMutex // held for reading while a request enters the queue
	stopped  bool
}

// submission is a request on its way. answer has room for one answer, so the service never waits
// for a caller that went away.
type submission struct {
	validator.Submission
	ctx    context.Context
	answer chan answer
}

type answer struct {
	verdict Verdict
	err     error
}

// New starts a service.
func New(c Config) *Service {
	c.Batch, c.Queue, c.Blocks = cmp.Or(c.Batch, 64), cmp.Or(c.Queue, 4096), cmp.Or(c.Blocks, runtime.GOMAXPROCS(0))
	c.Linger = cmp.Or(c.Linger, 2*time.Millisecond)
	s := &Service{c: c, queue: make(chan *submission, c.Queue), blocks: make(chan []*submission)}
	s.m = newMetrics(func() float64 { return float64(len(s.queue)) })
	s.workers.Add(c.Blocks)
	for range c.Blocks {
		go func() {
			defer s.workers.Done()
			for block := range s.blocks {
				s.process(block)
			}
		}()
	}
	go s.collect()
	return s
}

// Submit validates a request and applies it. An error means that a verdict is missing:
// the request is not applied if the error is ErrBusy or ErrStopped. It may be applied
// if the context ended.
func (s *Service) Submit(ctx context.Context, anchor string, raw []byte) (Verdict, error) {
	sub := &submission{validator.Submission{Anchor: anchor, Raw: raw}, ctx, make(chan answer, 1)}
	if err := s.enter(sub); err != nil {
		return Verdict{}, err
	}
	select {
	case a := <-sub.answer:
		return a.verdict, a.err
	case <-ctx.Done():
		return Verdict{}, ctx.Err()
	}
}

func (s *Service) enter(sub *submission) error {
	s.stopping.RLock()
	defer s.stopping.RUnlock()
	if s.stopped {
		return ErrStopped
	}
	select {
	case s.queue <- sub:
		return nil
	default:
		s.m.busy.Inc()
		return ErrBusy
	}
}

// Stop refuses new requests, answers all accepted ones, and returns.
func (s *Service) Stop() {
	s.stopping.Lock()
	if !s.stopped {
		s.stopped = true
		close(s.queue)
	}
	s.stopping.Unlock()
	s.workers.Wait()
}

// collect divides the queue into blocks.
func (s *Service) collect() {
	defer close(s.blocks)
	for first := range s.queue {
		block := append(make([]*submission, 0, s.c.Batch), first)
		enough := time.NewTimer(s.c.Linger)
	fill:
		for len(block) < s.c.Batch {
			select {
			case next, open := <-s.queue:
				if !open {
					break fill
				}
				block = append(block, next)
			case <-enough.C:
				break fill
			}
		}
		enough.Stop()
		s.blocks <- block
	}
}

// process validates a block, applies it, and answers its requests. Requests of which the
// callers went away while they waited are dropped.
func (s *Service) process(block []*submission) {
	waiting, requests := block[:0], make([]validator.Submission, 0, len(block))
	for _, sub := range block {
		if err := sub.ctx.Err(); err != nil {
			sub.answer <- answer{err: err}
			continue
		}
		waiting, requests = append(waiting, sub), append(requests, sub.Submission)
	}
	if len(waiting) == 0 {
		return
	}
	begin := time.Now()
	verdicts := s.c.Validator.ValidateBatch(requests)
	validated := time.Now()
	var accepted []*validator.Accepted
	for _, v := range verdicts {
		if v.Err == nil {
			accepted = append(accepted, v.Accepted)
		}
	}
	applied, err := s.apply(accepted)
	s.m.block(len(waiting), validated.Sub(begin), time.Since(validated))
	number := s.numbers.Add(1)
	for i, sub := range waiting {
		v := Verdict{Err: verdicts[i].Err}
		if v.Err == nil {
			if err != nil {
				s.m.failed.Inc()
				sub.answer <- answer{err: err}
				continue
			}
			v.Err, applied = applied[0], applied[1:]
		}
		if v.Err == nil {
			v.Block = number
		}
		s.m.verdict(v.Err)
		sub.answer <- answer{verdict: v}
	}
}

func (s *Service) apply(accepted []*validator.Accepted) ([]error, error) {
	if len(accepted) == 0 {
		return nil, nil
	}
	return s.c.Store.Apply(accepted)
}
