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

	"github.com/zkatbench/zkatbench/runner/schedule"
)

// How a window can end.
const (
	endTime        = "time"
	endOps         = "operations"
	endPrecision   = "precision"
	endSteady      = "steady" // of a warm-up
	endInterrupted = "interrupted"
	endDeadline    = "deadline"
	endStalled     = "stalled"
)

// early reports whether an end is one before the limits of the phase.
func early(end string) bool {
	return end == endInterrupted || end == endDeadline || end == endStalled
}

// grace is how long an interrupted run waits for operations in progress.
const grace = 1500 * time.Millisecond

// A phase is a stretch of time in which workers work: the warm-up, the window.
type phase struct {
	workers      int
	duration     time.Duration // 0: no limit
	batch        int
	exact        int
	timeout      time.Duration
	stall        time.Duration
	tick         time.Duration
	controlEvery time.Duration // 0: never
	slower       func(Slow)    // nil: nobody wants to know
	queue        *queue
	// look is asked every so often whether the phase should end, and says why.
	look  func(now moment, ws []*worker) (end string)
	every time.Duration

	ctx     context.Context // for the operations
	cancel  context.CancelFunc
	origin  time.Time
	till    atomic.Int64 // moment; read by all, written once at most
	stopped chan struct{}
	once    sync.Once
	cut     atomic.Int64 // operations that ended because the run did
	dump    string       // of all goroutines, when stalled
}

func (p *phase) now() moment { return time.Since(p.origin) }

// newPhase is a phase with what c says of every phase.
func newPhase(c Config, plan *schedule.Plan, duration time.Duration, ops int64) *phase {
	p := &phase{
		workers: c.Workers, duration: duration, batch: 1, timeout: c.Timeout, stall: c.Stall,
		tick: firstTick(duration), queue: newQueue(plan, ops, c.Workers, duration),
		stopped: make(chan struct{}), every: min(c.Stall, time.Second),
	}
	p.till.Store(math.MaxInt64)
	if duration > 0 {
		p.till.Store(int64(duration))
	}
	return p
}

// finalCells is how many ticks a window that runs to its end has.
const finalCells = 100

// firstTick is at most a millisecond, and such that its doublings end at a
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

// run lets one worker for each bound operation work until the phase ends.
// ready is called when all of them stand at the start.
func (p *phase) run(ctx context.Context, ops []bound, ready func()) (ws []*worker, end string) {
	p.ctx, p.cancel = context.WithCancel(context.WithoutCancel(ctx))
	defer p.cancel()
	var standing, working sync.WaitGroup
	gate := make(chan struct{})
	for i, op := range ops {
		ws = append(ws, newWorker(i, p, op))
		standing.Add(1)
		working.Add(1)
		go func() {
			standing.Done()
			<-gate
			ws[i].live(&working)
		}()
	}
	finished := make(chan struct{})
	standing.Add(1)
	go func() { standing.Done(); working.Wait(); close(finished) }()
	ticker := time.NewTicker(p.every)
	defer ticker.Stop()
	standing.Wait()
	ready() // from here on the runner allocates nothing until the end
	p.origin = time.Now()
	close(gate)
	return ws, p.watch(ctx, ws, ticker, finished)
}

// skipped is run for a phase that is over before it began: no worker starts.
func (p *phase) skipped(ops []bound, ready func()) (ws []*worker) {
	ready()
	p.till.Store(0)
	for i, op := range ops {
		w := newWorker(i, p, op)
		w.left = true
		ws = append(ws, w)
	}
	return ws
}

// stop ends the phase now.
func (p *phase) stop() {
	p.once.Do(func() {
		p.till.Store(int64(min(p.now(), moment(p.till.Load()))))
		close(p.stopped)
	})
}

// abort ends the phase and its operations, and waits for them a little while.
func (p *phase) abort(finished <-chan struct{}) {
	p.stop()
	p.cancel()
	patience := time.NewTimer(grace)
	defer patience.Stop()
	select {
	case <-finished:
	case <-patience.C:
	}
}

// watch waits for the end of the phase and says why it ended.
func (p *phase) watch(ctx context.Context, ws []*worker, ticker *time.Ticker, finished <-chan struct{}) (end string) {
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
				return endDeadline
			}
			return endInterrupted
		case <-ticker.C:
			now := p.now()
			if w.stalled(now, idle(ws), ws) {
				p.dump = goroutines()
				p.abort(finished)
				return endStalled
			}
			if end == "" && p.look != nil {
				if end = p.look(now, ws); end != "" {
					p.stop()
				}
			}
		}
	}
}

// normalEnd is the limit that was reached: workers leave when either is.
func (p *phase) normalEnd() string {
	if p.queue.exhausted() {
		return endOps
	}
	return endTime
}

// idle reports whether all workers wait for a planned start, or have left since
// there is none for them, so that it is no wonder if nothing finishes.
func idle(ws []*worker) bool {
	return !slices.ContainsFunc(ws, func(w *worker) bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return !w.left && !w.waiting.Load()
	})
}

// A watchdog notices when no operation finishes for a while.
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

func callsOf(ws []*worker) (n uint64) {
	for _, w := range ws {
		w.mu.Lock()
		n += w.calls
		w.mu.Unlock()
	}
	return n
}

// mostDump bounds a dump of goroutines in bytes.
const mostDump = 1 << 18

func goroutines() string {
	b := make([]byte, mostDump)
	return string(b[:runtime.Stack(b, true)])
}
