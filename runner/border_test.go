package runner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// TestConfigAtItsBorders has values on both sides of each limit.
func TestConfigAtItsBorders(t *testing.T) {
	plan := &schedule.Plan{Rate: 1}
	for _, c := range []struct {
		change func(c *Config)
		text   string // of the error; empty for success
	}{
		{func(c *Config) {}, ""},
		{func(c *Config) { c.Workers = 0 }, "0 workers are outside [1, 4096]"},
		{func(c *Config) { c.Workers = 4096 }, ""}, {func(c *Config) { c.Workers = 4097 }, "4097 workers"},
		{func(c *Config) { c.MaxWorkers, c.Plan = 1, plan }, ""},
		{func(c *Config) { c.MaxWorkers, c.Plan = 4096, plan }, ""},
		{func(c *Config) { c.MaxWorkers, c.Plan = 4097, plan }, "at most 4097 workers"},
		{func(c *Config) { c.MaxWorkers, c.Plan = -1, plan }, "at most -1 workers"},
		{func(c *Config) { c.MaxWorkers = 2 }, "needs a plan"},
		{func(c *Config) { c.MaxWorkers, c.Plan, c.Workers = 2, plan, 2 }, "one worker at the start"},
		{func(c *Config) { c.Duration = -1 }, "a duration of -1ns is below 1ms"},
		{func(c *Config) { c.Duration = time.Millisecond }, ""},
		{func(c *Config) { c.Duration = time.Millisecond - 1 }, "below 1ms"},
		{func(c *Config) { c.Duration, c.Ops = 1, 1 }, "a duration of 1ns"},
		{func(c *Config) { c.Duration, c.Ops = 0, 1 }, ""},
		{func(c *Config) { c.Duration = 0 }, "neither a duration nor a number of operations"},
		{func(c *Config) { c.Ops = -1 }, "operations -1, batch 0"},
		{func(c *Config) { c.Batch = -1 }, "batch -1"}, {func(c *Config) { c.Timeout = -1 }, "timeout -1ns"},
		{func(c *Config) { c.Stall = -1 }, "stall -1ns"},
		{func(c *Config) { c.Plan, c.Batch = plan, 1 }, ""},
		{func(c *Config) { c.Plan, c.Batch = plan, 2 }, "a batch of 2, but a plan"},
		{func(c *Config) { c.Batch = 2 }, ""},
		{func(c *Config) { c.Precision = 0.999 }, ""},
		{func(c *Config) { c.Precision = 1 }, "a precision of 1 is outside [0, 1)"},
		{func(c *Config) { c.Precision = -0.1 }, "a precision of -0.1"},
		{func(c *Config) { c.Precision = math.NaN() }, "a precision of NaN"},
		{func(c *Config) { c.PrecisionOf = "p98" }, `precision of "p98"`},
		{func(c *Config) { c.PrecisionOf = "p90" }, ""},
		{func(c *Config) { c.Plan = &schedule.Plan{} }, "a rate of 0/s"},
	} {
		one := Config{Workers: 1, Duration: time.Second, HalfWidth: judge.HalfWidth}
		c.change(&one)
		err := complete(&one)
		if c.text == "" {
			require.NoError(t, err, "%+v", one)
			continue
		}
		require.ErrorIs(t, err, ErrConfig)
		require.ErrorContains(t, err, c.text)
	}
	for _, c := range []struct{ given, want Config }{
		{Config{Duration: 5 * time.Second},
			Config{Duration: 5 * time.Second, WarmUp: 500 * time.Millisecond, Stall: 30 * time.Second,
				PrecisionOf: "mean"}},
		{Config{Duration: 20 * time.Second},
			Config{Duration: 20 * time.Second, WarmUp: time.Second, Stall: 30 * time.Second,
				PrecisionOf: "mean"}},
		{Config{Duration: 5 * time.Second, Steady: true},
			Config{Duration: 5 * time.Second, Steady: true, WarmUp: 5 * time.Second, Stall: 30 * time.Second,
				PrecisionOf: "mean"}},
		{Config{Duration: 20 * time.Second, Steady: true},
			Config{Duration: 20 * time.Second, Steady: true, WarmUp: 10 * time.Second,
				Stall: 30 * time.Second, PrecisionOf: "mean"}},
		{Config{Ops: 5},
			Config{Ops: 5, WarmUp: 100 * time.Millisecond, Stall: 30 * time.Second, PrecisionOf: "mean"}},
		{Config{Ops: 5, Steady: true},
			Config{Ops: 5, Steady: true, WarmUp: 100 * time.Millisecond, Stall: 30 * time.Second,
				PrecisionOf: "mean"}},
		{Config{Duration: 5 * time.Second, WarmUp: -1, Stall: 1, PrecisionOf: "p50"},
			Config{Duration: 5 * time.Second, WarmUp: -1, Stall: 1, PrecisionOf: "p50"}},
		{Config{WarmUp: 7, Steady: true},
			Config{WarmUp: 7, Steady: true, Stall: 30 * time.Second, PrecisionOf: "mean"}},
	} {
		choose(&c.given)
		require.Equal(t, c.want, c.given)
	}
}

