package schedule_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/schedule"
)

// TestBordersOfPlans: each number of a plan at its least and its greatest value, and one
// beyond; a wrong stage at every place.
func TestBordersOfPlans(t *testing.T) {
	const least, most = 1.0 / 86400, 1e9
	ramp := schedule.Stage{Kind: schedule.Ramp, To: 5, Over: time.Nanosecond}
	for i, c := range []struct {
		plan schedule.Plan
		ok   bool
	}{
		{schedule.Plan{Rate: least}, true},
		{schedule.Plan{Rate: least * 0.999}, false},
		{schedule.Plan{Rate: most}, true},
		{schedule.Plan{Rate: most * 1.001}, false},
		{schedule.Plan{Rate: 1, Generator: 1, Generators: 1}, true},
		{schedule.Plan{Rate: 1, Generator: 1000, Generators: 1000}, true},
		{schedule.Plan{Rate: 1, Generator: 1, Generators: 1001}, false},
		{schedule.Plan{Rate: 1, Generator: 2, Generators: 1}, false},
		{schedule.Plan{Rate: 1, Generators: 1}, false},
		{schedule.Plan{Rate: 1, Generator: -1}, false},
		{schedule.Plan{Rate: 1, Arrival: schedule.Ramp, To: least, Over: time.Nanosecond}, true},
		{schedule.Plan{Rate: 1, Arrival: schedule.Ramp, To: most, Over: time.Nanosecond}, true},
		{schedule.Plan{Rate: 1, Arrival: schedule.Ramp, To: most * 1.001, Over: time.Nanosecond}, false},
		{schedule.Plan{Rate: 1, Arrival: schedule.Ramp, To: 1}, false},
		{schedule.Plan{Rate: 1, Arrival: schedule.Step, To: 2, Over: 1, Steps: 2}, true},
		{schedule.Plan{Rate: 1, Arrival: schedule.Step, To: 2, Over: 1, Steps: 1}, false},
		{schedule.Plan{Rate: 1, Arrival: schedule.Step, To: 2, Over: 1, Steps: 1000}, true},
		{schedule.Plan{Rate: 1, Arrival: schedule.Step, To: 2, Over: 1, Steps: 1001}, false},
		{schedule.Plan{Rate: 1, Then: slices.Repeat([]schedule.Stage{ramp}, 1000)}, true},
		{schedule.Plan{Rate: 1, Then: slices.Repeat([]schedule.Stage{ramp}, 1001)}, false},
	} {
		err := c.plan.Check()
		require.Equal(t, c.ok, err == nil, "%d", i)
		if !c.ok {
			require.ErrorIs(t, err, schedule.ErrPlan)
		}
	}
	for at := range 12 {
		stages := slices.Repeat([]schedule.Stage{ramp}, 12)
		stages[at].Over = 0
		require.ErrorIs(t, schedule.Plan{Rate: 1, Then: stages}.Check(), schedule.ErrPlan, at)
	}
}

// TestManyStagesAreKept: a plan of twelve stages has the rate of each, and keeps the last.
func TestManyStagesAreKept(t *testing.T) {
	p := schedule.Plan{Rate: 10}
	want := 0.0
	for i := range 12 {
		p.Then = append(p.Then,
			schedule.Stage{Kind: schedule.Jump, To: float64(10 * (i + 2))},
			schedule.Stage{Kind: schedule.Constant, Over: time.Second})
		want += float64(10 * (i + 2))
	}
	require.NoError(t, p.Check())
	require.Equal(t, 12*time.Second, p.Length())
	require.InDelta(t, want, p.Expected(12*time.Second), 1e-6)
	require.InDelta(t, want+130*5, p.Expected(17*time.Second), 1e-6)
	require.InDelta(t, want+130*5, float64(len(starts(p, 17*time.Second))), 1.001)
}
