package runner_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// store is a service under test: it answers in 8 ms, one request at a time, and
// flushes to a disk for 300 ms after every 500 requests.
type store struct {
	turn     chan struct{} // a lock that virtual time can pass
	requests int
}

func (s *store) put(context.Context) error {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	time.Sleep(8 * time.Millisecond)
	if s.requests++; s.requests%500 == 0 {
		time.Sleep(300 * time.Millisecond)
	}
	return nil
}

func TestStoreKeepsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &store{turn: make(chan struct{}, 1)}
		r, err := runner.Run(t.Context(), runner.Config{
			Workers: 2, Duration: 2 * time.Minute,
			Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: 90, Seed: 1},
		}, runner.Func(s.put))
		require.NoError(t, err)
		require.NoError(t, judge.Check(r))
		require.Zero(t, r.Failed)
		require.Zero(t, r.Open.Backlog/90, "less than a second of requests waits at the end")
		p99 := judge.Quantile(r, 0.99)
		require.Greater(t, p99.Value, 200e6, "the flush delays more than one request in a hundred")
		require.Nil(t, p99.Interval, "two minutes have too few flushes for an interval")
	})
}
