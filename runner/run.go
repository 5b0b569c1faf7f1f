package runner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Run sets up op, warms up, calls it as c describes, and returns the Result.
// Failed operations, including panics, are counted separately from the
// latencies of successful ones. When ctx is cancelled, Run returns within two
// seconds with the Result so far and Interrupted set, and abandons operations
// still in progress. Run returns an error for an invalid Config (ErrConfig) or
// a failed set-up.
func Run(ctx context.Context, c Config, op Operation) (*result.Result, error) {
	if err := complete(&c); err != nil {
		return nil, err
	}
	res := measuring{Result: &result.Result{Version: result.Version, Before: host.Read(),
		Started: time.Now()}}
	ops, err := setUp(ctx, c, op)
	if err != nil {
		return nil, err
	}
	res.Clock = calibrate()
	if res.Clock.Step > 0 { // not in virtual time
		res.idle = cputime.Idle()
	}
	warm, ended := res.warmUp(ctx, c, ops)
	if c.MaxWorkers > 0 && ended == "" {
		c.Workers = needed(c, warm)
		ops, err = setUp(ctx, c, op, ops...)
		if err != nil {
			return nil, err
		}
		warm.PerWorker = append(warm.PerWorker, make([]uint64, c.Workers-1)...)
	}
	c.Batch = res.batch(c, ops, warm)
	res.Config = c
	all := res.window(ctx, c, ops, op.mix, ended)
	res.Abandoned += warm.Abandoned
	res.SetUp = op.policy
	if op.pool > 0 {
		res.Inputs = op.distinct(warm.PerWorker, all.PerWorker)
	}
	res.After, res.Apart = host.Read(), time.Since(res.Started)
	return res.Result, nil
}

// measuring is a Result in progress.
type measuring struct {
	*result.Result
	idle float64 // processor time of the idle program, in seconds a second
}

// needed returns the number of workers for the greatest rate of the plan: twice the
// operations in progress by Little's law, and a few that chance adds.
func needed(c Config, warm *result.Sum) int {
	const parts = 20
	service := float64(time.Second) // if the warm-up does not say it
	if warm.Service.N > 0 {
		service = warm.Service.Moments().Mean
	}
	window, most := c.Duration, 0.0
	if window == 0 {
		window = time.Second
	}
	for k := range parts {
		from, till := window*time.Duration(k)/parts, window*time.Duration(k+1)/parts
		most = max(most, (c.Plan.Expected(till)-c.Plan.Expected(from))/float64(till-from))
	}
	busy := most * service
	return int(min(float64(c.MaxWorkers), math.Ceil(2*busy+4*math.Sqrt(busy)+1)))
}

// errSetUpExited reports runtime.Goexit, or FailNow of a test, in a set-up.
var errSetUpExited = errors.New("set-up ended its goroutine")

// setUp calls bindAll, and abandons it if it does not return when ctx ends.
func setUp(ctx context.Context, c Config, op Operation, have ...bound) ([]bound, error) {
	type setUpResult struct {
		ops []bound
		err error
	}
	done := make(chan setUpResult, 1)
	go func() {
		m := setUpResult{err: errSetUpExited} // the result if bindAll does not return
		defer func() { done <- m }()
		m.ops, m.err = bindAll(ctx, c, op, have)
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

// bindAll runs the set-up that precedes all operations, for the workers that do not have
// one.
func bindAll(ctx context.Context, c Config, op Operation, have []bound) (ops []bound, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("set-up panicked: %v", v)
		}
	}()
	switch {
	case op.bind == nil:
		return nil, fmt.Errorf("%w: the zero Operation", ErrConfig)
	case op.policy == result.EachPolicy && c.Batch > 1:
		return nil, fmt.Errorf("%w: a batch of %d, but each operation has a new input", ErrConfig, c.Batch)
	}
	ops = have
	if op.once != nil && len(have) == 0 {
		if err := op.once(ctx); err != nil {
			return nil, fmt.Errorf("set-up: %w", err)
		}
	}
	for i := len(have); i < c.Workers; i++ {
		b, err := op.bind(ctx, binding{worker: i, workers: c.Workers, seed: c.Seed})
		if err != nil {
			return nil, fmt.Errorf("set-up of worker %d: %w", i, err)
		}
		ops = append(ops, b)
	}
	return ops, nil
}

// warmUp runs the operation without recording it. ended is the reason to skip
// the window: interrupted, deadline, stalled; it is empty otherwise.
func (r measuring) warmUp(ctx context.Context, c Config, ops []bound) (warm *result.Sum, ended string) {
	if c.WarmUp <= 0 {
		return &result.Sum{PerWorker: make([]uint64, len(ops))}, ""
	}
	plan := c.Plan
	if plan != nil {
		level := plan.Level()
		plan = &level
	}
	p := newPhase(c, plan, c.WarmUp, 0)
	if c.Steady {
		p.look, p.every = p.steady, c.WarmUp/result.MaxCells
	}
	p.report(c, "warm-up")
	ws, end := p.run(ctx, ops, func() {})
	warm = gather(ws)
	warm.Abandoned += int(p.cut.Load())
	r.WarmUp = result.WarmUp{Took: p.now(), Operations: warm.Calls, Wanted: c.Steady,
		Steady: end == result.EndSteady}
	r.Dump = p.dump
	if early(end) {
		ended = end
	}
	return warm, ended
}

