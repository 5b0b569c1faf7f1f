package runner

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// whole compares text with a golden file, which RUNNER_UPDATE_GOLDEN=1 rewrites.
func whole(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "whole", name)
	if os.Getenv("RUNNER_UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "RUNNER_UPDATE_GOLDEN=1 rewrites it")
}

// A shape is a run in simulated time, and the latencies of its operations.
type shape struct {
	name    string
	c       Config
	service func(random *rand.Rand, i int, start time.Duration) time.Duration
}

func parsed(rate float64, text string) *schedule.Plan {
	p, err := schedule.Parse(rate, text)
	if err != nil {
		panic(err)
	}
	return &p
}

// lognormal draws latencies of a median in ns.
func lognormal(random *rand.Rand, median, sigma float64) time.Duration {
	return time.Duration(median * math.Exp(sigma*random.NormFloat64()))
}

// shapes reach each judgement of a Result: by its number of latencies, its tail, its
// memory, its queue and its stalls.
var shapes = []shape{
	{"equal", Config{Workers: 3, Duration: 5 * time.Second}, func(_ *rand.Rand, i int, _ time.Duration) time.Duration { return time.Millisecond }},
	{"of no time", Config{Workers: 1, Ops: 500}, func(*rand.Rand, int, time.Duration) time.Duration { return 0 }},
	{"one", Config{Workers: 1, Ops: 1}, func(*rand.Rand, int, time.Duration) time.Duration { return time.Second }},
	{"five", Config{Workers: 2, Ops: 5}, func(_ *rand.Rand, i int, _ time.Duration) time.Duration {
		return time.Duration(1+i*i) * time.Millisecond
	}},
	{"thirty", Config{Workers: 1, Ops: 30}, func(_ *rand.Rand, i int, _ time.Duration) time.Duration {
		return time.Duration(1+i%5) * time.Millisecond
	}},
	{"more workers than records", Config{Workers: 13, Ops: 700}, func(r *rand.Rand, i int, _ time.Duration) time.Duration {
		return lognormal(r, 2e6, 0.3)
	}},
	{"spread", Config{Workers: 2, Duration: 8 * time.Second}, func(r *rand.Rand, i int, _ time.Duration) time.Duration { return lognormal(r, 3e6, 0.4) }},
	{"heavy tail", Config{Workers: 1, Ops: 6000}, func(r *rand.Rand, i int, _ time.Duration) time.Duration {
		return time.Duration(1e6 / math.Pow(r.Float64(), 0.9))
	}},
	{"far stalls", Config{Workers: 1, Ops: 8000}, func(r *rand.Rand, i int, _ time.Duration) time.Duration {
		if i%400 == 399 {
			return 50 * time.Millisecond
		}
		return lognormal(r, 1e6, 0.1)
	}},
	{"drift", Config{Workers: 1, Duration: 6 * time.Second}, func(r *rand.Rand, _ int, at time.Duration) time.Duration {
		return lognormal(r, 2e6*(1+at.Seconds()/8), 0.2)
	}},
	{"waves", Config{Workers: 1, Duration: 20 * time.Second}, func(r *rand.Rand, _ int, at time.Duration) time.Duration {
		return lognormal(r, 4e6*(1+0.4*math.Sin(at.Seconds()*2)), 0.2)
	}},
	{"bursts", Config{Workers: 1, Ops: 5000}, func(r *rand.Rand, i int, _ time.Duration) time.Duration {
		if i%700 < 40 {
			return lognormal(r, 4e6, 0.2)
		}
		return lognormal(r, 1e6, 0.2)
	}},
	{"two halves", Config{Workers: 1, Ops: 400}, func(r *rand.Rand, i int, _ time.Duration) time.Duration {
		return lognormal(r, []float64{1e6, 1e7}[i/200], 0.02)
	}},
	{"two modes", Config{Workers: 1, Ops: 3000}, func(r *rand.Rand, i int, _ time.Duration) time.Duration {
		return lognormal(r, []float64{1e6, 5e6, 1e6}[i%3], 0.05)
	}},
	{"slow start", Config{Workers: 1, Duration: 10 * time.Second}, func(r *rand.Rand, _ int, at time.Duration) time.Duration {
		return lognormal(r, 3e6+1e7*math.Exp(-at.Seconds()*3), 0.1)
	}},
	{"periodic", Config{Workers: 2, Duration: 12 * time.Second}, func(r *rand.Rand, i int, at time.Duration) time.Duration {
		if at%time.Second < 3*time.Millisecond {
			return 200 * time.Millisecond
		}
		return lognormal(r, 2e6, 0.1)
	}},
	{"missing periods", Config{Workers: 1, Duration: 14 * time.Second}, func(r *rand.Rand, i int, at time.Duration) time.Duration {
		if at%time.Second < 3*time.Millisecond && at/time.Second != 4 && at/time.Second != 9 {
			return 200*time.Millisecond + time.Duration(i%4)*time.Millisecond
		}
		return lognormal(r, 2e6, 0.1)
	}},
	{"mean to 2 %", Config{Workers: 1, Duration: time.Minute, Precision: 0.02}, func(r *rand.Rand, _ int, _ time.Duration) time.Duration { return lognormal(r, 3e6, 0.5) }},
	{"P90 to 3 %", Config{Workers: 4, Duration: time.Minute, Precision: 0.03, PrecisionOf: "p90"}, func(r *rand.Rand, _ int, _ time.Duration) time.Duration { return lognormal(r, 3e6, 0.5) }},
	{"P99 missed", Config{Workers: 1, Duration: 4 * time.Second, Precision: 0.01, PrecisionOf: "p99"}, func(r *rand.Rand, _ int, _ time.Duration) time.Duration { return lognormal(r, 3e6, 0.5) }},
	{"open, precise", Config{Workers: 2, Duration: time.Minute, Precision: 0.05, PrecisionOf: "p50", Plan: parsed(200, "poisson")}, func(r *rand.Rand, _ int, _ time.Duration) time.Duration { return lognormal(r, 3e6, 0.3) }},
	{"open, a quarter", Config{Workers: 1, Duration: 10 * time.Second, Plan: parsed(100, "poisson")}, func(r *rand.Rand, _ int, _ time.Duration) time.Duration { return lognormal(r, 2.5e6, 0.5) }},
	{"open, busy", Config{Workers: 4, Duration: 20 * time.Second, Plan: parsed(300, "constant")}, func(r *rand.Rand, _ int, _ time.Duration) time.Duration {
		return time.Duration(1e7 * r.ExpFloat64())
	}},
	{"open, nearly full", Config{Workers: 1, Duration: 10 * time.Second, Plan: parsed(100, "poisson")}, func(r *rand.Rand, _ int, _ time.Duration) time.Duration {
		return time.Duration(9.6e6 * r.ExpFloat64())
	}},
	{"open, above", Config{Workers: 1, Duration: 10 * time.Second, Plan: parsed(100, "constant")}, func(r *rand.Rand, _ int, _ time.Duration) time.Duration { return lognormal(r, 1.2e7, 0.1) }},
	{"open, one server", Config{Workers: 50, Duration: 10 * time.Second, Plan: parsed(100, "poisson")}, server(7e6)},
	{"open, one slow server", Config{Workers: 400, Duration: 10 * time.Second, Plan: parsed(100, "poisson")}, server(1.2e7)},
	{"open, ramp", Config{Workers: 2, Duration: 10 * time.Second, Plan: parsed(50, "ramp:400/8s")}, func(r *rand.Rand, _ int, _ time.Duration) time.Duration { return lognormal(r, 4e6, 0.3) }},
	{"open, stages", Config{Workers: 2, Ops: 2000, Plan: parsed(50, "step:200/3s/4,constant:2s,rate:100,constant:1s,ramp:300/2s")}, func(r *rand.Rand, _ int, _ time.Duration) time.Duration { return lognormal(r, 4e6, 0.3) }},
	{"open, a part", Config{Workers: 1, Duration: 5 * time.Second, Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: 300, Seed: 3, Generator: 2, Generators: 3}}, func(r *rand.Rand, _ int, _ time.Duration) time.Duration { return lognormal(r, 4e6, 0.3) }},
	{"open, a stall", Config{Workers: 1, Duration: 10 * time.Second, Plan: parsed(100, "constant")}, func(r *rand.Rand, i int, _ time.Duration) time.Duration {
		if i == 300 {
			return 1500 * time.Millisecond
		}
		return lognormal(r, 3e6, 0.1)
	}},
}

