package render_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	words "github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// lineOf returns the line of the report with a name; its value is "none" if there is no such line.
func lineOf(t *testing.T, r *result.Result, name string) render.Line {
	t.Helper()
	parts, err := render.Parts(r, render.Options{})
	require.NoError(t, err)
	for _, p := range parts {
		for _, l := range p.Lines {
			if l.Name == name {
				return l
			}
		}
	}
	return render.Line{Name: name, Value: "none"}
}

// TestUnknownFigures: a figure that is not known has the reason.
func TestUnknownFigures(t *testing.T) {
	all := samples(t)
	for _, c := range []struct{ sample, name, value, remark string }{
		{"nothing", "Min", "~", "no operation succeeded"},
		{"nothing", "Average", "none", ""},
		{"nothing", "Std Dev", "none", ""},
		{"few", "Live heap", "~", "no collection in the window"},
		{"few", "CPU/op", "~", "unknown: the program also works when idle"},
		{"few", "P50", "761 µs", ""},
		{"few", "P95", "~", "needs at least 72 latencies"},
		{"few", "P99", "~", "needs at least 368 latencies"},
		{"few", "Max", "1.92 ms", ""},
		{"rich", "Live heap", "3.50 MiB", "after the last collection"},
		{"quiet", "Control", "0.10 %", "0 % disturbed: too few runs for a verdict"},
	} {
		t.Run(c.sample+" "+c.name, func(t *testing.T) {
			line := lineOf(t, all[c.sample], c.name)
			require.Equal(t, c.value, line.Value)
			require.Contains(t, line.Remark, c.remark)
		})
	}
}

// TestUnknownMachine: each property of the machine may be unknown.
func TestUnknownMachine(t *testing.T) {
	r := saved(t, "closed")
	r.Before, r.After = host.State{Go: "go1.99"}, host.State{}
	report := strings.Join(strings.Fields(text(t, r, render.Options{Width: 200})), " ")
	for _, want := range []string{
		"unknown, 0 processors",
		"governor unknown, turbo unknown, SMT unknown, quota unknown, clock unknown",
		"load unknown before, unknown after; stolen unknown; pressure unknown; throttled unknown",
		"revision unknown",
	} {
		require.Contains(t, report, want)
	}
	r.Before.Go = ""
	require.NotContains(t, text(t, r, render.Options{}), "Machine")
}

// TestRatings: words for the variation, the tail and the throughput change at their limits.
func TestRatings(t *testing.T) {
	for cv, want := range map[float64]string{0.049: "excellent", 0.051: "acceptable", 0.099: "acceptable",
		0.101: "moderate", 0.199: "moderate", 0.201: "unstable"} {
		r := saved(t, "closed")
		r.Moments.StdDev = cv * r.Moments.Mean
		require.Contains(t, lineOf(t, r, "CV").Remark, want, "%v", cv)
	}
	for n, want := range map[int64]string{29: "needs at least 30 latencies", 30: "excellent"} {
		r := simulated(t, runner.Config{Workers: 1, Ops: n},
			func(int) time.Duration { return time.Millisecond })
		require.Contains(t, lineOf(t, r, "CV").Remark, want, n)
	}
	for tail, want := range map[float64]string{1.49: "a tight tail", 1.51: "an ordinary tail",
		4.99: "an ordinary tail", 5.01: "a long tail"} {
		r := simulated(t, runner.Config{Workers: 1, Ops: 1000}, func(i int) time.Duration {
			return time.Duration(1e6 * []float64{1, tail}[max(i, 998)-998])
		})
		require.Contains(t, lineOf(t, r, "Max").Remark, "× P99: "+want, "%v", tail)
	}
	for gap, want := range map[time.Duration]string{1e9: "1 ops/s", 110e3: "9091 ops/s", 50e3: "20 k ops/s",
		500: "2 M ops/s"} {
		r := simulated(t, runner.Config{Workers: 1, Ops: 1000}, func(int) time.Duration { return gap })
		require.Contains(t, text(t, r, render.Options{}), want)
	}
}

// TestEffectiveSamples: autocorrelated latencies are worth fewer independent ones.
func TestEffectiveSamples(t *testing.T) {
	for _, keep := range []float64{0, 0.3, 0.8} {
		random, state := rand.New(rand.NewPCG(1, 15)), 0.0
		r := simulated(t, runner.Config{Workers: 1, Ops: 1000}, func(int) time.Duration {
			state = keep*state + math.Sqrt(1-keep*keep)*random.NormFloat64()
			return time.Duration(56e6 + 1e6*state)
		})
		require.Equal(t, keep > 0, lineOf(t, r, "Effective samples").Value != "none", "%v", keep)
	}
}

