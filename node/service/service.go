// Package service validates token requests in blocks and applies them to a ledger on
// disk.
//
// The service answers over gRPC, and has its figures as OpenMetrics.
//
// A request waits in the queue until a block is full or the first request of the block
// has waited long enough. Several blocks are validated at the same time. The store
// decides between requests that spend the same token.
package service

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
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
	Block uint64 // of an accepted request, as the store counts
	// Err is the reason of a refusal, nil for an accepted request.
	Err error
}

// A Service validates requests. It is safe for concurrent use.
type Service struct {
	c        Config
	m        *metrics
	queue    chan *submission
	blocks   chan []*submission
	decided  chan *decided // blocks that wait for the disk
	settled  chan struct{} // closed when all are answered
	refusals refusals
	workers  sync.WaitGroup

	stopping sync.RWMutex // held for reading while a request enters the queue
	stopped  bool
	ending   sync.Once
}

// submission is a request on its way.
type submission struct {
	validator.Submission
	ctx      context.Context
	entered  time.Time
	answered func(answer)
}

type answer struct {
	verdict Verdict
	err     error
}

// New starts a service.
func New(c Config) *Service {
	c.Batch, c.Queue, c.Blocks = cmp.Or(c.Batch, 64), cmp.Or(c.Queue, 4096),
		cmp.Or(c.Blocks, runtime.GOMAXPROCS(0))
	c.Linger = cmp.Or(c.Linger, 2*time.Millisecond)
	s := &Service{c: c, queue: make(chan *submission, c.Queue), blocks: make(chan []*submission),
		decided: make(chan *decided, unsettled), settled: make(chan struct{})}
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
	go s.settle()
	return s
}

// Submit validates a request and applies it. A request that was applied before, with the same
// bytes under the same anchor, has its first verdict. An error means that a verdict is
// missing: the request is not applied if the error is ErrBusy or ErrStopped. It may be
// applied if the context ended; then Status tells.
func (s *Service) Submit(ctx context.Context, anchor string, raw []byte) (Verdict, error) {
	answers := make(chan answer, 1)
	if err := s.enter(ctx, anchor, raw, func(a answer) { answers <- a }); err != nil {
		return Verdict{}, err
	}
	select {
	case a := <-answers:
		return a.verdict, a.err
	case <-ctx.Done():
		return Verdict{}, ctx.Err()
	}
}

// checkAnchor refuses anchors that are unsafe as keys. The rule holds for every version that
// the validator follows.
func checkAnchor(anchor string) error {
	if err := request.CheckAnchor(anchor); err != nil {
		return &validator.RefusedError{Rule: "anchor", Action: -1, Err: err}
	}
	return nil
}

// enter puts a request into the queue, or refuses it at once. The service calls answered once
// and does not wait for it.
func (s *Service) enter(ctx context.Context, anchor string, raw []byte, answered func(answer)) error {
	if err := checkAnchor(anchor); err != nil {
		s.m.verdict(err)
		answered(answer{verdict: Verdict{Err: err}})
		return nil
	}
	sub := &submission{Submission: validator.Submission{Anchor: anchor, Raw: raw},
		ctx: ctx, entered: time.Now(), answered: answered}
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
	s.ending.Do(func() { close(s.decided) })
	<-s.settled
}

// unsettled is the number of blocks that may wait for the disk; then no more are validated.
const unsettled = 64

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

// process validates and decides a block. settle answers its requests. A request is
// dropped if its caller went away while it waited.
func (s *Service) process(block []*submission) {
	waiting, requests := block[:0], make([]validator.Submission, 0, len(block))
	for _, sub := range block {
		if err := sub.ctx.Err(); err != nil {
			sub.answered(answer{err: err})
			continue
		}
		waiting, requests = append(waiting, sub), append(requests, sub.Submission)
	}
	if len(waiting) == 0 {
		return
	}
	b := &decided{requests: waiting, answers: make([]answer, len(waiting))}
	b.ends[queued] = time.Now()
	verdicts := s.c.Validator.ValidateBatch(requests)
	b.ends[validated] = time.Now()
	var accepted []store.Request
	for i, v := range verdicts {
		if v.Err == nil {
			accepted = append(accepted,
				store.Request{Accepted: v.Accepted, Digest: sha256.Sum256(requests[i].Raw)})
		}
	}
	var err error
	if len(accepted) > 0 {
		b.decision, err = s.c.Store.Decide(accepted)
		b.waits = err == nil
	}
	applied := b.decision.Verdicts
	for i := range waiting {
		switch a := &b.answers[i]; {
		case verdicts[i].Err != nil:
			a.verdict, a.err = s.refused(requests[i], verdicts[i].Err)
		case err != nil:
			a.err = err
		default:
			a.verdict, applied = Verdict(applied[0]), applied[1:]
		}
	}
	b.ends[decidedOn] = time.Now()
	s.m.block(len(waiting), b.ends[validated].Sub(b.ends[queued]), b.ends[decidedOn].Sub(b.ends[validated]))
	s.decided <- b
}

// decided is a block that waits for the disk.
type decided struct {
	requests []*submission
	answers  []answer
	decision store.Decision
	waits    bool
	ends     times
}

// settle answers blocks when they are on disk. Blocks are decided and validated meanwhile.
func (s *Service) settle() {
	defer close(s.settled)
	for b := range s.decided {
		var err error
		if b.waits {
			err = b.decision.Wait()
		}
		b.ends[synced] = time.Now()
		for i, sub := range b.requests {
			a := b.answers[i]
			if err != nil {
				a = answer{err: err}
			}
			s.note(sub.Anchor, a)
			sub.answered(a)
			b.ends[answered] = time.Now()
			s.m.request(sub.entered, b.ends)
		}
	}
}

// note counts an answer, and remembers a refusal.
func (s *Service) note(anchor string, a answer) {
	if a.err != nil {
		s.m.failed.Inc()
		return
	}
	s.m.verdict(a.verdict.Err)
	if a.verdict.Err != nil {
		s.refusals.add(anchor, a.verdict.Err)
	}
}
