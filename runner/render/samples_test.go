package render_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/golden"
	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/scale"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

func seconds(v float64) *float64 { return &v }

// simulated replays operations of the given latencies, one after another.
func simulated(t *testing.T, c runner.Config, latency func(i int) time.Duration) *result.Result {
	t.Helper()
	r, err := runner.Replay(c, func(i int, _ time.Duration) time.Duration { return latency(i) })
	require.NoError(t, err)
	r.Started = time.Date(2026, 3, 4, 5, 6, 7, 0, time.FixedZone("", 3600))
	r.Begun = r.Started
	r.Clock = result.Clock{Step: 21 * time.Nanosecond, Record: 640 * time.Nanosecond}
	return r
}

// described has another value in each field that a report shows.
func described(r *result.Result) *result.Result {
	r.SetUp, r.Inputs = "pool", 12345
	r.WarmUp = result.WarmUp{Took: 1700 * time.Millisecond, Operations: 1801, Wanted: true}
	r.Before = host.State{
		Go: "go1.99", OS: "plan9", Arch: "mips", GOMAXPROCS: 3, GOGC: "123", GOMEMLIMIT: "4 GiB", CPUs: 1,
		CPU: "Some  CPU\t@ 1 GHz", Governor: "powersave", Turbo: "off", SMT: "", Quota: "1.5",
		ClockSource: "hpet", Revision: "abcdef",
		Load: seconds(1.25), Steal: seconds(1), Pressure: seconds(2), Throttled: seconds(3),
	}
	r.After, r.Apart = r.Before, 20*time.Second
	r.After.Load, r.After.Steal, r.After.Pressure, r.After.Throttled = seconds(2.5), seconds(1.5), seconds(5),
		seconds(3.25)
	r.Usage = result.Usage{
		BytesPerOp: 1023.5, AllocsPerOp: 1001.5, CPUPerOp: 123456, GCCycles: 1017, GCShare: 0.071,
		AssistShare: 0.0123,
		GCPauses:    17 * time.Millisecond, GCPauseMax: 1900 * time.Microsecond, HeapBytes: 3<<20 + 1<<19,
		MutexWait: 18 * time.Second,
		SchedP50:  21 * time.Microsecond, SchedP99: 22 * time.Millisecond, Scheduled: 1 << 20,
		Goroutines: 1 << 20, ProcessorUse: 0.9,
	}
	r.Control = result.Control{N: 23, Median: 45000, Spread: 0.02, Disturbed: 0.13}
	return r
}

// failing adds failures, panics and operations left in progress.
func failing(r *result.Result) *result.Result {
	r.Errors = map[string]uint64{"once\nin two lines": 1, "often \x1b[1mred": 1300, "seldom": 2, "rare": 2}
	for i := range 7 {
		r.Errors[fmt.Sprint("one of ", i)] = 1
	}
	r.Failed, r.Abandoned = 1312, 3
	r.Stack = "\ngoroutine\x1b 1:\n" + strings.Repeat("\tmain.f()\n", 29) + "\n"
	r.Dump = "goroutine 2:\n" + strings.Repeat("\tmain.g()\n", 32)
	r.Interrupted, r.End = true, "failing"
	return r
}

// mixed has latencies of a fast and a slow kind, a few stalls and a drift.
func mixed(i int) time.Duration {
	switch {
	case i%1000 == 999:
		return 700 * time.Millisecond
	case i%10 == 3:
		return 40*time.Millisecond + time.Duration(i%977)*7*time.Microsecond
	}
	return 1500*time.Microsecond + time.Duration(i%89)*11*time.Microsecond +
		time.Duration(i)*100*time.Nanosecond
}

func parsed(t *testing.T, rate float64, text string) *schedule.Plan {
	t.Helper()
	p, err := schedule.Parse(rate, text)
	require.NoError(t, err)
	return &p
}

