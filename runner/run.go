package runner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Run sets up op, warms up, calls it as c says and returns what it measured.
// Failed operations, panicking ones included, are counted apart from the
// latencies of those that succeeded. When ctx is cancelled, Run returns within
// two seconds with what was measured so far and Interrupted set; operations
// that are still in progress then are left behind. The error is that of a
// Config that cannot be run (ErrConfig) or of the set-up.
func Run(ctx context.Context, c Config, op Operation) (*Result, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	if !c.Deadline.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, c.Deadline)
		defer cancel()
	}
	res := &Result{Version: Version, Before: host.Read(), Started: time.Now()}
	ops, err := setUp(ctx, c, op)
	if err != nil {
		return nil, err
	}
	res.Clock = calibrate()
	warm, over := res.warmUp(ctx, c, ops)
	c.Batch = res.batch(c, ops, warm)
	res.Config = c
	all := res.window(ctx, c, ops, over)
	res.Abandoned += warm.abandoned
	res.SetUp = op.policy
	if op.pool > 0 {
		res.Inputs = op.distinct(warm.perWorker, all.perWorker)
	}
	res.After, res.Apart = host.Read(), time.Since(res.Started)
	return res, nil
}

// errSetUpExited is runtime.Goexit, or FailNow of a test, in a set-up.
var errSetUpExited = errors.New("set-up ended its goroutine")

// setUp is bindAll, but for a set-up that does not end when ctx does: it is
// left behind.
func setUp(ctx context.Context, c Config, op Operation) ([]bound, error) {
	type made struct {
		ops []bound
		err error
	}
	done := make(chan made, 1)
	go func() {
		m := made{err: errSetUpExited} // unless it returns
		defer func() { done <- m }()
		m.ops, m.err = bindAll(ctx, c, op)
	}()
	select {
	case m := <-done:
		return m.ops, m.err
	case <-ctx.Done():
	}
	select {
	case m := <-done:
		return m.ops, m.err
	case <-time.After(grace):
		return nil, fmt.Errorf("set-up: %w", ctx.Err())
	}
}

// bindAll does the set-up that comes before all operations.
func bindAll(ctx context.Context, c Config, op Operation) (ops []bound, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("set-up panicked: %v", v)
		}
	}()
	if op.bind == nil {
		return nil, fmt.Errorf("%w: the zero Operation", ErrConfig)
	}
	if op.once != nil {
		if err := op.once(ctx); err != nil {
			return nil, fmt.Errorf("set-up: %w", err)
		}
	}
	for i := range c.Workers {
		b, err := op.bind(ctx, binding{worker: i, workers: c.Workers, seed: c.Seed})
		if err != nil {
			return nil, fmt.Errorf("set-up of worker %d: %w", i, err)
		}
		ops = append(ops, b)
	}
	return ops, nil
}

// warmUp runs the operation without recording it. over is why there will be no
// window: interrupted, deadline, stalled; empty if there will be one.
func (r *Result) warmUp(ctx context.Context, c Config, ops []bound) (warm *gathered, over string) {
	if c.WarmUp <= 0 {
		return &gathered{perWorker: make([]uint64, len(ops))}, ""
	}
	plan := c.Plan
	if plan != nil {
		level := plan.Level()
		plan = &level
	}
	p := newPhase(c, plan, c.WarmUp, 0)
	if c.Steady {
		p.look, p.every = p.steady, c.WarmUp/cells
	}
	p.report(c, "warm-up")
	ws, end := p.run(ctx, ops, func() {})
	warm = gather(ws)
	warm.abandoned += int(p.cut.Load())
	r.WarmUp = WarmUp{Took: p.now(), Operations: warm.calls, Wanted: c.Steady, Steady: end == endSteady}
	r.Dump = p.dump
	if early(end) {
		over = end
	}
	return warm, over
}

// batch is how many operations to time as one.
func (r *Result) batch(c Config, ops []bound, warm *gathered) int {
	if c.Batch == 0 && ops[0].before == nil && c.Plan == nil && c.Timeout == 0 && warm.response.n > 0 {
		return r.Clock.batch(warm.response.hist.Quantile(0.5))
	}
	return max(1, c.Batch)
}