// TestWorkersOfAPlan: twice the operations in progress at the greatest rate, and a few.
func TestWorkersOfAPlan(t *testing.T) {
	for _, c := range []struct {
		arrival  string
		duration time.Duration
		service  time.Duration // 0: no operation ended in the warm-up
		most     int
		want     int
	}{
		{"constant", 10 * time.Second, 10 * time.Millisecond, 256, 7},
		{"constant", 10 * time.Second, 10 * time.Millisecond, 6, 6},
		{"constant", 0, 39 * time.Millisecond, 256, 17},
		{"constant", time.Second, 0, 4096, 240}, {"constant", 10 * time.Second, 0, 256, 240},
		{"constant,rate:400", 10 * time.Second, 9900 * time.Microsecond, 256, 17},
		{"ramp:400/5s,ramp:1/5s", 10 * time.Second, 9900 * time.Microsecond, 256, 17},
		{"constant,constant:1s,rate:10", 0, 39 * time.Millisecond, 256, 17},
		{"constant,constant:9800ms,rate:400", 10 * time.Second, 9900 * time.Microsecond, 256, 12},
	} {
		config := Config{Duration: c.duration, MaxWorkers: c.most, Plan: parsed(99.5, c.arrival)}
		warm := result.NewSum(1)
		if c.service > 0 {
			warm.Service.Add(c.service/2, 1, c.service, 0)
			warm.Service.Add(c.service*3/2, 1, c.service, 0)
		}
		require.Equal(t, c.want, needed(config, warm), "%+v", c)
	}
}

// TestMessagesAtTheirBorders counts the twenty-first message, and cuts one of 1001 bytes.
func TestMessagesAtTheirBorders(t *testing.T) {
	w := newWorker(0, newPhase(Config{Workers: 1}, nil, 0, 0), bound{})
	w.p.ctx = context.Background()
	for i := range 22 {
		w.fail(fmt.Errorf("message %d", i), 0)
	}
	w.fail(errors.New("message 19"), 0)
	require.Len(t, w.Errors, result.MaxErrors+1)
	require.EqualValues(t, 2, w.Errors[result.OtherErrors])
	require.EqualValues(t, 2, w.Errors["message 19"])
	require.EqualValues(t, 23, w.Failed)
	require.EqualValues(t, 23, w.Calls)
	require.EqualValues(t, -23, w.quota)
	w.Errors = map[string]uint64{}
	for _, n := range []int{1000, 1001} {
		w.fail(errors.New(strings.Repeat("x", n)), 0)
	}
	w.fail(errors.New(strings.Repeat("x", 999)+"é"), 0)
	require.Equal(t,
		map[string]uint64{strings.Repeat("x", 1000): 1, strings.Repeat("x", 1000) + "…": 1,
			strings.Repeat("x", 999) + "…": 1}, w.Errors)

	all := map[string]uint64{result.OtherErrors: 5}
	for i := range 23 {
		all[fmt.Sprintf("message %02d", i)] = uint64(i + 1)
	}
	kept := result.MostErrors(all)
	require.Len(t, kept, 21)
	require.EqualValues(t, 5+1+2+3, kept[result.OtherErrors])
	require.Zero(t, kept["message 02"])
	require.EqualValues(t, 4, kept["message 03"])
	frequent := result.Result{Errors: map[string]uint64{"c": 1, "a": 1, "b": 2}}
	require.Equal(t, []string{"b", "a", "c"}, frequent.Messages())

	w.p.ctx, w.p.cancel = context.WithCancel(w.p.ctx)
	w.p.cancel()
	w.fail(fmt.Errorf("cut: %w", context.Canceled), 0)
	require.EqualValues(t, 1, w.p.cut.Load())
	w.isPart = true
	w.fail(context.Canceled, 0)
	require.EqualValues(t, 1, w.p.cut.Load())
	require.EqualValues(t, 26, w.Failed)
	w.fail(errors.New("other"), 0)
	require.EqualValues(t, 27, w.Failed)
	w.keepStack("first")
	w.keepStack("second")
	require.Equal(t, "first", w.Stack)
}