// TestBoundsOfTheBuckets: the buckets of OpenMetrics are the same for any latencies.
func TestBoundsOfTheBuckets(t *testing.T) {
	var want []string
	for e := -6; e <= 2; e++ {
		for _, digit := range []float64{1, 2, 5} {
			if bound := digit * math.Pow(10, float64(e)); bound <= 100 {
				want = append(want, fmt.Sprintf("%.6g", bound))
			}
		}
	}
	for name, r := range samples(t) {
		t.Run(name, func(t *testing.T) {
			var got []string
			text := written(t, "prom", r, render.Options{})
			for line := range strings.Lines(text) {
				if _, rest, ok := strings.Cut(line, `le="`); ok {
					bound, _, _ := strings.Cut(rest, `"`)
					got = append(got, bound)
				}
			}
			require.Equal(t, append(want, "+Inf"), got)
			require.Equal(t, r.Open != nil, strings.Contains(text, "planned_total"))
		})
	}
}

// TestPartsOfAMixInTheGoFormat: each has a line, without the figures of the whole run.
func TestPartsOfAMixInTheGoFormat(t *testing.T) {
	r := samples(t)["few"]
	lines := strings.Split(written(t, "bench", r, render.Options{Name: "x"}), "\nBenchmark")[1:]
	require.Len(t, lines, 1+len(r.Parts))
	require.Contains(t, lines[0], " allocs/op")
	for i, part := range r.Parts {
		want := fmt.Sprintf("X/op=read_%d_item/workers=1 %d ", i, max(1, part.Result.Done))
		require.True(t, strings.HasPrefix(lines[1+i], want), lines[1+i])
		require.Contains(t, lines[1+i], fmt.Sprintf(" %d000 cpu-ns/op", i+1))
		require.NotContains(t, lines[1+i], " allocs/op")
	}
}

// TestStagesHoldAllLatencies, to the last tick, also one without operations.
func TestStagesHoldAllLatencies(t *testing.T) {
	r := staged(t)
	sum := result.Cell{Rows: make([]uint64, hist.Rows)}
	for i := range r.Timeline.Cells {
		if r.Timeline.Tick*time.Duration(i)+r.Timeline.Tick/2 >= 10*time.Second {
			r.Timeline.Cells[i].AddTo(&sum)
		}
	}
	require.Equal(t, render.Line{Name: "300/s", Value: "300 ops/s",
		Remark: fmt.Sprintf("10 s – 20 s: %s latencies, mean 2 ms, P50 in 2 ms – 5 ms, P99 in 2 ms – 5 ms",
			words.Count(sum.N))}, lineOf(t, r, "300/s"))
	rest := simulated(t, runner.Config{Workers: 1, Duration: 20 * time.Second,
		Plan: parsed(t, 100, "constant,constant:9995ms,rate:0.01")}, func(int) time.Duration { return 1 })
	require.Contains(t, lineOf(t, rest, "0.01/s").Remark, ": no operation ended")
}

// TestLawsInWords: a fitted law is a line with the intervals that are known.
func TestLawsInWords(t *testing.T) {
	law := stats.Scalability{Sigma: 0.05, Kappa: 0.002, Peak: 21.8, Residual: 0.013,
		Bounds: &stats.ScalabilityBounds{Sigma: stats.Interval{Low: 0.04, High: 0.06},
			Kappa: stats.Interval{Low: 0.001, High: 0.003}, Peak: stats.Interval{Low: 18}}}
	require.Equal(t, "Law: σ = 5 % (4 – 6), error of the fit 1.30 %", render.Law("Law", &law, false))
	const whole = "Law: σ = 5 % (4 – 6), κ = 0.002 (0.001 – 0.003), " +
		"greatest throughput at N* = 21.8 workers (from 18), error of the fit "
	require.Equal(t, whole+"1.30 %", render.Law("Law", &law, true))
	law.Residual = 0.99e-4
	require.Equal(t, whole+"less than 0.01 %", render.Law("Law", &law, true))
	law.Peak = 0
	require.NotContains(t, render.Law("Law", &law, true), "N*")
	law.Misfit, law.Residual = true, 0.2
	require.Equal(t, "Law: does not hold (error of the fit 20 %)", render.Law("Law", &law, true))
}

// TestFilesWithoutAResult, of another version, or that break a law, are refused.
func TestFilesWithoutAResult(t *testing.T) {
	for want, content := range map[string]string{"there is no result": `{"Name": "x"}`, "EOF": "",
		"version 0": `{"Result": {}}`} {
		t.Run(want, func(t *testing.T) {
			_, _, err := render.ReadJSON(strings.NewReader(content))
			require.ErrorContains(t, err, want)
		})
	}
	r := saved(t, "closed")
	r.Failed++
	content, err := json.Marshal(map[string]any{"Result": r})
	require.NoError(t, err)
	_, _, err = render.ReadJSON(strings.NewReader(string(content)))
	require.ErrorContains(t, err, "one message")
}
