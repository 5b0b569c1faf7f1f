package selftest_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	must "github.com/zkatbench/zkatbench/runner/judge/require"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// A fault is a process whose figures mislead if failures are taken for independent, cut
// operations are left out, batches are taken for operations, or samples are too small.
type fault struct {
	name  string
	run   func(t *testing.T, random *rand.Rand) *result.Result
	lines []faultLine
}

// A faultLine is a requirement and its true verdict; undecided means that no window of this
// kind can decide. The requirement "CV" is met if the report rates the CV.
type faultLine struct {
	requirement string
	truth       must.Verdict
	mayMiss     bool    // a window may be too short to decide
	value       float64 // that intervals must hold; 0 for any
	says        string  // part of the verdict
}

var errFault = errors.New("fault")

// virtually runs an operation in virtual time.
func virtually(t *testing.T, c runner.Config, work func(context.Context) error) (r *result.Result) {
	t.Helper()
	c.WarmUp = -1
	synctest.Test(t, func(t *testing.T) {
		var err error
		r, err = runner.Run(t.Context(), c, runner.Func(work))
		require.NoError(t, err)
	})
	require.NoError(t, judge.Check(r))
	return r
}

// outages fail all operations for 2 s at random, every 40 s on average.
func outages(window time.Duration) func(*testing.T, *rand.Rand) *result.Result {
	return func(t *testing.T, random *rand.Rand) *result.Result {
		var fails, next time.Time // the end of an outage, and the begin of the next one
		return virtually(t, runner.Config{Workers: 1, Duration: window}, func(context.Context) error {
			if now := time.Now(); now.After(next) {
				if !next.IsZero() {
					fails = next.Add(2 * time.Second)
				}
				next = now.Add(time.Duration(2e9 + 38e9*random.ExpFloat64()))
			}
			time.Sleep(20 * time.Millisecond)
			if time.Now().Before(fails) {
				return errFault
			}
			return nil
		})
	}
}

// hanging has 3 % of operations that hang and are cut off at a second.
func hanging(t *testing.T, random *rand.Rand) *result.Result {
	c := runner.Config{Workers: 20, Duration: time.Minute, Timeout: time.Second,
		Plan: &schedule.Plan{Rate: 50}}
	r := virtually(t, c, func(ctx context.Context) error {
		if random.Float64() < 0.03 {
			<-ctx.Done()
			return ctx.Err()
		}
		time.Sleep(10 * time.Millisecond)
		return nil
	})
	require.Equal(t, r.Failed, r.Failures.Cut)
	return r
}

// replayed has operations with given latencies in ns, timed in batches.
func replayed(ops int64, batch int, latency func(*rand.Rand) float64) func(*testing.T,
	*rand.Rand) *result.Result {
	return func(t *testing.T, random *rand.Rand) *result.Result {
		r, err := runner.Replay(runner.Config{Workers: 1, Ops: ops, Batch: batch},
			func(int, time.Duration) time.Duration {
				sum := 0.0
				for range batch {
					sum += latency(random)
				}
				return time.Duration(sum / float64(batch))
			})
		require.NoError(t, err)
		return r
	}
}

// unrelated has 1 % of operations that fail at random.
func unrelated(t *testing.T, random *rand.Rand) *result.Result {
	return virtually(t, runner.Config{Workers: 1, Ops: 3000}, func(context.Context) error {
		time.Sleep(10 * time.Millisecond)
		if random.Float64() < 0.01 {
			return errFault
		}
		return nil
	})
}

// short takes 7 ns, or 2.7 µs for 2 % of the operations.
func short(random *rand.Rand) float64 {
	if random.Float64() < 0.02 {
		return 2700
	}
	return 7
}

func steady(*rand.Rand) float64 { return 1e4 }

func tenth(random *rand.Rand) float64 { return 1e8 * (0.9 + 0.2*random.Float64()) }

const single = "-timed-as-one=1"

