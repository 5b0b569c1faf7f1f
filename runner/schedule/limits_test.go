package schedule

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPlansAtTheirBorders has values on both sides of each limit.
func TestPlansAtTheirBorders(t *testing.T) {
	then := func(stages ...Stage) Plan { return Plan{Rate: 1, Then: stages} }
	for _, c := range []struct {
		p    Plan
		text string // of the error; empty for success
	}{
		{Plan{}, "a rate of 0/s is outside [1.16e-05, 1e+09]"},
		{Plan{Rate: minRate}, ""}, {Plan{Rate: minRate * 0.999999}, "a rate of"}, {Plan{Rate: maxRate}, ""},
		{Plan{Rate: maxRate + 1}, "a rate of"}, {Plan{Rate: math.NaN()}, "a rate of NaN"},
		{Plan{Rate: 1, Arrival: Constant}, ""}, {Plan{Rate: 1, Arrival: Poisson}, ""},
		{Plan{Rate: 1, Arrival: Jump}, `arrival "rate" is not one of constant, poisson, ramp, step`},
		{Plan{Rate: 1, Generator: 1, Generators: 1}, ""},
		{Plan{Rate: 1, Generator: -1, Generators: 1}, "generator -1 of 1, of at most 1000"},
		{Plan{Rate: 1, Generator: 2, Generators: 1}, "generator 2 of 1"},
		{Plan{Rate: 1, Generators: 2}, "generator 0 of 2"},
		{Plan{Rate: 1, Generator: 1000, Generators: 1000}, ""},
		{Plan{Rate: 1, Generator: 1, Generators: 1001}, "of at most 1000"},
		{then(slices.Repeat([]Stage{{Kind: Jump, To: 1}}, 1000)...), ""},
		{then(slices.Repeat([]Stage{{Kind: Jump, To: 1}}, 1001)...), "1001 stages are more than 1000"},
		{then(Stage{Kind: Jump, To: 1}, Stage{Kind: Poisson}),
			`stage "poisson" is not one of constant, rate, ramp, step`},
		{then(Stage{Kind: Constant, Over: 1}), ""}, {then(Stage{Kind: Constant}), "a constant over 0s"},
		{then(Stage{Kind: Ramp, To: 1}), "a ramp over 0s"},
		{then(Stage{Kind: Ramp, To: 1, Over: -1}), "a ramp over -1ns"},
		{then(Stage{Kind: Jump, To: minRate}), ""},
		{then(Stage{Kind: Jump, To: minRate / 2}), "a final rate of"},
		{then(Stage{Kind: Ramp, Over: 1, To: maxRate}), ""},
		{then(Stage{Kind: Ramp, Over: 1, To: maxRate * 1.1}), "a final rate of 1.1e+09/s"},
		{then(Stage{Kind: Step, To: 1, Over: 1, Steps: 1}), "1 steps are outside [2, 1000]"},
		{then(Stage{Kind: Step, To: 1, Over: 1, Steps: 2}), ""},
		{then(Stage{Kind: Step, To: 1, Over: 1, Steps: 1000}), ""},
		{then(Stage{Kind: Step, To: 1, Over: 1, Steps: 1001}), "1001 steps"},
		{Plan{Rate: 1, Arrival: Step, To: 1, Over: 1, Steps: 1}, "1 steps"},
		{Plan{Rate: 1, Arrival: Ramp, To: 0, Over: 1}, "a final rate"},
	} {
		err := c.p.Check()
		if c.text == "" {
			require.NoError(t, err, "%+v", c.p)
			continue
		}
		require.ErrorIs(t, err, ErrPlan)
		require.ErrorContains(t, err, c.text)
	}
	for text, want := range map[string]string{
		"": `"" is not one of constant`, "constant:1s": `"constant:1s" is not`, "rate:3": "is not one of",
		"ramp:3": "is not one of", "ramp:3/1s/4": "is not one of", "step:3/1s": "is not one of",
		"ramp:x/1s":           `"x" in "ramp:x/1s": a rate is needed`,
		"ramp:3/x":            `"x" in "ramp:3/x": a duration is needed`,
		"step:3/1s/x":         `"x" in "step:3/1s/x": a number of steps is needed`,
		"constant,constant":   `"constant" is not`,
		"constant,constant:x": `"x" in "constant:x": a duration is needed`,
		"constant,rate:x":     `a rate is needed`, "poisson,poisson": `"poisson" is not`,
		"constant,constant:1s,": `"" is not`, "ramp:3/0s": "a ramp over 0s",
		"constant,rate:0": "a final rate of 0/s",
	} {
		_, err := Parse(1, text)
		require.ErrorIs(t, err, ErrPlan, text)
		require.ErrorContains(t, err, want, text)
	}
	require.Equal(t, "3/s, constant", Plan{Rate: 3}.String())
	require.Equal(t, "x", Stage{Kind: "x"}.String())
	require.Equal(t, "constant:1ns", Stage{Kind: Constant, Over: 1}.String())
	late := Plan{Rate: minRate}.Cursor()
	late.Next()
	require.Equal(t, 86400*time.Second, late.Next())
	late.x = 1e9
	require.Equal(t, time.Duration(9e18), late.Next(), "a start beyond the range is the last")
}
