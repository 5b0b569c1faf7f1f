package schedule_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

func starts(p schedule.Plan, till time.Duration) (at []time.Duration) {
	for c := p.Cursor(); ; {
		t := c.Next()
		if t >= till {
			return at
		}
		at = append(at, t)
	}
}

// TestStartsAreAsManyAsExpected compares Cursor, which inverts Λ, with
// Expected, which computes Λ.
func TestStartsAreAsManyAsExpected(t *testing.T) {
	for _, p := range []schedule.Plan{
		{Arrival: schedule.Constant, Rate: 33},
		{Arrival: schedule.Ramp, Rate: 10, To: 500, Over: 20 * time.Second},
		{Arrival: schedule.Ramp, Rate: 500, To: 10, Over: 20 * time.Second},
		{Arrival: schedule.Ramp, Rate: 50, To: 50, Over: 20 * time.Second},
		{Arrival: schedule.Step, Rate: 10, To: 90, Over: 20 * time.Second, Steps: 5},
		{Arrival: schedule.Step, Rate: 90, To: 10, Over: 20 * time.Second, Steps: 2},
		{Rate: 100},
		stages,
		{Arrival: schedule.Ramp, Rate: 5, To: 50, Over: time.Second, Then: stages.Then},
	} {
		t.Run(p.String(), func(t *testing.T) {
			require.NoError(t, p.Check())
			for _, till := range []time.Duration{time.Second, 7 * time.Second, 20 * time.Second,
				33 * time.Second} {
				require.InDelta(t, p.Expected(till), len(starts(p, till)), 1.001, "till %v", till)
			}
		})
	}
}

var stages = schedule.Plan{Arrival: schedule.Constant, Rate: 10, Then: []schedule.Stage{
	{Kind: schedule.Ramp, To: 50, Over: 4 * time.Second},
	{Kind: schedule.Constant, Over: 3 * time.Second},
	{Kind: schedule.Jump, To: 20},
	{Kind: schedule.Step, To: 40, Over: 3 * time.Second, Steps: 3},
	{Kind: schedule.Ramp, To: 10, Over: 2 * time.Second},
}}

// TestStagesFollowEachOther counts the starts of each second of several stages.
func TestStagesFollowEachOther(t *testing.T) {
	require.NoError(t, stages.Check())
	require.Equal(t, 12*time.Second, stages.Length())
	n := make([]int, 14)
	for _, s := range starts(stages, 14*time.Second) {
		n[s/time.Second]++
	}
	for i, want := range []int{15, 25, 35, 45, 50, 50, 50, 20, 30, 40, 32, 18, 10, 10} {
		require.InDelta(t, want, n[i], 1, "second %d", i)
	}
	random := stages
	random.Arrival, random.Seed = schedule.Poisson, 7
	require.InDelta(t, stages.Expected(14*time.Second), len(starts(random, 14*time.Second)), 4*math.Sqrt(430))
	require.Equal(t, schedule.Plan{Arrival: schedule.Constant, Rate: 10, Seed: 1}, stages.Level())
}

func TestPoissonArrivalsAreIndependent(t *testing.T) {
	at := starts(schedule.Plan{Arrival: schedule.Poisson, Rate: 1000, Seed: 1}, 100*time.Second)
	var gaps, squares, neighbours float64
	for i := range at[2:] {
		a, b := (at[i+1]-at[i]).Seconds()*1000-1, (at[i+2]-at[i+1]).Seconds()*1000-1
		gaps, squares, neighbours = gaps+a, squares+a*a, neighbours+a*b
	}
	n := float64(len(at))
	require.InDelta(t, 100_000, n, 4*math.Sqrt(100_000))
	require.InDelta(t, 1, squares/n, 0.03, "the variance of exponential gaps is the square of their mean")
	require.InDelta(t, 0, neighbours/n, 0.02)
	require.Equal(t, at,
		starts(schedule.Plan{Arrival: schedule.Poisson, Rate: 1000, Seed: 1}, 100*time.Second))
	require.NotEqual(t, at,
		starts(schedule.Plan{Arrival: schedule.Poisson, Rate: 1000, Seed: 2}, 100*time.Second))
}

