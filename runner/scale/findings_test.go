package scale // points and nth are private: a result does not show the points of a fit or later seeds

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
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

// TestFiguresOfRuns checks the figures of runs in any order, without a run of one
// worker.
func TestFiguresOfRuns(t *testing.T) {
	s := &Result{Runs: []*result.Result{run(8, 480), run(2, 200), run(4, 300), run(16, 600)}}
	for i, want := range []float64{4.8, 2, 3, 6} {
		require.InDelta(t, want, s.SpeedUp(s.Runs[i]), 1e-12)
		require.InDelta(t, want/float64(s.Runs[i].Config.Workers), s.Efficiency(s.Runs[i]), 1e-12)
	}
	s.Runs[0].Interrupted = true
	s.Runs = append(s.Runs, run(3, 0))
	require.Equal(t, []stats.Point{{Workers: 2, Throughput: 200}, {Workers: 4, Throughput: 300}},
		s.points(15), "whole runs of at most 15 workers that ended operations")
	require.Zero(t, (&Result{Runs: []*result.Result{run(1, 0), run(2, 5)}}).SpeedUp(run(2, 5)))
	require.Nil(t, (&Result{}).Findings())
}

// TestFindings: locks, laws and efficiencies on both sides of each limit, of four workers with twice
// the throughput of one.
func TestFindings(t *testing.T) {
	law := func(sigma, kappa, residual float64) *stats.Scalability {
		return &stats.Scalability{Residual: residual,
			Bounds: &stats.ScalabilityBounds{Sigma: stats.Interval{Low: sigma},
				Kappa: stats.Interval{Low: kappa}}}
	}
	for i, c := range []struct {
		efficiency float64
		locks      time.Duration
		law        *stats.Scalability
		want       map[string]float64
	}{
		{0.9001, 0, nil, map[string]float64{"scales well": 0.9001}},
		{0.8999, 0, law(0, 0, 0), map[string]float64{"not separated": 0.8999}},
		{0.5, 0, nil, map[string]float64{}},
		{0.5, 801 * time.Millisecond, nil, map[string]float64{"locks": 0.100125}},
		{0.5, 800 * time.Millisecond, nil, map[string]float64{}},
		{0.5, 0, &stats.Scalability{Misfit: true, Residual: 0.3}, map[string]float64{"not USL": 0.3}},
		{0.5, 0, law(1, 0, 0.101), map[string]float64{"no law": 0.101}},
		{0.5, 0, law(0, 0, 0.1), map[string]float64{"not separated": 0.5}},
		{0.5, 0, law(0.017, 0, 0), map[string]float64{"contention": 0.051}},
		{0.5, 0, law(0.0166, 0, 0), map[string]float64{"not separated": 0.5}},
		{0.5, 0, law(0.01, 0.0042, 0), map[string]float64{"coherence": 0.0504}},
		{0.5, 0, law(0.02, 0.005, 0), map[string]float64{"contention": 0.06}},
		{0.5, 4 * time.Second, law(0.02, 0, 0), map[string]float64{"locks": 0.5, "contention": 0.06}},
		{0.5, 4 * time.Second, law(0, 0, 0), map[string]float64{"locks": 0.5}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s := &Result{Runs: []*result.Result{run(1, 100), run(4, 400*c.efficiency)}, Universal: c.law}
			s.Runs[1].Usage.MutexWait = c.locks
			got := map[string]float64{}
			for _, f := range s.Findings() {
				got[f.Kind] = f.Value
				require.NotContains(t, f.Observed, "%s")
			}
			require.InDeltaMapValues(t, c.want, got, 1e-9)
		})
	}
}

// TestSeedsOfRepeats differ, and follow from the first.
func TestSeedsOfRepeats(t *testing.T) {
	c := runner.Config{Seed: 5, Plan: &schedule.Plan{Rate: 3, Seed: 9}}
	require.Equal(t, c, nth(c, 0))
	got := nth(c, 7)
	require.Equal(t, rand.NewPCG(5, 7).Uint64()>>1, got.Seed)
	require.Equal(t, schedule.Plan{Rate: 3, Seed: rand.NewPCG(9, 7).Uint64() >> 1}, *got.Plan)
	require.EqualValues(t, 9, c.Plan.Seed, "the first plan stays")
}
