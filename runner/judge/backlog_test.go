package judge_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// TestServiceBeyond: of exponential services, e^-x take longer than x times the mean, without the wait.
func TestServiceBeyond(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 6))
	exponential := func(int, time.Duration) time.Duration { return time.Duration(2e6 * random.ExpFloat64()) }
	r := replay(t, result.Config{Workers: 1, Duration: time.Minute,
		Plan: &schedule.Plan{Arrival: schedule.Poisson, Rate: 400}}, exponential)
	for _, x := range []float64{0.5, 1, 3} {
		require.InDelta(t, math.Exp(-x), judge.ServiceBeyond(r, 2e6*x), 0.01)
	}
	require.Zero(t, judge.ServiceBeyond(replay(t, result.Config{Workers: 1, Ops: 9}, exponential), 1))
}

// TestARampIsJudgedByItsEnd: the load is 0.6 on average and 1.1 at the end.
func TestARampIsJudgedByItsEnd(t *testing.T) {
	for to, grows := range map[float64]bool{110: true, 60: false} {
		plan := &schedule.Plan{Arrival: schedule.Ramp, Rate: 10, To: to, Over: 15 * time.Second}
		r := replay(t, result.Config{Workers: 1, Duration: 30 * time.Second, Plan: plan},
			func(int, time.Duration) time.Duration { return 10 * time.Millisecond })
		q, _ := judge.QueueOf(r)
		require.Equal(t, grows, q.Growing, "%v", to)
	}
}
