package runner

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

func seconds(v float64) *float64 { return &v }

// quiet is a Result without findings: 100 000 latencies around 1 ms in 51 s of
// two workers.
func quiet() *Result {
	r := &Result{
		Version: Version, Config: Config{Workers: 2, Batch: 1}, Elapsed: 51 * time.Second, End: endTime,
		Done: 100_000, Weighted: 100_000, Records: 100_000, Latency: hist.New(),
		Moments: Moments{Mean: 1e6, StdDev: 5e3, Min: 0.99e6, Max: 1.02e6}, Busy: 100 * time.Second,
		Control: Control{N: 100, Median: 40e3, Spread: 0.01}, Usage: Usage{AllocsPerOp: 10, GCShare: 0.001},
		Before: host.State{GOMAXPROCS: 4, CPUs: 4, Governor: "performance", Steal: seconds(1), Pressure: seconds(1), Throttled: seconds(0)},
	}
	for i := range uint64(1000) {
		r.Latency.AddN(990_000+20*i, 100)
	}
	r.After, r.Apart = r.Before, time.Minute
	for i := range uint64(100) {
		n := uint64(1000)
		r.Timeline.Cells = append(r.Timeline.Cells, Cell{Ops: 1000, N: n, Sum: float64(n * (1e6 + i%7)), Index: n * uint64(hist.Index(1e6))})
	}
	r.Timeline.Tick = 510 * time.Millisecond
	return r
}

// open turns r into the Result of an open loop.
func open(r *Result, o Open) {
	r.Config.Plan, r.Open, r.Service = &schedule.Plan{Arrival: schedule.Constant, Rate: 1000}, &o, &r.Latency
}

// TestStallsAreRare: latencies that are slow in one of a hundred operations are no hidden
// stalls, since P99 shows them.
func TestStallsAreRare(t *testing.T) {
	for slow, want := range map[uint64]bool{2: false, 3: true, 9: true, 10: false} {
		r := quiet()
		r.Latency = hist.New()
		r.Latency.AddN(1_000_000, 1000-slow)
		r.Latency.AddN(100_000_000, slow)
		kinds := []string{}
		for _, f := range r.Findings() {
			kinds = append(kinds, f.Kind)
		}
		require.Equal(t, want, slices.Contains(kinds, "hidden stalls"), "%d: %v", slow, kinds)
	}
}