// samples are results that together reach every line of the reports.
func samples(t *testing.T) map[string]*result.Result {
	t.Helper()
	all := map[string]*result.Result{}

	r := failing(described(simulated(t, runner.Config{Workers: 7, Ops: 12000}, mixed)))
	r.Config.Requirements = "p50<1s, p99<1us, errors<1%, throughput>1, p99.9<200ms"
	r.Slowest = nil
	for i := range 5 {
		r.Slowest = append(r.Slowest,
			result.Slow{Worker: i + 1, From: time.Duration(i) * time.Second,
				Latency: time.Duration(700-i) * time.Millisecond, GCPause: time.Duration(i * i * i)})
	}
	all["rich"] = r

	r = described(simulated(t,
		runner.Config{Workers: 2, Duration: 40 * time.Second,
			Plan: parsed(t, 40, "poisson,constant:9s,ramp:100/8s,rate:60,constant:3s")},
		func(i int) time.Duration {
			return 20*time.Millisecond + time.Duration(i%13)*3*time.Millisecond
		}))
	r.SetUp, r.WarmUp.Steady, r.Before.Go = "per worker", true, ""
	r.Open.LagMean, r.Open.LagMax, r.Open.Late = 1234*time.Microsecond, 5678*time.Microsecond, 4321
	r.Config.Requirements = "p50<1s, p99>1us, mean<30ms"
	r.Config.Plan.Seed = 7
	all["overloaded"] = r

	r = simulated(t, runner.Config{Workers: 1, Duration: 31 * time.Second, Plan: &schedule.Plan{Rate: 100},
		HalfWidth: judge.HalfWidth},
		func(i int) time.Duration {
			return 3*time.Millisecond + time.Duration(i%17)*10*time.Microsecond
		})
	r.SetUp, r.Config.Requirements = "once", "p50<1s, nonsense"
	r.Control = result.Control{N: 9, Median: 45000, Spread: 0.001}
	all["quiet"] = r

	r = described(simulated(t, runner.Config{Workers: 1, Ops: 40}, func(i int) time.Duration {
		return time.Duration(400+i*i) * time.Microsecond
	}))
	for i, n := range []int64{16, 9, 5, 3, 2, 2, 2, 1, 0} {
		part := &result.Result{Version: result.Version, Config: runner.Config{Workers: 1, Batch: 1},
			Latency: hist.New(), Timeline: result.Timeline{Tick: 1}}
		if n > 0 {
			part = simulated(t, runner.Config{Workers: 1, Ops: n}, func(k int) time.Duration {
				return time.Duration(1+i+k) * time.Millisecond
			})
		}
		part.Usage.CPUPerOp = float64(1000 * (i + 1))
		r.Parts = append(r.Parts,
			result.Part{Name: fmt.Sprintf("read/%d\nitem", i), Weight: float64(i*i + 1), Result: part})
	}
	r.Parts[1].Result.Failed, r.Parts[1].Result.Errors = 2, map[string]uint64{"no": 2}
	r.Failed, r.Errors, r.SetUp, r.Control.N = 2, map[string]uint64{"no": 2}, "mix", 10
	r.Control.Spread, r.Control.Disturbed = 0.005, 0.02
	r.Before.GOMAXPROCS, r.Before.CPUs = 8, 16
	r.Before.Load, r.After.Steal, r.Before.Pressure = nil, nil, nil
	r.Usage.CPUPerOp, r.Usage.HeapBytes = 0, 0
	r.Before.Governor, r.Before.Turbo, r.Before.Quota = "", "", ""
	r.Before.ClockSource, r.Before.CPU, r.Before.Revision = "", "", ""
	r.Config.Requirements = "p50<1s, p99>1us, mean<30ms, max<1h"
	all["few"] = r

	r = simulated(t, runner.Config{Workers: 3, Ops: 3000}, func(i int) time.Duration {
		return time.Duration(2000+i%7) * time.Nanosecond
	})
	r.Config.Batch, r.Done, r.Weighted = 64, 64*r.Records, 64*r.Weighted
	for i := range r.Timeline.Cells {
		r.Timeline.Cells[i].Ops *= 64
	}
	r.SetUp, r.WarmUp = "per operation", result.WarmUp{Took: time.Second, Operations: 5}
	r.Control = result.Control{N: 12, Median: 45000, Spread: 0.012}
	r.Usage.CPUPerOp, r.Usage.HeapBytes = 1, 1
	all["batches"] = r

	none := &result.Result{Version: result.Version, Config: runner.Config{Workers: 3, Batch: 1},
		Latency: hist.New(), End: "interrupted", Interrupted: true, SetUp: "none"}
	none.Timeline.Tick, none.Elapsed = time.Second, 2*time.Second
	none.Failed, none.Errors = 2, map[string]uint64{"refused": 2}
	all["nothing"] = none

	r = simulated(t, runner.Config{Workers: 1, Duration: time.Second, Plan: &schedule.Plan{Rate: 2}},
		func(i int) time.Duration { return 100 * time.Millisecond })
	part := *r
	all["planned"] = r
	r.Parts = []result.Part{{Name: "only", Weight: 5, Result: &part}}
	return all
}