// TestOperationsAtTheirBorders counts an operation across the end of the window by its share,
// and one that starts late.
func TestOperationsAtTheirBorders(t *testing.T) {
	plan := &schedule.Plan{Rate: 1}
	w := newWorker(3, newPhase(Config{Workers: 1}, plan, 100, 0), bound{})
	w.others = 5
	w.record(0, 10, 30, 1, nil)
	w.record(0, 90, 100, 1, nil)
	w.record(50, 90, 130, 1, nil)
	w.record(50, 100, 130, 1, nil)
	require.InDelta(t, 2.25, w.Weighted, 1e-12)
	require.InDelta(t, 20+10+10, w.Busy, 1e-12)
	require.EqualValues(t, 4, w.Done)
	require.EqualValues(t, 4, w.Response.N)
	require.InDelta(t, (30+100+80+80)/4.0, w.Response.Moments().Mean, 1e-9)
	require.InDelta(t, (20+10+40+30)/4.0, w.Service.Moments().Mean, 1e-9)
	require.Equal(t, result.Company{N: 4, Others: 20, Sum: 100}, w.Crowd[5])
	require.EqualValues(t, 130, w.LastEnd)
	require.Equal(t, 3, w.Response.Slow[0].Worker)
	w.record(0, lateThreshold, lateThreshold, 1, nil)
	require.Zero(t, w.Late)
	w.record(0, lateThreshold+1, lateThreshold+1, 1, nil)
	require.EqualValues(t, 1, w.Late)
	w.p.ctx, w.Abandoned = context.Background(), true
	w.record(0, 1, 2, 1, nil)
	require.EqualValues(t, 6, w.Done)
	w.Abandoned = false
	w.p.timeout, w.began = 7, 15
	before := w.Service.Moments().Mean * float64(w.Service.N)
	w.record(10, 10, 40, 2, errors.New("x"))
	require.EqualValues(t, 8, w.Done)
	require.EqualValues(t, 1, w.Failed)
	require.EqualValues(t, 1, w.Response.Timeline.At(40).Bad)
	after := w.Service.Moments().Mean * float64(w.Service.N)
	require.InDelta(t, 2.5, after-before, 1e-6, "the failure at the timeout is not part of it")
}