// TestParse: a plan is read as it is written, and a malformed one is refused by its wrong part.
func TestParse(t *testing.T) {
	for text, want := range map[string]schedule.Plan{
		"constant":       {Arrival: schedule.Constant, Rate: 5},
		"poisson":        {Arrival: schedule.Poisson, Rate: 5},
		"ramp:50/10s":    {Arrival: schedule.Ramp, Rate: 5, To: 50, Over: 10 * time.Second},
		"step:50/10s/10": {Arrival: schedule.Step, Rate: 5, To: 50, Over: 10 * time.Second, Steps: 10},
		"poisson,ramp:50/4s,constant:3s,rate:20": {Arrival: schedule.Poisson, Rate: 5, Then: []schedule.Stage{
			{Kind: schedule.Ramp, To: 50, Over: 4 * time.Second},
			{Kind: schedule.Constant, Over: 3 * time.Second}, {Kind: schedule.Jump, To: 20}}},
		"ramp:50/10s,step:5/1m0s/3": {Arrival: schedule.Ramp, Rate: 5, To: 50, Over: 10 * time.Second,
			Then: []schedule.Stage{
				{Kind: schedule.Step, To: 5, Over: time.Minute, Steps: 3}}},
	} {
		t.Run(text, func(t *testing.T) {
			p, err := schedule.Parse(5, text)
			require.NoError(t, err)
			require.Equal(t, want, p)
			require.Equal(t, "5/s, "+text, p.String())
		})
	}
	for text, want := range map[string]string{
		"":                      `"" is not one of constant, poisson, ramp:TO/OVER or step:TO/OVER/STEPS`,
		"uniform":               `"uniform" is not one of`,
		"ramp:5":                `"ramp:5" is not one of`,
		"ramp:3/1s/4":           `is not one of`,
		"step:3/1s":             `is not one of`,
		"rate:5":                `"rate:5" is not one of`,
		"constant:5":            `"constant:5" is not one of`,
		"constant,":             `"" is not one of`,
		"constant,constant:1s,": `"" is not one of`,
		"poisson,poisson":       `"poisson" is not one of`,
		"poisson,constant":      `"constant" is not one of`,
		"poisson,constant:5":    `"5" in "constant:5": a duration is needed`,
		"poisson,rate:x":        `"x" in "rate:x": a rate is needed`,
		"ramp:x/10s":            `"x" in "ramp:x/10s": a rate is needed`,
		"ramp:5/10":             `"10" in "ramp:5/10": a duration is needed`,
		"step:5/10s/ x":         `a number of steps is needed`,
	} {
		t.Run("refused "+text, func(t *testing.T) {
			_, err := schedule.Parse(5, text)
			require.ErrorIs(t, err, schedule.ErrPlan)
			require.ErrorContains(t, err, want)
		})
	}
}

// TestLimitsOfPlans: each number of a plan at its least and its greatest value, and one
// beyond.
func TestLimitsOfPlans(t *testing.T) {
	const least, most = 1.0 / 86400, 1e9
	constants := func(n int) string { return "constant" + strings.Repeat(",constant:1ns", n) }
	for i, c := range []struct {
		rate    float64
		arrival string
		err     string // empty for success
	}{
		{least, "constant", ""},
		{least * 0.999, "constant", "is outside [1.16e-05, 1e+09]"},
		{most, "constant", ""},
		{most + 1, "constant", "a rate of"},
		{math.NaN(), "constant", "a rate of NaN"},
		{1, "ramp:1.15741e-05/1ns", ""},
		{1, "ramp:1.157e-05/1ns", "a final rate of"},
		{1, "constant,rate:1e9", ""},
		{1, "constant,rate:1.1e9", "a final rate of 1.1e+09/s is outside"},
		{1, "ramp:NaN/1s", "a final rate of NaN/s"},
		{1, "ramp:3/0s", "a ramp over 0s"},
		{1, "constant,ramp:3/-1ns", "a ramp over -1ns"},
		{1, "constant,constant:0s", "a constant over 0s"},
		{1, "step:5/1s/1", "1 steps are outside [2, 1000]"},
		{1, "step:5/1s/2", ""},
		{1, "constant,step:5/1s/1000", ""},
		{1, "constant,step:5/1s/1001", "1001 steps are outside"},
		{1, constants(1000), ""},
		{1, constants(1001), "1001 stages are more than 1000"},
		{1, constants(7) + ",ramp:1/0s" + constants(4)[len("constant"):], "a ramp over 0s"},
	} {
		t.Run(fmt.Sprintf("%d: %.30s", i, c.arrival), func(t *testing.T) {
			_, err := schedule.Parse(c.rate, c.arrival)
			if c.err == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, schedule.ErrPlan)
			require.ErrorContains(t, err, c.err)
		})
	}
	// No text has these:
	require.ErrorContains(t, schedule.Plan{Rate: 1, Arrival: schedule.Jump}.Check(), `arrival "rate" is not`)
	require.ErrorContains(t, schedule.Plan{Rate: 1,
		Then: []schedule.Stage{{Kind: schedule.Constant, Over: 1}, {Kind: schedule.Poisson}}}.Check(),
		`stage "poisson" is not one of constant, rate, ramp, step`)
	for of, ok := range map[[2]int]bool{
		{1, 1}: true, {1000, 1000}: true, {0, 1}: false, {0, 2}: false, {1, 0}: false, {-1, 1}: false,
		{2, 1}: false, {1, 1001}: false,
	} {
		err := schedule.Plan{Rate: 1, Generator: of[0], Generators: of[1]}.Check()
		require.Equal(t, ok, err == nil, "generator %d of %d: %v", of[0], of[1], err)
	}
	c := schedule.Plan{Rate: least}.Cursor()
	for range 100_000 {
		c.Next()
	}
	require.Equal(t, 100_000*86400*time.Second, c.Next())
	for range 10_000 {
		c.Next()
	}
	require.Equal(t, time.Duration(9e18), c.Next(), "a start beyond the range is the last")
}

