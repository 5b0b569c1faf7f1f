package runner

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkatbench/zkatbench/runner/result"
)

var (
	errPanicked = errors.New("operation panicked")
	errExited   = errors.New("operation ended its goroutine") // runtime.Goexit, or FailNow of a test
	errTimeout  = errors.New("operation timed out")
	errSetUp    = errors.New("set-up of an operation")
)

// worker calls the operation and records in separate memory. Other goroutines
// take its lock at most a few times a second, so it costs the time of an
// uncontended lock.
type worker struct {
	id    int
	p     *phase
	op    bound
	timer *time.Timer
	quota int64
	// The current activity, for the goroutine that takes over after a panic.
	at             activity
	planned, start moment
	others         int    // operations of other workers in progress at start, of an open loop
	n              int    // successful operations of the batch so far
	began          moment // start of the last operation with a timeout

	nextControl  moment
	waiting      atomic.Bool // for a planned start
	reportedSlow time.Duration

	mu     sync.Mutex
	parts  []*worker // records of the operations of a mix, without calls
	isPart bool
	result.Record
	_ [64]byte // keeps the counters of different workers on different cache lines
}

// activity is the current activity of a worker's goroutine.
type activity int

const (
	notCalling activity = iota
	preparing
	operating
)

func newWorker(id int, p *phase, op bound) *worker {
	w := &worker{id: id, p: p, op: op}
	w.prepareRecord()
	if p.queue.plan != nil {
		w.timer = time.NewTimer(time.Hour)
		w.timer.Stop()
	}
	w.Control = make([]float64, 0, maxControls)
	for range op.parts {
		part := &worker{id: id, p: p, isPart: true}
		part.prepareRecord()
		w.parts = append(w.parts, part)
	}
	return w
}

// prepareRecord allocates the memory of the record.
func (w *worker) prepareRecord() {
	w.Errors = map[string]uint64{}
	w.Response = result.NewTally(w.p.tick)
	if w.p.queue.plan != nil {
		w.Service = result.NewTally(w.p.tick)
		w.Crowd = make([]result.Company, result.Companies)
	}
}

// run calls loop until it returns. A panic, or an operation that exits its
// goroutine, is a failed operation; another goroutine continues the loop.
func (w *worker) run(done *sync.WaitGroup) {
	finished := false
	defer func() {
		if finished {
			done.Done()
			return
		}
		// Since Go 1.21 recover never returns nil for a panic, so nil means an
		// exit.
		err, stack := errExited, ""
		if v := recover(); v != nil {
			err, stack = fmt.Errorf("%w: %v", errPanicked, v), string(debug.Stack())
		}
		if w.at == preparing {
			err = fmt.Errorf("%w: %w", errSetUp, err)
		}
		if w.at == operating && w.p.queue.plan != nil {
			w.p.queue.working.Add(-1)
		}
		w.at = notCalling
		w.record(w.planned, w.start, w.p.now(), w.n, err)
		w.keepStack(stack)
		go w.run(done)
	}()
	w.loop()
	w.mu.Lock()
	w.Exited = true
	w.mu.Unlock()
	finished = true
}

// loop calls and records until the phase ends. The end of one operation is the
// start of the next, so back to back an operation costs one reading of the
// clock.
func (w *worker) loop() {
	now := w.p.now()
	for {
		planned, ok := w.next(now)
		if !ok {
			return
		}
		w.planned, w.start = planned, planned
		if w.op.before != nil {
			now, ok = w.prepare()
			if !ok {
				continue
			}
		}
		start, ok := w.begin(planned, now)
		if !ok {
			return
		}
		w.start = start
		n, err := w.call()
		now = w.p.now()
		w.record(planned, start, now, n, err)
		w.reportSlower()
		if w.p.queue.plan == nil {
			now = w.maybeControl(now)
		}
	}
}

// next returns the start of the next operation: back to back, it is now.
func (w *worker) next(now moment) (planned moment, ok bool) {
	till := moment(w.p.till.Load())
	if w.p.queue.plan != nil {
		return w.p.queue.take(now, till)
	}
	if w.quota == 0 && now < till {
		w.quota = w.p.queue.claim()
	}
	return now, now < till && w.quota > 0
}