// TestPartsOfAMix fills in the parts of nine operations from nine workers.
func TestPartsOfAMix(t *testing.T) {
	for _, plan := range []*schedule.Plan{nil, {Rate: 1}} {
		p := newPhase(Config{Workers: 9}, plan, 1000, 0)
		p.ctx, p.origin = context.Background(), time.Unix(100, 0)
		var shares []Share
		for i := range 9 {
			shares = append(shares,
				Share{Name: fmt.Sprint("op", i), Weight: float64(i + 1),
					Op: Operation{policy: fmt.Sprint("policy ", i)}})
		}
		var ws []*worker
		for i := range 9 {
			at := new(int)
			w := newWorker(i, p, bound{part: at, parts: 9})
			w.others = 2
			for *at = range 9 {
				w.record(0, 10, time.Duration(20+*at), 1, nil)
			}
			ws = append(ws, w)
		}
		r := &result.Result{Config: Config{Workers: 9, Plan: plan}, Started: time.Unix(50, 0),
			End: result.EndDeadline, Interrupted: true, Clock: result.Clock{Step: 3, Record: 4}, Elapsed: 500,
			Control: result.Control{N: 3}}
		measuring{Result: r}.fillParts(shares, ws, p)
		require.Len(t, r.Parts, 9)
		for i, part := range r.Parts {
			one := part.Result
			require.Equal(t, shares[i].Name, part.Name)
			require.Equal(t, shares[i].Weight, part.Weight)
			require.Equal(t,
				[]any{result.Version, r.Config, r.Started, r.End, true, shares[i].Op.policy, r.Clock,
					r.Elapsed, 0, result.Control{}, uint64(9), uint64(9)},
				[]any{one.Version, one.Config, one.Started, one.End, one.Interrupted, one.SetUp, one.Clock,
					one.Elapsed, one.Abandoned, one.Control, one.Done, one.Records})
			require.InDelta(t, float64(10+i), one.ServiceMean(), 1e-9)
			workers := map[int]bool{}
			for _, s := range one.Slowest {
				workers[s.Worker] = true
			}
			require.Len(t, workers, 9)
			if plan != nil {
				require.Equal(t, []int64{9, 9, 0},
					[]int64{one.Open.Offered, one.Open.Started, one.Open.Backlog})
				require.Nil(t, one.Open.Present)
				require.Equal(t, result.Company{N: 9, Others: 18, Sum: float64(9 * (10 + i))},
					one.Open.Crowd[2])
			} else {
				require.Nil(t, one.Open)
			}
		}
	}
}

// TestTimeoutsKeepTheirErrors: an error of the operation is reported even after its
// time.
func TestTimeoutsKeepTheirErrors(t *testing.T) {
	own := errors.New("own")
	for _, c := range []struct {
		took time.Duration
		err  error
		want map[string]uint64
	}{
		{2 * time.Millisecond, own, map[string]uint64{"own": 3}},
		{2*time.Millisecond + 1, own, map[string]uint64{"own": 3}},
		{2 * time.Millisecond, nil, map[string]uint64{}},
		{2*time.Millisecond + 1, nil, map[string]uint64{"operation timed out": 3}},
	} {
		synctest.Test(t, func(t *testing.T) {
			r, err := Run(context.Background(),
				Config{Workers: 1, Ops: 3, WarmUp: -1, Timeout: 2 * time.Millisecond},
				Func(func(ctx context.Context) error {
					deadline, ok := ctx.Deadline()
					if !ok || time.Until(deadline) != 2*time.Millisecond {
						return errors.New("no deadline")
					}
					time.Sleep(c.took)
					return c.err
				}))
			require.NoError(t, err)
			require.Equal(t, c.want, r.Errors)
		})
	}
}

// TestPanicsInABatch: the operations before it count, in the time until it.
func TestPanicsInABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		r, err := Run(context.Background(), Config{Workers: 1, Ops: 3, Batch: 3, WarmUp: -1},
			Func(func(context.Context) error {
				if n++; n == 3 {
					panic("third")
				}
				time.Sleep(time.Millisecond)
				return nil
			}))
		require.NoError(t, err)
		require.Equal(t, result.Moments{Mean: 1e6, Min: 1e6, Max: 1e6}, r.Moments)
		require.Equal(t, map[string]uint64{"operation panicked: third": 1}, r.Errors)
		require.Contains(t, r.Stack, "TestPanicsInABatch")
		require.EqualValues(t, 2, r.Done)
		require.InDelta(t, 2, r.Weighted, 1e-9)
	})
}

