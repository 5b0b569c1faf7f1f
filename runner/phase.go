package runner

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// early reports whether a phase ended before its limits.
func early(end string) bool {
	return end == result.EndInterrupted || end == result.EndDeadline || end == result.EndStalled ||
		end == result.EndFailing
}

// grace is the time that an interrupted run waits for operations in progress.
const grace = 1500 * time.Millisecond

// A phase is a time when workers run: the warm-up or the window.
type phase struct {
	workers      int
	window       bool          // not a warm-up
	duration     time.Duration // 0: no limit
	batch        int
	timeout      time.Duration
	stall        time.Duration
	tick         time.Duration
	controlEvery time.Duration     // 0: never
	slower       func(result.Slow) // nil: not called
	queue        *queue
	// look is called at intervals; a non-empty end stops the phase for this
	// reason.
	look  func(now moment, ws []*worker) (end string)
	every time.Duration

	ctx     context.Context // of the operations
	cancel  context.CancelFunc
	origin  time.Time
	till    atomic.Int64 // end of the phase, a moment; read by all workers, written at most once
	stopped chan struct{}
	once    sync.Once
	cut     atomic.Int64 // operations that failed because the run ended
	dump    string       // of all goroutines, after a stall
}

func (p *phase) now() moment { return time.Since(p.origin) }

// newPhase returns a phase with the settings that warm-up and window share.
func newPhase(c Config, plan *schedule.Plan, duration time.Duration, ops int64) *phase {
	p := &phase{
		workers: c.Workers, duration: duration, batch: 1, timeout: c.Timeout, stall: c.Stall,
		tick: firstTick(duration), queue: newQueue(plan, ops, c.Workers),
		stopped: make(chan struct{}), every: min(c.Stall, time.Second),
	}
	p.till.Store(math.MaxInt64)
	if duration > 0 {
		p.till.Store(int64(duration))
	}
	return p
}

// finalCells is the number of ticks of a window that runs to its end.
const finalCells = 100

// firstTick returns at most 1 ms, chosen so that repeated doubling ends at a
// hundredth of the duration.
func firstTick(duration time.Duration) time.Duration {
	tick := duration / finalCells
	for tick > time.Millisecond {
		tick = (tick + 1) / 2
	}
	if tick == 0 {
		return time.Millisecond
	}
	return tick
}

// run starts one worker for each bound operation and waits until the phase
// ends. ready is called when all workers are waiting at the start.
func (p *phase) run(ctx context.Context, ops []bound, ready func()) (ws []*worker, end string) {
	p.ctx, p.cancel = context.WithCancel(context.WithoutCancel(ctx))
	defer p.cancel()
	var started, working sync.WaitGroup
	gate := make(chan struct{})
	for i, op := range ops {
		ws = append(ws, newWorker(i, p, op))
		started.Add(1)
		working.Add(1)
		go func() {
			started.Done()
			<-gate
			ws[i].run(&working)
		}()
	}
	finished := make(chan struct{})
	started.Add(1)
	go func() { started.Done(); working.Wait(); close(finished) }()
	ticker := time.NewTicker(p.every)
	defer ticker.Stop()
	started.Wait()
	ready() // from here on the runner does not allocate until the end
	p.origin = time.Now()
	close(gate)
	return ws, p.watch(ctx, ws, ticker, finished)
}

// stop ends the phase immediately.
func (p *phase) stop() {
	p.once.Do(func() {
		p.till.Store(int64(min(p.now(), moment(p.till.Load()))))
		close(p.stopped)
	})
}

// abort ends the phase and cancels its operations, and waits for them for at
// most grace.
func (p *phase) abort(finished <-chan struct{}) {
	p.stop()
	p.cancel()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-finished:
	case <-timer.C:
	}
}

// watch waits for the end of the phase and returns its reason.
func (p *phase) watch(ctx context.Context, ws []*worker, ticker *time.Ticker,
	finished <-chan struct{}) (end string) {
	w := watchdog{limit: p.stall}
	for {
		select {
		case <-finished:
			if end == "" {
				end = p.normalEnd()
			}
			return end
		case <-ctx.Done():
			p.abort(finished)
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return result.EndDeadline
			}
			return result.EndInterrupted
		case <-ticker.C:
			now := p.now()
			if w.stalled(now, idle(ws), ws) {
				p.dump = goroutines()
				p.abort(finished)
				return result.EndStalled
			}
			if p.failing(now, ws) {
				p.abort(finished)
				return result.EndFailing
			}
			if end == "" && p.look != nil {
				end = p.look(now, ws)
				if end != "" {
					p.stop()
				}
			}
		}
	}
}

// A window ends early if for failingTime every operation failed, and leastFailing of
// them or more.
const (
	failingTime  = time.Second
	leastFailing = 20
)

func (p *phase) failing(now moment, ws []*worker) bool {
	if !p.window || now < failingTime {
		return false
	}
	done := sumOf(ws, func(w *worker) uint64 { return w.Done })
	return done == 0 && sumOf(ws, func(w *worker) uint64 { return w.Failed }) >= leastFailing
}

// normalEnd returns the limit that was reached: workers stop at either one.
func (p *phase) normalEnd() string {
	if p.queue.exhausted() {
		return result.EndOps
	}
	return result.EndTime
}

// idle reports whether all workers wait for a planned start or have finished,
// so that no operation is expected to finish.
func idle(ws []*worker) bool {
	return !slices.ContainsFunc(ws, func(w *worker) bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return !w.Exited && !w.waiting.Load()
	})
}

// A watchdog detects a phase where no operation finishes.
type watchdog struct {
	limit time.Duration
	calls uint64
	since moment
}

func (d *watchdog) stalled(now moment, idle bool, ws []*worker) bool {
	if n := callsOf(ws); n != d.calls || idle {
		d.calls, d.since = n, now
	}
	return now-d.since >= d.limit
}

func callsOf(ws []*worker) uint64 { return sumOf(ws, func(w *worker) uint64 { return w.Calls }) }

// sumOf adds up a count of all workers.
func sumOf(ws []*worker, count func(*worker) uint64) (n uint64) {
	for _, w := range ws {
		w.mu.Lock()
		n += count(w)
		w.mu.Unlock()
	}
	return n
}

// maxDump bounds a dump of goroutines in bytes.
const maxDump = 1 << 18

func goroutines() string {
	b := make([]byte, maxDump)
	return string(b[:runtime.Stack(b, true)])
}