// FuzzParse checks that each accepted plan can be followed: starts never
// decrease, and their number agrees with Expected.
func FuzzParse(f *testing.F) {
	for _, arrival := range []string{"constant", "poisson", "ramp:50/10s", "ramp:1/1ns", "step:50/10s/10",
		"step:1/1h/2", "poisson,ramp:50/4s,constant:3s,rate:20", "constant,step:1/1ns/1000,ramp:5/1s"} {
		f.Add(100.0, arrival)
	}
	f.Fuzz(func(t *testing.T, rate float64, arrival string) {
		p, err := schedule.Parse(rate, arrival)
		if err != nil {
			require.ErrorIs(t, err, schedule.ErrPlan)
			return
		}
		again, err := schedule.Parse(rate, p.String()[strings.Index(p.String(), " ")+1:])
		require.NoError(t, err)
		require.Equal(t, p, again)
		last := time.Duration(0)
		for i, c := 0, p.Cursor(); i < 100; i++ {
			next := c.Next()
			require.GreaterOrEqual(t, next, last)
			last = next
		}
	})
}

// TestPartsEndWhereStagesEnd: parts have the times of the plan to the nanosecond.
func TestPartsEndWhereStagesEnd(t *testing.T) {
	for ms := time.Duration(1001); ms < 300_000; ms += 1997 {
		first := ms * time.Millisecond
		p := schedule.Plan{Rate: 10, Arrival: schedule.Ramp, To: 20, Over: first,
			Then: []schedule.Stage{{Kind: schedule.Step, To: 40, Over: 3 * first, Steps: 3}}}
		var ends []time.Duration
		for _, part := range p.Parts(10 * first) {
			ends = append(ends, part.End)
		}
		require.Equal(t, []time.Duration{first, 2 * first, 3 * first, 4 * first, 10 * first}, ends)
		half := p.Parts(first / 2)
		require.Len(t, half, 1)
		require.Equal(t, first/2, half[0].End)
		require.InDelta(t, 15, half[0].To, 1e-6, "the rate when the window ends")
	}
}

// TestGeneratorsShareThePlan checks that each start of a plan is in the part of one of
// its generators, and that each part has the rate that Expected says.
func TestGeneratorsShareThePlan(t *testing.T) {
	for _, arrival := range []string{"constant", "poisson", "ramp:500/10s",
		"poisson,ramp:500/5s,constant:5s"} {
		t.Run(arrival, func(t *testing.T) {
			for _, n := range []int{1, 2, 3, 7} {
				whole, err := schedule.Parse(300, arrival)
				require.NoError(t, err)
				whole.Seed = 5
				var joint []time.Duration
				for i := range n {
					part := whole
					part.Generator, part.Generators = i+1, n
					require.NoError(t, part.Check())
					require.Equal(t, fmt.Sprintf("%v, generator %d of %d", whole, i+1, n), part.String())
					mine := starts(part, 10*time.Second)
					require.InDelta(t, part.Expected(10*time.Second), len(mine),
						1+4*math.Sqrt(part.Expected(10*time.Second)))
					joint = append(joint, mine...)
					c := part.Cursor()
					c.Next()
					d := c.Clone()
					for range 20 {
						require.Equal(t, c.Next(), d.Next())
					}
				}
				slices.Sort(joint)
				require.Equal(t, starts(whole, 10*time.Second), joint, "%s, %d generators", arrival, n)
			}
		})
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