func TestBatchOfARun(t *testing.T) {
	r := &result.Result{Clock: result.Clock{Step: 10}}
	warm := result.NewSum(1)
	alone := []bound{{}}
	require.Equal(t, 1, measuring{Result: r}.batch(Config{}, alone, warm), "nothing ended in the warm-up")
	warm.Response.Add(1000, 1, 1000, 0)
	for _, c := range []struct {
		c    Config
		op   bound
		want int
	}{
		{Config{}, bound{}, 11}, {Config{Batch: 5}, bound{}, 5}, {Config{Plan: &schedule.Plan{}}, bound{}, 1},
		{Config{}, bound{part: new(int)}, 1}, {Config{Batch: 5}, bound{part: new(int)}, 1},
		{Config{}, bound{before: func(context.Context) error { return nil }}, 1},
		{Config{Batch: 3}, bound{before: func(context.Context) error { return nil }}, 3},
	} {
		require.Equal(t, c.want, measuring{Result: r}.batch(c.c, []bound{c.op, {}}, warm), "%+v", c.c)
	}
}

// TestWarmUpOfAFewTicks: a twentieth of the longest warm-up is too short to be steady.
func TestWarmUpOfAFewTicks(t *testing.T) {
	p := newPhase(Config{Workers: 2}, nil, 2*time.Second, 0)
	var ws []*worker
	for i := range 2 {
		w := newWorker(i, p, bound{})
		for k := range 60 {
			w.Response.Add(time.Duration(1000+k*37%11), 1, time.Duration(2*k+i)*time.Millisecond, i)
		}
		ws = append(ws, w)
	}
	require.Empty(t, p.steady(p.duration/20-1, ws))
	require.Equal(t, result.EndSteady, p.steady(p.duration/20, ws))
	require.Empty(t, p.steady(p.duration/20, ws[:0]))
	for k := range 60 {
		ws[1].Response.Add(time.Duration(1000+1000*k), 1, time.Duration(2*k)*time.Millisecond, 0)
	}
	require.Empty(t, p.steady(p.duration, ws), "the last worker rises")
}

func TestQueueAtItsBorders(t *testing.T) {
	q := newQueue(&schedule.Plan{Rate: 1e9}, 3, 1)
	for i := range 3 {
		require.False(t, q.exhausted())
		planned, ok := q.take(0, 10)
		require.True(t, ok)
		require.EqualValues(t, i, planned)
	}
	require.True(t, q.exhausted())
	_, ok := q.take(0, 10)
	require.False(t, ok)
	q = newQueue(&schedule.Plan{Rate: 1e9}, 0, 1)
	require.Equal(t, int64(math.MaxInt64), q.limit)
	_, ok = q.take(10, 10)
	require.False(t, ok, "the window has ended")
	_, ok = q.take(9, 10)
	require.True(t, ok)
	q.next = 10
	_, ok = q.take(9, 10)
	require.False(t, ok, "the next start is after the window")
	for ops, want := range map[int64][]int64{1: {1, 0}, 250: {1, 1}, 1000: {5, 5}} {
		q := newQueue(nil, ops, 2)
		for _, n := range want {
			require.Equal(t, n, q.claim(), ops)
		}
	}
	q = newQueue(nil, 1001, 2)
	sum := int64(0)
	for n := q.claim(); n > 0; n = q.claim() {
		sum += n
	}
	require.EqualValues(t, 1001, sum)
	require.Equal(t, int64(math.MaxInt64), newQueue(nil, 0, 2).claim())
	q = newQueue(&schedule.Plan{Rate: 1e9}, 0, 1)
	require.EqualValues(t, 9999, q.overdue(9999))
	require.EqualValues(t, 10_000, q.overdue(10_000))
	require.EqualValues(t, 20_000, q.overdue(20_000))
	q.started = 15_000
	require.EqualValues(t, 10_000, q.overdue(20_000), "at least as many as are counted")
	q.limit = 15_005
	require.EqualValues(t, 5, q.overdue(20_000))
	stats := q.openStats(20_000)
	require.Equal(t, result.Open{Offered: 15_005, Started: 15_000, Backlog: 5}, *stats)
	line := result.NewTimeline(100)
	for k := range 10 {
		for range 50 {
			line.At(time.Duration(100*k+50)).N++
		}
	}
	q = newQueue(&schedule.Plan{Rate: 1e8}, 0, 1)
	require.Equal(t, []int64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, q.present(&line, 1000, 100))
	q = newQueue(&schedule.Plan{Rate: 1e9}, 0, 1)
	require.Equal(t, []int64{50, 100, 150, 200, 250, 300, 350, 300, 250, 200}, q.present(&line, 1000, 700))
}

