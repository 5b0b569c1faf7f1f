package selftest

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/runner/judge"
)

// TestQueuesHaveIntervalsThatHold checks busy queues: a minute at a load of 0.8
// is too short for any interval, and says so; over a long window most intervals
// are printed and hold.
func TestQueuesHaveIntervalsThatHold(t *testing.T) {
	trials := nightly.Pick(30, 100, 400)
	for _, p := range []process{queue(0.8, true), queue(0.8, false)} {
		for _, window := range p.windows() {
			tallies, err := p.cover(context.Background(), trials, window)
			require.NoError(t, err)
			for k, counted := range tallies {
				q := coveredFigures[k]
				require.False(t, counted.tooFew(), "%s over %v, quantile %v: %+v", p.name, window, q, counted)
				if window == time.Minute {
					require.Zero(t, counted.printed, "%s, quantile %v", p.name, q)
				} else {
					require.Greater(t, float64(counted.printed), 0.7*float64(trials), "%s, quantile %v",
						p.name, q)
				}
			}
		}
	}
}

// TestAQueueSaysHowLongItNeeds follows the advice of a short window.
func TestAQueueSaysHowLongItNeeds(t *testing.T) {
	for _, load := range []float64{0.8, 0.95} {
		p := queue(load, true)
		short, err := p.run(1, time.Minute)
		require.NoError(t, err)
		e := judge.Quantile(short, 0.95)
		require.Equal(t, "short window", e.Reason)
		require.Greater(t, e.Needs, 2*time.Minute)
		long, err := p.run(1, 2*e.Needs)
		require.NoError(t, err)
		require.NotNil(t, judge.Quantile(long, 0.95).Interval)
	}
}

// TestTheMeanOfAHeavyTailHasNoInterval: a Pareto distribution with index 1.5 has
// a mean that a few latencies determine.
func TestTheMeanOfAHeavyTailHasNoInterval(t *testing.T) {
	reasons := map[string]int{}
	for _, p := range processes() {
		if p.rate > 0 {
			continue
		}
		for seed := range uint64(20) {
			r, err := p.run(seed, p.window)
			require.NoError(t, err)
			if judge.Mean(r).Reason == "heavy tail" {
				reasons[p.name]++
			}
		}
	}
	require.GreaterOrEqual(t, reasons["Pareto 1.5"], 16)
	delete(reasons, "Pareto 1.5")
	for name, n := range reasons {
		require.LessOrEqual(t, n, 2, name)
	}
}

// TestPrecisionIsCheap checks the cost of an early stop and how often its interval
// holds.
func TestPrecisionIsCheap(t *testing.T) {
	held, cost, err := stopped(context.Background(), 0.02, nightly.Pick(40, 100, 400))
	require.NoError(t, err)
	require.GreaterOrEqual(t, held, 0.90)
	require.LessOrEqual(t, cost, 2.0)
}

// TestTables prints the tables of coverage and of decisions (-v). The nightly size has
// 1000 windows of most processes, and takes some ten minutes on two processors.
func TestTables(t *testing.T) {
	for name, write := range map[string]func(context.Context, io.Writer, float64) error{
		"coverage": Coverage, "decisions": Decisions} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			err := write(t.Context(), &b, nightly.Pick(0.01, 0.02, 2.5))
			t.Log("\n" + b.String())
			require.NoError(t, err)
		})
	}
}