// server has one queue for all workers.
func server(mean float64) func(*rand.Rand, int, time.Duration) time.Duration {
	free := time.Duration(0)
	return func(r *rand.Rand, i int, at time.Duration) time.Duration {
		if i == 0 {
			free = 0
		}
		free = max(free, at) + time.Duration(mean*r.ExpFloat64())
		return free - at
	}
}

func (s shape) run(t *testing.T) *Result {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(len(s.name)), 5))
	r, err := Replay(s.c, func(i int, start time.Duration) time.Duration { return s.service(random, i, start) })
	require.NoError(t, err)
	return r
}

// digits formats numbers to nine digits, which processors with fused operations share.
func digits(values ...float64) string {
	var b strings.Builder
	for i, v := range values {
		fmt.Fprintf(&b, "%s%.9g", strings.Repeat(" ", min(i, 1)), v)
	}
	return b.String()
}

func (e Estimate) digits() string {
	s := fmt.Sprintf("%s %q needs %d shown %v", digits(e.Value), e.Reason, e.Needs, e.Shown())
	if e.Interval != nil {
		s += " in " + digits(e.Interval.Low, e.Interval.High)
	}
	half, ok := e.halfWidth()
	return s + fmt.Sprint(" ± ", digits(half), ok)
}

// describe writes every figure that is computed from r.
func describe(b io.Writer, r *Result) {
	fmt.Fprintf(b, "end %s interrupted %v begun %v elapsed %d done %d weighted %s failed %d abandoned %d errors %v inputs %d\n",
		r.End, r.Interrupted, r.Begun.UTC().Format(time.RFC3339Nano), r.Elapsed, r.Done, digits(r.Weighted), r.Failed, r.Abandoned, r.Errors, r.Inputs)
	fmt.Fprintf(b, "records %d total %d busy %d stack %q dump %q looks %d confidence %s control %+v clock %+v warm-up %+v\n",
		r.Records, r.Latency.Total(), r.Busy, r.Stack, r.Dump, r.Looks, digits(r.Confidence), r.Control, r.Clock, r.WarmUp)
	m := r.Moments
	fmt.Fprintln(b, "moments", digits(m.Mean, m.StdDev, m.Min, m.Max, m.Jitter))
	fmt.Fprintln(b, "throughput", digits(r.Throughput(), r.PureThroughput(), r.ServiceMean(), r.Overhead(), r.CV(), r.IQR(), r.MAD()))
	interval, ok := r.ThroughputInterval()
	fmt.Fprintln(b, "throughput in", digits(interval.Low, interval.High), ok)
	for _, q := range []float64{0.02, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999} {
		memory := r.memoryAt(q)
		fmt.Fprintln(b, "quantile", q, r.Quantile(q).digits(), "memory", digits(memory.Inflation), memory.Freedom, "queue needs", digits(r.queueNeeds(q)))
	}
	fmt.Fprintln(b, "mean", r.Mean().digits(), "inflation", digits(r.Inflation()), r.memory().Freedom, "heavy", r.heavyTail(), "queue needs", digits(r.queueNeeds(0)))
	fmt.Fprintln(b, "metrics", r.metric("mean").digits(), "|", r.metric("p95").digits())
	for _, factor := range []float64{0.5, 0.98, 1, 1.1, 2, 40} {
		limit := r.Moments.Mean * factor
		share, effective := r.Beyond(limit)
		fmt.Fprintln(b, "beyond", factor, digits(share, effective, r.ServiceBeyond(limit)), r.LaterBeyond(limit, 0), r.LaterBeyond(limit, 0.05), r.LaterBeyond(limit, 0.5))
	}
	for _, confidence := range []float64{0.9, 0.975} {
		i, ok := r.MeanBounds(confidence)
		fmt.Fprintln(b, "mean bounds", confidence, digits(i.Low, i.High), ok)
	}
	lowSevere, lowMild, highMild, highSevere := r.Outliers()
	fmt.Fprintln(b, "outliers", lowSevere, lowMild, highMild, highSevere, "modes", digits(r.modes()...))
	for _, f := range []func(*Result) (float64, bool){hiddenStalls, periodicStalls, drift, startUp, precisionMissed, overloaded} {
		v, ok := f(r)
		fmt.Fprint(b, digits(v), " ", ok, "; ")
	}
	s, ok := r.stalls()
	fmt.Fprintln(b, "stalls", s, ok)
	if q, ok := r.Queue(); ok {
		fmt.Fprintln(b, "queue", digits(q.Load, q.Memory, q.Clump, q.Settled, q.ServiceCV, 1e9*r.greatestRate(), crowding(r.Open.Crowd)), q.Growing)
		o := *r.Open
		fmt.Fprintln(b, "open", o.Offered, o.Started, o.Late, o.Backlog, o.Present, o.LagMean, o.LagMax, digits(o.ServiceMean, o.ServiceStdDev, o.ServiceStdErr), r.Service.Total())
		for _, c := range o.Crowd[:min(len(o.Crowd), 40)] {
			fmt.Fprint(b, c.N, " ", digits(c.Others, c.Sum), "; ")
		}
		fmt.Fprintln(b, len(o.Crowd))
	}
	for _, s := range r.Slowest[:min(len(r.Slowest), 6)] {
		fmt.Fprintf(b, "slow %+v\n", s)
	}
	for k, c := range r.Timeline.Cells {
		if k < 12 || k >= len(r.Timeline.Cells)-3 {
			fmt.Fprintln(b, "cell", k, digits(c.Ops), c.N, c.Bad, digits(c.Sum), c.Index, c.Rows)
		}
	}
	fmt.Fprintln(b, len(r.Slowest), len(r.Timeline.Cells), r.Timeline.Tick)
	judged(b, r)
}

