package scale

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// run has n workers with a throughput in operations a second, on eight processors.
func run(n int, throughput float64) *result.Result {
	r := &result.Result{Elapsed: 2 * time.Second, Weighted: 2 * throughput, Config: runner.Config{Workers: n}}
	r.Before.GOMAXPROCS = 8
	return r
}

// TestFiguresExactly checks the figures of runs in any order, without a run of one
// worker.
func TestFiguresExactly(t *testing.T) {
	s := &Result{Runs: []*result.Result{run(8, 480), run(2, 200), run(4, 300), run(16, 600)}}
	for i, want := range []float64{4.8, 2, 3, 6} {
		require.InDelta(t, want, s.SpeedUp(s.Runs[i]), 1e-12)
		require.InDelta(t, want/float64(s.Runs[i].Config.Workers), s.Efficiency(s.Runs[i]), 1e-12)
	}
	for procs, want := range map[int]float64{8: 1.25, 7: 2, 4: 2, 3: 3, 16: 0, 1: 0} {
		ratio, known := s.gain(procs)
		require.Equal(t, want > 0, known, procs)
		if known {
			require.InDelta(t, want, ratio, 1e-12)
		}
	}
	s.Runs[0].Interrupted = true
	s.Runs = append(s.Runs, run(3, 0))
	require.Equal(t, []stats.Point{{Workers: 2, Throughput: 200}, {Workers: 4, Throughput: 300}},
		s.points(15))
	require.Len(t, s.points(16), 3)
	for range 20 {
		s.Runs[1].Timeline.Cells = append(s.Runs[1].Timeline.Cells,
			result.Cell{Ops: float64(15 + len(s.Runs[1].Timeline.Cells)%3*5)})
	}
	s.Runs[1].Timeline.Tick = 100 * time.Millisecond
	s.Runs[1].Done = 400
	i, ok := judge.ThroughputInterval(s.Runs[1])
	require.True(t, ok)
	require.InEpsilon(t, (i.High-i.Low)/4/200, s.points(2)[0].Error, 1e-12)
	require.Zero(t, (&Result{Runs: []*result.Result{run(1, 0), run(2, 5)}}).SpeedUp(run(2, 5)))
	require.Nil(t, (&Result{}).Findings())
}