// scalings are laws of runs with 1, 2, 5 and 12 workers.
func scalings(t *testing.T) *scale.Result {
	t.Helper()
	s := &scale.Result{}
	for i, n := range []int{1, 2, 5, 12} {
		r := simulated(t, runner.Config{Workers: n, Ops: int64(800 * n)}, func(k int) time.Duration {
			return time.Duration(1000+40*i*i+k%31) * time.Microsecond
		})
		r.Before.GOMAXPROCS = 16
		s.Runs = append(s.Runs, r)
	}
	s.Fit()
	return s
}

// TestRecordedReports compares one report of each kind with a reviewed text.
func TestRecordedReports(t *testing.T) {
	all := samples(t)
	for name, r := range map[string]*result.Result{
		"closed": saved(t, "closed"), "open": saved(t, "open"), "overload": all["overloaded"],
		"failure": all["rich"],
	} {
		t.Run(name, func(t *testing.T) {
			golden.Equal(t, "testdata/"+name+".txt",
				[]byte(text(t, r, render.Options{Name: name, Width: 80})))
		})
	}
	t.Run("scaling", func(t *testing.T) {
		var b bytes.Buffer
		s := scalings(t)
		require.NoError(t, render.Scaling(&b, s, render.Options{Name: "example", Width: 80}))
		require.NoError(t, render.Repeats(&b, s.Runs[:3], render.Options{Width: 80}))
		golden.Equal(t, "testdata/scaling.txt", b.Bytes())
	})
}

// TestLinesFit checks every report of every sample: lines fit the width and contain no
// control characters, and only ASCII on request.
func TestLinesFit(t *testing.T) {
	s := scalings(t)
	written := map[string]func(io.Writer, render.Options) error{
		"scaling": func(w io.Writer, o render.Options) error { return render.Scaling(w, s, o) },
		"repeats": func(w io.Writer, o render.Options) error { return render.Repeats(w, s.Runs, o) },
	}
	all := samples(t)
	all["closed"], all["open"] = saved(t, "closed"), saved(t, "open")
	for name, r := range all {
		require.NoError(t, judge.Check(r))
		written[name] = func(w io.Writer, o render.Options) error {
			return errors.Join(render.Text(w, r, o), render.Summary(w, r, o))
		}
	}
	widths := []int{30, 40, 80, 200}
	for name, write := range written {
		t.Run(name, func(t *testing.T) {
			for _, width := range nightly.Pick([]int{30, 200}, widths, widths) {
				for _, ascii := range []bool{false, true} {
					o := render.Options{Name: name + "\nof two lines", Width: width, ASCII: ascii}
					var b bytes.Buffer
					require.NoError(t, write(&b, o))
					for line := range strings.Lines(b.String()) {
						line = strings.TrimSuffix(line, "\n")
						require.LessOrEqual(t, utf8.RuneCountInString(line), max(40, width), line)
						require.Equal(t, -1,
							strings.IndexFunc(line, func(c rune) bool {
								return unicode.IsControl(c) && c != '\t'
							}), "%q", line)
						require.False(t, ascii &&
							strings.ContainsFunc(line, func(c rune) bool { return c > 126 }), line)
					}
				}
			}
		})
	}
}

// TestSamplesInEveryFormat writes every sample in every format. JSON keeps every field.
func TestSamplesInEveryFormat(t *testing.T) {
	for name, r := range samples(t) {
		t.Run(name, func(t *testing.T) {
			o := render.Options{Name: name + "\nof two lines"}
			for _, format := range render.Formats() {
				require.NotEmpty(t, written(t, format, r, o), format)
			}
			first := written(t, "json", r, o)
			got, back, err := render.ReadJSON(strings.NewReader(first))
			require.NoError(t, err)
			require.Equal(t, o.Name, got)
			require.Equal(t, first, written(t, "json", back, o))
			for _, more := range []string{"{}", "x", "]"} {
				_, _, err = render.ReadJSON(strings.NewReader(first + more))
				require.ErrorIs(t, err, render.ErrFormat)
			}
		})
	}
}