// judged writes the findings of r.
func judged(b io.Writer, r *Result) {
	for _, f := range r.Findings() {
		fmt.Fprintf(b, "- %s %s > %s %v by %q: %s: %s\n", f.Kind, digits(f.Value), digits(f.Limit), f.Machine, f.Cause, f.Observed, f.Advice)
	}
}

// TestWholeFigures computes every figure of runs of known latencies.
func TestWholeFigures(t *testing.T) {
	var b bytes.Buffer
	for _, s := range shapes {
		r := s.run(t)
		if s.c.Precision == 0 { // a look ends a replay in the middle of operations
			require.NoError(t, r.Check(), s.name)
		}
		fmt.Fprintf(&b, "\n----- %s\n", s.name)
		describe(&b, r)
	}
	whole(t, "figures.txt", b.Bytes())
}

// beside returns values a little below, at and above a limit.
func beside(limit float64) []float64 {
	return []float64{limit * (1 - 1e-6), limit, limit*(1+1e-6) + 1e-12}
}

// TestWholeFindings has a value on both sides of the limit of each finding.
func TestWholeFindings(t *testing.T) {
	var b bytes.Buffer
	judge := func(name string, change func(r *Result)) {
		r := quiet()
		change(r)
		fmt.Fprintf(&b, "----- %s\n", name)
		judged(&b, r)
	}
	for _, n := range []int{0, 1, 2} {
		judge(fmt.Sprint("failed ", n), func(r *Result) { r.Failed = uint64(n) })
		judge(fmt.Sprint("abandoned ", n), func(r *Result) { r.Abandoned = n })
		judge(fmt.Sprint("records ", n+999), func(r *Result) { r.Records = uint64(n + 999) })
		judge(fmt.Sprint("elapsed", n), func(r *Result) { r.Elapsed = 5*time.Second + time.Duration(n-1) })
		judge(fmt.Sprint("nothing done", n), func(r *Result) { r.Done, r.Failed = 0, uint64(n)*1234 })
		judge(fmt.Sprint("records for modes and memory ", n), func(r *Result) {
			r.Records = uint64(199 + n)
			r.Latency.AddN(5e6, 100_000)
			for i := range r.Timeline.Cells {
				r.Timeline.Cells[i].Index += uint64(i * 1e5)
			}
		})
		judge(fmt.Sprint("workers ", n), func(r *Result) { r.Config.Workers, r.Before.GOMAXPROCS = 3+n, 4 })
		judge(fmt.Sprint("processors ", n), func(r *Result) {
			r.Config.Workers, r.Before.GOMAXPROCS, r.Before.CPUs = 1, n, n
			r.After.Steal = seconds(1.6)
		})
		judge(fmt.Sprint("goroutines ", n), func(r *Result) { r.Usage.Goroutines = r.Done - 1 + uint64(n) })
		judge(fmt.Sprint("scheduled ", n), func(r *Result) { r.Usage.Scheduled, r.Usage.SchedP99 = r.Done/2-1+uint64(n), time.Second })
		judge(fmt.Sprint("controls ", n), func(r *Result) { r.Control = Control{N: 9 + n, Disturbed: 0.2} })
		judge(fmt.Sprint("scheduler latency ", n), func(r *Result) { r.Usage.Scheduled, r.Usage.SchedP99 = r.Done, 499_999+time.Duration(n) })
		judge(fmt.Sprint("lock waiting ", n), func(r *Result) { r.Usage.MutexWait = 5_099_999_999 + time.Duration(n) })
		judge(fmt.Sprint("time of the clock ", n), func(r *Result) { r.Config.Batch, r.Clock.Step = n, time.Second })
		judge(fmt.Sprint("step of the clock ", n), func(r *Result) { r.Clock.Step = 999 + time.Duration(n) })
		judge(fmt.Sprint("pacer lag ", n), func(r *Result) { open(r, Open{Offered: 100_000, Started: 100_000, LagMean: 99_999 + time.Duration(n)}) })
		judge(fmt.Sprint("pacer lag without latencies", n), func(r *Result) { open(r, Open{LagMean: 99_999}); r.Moments.Mean = float64(n) })
		judge(fmt.Sprint("throttled ", n), func(r *Result) { r.After.Throttled = seconds(float64(n) * 1e-9) })
		judge(fmt.Sprint("rank ", n), func(r *Result) { // every cause at once, and effects of each
			r.After.Throttled, r.After.Steal, r.After.Pressure = seconds(1), seconds(10), seconds(10)
			r.Before.Governor, r.Control.Spread = "powersave", 0.3
			if n > 0 {
				r.After.Throttled, r.After.Steal = nil, r.Before.Steal
			}
			if n > 1 {
				r.Control.Spread, r.After.Pressure = 0, r.Before.Pressure
			}
			r.WarmUp = WarmUp{Took: time.Second, Wanted: true}
			r.Moments.StdDev, r.Moments.Max, r.Clock.Step = 3e5, 2e8, 2*time.Microsecond
			r.Config.Precision, r.Config.PrecisionOf = 1e-9, "p99"
		})
	}
	for _, d := range beside(1) {
		scaled := func(v float64) time.Duration { return time.Duration(math.Round(v)) }
		judge(fmt.Sprint("ceiling ", d), func(r *Result) {
			open(r, Open{Offered: 100_000, Started: 100_000})
			r.Config.Ceiling = 1000 / 0.7 / d
		})
		judge(fmt.Sprint("control ", d), func(r *Result) { r.Control.Spread = 0.05 * d })
		judge(fmt.Sprint("disturbed ", d), func(r *Result) { r.Control.Disturbed = 0.1 * d })
		judge(fmt.Sprint("wide ", d), func(r *Result) { r.Moments.StdDev = 0.2e6 * d })
		judge(fmt.Sprint("overhead ", d), func(r *Result) { r.Busy = scaled(91.8e9 / d) })
		judge(fmt.Sprint("overhead of inputs ", d), func(r *Result) { r.Busy, r.SetUp = time.Second, eachPolicy })
		judge(fmt.Sprint("overhead when interrupted ", d), func(r *Result) { r.Busy, r.Interrupted = time.Second, true })
		judge(fmt.Sprint("collections ", d), func(r *Result) { r.Usage.GCShare = 0.05 * d })
		judge(fmt.Sprint("allocations ", d), func(r *Result) { r.Usage.AllocsPerOp = 1000 * d })
		judge(fmt.Sprint("stolen ", d), func(r *Result) { r.After.Steal = seconds(1 + 2.4*d) })
		judge(fmt.Sprint("pressure ", d), func(r *Result) { r.After.Pressure = seconds(1 + 3*d) })
		judge(fmt.Sprint("outlier ", d), func(r *Result) { r.Moments.Max = 10 * r.quantile(0.99) * d })
	}
	for _, governor := range []string{"", host.Unknown, "performance", "schedutil"} {
		judge("governor "+governor, func(r *Result) { r.Before.Governor = governor })
	}
	for name, change := range map[string]func(r *Result){
		"no counters before": func(r *Result) { r.Before.Steal, r.Before.Pressure, r.Before.Throttled = nil, nil, nil },
		"no counters after":  func(r *Result) { r.After.Steal, r.After.Pressure, r.After.Throttled = nil, nil, nil },
		"not apart":          func(r *Result) { r.Apart = 0; r.After.Steal = seconds(100) },
		"steady":             func(r *Result) { r.WarmUp = WarmUp{Took: time.Second, Wanted: true, Steady: true} },
		"not wanted":         func(r *Result) { r.WarmUp = WarmUp{Took: time.Second} },
		"no warm-up":         func(r *Result) { r.WarmUp = WarmUp{Wanted: true} },
		"stalled":            func(r *Result) { r.End, r.Config.Stall = endStalled, 3*time.Second },
		"not stalled":        func(r *Result) { r.End, r.Config.Stall = endTime, 3*time.Second },
		"precise":            func(r *Result) { r.Config.Precision, r.Config.PrecisionOf, r.End = 1e-9, "mean", endPrecision },
		"no interval":        func(r *Result) { r.Config.Precision, r.Config.PrecisionOf = 1e-9, "mean"; r.Timeline.Cells = nil },
		"mean of 0":          func(r *Result) { r.Config.Precision, r.Config.PrecisionOf, r.Moments.Mean = 1e-9, "mean", 0 },
		"deviation of one":   func(r *Result) { r.Records, r.Moments.StdDev = 1, 1e6 },
		"open, with locks": func(r *Result) {
			open(r, Open{Offered: 100_000, Started: 100_000})
			r.Config.Workers, r.Usage.Scheduled, r.Usage.SchedP99 = 50, 1<<20, time.Second
		},
		"ceiling of a closed loop": func(r *Result) { r.Config.Ceiling = 1 },
		"backlog of old results":   func(r *Result) { open(r, Open{Offered: 102_000, Started: 100_000, Backlog: 2000, ServiceMean: 2.04e6}) },
		"growing queue": func(r *Result) {
			open(r, Open{Offered: 102_000, Started: 100_000, Backlog: 2000, ServiceMean: 2.04e6, Present: []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 4080}})
		},
		"stalls of a little less than a hundredth": func(r *Result) {
			r.Latency = hist.New()
			r.Latency.AddN(1e6, 9900)
			r.Latency.AddN(1e8, 99)
		},
		"third of cells": func(r *Result) {
			r.Timeline.Cells = r.Timeline.Cells[:9]
			for i := range r.Timeline.Cells {
				r.Timeline.Cells[i].Sum = float64(r.Timeline.Cells[i].N) * (1e6 + float64(i)*1e5 + float64(i%2)*10)
			}
		},
		"too few cells": func(r *Result) {
			r.Timeline.Cells = r.Timeline.Cells[:8]
			for i := range r.Timeline.Cells {
				r.Timeline.Cells[i].Sum = float64(r.Timeline.Cells[i].N) * (1e6 + float64(i)*1e5 + float64(i%2)*10)
			}
		},
		"a falling drift": func(r *Result) {
			for i := range r.Timeline.Cells {
				r.Timeline.Cells[i].Sum -= float64(i*i) * 4e4
			}
		},
		"a drift from 0": func(r *Result) {
			for i := range r.Timeline.Cells {
				r.Timeline.Cells[i].Sum = float64(i) * 1e7
			}
		},
	} {
		judge(name, change)
	}
	whole(t, "findings.txt", sorted(b.String()))
}