// TestFindingsAtTheirBorders has a law and an efficiency on both sides of each limit.
func TestFindingsAtTheirBorders(t *testing.T) {
	law := func(sigma, kappa, residual float64) *stats.Scalability {
		return &stats.Scalability{Residual: residual,
			Bounds: &stats.ScalabilityBounds{Sigma: stats.Interval{Low: sigma},
				Kappa: stats.Interval{Low: kappa}}}
	}
	for name, c := range map[string]struct {
		change func(s *Result)
		want   map[string]float64
	}{
		"scales": {func(s *Result) {
			s.Runs[1].Weighted = 2 * 400 * 0.9001
		}, map[string]float64{"scales well": 0.9001}},
		"scales not": {func(s *Result) {
			s.Runs[1].Weighted = 2 * 400 * 0.8999
			s.Universal = law(0, 0, 0)
		}, map[string]float64{"not separated": 0.8999}},
		"one processor": {func(s *Result) {
			s.Runs[1].Before.GOMAXPROCS = 1
			s.Universal = law(1, 0, 0)
		}, map[string]float64{"one processor": 0.5}},
		"no fit": {func(s *Result) {}, map[string]float64{}},
		"locks": {func(s *Result) {
			s.Runs[1].Usage.MutexWait = 801 * time.Millisecond
		}, map[string]float64{"locks": 0.100125}},
		"few locks": {func(s *Result) {
			s.Runs[1].Usage.MutexWait = 800 * time.Millisecond
		}, map[string]float64{}},
		"not USL": {func(s *Result) {
			s.Universal = &stats.Scalability{Misfit: true, Residual: 0.3}
		}, map[string]float64{"not USL": 0.3}},
		"no law": {func(s *Result) {
			s.Universal = law(1, 0, 0.101)
		}, map[string]float64{"no law": 0.101}},
		"a law": {func(s *Result) {
			s.Universal = law(0, 0, 0.1)
		}, map[string]float64{"not separated": 0.5}},
		"contention": {func(s *Result) {
			s.Universal = law(0.017, 0, 0)
		}, map[string]float64{"contention": 0.051}},
		"less": {func(s *Result) {
			s.Universal = law(0.0166, 0, 0)
		}, map[string]float64{"not separated": 0.5}},
		"coherence": {func(s *Result) {
			s.Universal = law(0.01, 0.0042, 0)
		}, map[string]float64{"coherence": 0.0504}},
		"less of it": {func(s *Result) {
			s.Universal = law(0.01, 0.0041, 0)
		}, map[string]float64{"not separated": 0.5}},
		"both": {func(s *Result) {
			s.Universal = law(0.02, 0.005, 0)
		}, map[string]float64{"contention": 0.06}},
		"locks and law": {func(s *Result) {
			s.Universal = law(0.02, 0, 0)
			s.Runs[1].Usage.MutexWait = 4 * time.Second
		}, map[string]float64{"locks": 0.5, "contention": 0.06}},
		"locks and nothing": {func(s *Result) {
			s.Universal = law(0, 0, 0)
			s.Runs[1].Usage.MutexWait = 4 * time.Second
		}, map[string]float64{"locks": 0.5}},
		"processors": {func(s *Result) {
			s.Universal = law(1, 0, 0)
			s.Runs = append(s.Runs, run(16, 219))
		}, map[string]float64{"processors": 1.095}},
		"still more": {func(s *Result) {
			s.Universal = law(1, 0, 0)
			s.Runs = append(s.Runs, run(16, 221))
		}, map[string]float64{"contention": 15}},
		"a law of the processors": {func(s *Result) {
			s.Universal = law(0, 0, 0)
			s.Runs = []*result.Result{run(16, 200), run(8, 100/(0.125+0.3*0.875)), run(1, 100),
				run(4, 100/(0.25+0.3*0.75)), run(2, 100/(0.5+0.3*0.5)), run(3, 100/(1.0/3+0.2))}
		}, map[string]float64{"processors": 200 * (0.125 + 0.3*0.875) / 100, "contention": 2.1}},
	} {
		s := &Result{Runs: []*result.Result{run(1, 100), run(4, 200)}}
		c.change(s)
		got := map[string]float64{}
		for _, f := range s.Findings() {
			got[f.Kind] = f.Value
			rule := rules[slices.IndexFunc(rules, func(r judge.Rule) bool { return r.Kind == f.Kind })]
			require.Equal(t, []any{rule.Limit, rule.Advice}, []any{f.Limit, f.Advice})
			require.NotContains(t, f.Observed, "%s")
		}
		require.InDeltaMapValues(t, c.want, got, 0.02, name)
		for kind, v := range c.want {
			if kind != "contention" || v < 1 {
				require.InDelta(t, v, got[kind], 1e-9, name)
			}
		}
	}
	s := &Result{Runs: []*result.Result{run(1, 100), run(2, 180), run(4, 300)}}
	s.Fit()
	require.NotNil(t, s.Amdahl)
	require.Nil(t, s.Universal)
	s.Runs = append(s.Runs, run(8, 450), run(16, 500))
	s.Fit()
	require.NotNil(t, s.Universal)
}

// TestSeedsOfRepeats differ, and follow from the first.
func TestSeedsOfRepeats(t *testing.T) {
	c := runner.Config{Seed: 5, Plan: &schedule.Plan{Rate: 3, Seed: 9}}
	require.Equal(t, c, nth(c, 0))
	for i := range 10 {
		if i == 0 {
			continue
		}
		got := nth(c, i)
		require.Equal(t, rand.NewPCG(5, uint64(i)).Uint64()>>1, got.Seed)
		require.Equal(t, schedule.Plan{Rate: 3, Seed: rand.NewPCG(9, uint64(i)).Uint64() >> 1}, *got.Plan)
	}
	require.EqualValues(t, 9, c.Plan.Seed, "the first plan stays")
	c.Plan = nil
	require.Nil(t, nth(c, 1).Plan)
}
