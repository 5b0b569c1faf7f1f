package judge_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

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