// sorted brings the blocks of a text in order, since maps have none.
func sorted(text string) []byte {
	blocks := strings.Split(text, "----- ")
	slices.Sort(blocks)
	return []byte(strings.Join(blocks, "----- "))
}

// generated are results of generators that differ in every field.
func generated(t *testing.T, plan *schedule.Plan) (rs []*Result) {
	t.Helper()
	begun := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	for i := range 3 {
		c := Config{Workers: 2 + i, Duration: time.Duration(4+i) * time.Second}
		if plan != nil {
			p := *plan
			p.Generator, p.Generators = 3-i, 3
			c.Plan = &p
		} else {
			c.Ops = int64(2000 + 300*i)
		}
		random := rand.New(rand.NewPCG(uint64(i), 1))
		r, err := Replay(c, func(int, time.Duration) time.Duration { return lognormal(random, 1e6*float64(3+i), 0.4) })
		require.NoError(t, err)
		r.Begun = begun.Add([]time.Duration{700, 0, 300}[i] * time.Millisecond)
		r.Started = r.Begun.Add(-time.Second)
		r.Failed, r.Abandoned, r.Inputs = uint64(10*i+1), i+1, 100+i
		r.Errors = map[string]uint64{"all": 1}
		if i > 0 {
			r.Errors[fmt.Sprint("of ", i)] = uint64(10 * i)
		}
		r.Stack, r.Dump = []string{"", "one", "two"}[i], []string{"", "dump one", "dump two"}[i]
		r.Interrupted, r.End = i > 0, []string{endTime, endDeadline, endFailing}[i]
		k := time.Duration(i + 1)
		n := float64(i + 1)
		r.WarmUp = WarmUp{Took: (5 - k) * time.Second, Operations: uint64(100 * k), Wanted: i == 0, Steady: i != 1}
		r.Clock = Clock{Step: 10 * k, Record: 1000 - 10*k}
		r.Control = Control{N: []int{0, 30, 31}[i], Median: 1e4 * n, Spread: 0.01 * n, Disturbed: 0.001}
		r.Looks, r.Confidence = 7-i, []float64{0.95, 0.99, 0.97}[i]
		r.Usage = Usage{
			BytesPerOp: 100 * n, AllocsPerOp: 2 * n, CPUPerOp: 1e5 * n, GCCycles: uint64(3 * k), GCShare: 0.01 * n, AssistShare: 0.09 / n,
			GCPauses: 1000 * k, GCPauseMax: 500 - k, HeapBytes: uint64(1e6 * k), MutexWait: 7000 * k, SchedP50: 100 + k, SchedP99: 90000 - k,
			Scheduled: uint64(400 * k), Goroutines: uint64(30 * k), ProcessorUse: 0.2 * n,
		}
		if r.Open != nil {
			r.Open.Late, r.Open.LagMean, r.Open.LagMax = uint64(11*k), 1000*k, 70_000-k
			if i == 2 {
				r.Open.Present = append(r.Open.Present, 5)
			}
		}
		rs = append(rs, r)
	}
	return rs
}