// begin waits for the planned start and returns its time. The input was made
// before, so it delays the start only if the plan leaves too little time; back
// to back the window may have ended meanwhile.
func (w *worker) begin(planned, now moment) (start moment, ok bool) {
	if w.p.queue.plan == nil {
		return now, now == planned || now < moment(w.p.till.Load())
	}
	if planned <= now {
		return now, true
	}
	if planned-now > controlSlack {
		now = w.maybeControl(now)
	}
	if !w.wait(planned - now) {
		return 0, false
	}
	w.mu.Lock() // a run with a Precision reads the records so far
	start = w.p.now()
	w.Lag.N++
	w.Lag.Sum += start - planned
	w.Lag.Max = max(w.Lag.Max, start-planned)
	w.mu.Unlock()
	return start, true
}

// wait sleeps for d; ok is false if the phase was stopped meanwhile.
func (w *worker) wait(d time.Duration) bool {
	w.waiting.Store(true)
	defer w.waiting.Store(false)
	w.timer.Reset(d)
	select {
	case <-w.timer.C:
		return true
	case <-w.p.stopped:
		return false
	}
}

// prepare makes the input of one operation, and returns the time when it was
// ready.
func (w *worker) prepare() (ready moment, ok bool) {
	w.at, w.n = preparing, 0
	err := w.op.before(w.p.ctx)
	w.at = notCalling
	ready = w.p.now()
	if err != nil {
		w.record(ready, ready, ready, 0, fmt.Errorf("%w: %w", errSetUp, err))
	}
	return ready, err == nil
}

// call calls the operation, or a batch of calls, and returns the number that
// succeeded before the first failure.
func (w *worker) call() (n int, err error) {
	w.at, w.n = operating, 0
	if w.p.queue.plan != nil {
		w.others = int(w.p.queue.working.Add(1)) - 1
	}
	call := w.op.work
	if w.p.timeout > 0 {
		call = w.bounded
	}
	for most := int(min(int64(w.p.batch), w.quotaLeft())); w.n < most && err == nil; {
		err = call(w.p.ctx)
		if err == nil {
			w.n++
		}
	}
	w.at = notCalling
	if w.p.queue.plan != nil {
		w.p.queue.working.Add(-1)
	}
	return w.n, err
}

// bounded calls the operation once with a context that ends at the timeout. An
// operation that takes longer has failed, regardless of its result.
func (w *worker) bounded(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, w.p.timeout)
	defer cancel()
	w.began = w.p.now()
	err := w.op.work(ctx)
	switch cut := w.p.now()-w.began >= w.p.timeout; {
	case err == nil && w.p.now()-w.began > w.p.timeout:
		err = errTimeout
	case err != nil && cut:
		err = cutShort{err}
	}
	return err
}

// cutShort is an error of an operation that ended at its timeout.
type cutShort struct{ error }

// Is reports that the timeout ended the operation.
func (c cutShort) Is(target error) bool { return target == errTimeout }

func (c cutShort) Unwrap() error { return c.error }

// quotaLeft is the number of operations of its portion that a worker may still
// start; a plan hands them out one at a time.
func (w *worker) quotaLeft() int64 {
	if w.p.queue.plan != nil {
		return 1
	}
	return w.quota
}

// reportSlower calls Config.Slower if the slowest operation so far is new.
func (w *worker) reportSlower() {
	if w.p.slower == nil || len(w.Response.Slow) == 0 || w.Response.Slow[0].Latency <= w.reportedSlow {
		return
	}
	w.reportedSlow = w.Response.Slow[0].Latency
	w.p.slower(w.Response.Slow[0])
}

// maybeControl runs the control operation at intervals, on the first worker.
func (w *worker) maybeControl(now moment) moment {
	if w.id != 0 || w.p.controlEvery == 0 || now < w.nextControl || len(w.Control) == cap(w.Control) {
		return now
	}
	control()
	end := w.p.now()
	w.mu.Lock() // a run with a Precision reads the records so far
	w.Control = append(w.Control, float64(end-now))
	w.mu.Unlock()
	w.nextControl = end + w.p.controlEvery
	return end
}