// batch returns the number of operations to time as one.
func (r measuring) batch(c Config, ops []bound, warm *result.Sum) int {
	if c.Batch == 0 && ops[0].before == nil && ops[0].part == nil && c.Plan == nil && warm.Response.N > 0 {
		return r.Clock.Batch(warm.Response.Hist.Quantile(0.5))
	}
	if ops[0].part != nil {
		return 1
	}
	return max(1, c.Batch)
}

// steady ends a warm-up when the mean latencies of its ticks are without trend.
func (p *phase) steady(now moment, ws []*worker) string {
	if now < p.duration/20 { // a few ticks alone would look steady
		return ""
	}
	line := result.NewTimeline(p.tick)
	for _, w := range ws {
		w.mu.Lock()
		line.Merge(&w.Response.Timeline, 0)
		w.mu.Unlock()
	}
	ms := line.Means()
	if len(ms) < 2 {
		return ""
	}
	// The last tick is incomplete.
	if _, ok := stats.Steady(ms[:len(ms)-1]); ok {
		return result.EndSteady
	}
	return ""
}

// window measures, unless ended gives a reason to skip it.
func (r measuring) window(ctx context.Context, c Config, ops []bound, mix []Share, ended string) *result.Sum {
	p := newPhase(c, c.Plan, c.Duration, c.Ops)
	p.window, p.batch, p.slower = true, c.Batch, c.Slower
	p.controlEvery = controlInterval(c.Duration)
	looks := &looker{c: c, p: p, next: firstLook}
	if c.Precision > 0 {
		p.look, p.every = looks.precise, lookInterval
	}
	p.report(c, "window")
	var own, before readings
	ready := func() { own, before = read(), read() }
	if ended != "" { // no worker calls the operation
		p.till.Store(0)
		ctx = context.WithoutCancel(ctx)
	}
	ws, end := p.run(ctx, ops, ready)
	if ended != "" {
		end = ended
	} else {
		r.Dump = p.dump
	}
	after := read()
	abandon(ws)
	r.End, r.Interrupted = end, early(end)
	all := gather(ws)
	r.fill(all, p)
	r.fillParts(mix, ws, p)
	attributePauses(r.Slowest, c.Batch, p.origin.Round(0)) // in wall-clock time, which the runtime records
	r.Usage = usage(own, before, after, all.Calls)
	if r.Clock.Step > 0 {
		r.Usage.CPUPerOp = cpuPerOp(before, after, all.Calls, r.idle)
	}
	r.looked(looks)
	return all
}

// looked records the looks at the growing sample.
func (r measuring) looked(l *looker) {
	r.Looks = l.count
	if l.c.Precision > 0 {
		r.Confidence = l.confidence()
	}
}

const (
	lookInterval = 20 * time.Millisecond
	firstLook    = 100 // latencies
	// minPreciseWindow is the shortest window that Precision can end.
	minPreciseWindow = time.Second
	progressEvery    = 100 * time.Millisecond
)

// report calls c.Progress with the progress of the phase.
func (p *phase) report(c Config, name string) {
	if c.Progress == nil {
		return
	}
	look, next := p.look, moment(0)
	p.every = min(p.every, progressEvery)
	p.look = func(now moment, ws []*worker) string {
		if now >= next {
			c.Progress(result.Progress{Phase: name, Elapsed: now, Limit: p.duration, Done: callsOf(ws)})
			next = now + progressEvery
		}
		if look == nil {
			return ""
		}
		return look(now, ws)
	}
}

// A looker evaluates the interval of a growing sample at geometrically growing
// sizes. Looks use a higher confidence, so that the error of all looks together
// is at most the error of a single one.
type looker struct {
	c     Config
	p     *phase
	next  float64
	count int
}

func (l *looker) confidence() float64 { return stats.StopConfidence(result.Confidence) }

func (l *looker) precise(now moment, ws []*worker) string {
	n := float64(sumOf(ws, func(w *worker) uint64 { return w.Response.N }))
	if n < l.next || now < l.least() {
		return ""
	}
	l.next = stats.NextStop(n)
	l.count++
	g := gather(ws)
	t := g.Response
	r := result.Result{
		Config: l.c, Elapsed: now, Latency: t.Hist, Timeline: t.Timeline,
		Records: t.N, Moments: t.Moments(), Confidence: l.confidence(), Looks: l.count,
	}
	if l.c.Plan != nil {
		r.Open = l.p.queue.openStats(now)
		r.Open.Crowd = g.Crowd
		r.Open.Service(&g.Service)
	}
	if half, ok := l.c.HalfWidth(&r); ok && half <= l.c.Precision {
		return result.EndPrecision
	}
	return ""
}

// least is the minimum length of the window: a short window may be quiet by
// chance, and misses events that are rarer than its length.
func (l *looker) least() time.Duration {
	if d := l.c.Duration; d > 0 {
		return min(d/10, minPreciseWindow)
	}
	return minPreciseWindow
}