// describeUsage writes every field of the usage.
func describeUsage(b io.Writer, u Usage) {
	fmt.Fprintln(b, "usage", digits(u.BytesPerOp, u.AllocsPerOp, u.CPUPerOp, u.GCShare, u.AssistShare, u.ProcessorUse),
		u.GCCycles, u.GCPauses, u.GCPauseMax, u.HeapBytes, u.MutexWait, u.SchedP50, u.SchedP99, u.Scheduled, u.Goroutines)
}

// TestWholeMerge merges results that differ in every field, also as parts of a mix.
func TestWholeMerge(t *testing.T) {
	var b bytes.Buffer
	for _, plan := range []*schedule.Plan{nil, {Arrival: schedule.Poisson, Rate: 900, Seed: 4}, parsed(300, "ramp:600/2s,constant:1s,rate:150")} {
		rs := generated(t, plan)
		m, err := Merge(rs...)
		require.NoError(t, err)
		write := func(name string, m *Result) {
			fmt.Fprintf(&b, "\n----- %s %v\nworkers %d ops %d plan %+v\n", name, plan, m.Config.Workers, m.Config.Ops, m.Config.Plan)
			describeUsage(&b, m.Usage)
			describe(&b, m)
		}
		write("three", m)
		two, err := Merge(rs[1], rs[2])
		require.NoError(t, err)
		write("two of three", two)
		for i, r := range rs {
			whole := *r
			first, second := *r, *generated(t, plan)[i]
			first.Errors, second.Errors = map[string]uint64{"x": first.Failed}, map[string]uint64{"y": second.Failed}
			first.Begun = time.Time{}
			whole.Parts = []Part{{Name: "read", Weight: 3, Result: &first}, {Name: "write", Weight: 2, Result: &second}}
			whole.Done, whole.Records, whole.Failed = 2*r.Done, 2*r.Records, 2*r.Failed
			whole.Weighted, whole.Errors = 2*r.Weighted, map[string]uint64{"z": 2 * r.Failed}
			whole.Latency = hist.New()
			whole.Latency.Merge(r.Latency)
			whole.Latency.Merge(r.Latency)
			if whole.Service != nil {
				doubled := hist.New()
				doubled.Merge(*r.Service)
				doubled.Merge(*r.Service)
				whole.Service = &doubled
			}
			whole.Config.Workers, whole.Busy = 2*r.Config.Workers, 2*r.Busy
			whole.Timeline.Cells = slices.Clone(r.Timeline.Cells)
			for k := range whole.Timeline.Cells {
				c := &whole.Timeline.Cells[k]
				c.Ops, c.N, c.Sum, c.Index, c.Rows = 2*c.Ops, 2*c.N, 2*c.Sum, 2*c.Index, slices.Clone(c.Rows)
				for j := range c.Rows {
					c.Rows[j] *= 2
				}
			}
			rs[i] = &whole
		}
		m, err = Merge(rs...)
		require.NoError(t, err)
		require.Equal(t, []string{"read", "write"}, []string{m.Parts[0].Name, m.Parts[1].Name})
		for _, p := range m.Parts {
			fmt.Fprintln(&b, p.Name, p.Weight, p.Result.Config.Workers, p.Result.Done, p.Result.Errors, p.Result.Elapsed, p.Result.Begun, p.Result.Timeline.Tick, len(p.Result.Timeline.Cells), p.Result.Timeline.Cells[:3])
		}
		b.WriteString(fmt.Sprintln(m.Elapsed, m.Begun, m.Done, m.Failed, m.Records))
	}
	whole(t, "merge.txt", b.Bytes())
}