// steady ends a warm-up when the mean latency of its ticks no longer changes.
func (p *phase) steady(now moment, ws []*worker) string {
	if now < p.duration/20 { // the look at a few ticks would find them steady
		return ""
	}
	line := newTimeline(p.tick)
	for _, w := range ws {
		w.mu.Lock()
		line.merge(&w.response.timeline)
		w.mu.Unlock()
	}
	ms := line.means()
	if len(ms) < 2 {
		return ""
	}
	// The last tick is not over yet.
	if _, ok := stats.Steady(ms[:len(ms)-1]); ok {
		return endSteady
	}
	return ""
}

// window measures, unless the run is over before it.
func (r *Result) window(ctx context.Context, c Config, ops []bound, over string) *gathered {
	p := newPhase(c, c.Plan, c.Duration, c.Ops)
	p.batch, p.exact, p.slower = c.Batch, c.Exact, c.Slower
	p.controlEvery = controlInterval(c.Duration)
	looks := &looker{c: c, p: p, next: firstLook}
	if c.Precision > 0 {
		p.look, p.every = looks.precise, lookEvery
	}
	p.report(c, "window")
	var own, before readings
	ready := func() { own, before = read(), read() }
	var ws []*worker
	end := over
	if over == "" {
		ws, end = p.run(ctx, ops, ready)
		r.Dump = p.dump
	} else {
		ws = p.skipped(ops, ready)
	}
	after := read()
	leaveBehind(ws)
	r.End, r.Interrupted = end, early(end)
	all := gather(ws)
	r.fill(all, p)
	blame(r.Slowest, c.Batch, p.origin.Round(0)) // by the wall clock, which the runtime notes
	r.Usage = usage(own, before, after, all.calls)
	r.Looks = looks.count
	if c.Precision > 0 {
		r.Confidence = looks.confidence()
	}
	return all
}

const (
	lookEvery = 20 * time.Millisecond
	firstLook = 100 // latencies
	// shortestPrecise is the shortest window that precision ends.
	shortestPrecise = time.Second
	progressEvery   = 100 * time.Millisecond
)

// report has c.Progress told of the phase.
func (p *phase) report(c Config, name string) {
	if c.Progress == nil {
		return
	}
	look, next := p.look, moment(0)
	p.every = min(p.every, progressEvery)
	p.look = func(now moment, ws []*worker) string {
		if now >= next {
			c.Progress(Progress{Phase: name, Elapsed: now, Of: p.duration, Done: callsOf(ws)})
			next = now + progressEvery
		}
		if look == nil {
			return ""
		}
		return look(now, ws)
	}
}

// A looker looks at the interval of a growing sample, at sizes so far apart,
// and with so much more confidence each time, that all looks together miss as
// rarely as one would.
type looker struct {
	c     Config
	p     *phase
	next  float64
	count int
}

func (l *looker) confidence() float64 { return stats.LookConfidence(max(1, l.count), confidence) }

func (l *looker) precise(now moment, ws []*worker) string {
	n := float64(latenciesOf(ws))
	if n < l.next || now < l.least() {
		return ""
	}
	l.next = stats.NextLook(n)
	l.count++
	t := gather(ws).response
	r := Result{Latency: t.hist, Timeline: t.timeline, Records: t.n, Moments: t.moments(), Confidence: l.confidence(), Looks: l.count}
	value, interval, ok := r.metric(l.c.PrecisionOf)
	if ok && (interval.High-interval.Low)/2 <= l.c.Precision*math.Abs(value) {
		return endPrecision
	}
	return ""
}

// least is how long a window is at least: a moment may be quiet by chance, and
// what happens less often than it lasts is not in it.
func (l *looker) least() time.Duration {
	if d := l.c.Duration; d > 0 {
		return min(d/10, shortestPrecise)
	}
	return shortestPrecise
}

func latenciesOf(ws []*worker) (n uint64) {
	for _, w := range ws {
		w.mu.Lock()
		n += w.response.n
		w.mu.Unlock()
	}
	return n
}
