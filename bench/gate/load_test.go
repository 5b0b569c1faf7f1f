package gate // differences is private: runs without latencies cannot be compared

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// served runs an operation of about mean for a minute of virtual time; one of
// failing operations fails.
func served(t *testing.T, seed uint64, mean time.Duration, failing int) *result.Result {
	t.Helper()
	var r *result.Result
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(seed, 3))
		var err error
		r, err = runner.Run(t.Context(),
			runner.Config{Workers: 1, Duration: time.Minute, WarmUp: -1, Seed: seed},
			runner.Func(func(context.Context) error {
				time.Sleep(time.Duration(float64(mean) * (0.8 + 0.4*random.Float64())))
				if failing > 0 && random.IntN(failing) == 0 {
					return errors.New("refused")
				}
				return nil
			}))
		require.NoError(t, err)
	})
	return r
}

// TestLoadsAreJudgedByTheirIntervals compares runs with each other.
func TestLoadsAreJudgedByTheirIntervals(t *testing.T) {
	base := served(t, 1, 5*time.Millisecond, 0)
	for name, c := range map[string]struct {
		head *result.Result
		want Outcome
		says string
	}{
		"the same code":      {served(t, 2, 5*time.Millisecond, 0), Pass, ""},
		"a tenth slower":     {served(t, 3, 5500*time.Microsecond, 0), Regressed, "p99-sec/op"},
		"a tenth faster":     {served(t, 4, 4500*time.Microsecond, 0), Pass, "improvement"},
		"failing operations": {served(t, 5, 5*time.Millisecond, 20), Regressed, "failed-share"},
	} {
		t.Run(name, func(t *testing.T) {
			r := CompareLoads(Rules{}, []Load{{"op", base}}, []Load{{"op", c.head}})
			var text strings.Builder
			require.NoError(t, r.WriteText(&text, true))
			require.Equal(t, c.want, r.Outcome(), text.String())
			require.Contains(t, text.String(), c.says)
			require.NotContains(t, text.String(), "n=1+1")
			last := r.Comparisons[len(r.Comparisons)-1]
			require.Equal(t, name == "failing operations", last.Unit == "failed-share")
			require.Equal(t, c.want == Regressed, last.Verdict == Regression, last.Unit)
		})
	}
	short := &result.Result{Version: base.Version, Config: base.Config, Latency: base.Latency,
		Records: base.Records, Done: base.Done, Weighted: base.Weighted, Elapsed: base.Elapsed}
	r := CompareLoads(Rules{}, []Load{{"op", base}}, []Load{{"op", short}})
	require.Equal(t, Unclear, r.Outcome(), "a side without intervals")
	require.Contains(t, comparisonOf(t, r, "ops/s").Why, "no interval: ")
	r = CompareLoads(Rules{}, []Load{{"a", base}}, []Load{{"b", base}})
	require.Len(t, r.Missing, 1)
	require.Len(t, r.New, 1)
	mix := &result.Result{Parts: []result.Part{{Name: "get", Result: base}, {Name: "put", Result: base}}}
	missing := CompareLoads(Rules{}, []Load{{"mix", mix}}, nil).Missing
	require.Len(t, missing, 3, "the operations of a mix are apart")
	require.Equal(t, "mix/op=put", missing[2].Key.Name)
	require.Equal(t, missing, CompareLoads(Rules{}, nil, []Load{{"mix", mix}}).New)
	short.Config.Workers = 2
	r = CompareLoads(Rules{}, []Load{{"a", base}, {"b", base}}, []Load{{"b", short}, {"a", short}})
	few := CompareLoads(ruled(t, "ignore .unit:ops/s\nignore .name:b\nignore .name:c"),
		[]Load{{"a", base}, {"b", base}}, []Load{{"a", base}, {"c", base}})
	require.Len(t, few.Comparisons, len(figuresOf(base))-1)
	require.Empty(t, append(few.Missing, few.New...), "they are ignored")
	const differ = ": 1 workers in BASE, 2 in HEAD"
	require.Equal(t, []string{"a" + differ, "b" + differ}, r.Notes[:2])
}

// TestConditionsOfLoads: notes name each condition that differs, BASE before HEAD.
func TestConditionsOfLoads(t *testing.T) {
	a := &result.Result{Config: runner.Config{Workers: 1}, Interrupted: true, End: "interrupt"}
	plan := &schedule.Plan{Arrival: schedule.Constant, Rate: 100}
	b := &result.Result{Config: runner.Config{Workers: 2, Plan: plan}, Interrupted: true, End: "deadline"}
	require.Equal(t,
		[]string{"op: 1 workers in BASE, 2 in HEAD",
			"op: back to back in BASE, " + plan.String() + " in HEAD",
			"op: BASE ended early (interrupt)", "op: HEAD ended early (deadline)"}, differences("op", a, b))
	require.Empty(t, differences("op", &result.Result{}, &result.Result{}))
}