// faults returns the rows of the table.
func faults() (fs []fault) {
	windows := []time.Duration{30 * time.Second, 2 * time.Minute, 10 * time.Minute}
	for _, window := range nightly.Pick(windows[:2], windows, windows) {
		fs = append(fs, fault{fmt.Sprintf("outages of 2 s every 40 s, %v", window), outages(window),
			[]faultLine{{"errors<2.5%", must.Broken, true, 0.05, ""},
				{"errors<50%", must.Met, window < time.Minute, 0.05, ""}}})
	}
	fs = append(fs, fault{"1 % fail at random", unrelated, []faultLine{
		{"errors<2%", must.Met, false, 0.01, ""},
	}}, fault{"3 % hang, cut at 1 s", hanging, []faultLine{
		{"p99<100ms", must.Broken, false, 0, "cut off"}, {"max<500ms", must.Broken, false, 0, "cut off"},
		{"p99<2s", must.Broken, false, 0, "cut off"}, {"max<2s", must.Broken, false, 0, "cut off"},
		{"p90<100ms", must.Met, false, 0, ""}, {"mean<20ms", must.Broken, false, 0, ""},
	}}, fault{"98 % 7 ns, 2 % 2.7 µs, as one", replayed(100_000, 1, short), []faultLine{
		{"p99<400ns", must.Broken, false, 0, ""}, {"p50<30ns", must.Met, false, 0, ""},
		{"max<400ns", must.Broken, false, 0, ""},
	}}, fault{"98 % 7 ns, 2 % 2.7 µs, batches of 334", replayed(3000, 334, short), []faultLine{
		{"p99<400ns", must.Undecided, false, 0, single}, {"p50<30ns", must.Undecided, false, 0, single},
		{"max<1s", must.Undecided, false, 0, single},
	}}, fault{"10 µs, batches of 10", replayed(10_000, 10, steady), []faultLine{
		{"p50<20us", must.Undecided, false, 0, single}, {"mean<20us", must.Met, false, 0, ""},
	}})
	for _, ops := range []int64{1, 4, judge.LeastCounted - 1, 300} {
		want, value := must.Undecided, 0.0 // an interval of 300 operations holds 10 a second
		if ops == 300 {
			want, value = must.Met, 10
		}
		fs = append(fs, fault{text.Plural(int(ops), "operation"), replayed(ops, 1, tenth),
			[]faultLine{{"throughput>1", want, false, value, ""}, {"CV", want, false, 0, ""}}})
	}
	return fs
}

// check returns the verdict on a line, and whether an interval misses its value.
func (l faultLine) check(t *testing.T, r *result.Result) (got must.Verdict, misses bool) {
	if l.requirement == "CV" {
		var b strings.Builder
		require.NoError(t, render.Text(&b, r, render.Options{Name: "cv"}))
		_, line, _ := strings.Cut(b.String(), "\n  CV ")
		line, _, _ = strings.Cut(line, "\n")
		if strings.Contains(line, "needs at least") {
			return must.Undecided, false
		}
		return must.Met, false
	}
	rs, err := must.Parse(l.requirement)
	require.NoError(t, err)
	c := must.Judge(r, rs)[0]
	require.Contains(t, c.String(), l.says)
	return c.Verdict, l.value > 0 && c.Interval != nil && !c.Interval.Holds(l.value)
}

// TestTablesOfFaults prints the table of faults (-v): verdicts in per cent of the windows,
// right / undecided / wrong, and the intervals that hold. At most 2 % of the verdicts are
// wrong, at least 95 % right where a window suffices, and 80 % of the intervals hold.
func TestTablesOfFaults(t *testing.T) {
	trials := nightly.Pick(2, 8, 60)
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			counted, missed, seen := make([]verdicts, len(f.lines)), make([]int, len(f.lines)), 0
			for seed := range trials {
				r := f.run(t, rand.New(rand.NewPCG(uint64(seed), 11)))
				if strings.HasPrefix(f.name, "outages") && r.Failed == 0 {
					continue // no outage in the window: it cannot tell
				}
				seen++
				for k, l := range f.lines {
					got, misses := l.check(t, r)
					if l.truth == must.Undecided && got == l.truth {
						counted[k].right++
					} else {
						counted[k].count(got, l.truth == must.Met)
					}
					if misses {
						missed[k]++
					}
				}
			}
			for k, l := range f.lines {
				t.Logf("| %s | %s | %s | %v | %d of %d hold |", f.name, l.requirement, l.truth, counted[k],
					seen-missed[k], seen)
				v := counted[k]
				if l.mayMiss {
					v = verdicts{right: v.right + v.undecided, wrong: v.wrong}
				}
				require.False(t, v.fails(), "%s: %v", l.requirement, counted[k])
				require.LessOrEqual(t, float64(missed[k]), math.Ceil(0.2*float64(seen)))
			}
		})
	}
}