// TestEveryFindingHasItsCause adds one fault to a quiet Result and expects
// exactly the findings of this fault. It distinguishes a noisy machine from an
// operation with several kinds of inputs.
func TestEveryFindingHasItsCause(t *testing.T) {
	require.Empty(t, quiet().Findings())
	tested := map[string]bool{}
	for _, c := range []struct {
		cause func(r *Result)
		kinds []string
	}{
		{func(r *Result) { r.Failed = 1; r.Errors = map[string]uint64{"no": 1} }, []string{"failures"}},
		{func(r *Result) { r.End, r.Config.Stall = endStalled, time.Minute }, []string{"stalled"}},
		{func(r *Result) { r.Abandoned = 1 }, []string{"abandoned"}},
		{func(r *Result) {
			open(r, Open{Offered: 102_000, Started: 100_000, Backlog: 2000, ServiceMean: 2.04e6})
		}, []string{"overloaded"}},
		{func(r *Result) {
			open(r, Open{Offered: 100_500, Started: 100_000, Backlog: 500, ServiceMean: 2.01e6})
		}, []string{"overloaded"}},
		{func(r *Result) {
			open(r, Open{Offered: 100_000, Started: 100_000})
			r.Config.Ceiling = 1400
		}, []string{"bound by the generator"}},
		{func(r *Result) { open(r, Open{Offered: 100_000, Started: 100_000, LagMean: 200 * time.Microsecond}) }, []string{"pacer lag"}},
		{func(r *Result) {
			r.Latency = hist.New()
			r.Latency.AddN(1e6, 999)
			r.Records, r.Done = 999, 999
		}, []string{"few operations"}},
		{func(r *Result) { r.Elapsed = 4 * time.Second }, []string{"short window"}},
		{func(r *Result) { r.WarmUp = WarmUp{Took: time.Second, Wanted: true} }, []string{"never steady"}},
		{func(r *Result) { r.Config.Precision, r.Config.PrecisionOf = 1e-9, "mean" }, []string{"precision missed"}},
		{func(r *Result) { r.Control.Spread = 0.2 }, []string{"noisy machine"}},
		{func(r *Result) { r.Moments.StdDev = 0.3e6 }, []string{"wide distribution"}},
		{func(r *Result) { r.Latency.AddN(4e6, 1500); r.Records += 1500 }, []string{"long tail"}},
		{func(r *Result) { r.Latency.AddN(1.5e6, 100_000); r.Records *= 2 }, []string{"several modes"}},
		{func(r *Result) { r.Moments.Max = 2e8 }, []string{"outlier"}},
		{func(r *Result) {
			for i := range r.Timeline.Cells {
				r.Timeline.Cells[i].Sum += 1000 * float64(2000*i)
			}
		}, []string{"drift"}},
		{func(r *Result) { // half a minute slow, half fast
			for i := range r.Timeline.Cells {
				r.Timeline.Cells[i].Index = 1000 * uint64(hist.Index(990_000+20_000*uint64(i/50)))
			}
		}, []string{"remembers"}},
		{func(r *Result) { r.Latency.AddN(1e8, 50); r.Records += 50 }, []string{"hidden stalls"}},
		{func(r *Result) {
			for i := range 10 {
				r.Slowest = append(r.Slowest, Slow{From: time.Duration(i) * 5 * time.Second, Latency: time.Second})
			}
		}, []string{"periodic stalls"}},
		{func(r *Result) { // the first tenth is half slower
			for i := range 10 {
				r.Timeline.Cells[i].Sum *= 1.5
			}
			r.Moments.Mean *= 1.05
		}, []string{"start-up"}},
		{func(r *Result) { r.Elapsed = time.Minute }, []string{"overhead"}},
		{func(r *Result) { r.Clock.Step = 2 * time.Microsecond }, []string{"coarse clock"}},
		{func(r *Result) { r.Before.GOMAXPROCS = 1 }, []string{"more workers than processors"}},
		{func(r *Result) { r.Usage.GCShare = 0.2 }, []string{"garbage collection"}},
		{func(r *Result) { r.Usage.AllocsPerOp = 2000 }, []string{"allocations"}},
		{func(r *Result) { r.Usage.MutexWait = 10 * time.Second }, []string{"lock waiting"}},
		{func(r *Result) { r.Usage.Scheduled, r.Usage.SchedP99 = 100_000, time.Millisecond }, []string{"scheduler latency"}},
		{func(r *Result) { r.Usage.Goroutines = 300_000 }, []string{"goroutines"}},
		{func(r *Result) { r.After.Steal = seconds(10) }, []string{"stolen time"}},
		{func(r *Result) { r.After.Pressure = seconds(10) }, []string{"processor pressure"}},
		{func(r *Result) { r.After.Throttled = seconds(1) }, []string{"throttled"}},
		{func(r *Result) { r.Before.Governor = "powersave" }, []string{"governor"}},
	} {
		r := quiet()
		c.cause(r)
		var kinds []string
		for _, f := range r.Findings() {
			kinds = append(kinds, f.Kind)
			require.NotContains(t, f.Observed, "%s", f.Kind)
			require.NotEmpty(t, f.Observed, f.Kind)
			require.NotEmpty(t, f.Advice, f.Kind)
			tested[f.Kind] = true
		}
		require.Equal(t, c.kinds, kinds)
	}
	for kind := range Thresholds() {
		require.True(t, tested[kind], "%s is not tested", kind)
	}
}

// TestUnknownIsNoReasonToWarn uses a machine with unknown State.
func TestUnknownIsNoReasonToWarn(t *testing.T) {
	r := quiet()
	r.Before = host.State{GOMAXPROCS: 4, Governor: host.Unknown}
	r.After = r.Before
	require.Empty(t, r.Findings())
}