// TestMergeAtItsBorders has windows that overlap by just enough or a little less, and
// results that differ in one property.
func TestMergeAtItsBorders(t *testing.T) {
	pair := func(change func(a, b *Result)) error {
		rs := generated(t, nil)
		a, b := rs[0], rs[1]
		a.Elapsed, b.Elapsed, b.Begun = 5*time.Second, 4*time.Second, a.Begun
		change(a, b)
		first, second := mergeable(a, b), mergeable(b, a)
		require.Equal(t, first == nil, second == nil)
		return first
	}
	for name, c := range map[string]struct {
		change func(a, b *Result)
		text   string
	}{
		"together":    {func(a, b *Result) {}, ""},
		"half":        {func(a, b *Result) { b.Begun = a.Begun.Add(3 * time.Second) }, ""},
		"less":        {func(a, b *Result) { b.Begun = a.Begun.Add(3*time.Second + 1) }, "did not run at the same time, but at "},
		"half before": {func(a, b *Result) { b.Begun = a.Begun.Add(-2 * time.Second) }, ""},
		"less before": {func(a, b *Result) { b.Begun = a.Begun.Add(-2*time.Second - 1) }, "did not run at the same time"},
		"apart":       {func(a, b *Result) { b.Begun = a.Begun.Add(time.Hour) }, "did not run at the same time"},
		"inside":      {func(a, b *Result) { b.Begun, b.Elapsed = a.Begun.Add(time.Second), time.Second }, ""},
		"closed":      {func(a, b *Result) { a.Open = &Open{} }, "one is of a closed loop, another of an open loop"},
		"both open":   {func(a, b *Result) { a.Open, b.Open = &Open{}, &Open{} }, ""},
		"parts":       {func(a, b *Result) { b.Parts = []Part{{Name: "x"}} }, `different operations: [] and ["x"]`},
		"last part": {func(a, b *Result) {
			a.Parts, b.Parts = []Part{{Name: "x"}, {Name: "y"}}, []Part{{Name: "x"}, {Name: "z"}}
		}, `["x" "y"] and ["x" "z"]`},
		"equal parts":  {func(a, b *Result) { a.Parts, b.Parts = []Part{{Name: "x"}}, []Part{{Name: "x"}} }, ""},
		"batches":      {func(a, b *Result) { b.Config.Batch = 3 }, "latencies of 1 and of 3 operations"},
		"twice":        {func(a, b *Result) { b.Latency = a.Latency }, "present twice, begun 2026-05-06T07:08:09.7Z"},
		"other start":  {func(a, b *Result) { b.Latency, b.Begun = a.Latency, b.Begun.Add(1) }, ""},
		"no latencies": {func(a, b *Result) { b.Latency, a.Records, b.Records = a.Latency, 0, 0 }, ""},
		"generators": {func(a, b *Result) {
			b.Latency, a.Config.Plan, b.Config.Plan = a.Latency, &schedule.Plan{Generator: 1}, &schedule.Plan{Generator: 2}
		}, ""},
		"one generator": {func(a, b *Result) {
			b.Latency, a.Config.Plan, b.Config.Plan = a.Latency, &schedule.Plan{Generator: 2}, &schedule.Plan{Generator: 2}
		}, "present twice"},
		"of no windows":  {func(a, b *Result) { a.Elapsed, b.Elapsed = 0, 0 }, ""},
		"a plan and not": {func(a, b *Result) { b.Latency, b.Config.Plan = a.Latency, &schedule.Plan{Generator: 2} }, ""},
	} {
		err := pair(c.change)
		if c.text == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorIs(t, err, ErrMerge, name)
		require.ErrorContains(t, err, c.text, name)
	}
	var nine []*Result
	for i := range 9 {
		r := *generated(t, nil)[0]
		r.Begun = r.Begun.Add(time.Duration(i))
		nine = append(nine, &r)
	}
	all, err := Merge(nine...)
	require.NoError(t, err)
	require.Equal(t, []uint64{18, 9 * nine[0].Done, 9 * nine[0].Records, 9}, []uint64{uint64(all.Config.Workers), all.Done, all.Records, all.Failed})
	_, err = Merge()
	require.ErrorIs(t, err, ErrMerge)
	rs := generated(t, nil)
	rs[2].Elapsed = -1
	_, err = Merge(rs...)
	require.ErrorIs(t, err, ErrLaw)
	rs = generated(t, nil)
	rs[2].Begun = rs[0].Begun.Add(time.Hour)
	_, err = Merge(rs...)
	require.ErrorIs(t, err, ErrMerge, "the last and the first")
	rs[2].Begun, rs[1].Begun = rs[0].Begun, rs[0].Begun.Add(time.Hour)
	_, err = Merge(rs...)
	require.ErrorIs(t, err, ErrMerge)
}

