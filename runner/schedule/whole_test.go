package schedule

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// whole compares text with a golden file, which RUNNER_UPDATE_GOLDEN=1 rewrites.
func whole(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "whole", name)
	if os.Getenv("RUNNER_UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "RUNNER_UPDATE_GOLDEN=1 rewrites it")
}

// TestWholePlans writes the rates, the parts and the starts of plans of each kind.
func TestWholePlans(t *testing.T) {
	var b bytes.Buffer
	for _, text := range []string{
		"constant", "poisson", "ramp:40/2s", "ramp:2/3s", "step:40/2s/5", "step:1/4s/2", "ramp:10/1s", "step:10/1s/2",
		"constant,constant:1s,rate:20,ramp:40/1s,step:10/2s/3,constant:500ms,rate:5", "poisson,ramp:50/1s,constant:1s,rate:3,step:30/1s/4",
		"ramp:20/500ms,rate:40,rate:50,constant:250ms,constant:250ms,ramp:10/1s,ramp:20/1s,ramp:30/1s,ramp:20/1s,ramp:10/1s,rate:15",
		"step:30/900ms/3,ramp:40/1s", "constant,rate:30",
	} {
		p, err := Parse(10, text)
		require.NoError(t, err)
		p.Seed = 3
		for _, part := range [][2]int{{0, 0}, {1, 3}, {3, 3}} {
			p.Generator, p.Generators = part[0], part[1]
			fmt.Fprintf(&b, "----- %v length %v random %v level %+v\n", p, p.Length(), p.Random(), p.Level())
			for _, at := range []time.Duration{0, 1, 250 * time.Millisecond, 500 * time.Millisecond, time.Second, 1300 * time.Millisecond, 2 * time.Second, 3500 * time.Millisecond, 10 * time.Second} {
				fmt.Fprintf(&b, "%v: %.9g; ", at, p.Expected(at))
			}
			c := p.Cursor()
			for range 7 {
				fmt.Fprint(&b, c.Next().Round(10), " ")
			}
			again := c.Clone()
			for range 60 {
				c.Next()
			}
			next := c.Next()
			for range 60 {
				again.Next()
			}
			require.Equal(t, next, again.Next(), text)
			fmt.Fprintln(&b, "then", next.Round(10))
		}
		for _, d := range []time.Duration{0, 1, 400 * time.Millisecond, time.Second, 1500 * time.Millisecond, 5 * time.Second, time.Minute} {
			fmt.Fprintf(&b, "parts of %v:", d)
			for _, part := range p.Parts(d) {
				fmt.Fprintf(&b, " %v-%v %.9g-%.9g", part.Begin, part.End, part.From, part.To)
			}
			fmt.Fprintln(&b)
		}
	}
	whole(t, "plans.txt", b.Bytes())
}

// TestPlansAtTheirBorders has values on both sides of each limit.
func TestPlansAtTheirBorders(t *testing.T) {
	then := func(stages ...Stage) Plan { return Plan{Rate: 1, Then: stages} }
	for _, c := range []struct {
		p    Plan
		text string // of the error; empty for none
	}{
		{Plan{}, "a rate of 0/s is outside [1.16e-05, 1e+09]"},
		{Plan{Rate: minRate}, ""}, {Plan{Rate: minRate * 0.999999}, "a rate of"}, {Plan{Rate: maxRate}, ""}, {Plan{Rate: maxRate + 1}, "a rate of"}, {Plan{Rate: math.NaN()}, "a rate of NaN"},
		{Plan{Rate: 1, Arrival: Constant}, ""}, {Plan{Rate: 1, Arrival: Poisson}, ""}, {Plan{Rate: 1, Arrival: Jump}, `arrival "rate" is not one of constant, poisson, ramp, step`},
		{Plan{Rate: 1, Generator: 1, Generators: 1}, ""}, {Plan{Rate: 1, Generator: -1, Generators: 1}, "generator -1 of 1, of at most 1000"}, {Plan{Rate: 1, Generator: 2, Generators: 1}, "generator 2 of 1"},
		{Plan{Rate: 1, Generators: 2}, "generator 0 of 2"}, {Plan{Rate: 1, Generator: 1000, Generators: 1000}, ""}, {Plan{Rate: 1, Generator: 1, Generators: 1001}, "of at most 1000"},
		{then(slices.Repeat([]Stage{{Kind: Jump, To: 1}}, 1000)...), ""}, {then(slices.Repeat([]Stage{{Kind: Jump, To: 1}}, 1001)...), "1001 stages are more than 1000"},
		{then(Stage{Kind: Jump, To: 1}, Stage{Kind: Poisson}), `stage "poisson" is not one of constant, rate, ramp, step`},
		{then(Stage{Kind: Constant, Over: 1}), ""}, {then(Stage{Kind: Constant}), "a constant over 0s"}, {then(Stage{Kind: Ramp, To: 1}), "a ramp over 0s"}, {then(Stage{Kind: Ramp, To: 1, Over: -1}), "a ramp over -1ns"},
		{then(Stage{Kind: Jump, To: minRate}), ""}, {then(Stage{Kind: Jump, To: minRate / 2}), "a final rate of"}, {then(Stage{Kind: Ramp, Over: 1, To: maxRate}), ""}, {then(Stage{Kind: Ramp, Over: 1, To: maxRate * 1.1}), "a final rate of 1.1e+09/s"},
		{then(Stage{Kind: Step, To: 1, Over: 1, Steps: 1}), "1 steps are outside [2, 1000]"}, {then(Stage{Kind: Step, To: 1, Over: 1, Steps: 2}), ""}, {then(Stage{Kind: Step, To: 1, Over: 1, Steps: 1000}), ""}, {then(Stage{Kind: Step, To: 1, Over: 1, Steps: 1001}), "1001 steps"},
		{Plan{Rate: 1, Arrival: Step, To: 1, Over: 1, Steps: 1}, "1 steps"}, {Plan{Rate: 1, Arrival: Ramp, To: 0, Over: 1}, "a final rate"},
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
		"": `"" is not one of constant`, "constant:1s": `"constant:1s" is not`, "rate:3": "is not one of", "ramp:3": "is not one of", "ramp:3/1s/4": "is not one of", "step:3/1s": "is not one of",
		"ramp:x/1s": `"x" in "ramp:x/1s": a rate is needed`, "ramp:3/x": `"x" in "ramp:3/x": a duration is needed`, "step:3/1s/x": `"x" in "step:3/1s/x": a number of steps is needed`,
		"constant,constant": `"constant" is not`, "constant,constant:x": `"x" in "constant:x": a duration is needed`, "constant,rate:x": `a rate is needed`, "poisson,poisson": `"poisson" is not`,
		"constant,constant:1s,": `"" is not`, "ramp:3/0s": "a ramp over 0s", "constant,rate:0": "a final rate of 0/s",
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