// metricOf returns a metric of the runtime with the value n.
func metricOf(n int) metrics.Value {
	defer debug.SetGCPercent(debug.SetGCPercent(n))
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return s[0].Value
}

// histogram returns a histogram of the runtime with these counts.
func histogram(counts ...uint64) metrics.Value {
	s := []metrics.Sample{{Name: schedLatencies}}
	metrics.Read(s)
	*s[0].Value.Float64Histogram() = metrics.Float64Histogram{Counts: counts,
		Buckets: []float64{math.Inf(-1), 0, 1e-6, 3e-6, math.Inf(1)}}
	return s[0].Value
}

// TestUsageExactly subtracts readings of known values.
func TestUsageExactly(t *testing.T) {
	begun := time.Unix(0, 0)
	values := func(k int, pauses, latencies metrics.Value) map[string]metrics.Value {
		return map[string]metrics.Value{
			gcCycles: metricOf(10 * k), gcSeconds: metricOf(3 * k), assistSeconds: metricOf(k),
			allSeconds: metricOf(20 * k), idleSeconds: metricOf(5 * k),
			heapLive: metricOf(77 * k), mutexSeconds: metricOf(2 * k), goroutinesCreated: metricOf(9 * k),
			gcPauses: pauses, schedLatencies: latencies,
		}
	}
	before := readings{bytes: 1100, allocs: 110, cpu: time.Second, at: begun,
		values: values(1, histogram(1, 1, 1, 1), histogram(0, 0, 0, 0))}
	after := readings{bytes: 2000, allocs: 180, cpu: 3 * time.Second, at: begun.Add(4 * time.Second),
		values: values(3, histogram(2, 3, 1, 2), histogram(0, 98, 1, 1))}
	u := usage(readings{bytes: 1000, allocs: 100}, before, after, 10)
	require.Equal(t, result.Usage{
		BytesPerOp: 80, AllocsPerOp: 6, GCCycles: 20, GCShare: 0.15, AssistShare: 0.05, HeapBytes: 231,
		MutexWait: 4 * time.Second, Goroutines: 18, ProcessorUse: 0.75,
		GCPauses: 2*time.Microsecond + 3*time.Microsecond, GCPauseMax: 3 * time.Microsecond,
		SchedP50: time.Microsecond, SchedP99: 3 * time.Microsecond, Scheduled: 100,
	}, u)
	require.Zero(t, usage(readings{}, before, after, 0).BytesPerOp)
	after.bytes, after.allocs = 1150, 115
	u = usage(readings{bytes: 1000, allocs: 100}, before, after, 10)
	require.Zero(t, u.BytesPerOp)
	require.Zero(t, u.AllocsPerOp)
	after.values[allSeconds] = before.values[allSeconds]
	u = usage(readings{}, before, after, 1)
	require.Zero(t, []float64{u.GCShare, u.AssistShare, u.ProcessorUse}[0]+u.AssistShare+u.ProcessorUse)
	require.Equal(t, spread{}, between(metricOf(1), histogram(1)))
	require.Equal(t, spread{}, between(histogram(1), metricOf(1)))
	require.Zero(t, readings{values: map[string]metrics.Value{"x": histogram(1)}}.number("x"))

	require.InDelta(t, 2e9/8, cpuPerOp(before, after, 8, 0), 1e-3)
	require.InDelta(t, (2e9-0.08e9)/8, cpuPerOp(before, after, 8, 0.02), 1e-3)
	require.Zero(t, cpuPerOp(before, after, 8, 0.03), "over a twentieth")
	require.Zero(t, cpuPerOp(before, after, 0, 0))
	now := read()
	require.Len(t, now.values, 10)
	for name, v := range now.values {
		require.NotEqual(t, metrics.KindBad, v.Kind(), name)
	}
	require.Positive(t, now.number(allSeconds))
	require.Positive(t, now.bytes)
	require.Positive(t, now.allocs)
	require.Positive(t, now.cpu)
}