// TestLawsAtTheirBorders breaks each law by as little as it forbids, and not at all.
func TestLawsAtTheirBorders(t *testing.T) {
	lawful := func() *Result {
		r := shapes[6].run(t)
		r.Config.Batch = 1
		return r
	}
	require.NoError(t, lawful().Check())
	last := func(r *Result) *Cell { return &r.Timeline.Cells[len(r.Timeline.Cells)-1] }
	for name, c := range map[string]struct {
		law     string
		change  func(r *Result)
		allowed func(r *Result)
	}{
		"workers": {"at least one worker", func(r *Result) { r.Config.Workers = 0 }, nil},
		"batch":   {"at least one worker", func(r *Result) { r.Config.Batch = 0 }, nil},
		"elapsed": {"at least one worker", func(r *Result) { r.Elapsed = -1 }, nil},
		"tick":    {"at least one worker", func(r *Result) { r.Timeline.Tick = 0 }, func(r *Result) { r.Timeline.Tick = 1 }},
		"plan":    {"open loop has a plan", func(r *Result) { r.Config.Plan = &schedule.Plan{} }, nil},
		"service": {"open loop has a plan", func(r *Result) { r.Service = &r.Latency }, nil},
		"open":    {"open loop has a plan", func(r *Result) { r.Open = &Open{} }, nil},
		"no time": {"open loop has a plan", func(r *Result) { r.Open, r.Config.Plan = &Open{}, &schedule.Plan{} }, func(r *Result) { open(r, Open{ServiceMean: r.Moments.Mean}) }},
		"ticks": {"limits of ticks", func(r *Result) {
			r.Timeline.Cells = append(r.Timeline.Cells, make([]Cell, maxCells+1-len(r.Timeline.Cells))...)
		}, func(r *Result) {
			r.Timeline.Cells = append(r.Timeline.Cells, make([]Cell, maxCells-len(r.Timeline.Cells))...)
		}},
		"rows":         {"limits of ticks", func(r *Result) { last(r).Rows = make([]uint64, hist.Rows+1) }, func(r *Result) { last(r).Rows = make([]uint64, hist.Rows) }},
		"total":        {"counts of the latency buckets", func(r *Result) { r.Latency.Add(3e6) }, nil},
		"records":      {"one latency", func(r *Result) { r.Done++ }, func(r *Result) { r.Done++; r.Weighted++; last(r).Ops++; r.Config.Batch = 2 }},
		"fewer":        {"one latency", func(r *Result) { r.Done--; r.Config.Batch = 2 }, func(r *Result) { r.Config.Batch = 2 }},
		"below":        {"mean lies", func(r *Result) { r.Moments.Mean = r.Moments.Min*(1-1e-6) - 1e-3 }, nil},
		"above":        {"mean lies", func(r *Result) { r.Moments.Mean = r.Moments.Max*(1+1.1e-6) + 1e-3 }, nil},
		"least":        {"ends of the histogram", func(r *Result) { r.Moments.Min *= 0.99 }, func(r *Result) { r.Moments.Min -= 400 }},
		"greatest":     {"ends of the histogram", func(r *Result) { r.Moments.Max *= 1.01 }, func(r *Result) { r.Moments.Max += 400 }},
		"busy":         {"no longer than the window", func(r *Result) { r.Busy = time.Duration(16e9*(1+1e-6)) + 100 }, nil},
		"little":       {"number of busy workers", func(r *Result) { r.Busy = time.Duration(r.Moments.Mean*float64(r.Records) - 2.1*r.Moments.Max) }, func(r *Result) { r.Busy = time.Duration(r.Moments.Mean*float64(r.Records) - 1.9*r.Moments.Max) }},
		"weighted":     {"across its end", func(r *Result) { r.Weighted = float64(r.Done) * 1.00001 }, nil},
		"cut":          {"across its end", func(r *Result) { r.Weighted = float64(r.Done) - 2.1 }, nil},
		"messages":     {"one message", func(r *Result) { r.Failed = 3; r.Errors = map[string]uint64{"a": 1, "b": 1} }, func(r *Result) { r.Failed = 3; r.Errors = map[string]uint64{"a": 1, "b": 2} }},
		"cells":        {"ticks sum", func(r *Result) { last(r).Ops += 0.1 }, func(r *Result) { last(r).Ops += 0.0009 }},
		"counts":       {"ticks sum", func(r *Result) { last(r).N++ }, nil},
		"version":      {"version 2, want 1", func(r *Result) { r.Version = 2 }, nil},
		"one of a mix": {"one result", func(r *Result) { r.Parts = []Part{{Name: "x"}} }, func(r *Result) { part := *r; r.Parts = []Part{{Name: "x", Result: &part}} }},
		"mix of a mix": {"one result", func(r *Result) { part := *r; part.Parts = []Part{{}}; r.Parts = []Part{{Name: "x", Result: &part}} }, nil},
		"part":         {"x: result breaks a law: there is", func(r *Result) { part := *r; part.Elapsed = -1; r.Parts = []Part{{Name: "x", Result: &part}} }, nil},
		"twice":        {"sum to the whole", func(r *Result) { part := *r; r.Parts = []Part{{Result: &part}, {Result: &part}} }, nil},
		"part done":    {"sum to the whole", func(r *Result) { part := *r; r.Config.Batch, r.Done = 2, r.Done+1; r.Parts = []Part{{Result: &part}} }, nil},
		"part failed": {"sum to the whole", func(r *Result) {
			part := *r
			r.Failed = 1
			r.Errors = map[string]uint64{"a": 1}
			r.Parts = []Part{{Result: &part}}
		}, nil},
	} {
		r := lawful()
		c.change(r)
		err := r.Check()
		require.ErrorIs(t, err, ErrLaw, name)
		require.ErrorContains(t, err, c.law, name)
		if c.allowed != nil {
			r = lawful()
			c.allowed(r)
			require.NoError(t, r.Check(), name)
		}
	}
	none := &Result{Version: Version, Config: Config{Workers: 1, Batch: 1}, Latency: hist.New(), Moments: Moments{Min: 5}}
	none.Timeline.Tick = 1
	require.NoError(t, none.Check())
	require.True(t, inBucketOf(5, 1<<44))
	require.False(t, inBucketOf(5, 1<<43))
	require.True(t, inBucketOf(1001, 1000))
	require.False(t, inBucketOf(1002.1, 1000))
	require.True(t, inBucketOf(1001.9, 1000))
	require.False(t, inBucketOf(997.9, 1000))
	batched := lawful()
	batched.Config.Batch, batched.Busy = 2, 0
	require.True(t, littlesLaw(batched))
	batched.Config.Batch = 1
	require.False(t, littlesLaw(batched))
}