// TestPausesOfSlowOperations: a pause counts where it overlaps with an operation.
func TestPausesOfSlowOperations(t *testing.T) {
	runtime.GC()
	var s debug.GCStats
	debug.ReadGCStats(&s)
	end, pause := s.PauseEnd[0], s.Pause[0]
	require.Positive(t, pause)
	slow := []result.Slow{{From: pause / 2, Latency: pause / 4}, {From: -pause, Latency: pause + pause/2},
		{From: -pause, Latency: 3 * pause}, {From: pause + 1, Latency: 1}, {From: -5, Latency: 5}}
	attributePauses(slow, 1, end.Add(-pause))
	for i, want := range []time.Duration{pause / 4, pause / 2, pause, 0, 0} {
		require.Equal(t, want, slow[i].GCPause)
	}
	runtime.GC()
	slow = []result.Slow{{From: 0, Latency: pause / 8}, {From: 0, Latency: pause / 8}}
	attributePauses(slow, 3, end.Add(-pause))
	require.Equal(t, []time.Duration{3 * (pause / 8), 3 * (pause / 8)},
		[]time.Duration{slow[0].GCPause, slow[1].GCPause})
}

// TestInputsOfAPool counts inputs that several workers used, from other places.
func TestInputsOfAPool(t *testing.T) {
	op := Operation{pool: 10}
	for _, c := range []struct {
		warm, calls []uint64
		want        int
	}{{[]uint64{0}, []uint64{3}, 3}, {[]uint64{0, 0}, []uint64{3, 3}, 6}, {[]uint64{0, 0}, []uint64{7, 3}, 8},
		{[]uint64{7, 0}, []uint64{5, 5}, 7}, {[]uint64{25, 0}, []uint64{5, 5}, 5},
		{[]uint64{0, 0}, []uint64{0, 99}, 10}} {
		require.Equal(t, c.want, op.distinct(c.warm, c.calls), "%v", c)
	}
}

// TestClockAtItsBorders times operations as one that take less than 1000 steps.
func TestClockAtItsBorders(t *testing.T) {
	c := result.Clock{Step: 20}
	for ns, want := range map[float64]int{20_000: 1, 19_999: 2, 10_000: 3, 1: 20_001, 0: 20_001,
		0.01: 20_001} {
		require.Equal(t, want, c.Batch(ns), ns)
	}
	require.Equal(t, 1<<20, result.Clock{Step: 1 << 20}.Batch(1))
	require.Equal(t, 1, result.Clock{}.Batch(0))
	require.Equal(t, result.Control{}, summary([]float64{0, 0}))
	require.Equal(t, result.Control{}, summary(nil))
	s := summary([]float64{10, 10, 12, 15, 15.1})
	require.InDelta(t, 12, s.Median, 1e-12)
	require.InDelta(t, 1.4826*2/12, s.Spread, 1e-12)
	require.Zero(t, s.Disturbed)
	require.InDelta(t, 0.2, summary([]float64{10, 10, 10, 15, 15.1}).Disturbed, 1e-12)
	require.Equal(t, time.Hour/maxControls, controlInterval(time.Hour))
	require.GreaterOrEqual(t, controlInterval(0), time.Millisecond)
}

// TestSharesOfFewLatencies: below twenty, all count as independent.
func TestSharesOfFewLatencies(t *testing.T) {
	for n, independent := range map[int]bool{19: true, 20: false} {
		r := &result.Result{Records: uint64(n), Latency: hist.New()}
		r.Timeline.Tick = 1
		for i := range n {
			ns := []uint64{1e3, 1e9}[min(1, i/10)]
			r.Latency.Add(ns)
			r.Timeline.Cells = append(r.Timeline.Cells,
				result.Cell{N: 1, Sum: float64(ns), Index: uint64(hist.Index(ns)), Rows: []uint64{1}})
		}
		share, effective := judge.Beyond(r, 1e6)
		require.InDelta(t, float64(n-10)/float64(n), share, 1e-12)
		require.Equal(t, independent, effective == float64(n), n)
	}
}
