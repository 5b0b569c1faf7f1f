package gate // ratio and open are private: a report has neither

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/judge"
	run "github.com/zkatbench/zkatbench/runner/stats"
)

// TestExactUnitsVaryOnNeitherSide: an exact unit with two values on one side is Unknown,
// on either side, also if one of the values comes from the other side.
func TestExactUnitsVaryOnNeitherSide(t *testing.T) {
	const meta = "Unit proof-B assume=exact better=lower"
	for _, c := range []struct {
		base, head []float64
		why        string
	}{
		{[]float64{1, 1, 1}, []float64{1, 1, 2}, "exact, and yet from 1 to 2 in head"},
		{[]float64{1, 1, 1}, []float64{2, 1, 1}, "exact, and yet from 1 to 2 in head"},
		{[]float64{1, 1, 1}, []float64{1, 0, 1}, "exact, and yet from 0 to 1 in head"},
		{[]float64{1, 2, 1}, []float64{1, 1, 2}, "exact, and yet from 1 to 2 in base"},
		{[]float64{5, 4}, []float64{5}, "exact, and yet from 4 to 5 in base"},
	} {
		t.Run(fmt.Sprint(c.base, " and ", c.head), func(t *testing.T) {
			r := once(data(t, meta, samples{"proof-B": c.base}),
				data(t, meta, samples{"proof-B": c.head}))
			require.Equal(t, Unknown, r.Comparisons[0].Verdict)
			require.Equal(t, c.why, r.Comparisons[0].Why)
			require.Equal(t, Unclear, r.Outcome())
			require.Empty(t, r.open(), "more results do not help")
		})
	}
}

// TestInfinityIsNoNumber: an infinite value, of any kind of unit on any side, is not
// judged, and can be written as JSON.
func TestInfinityIsNoNumber(t *testing.T) {
	const meta = "Unit proof-B assume=exact better=lower"
	for _, unit := range []string{"sec/op", "allocs/op", "proof-B"} {
		for _, wrong := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
			for _, at := range []int{0, 1, 9} {
				bad := repeat(1, 10)
				bad[at] = wrong
				for _, sides := range [][2][]float64{{bad, repeat(2, 10)}, {repeat(2, 10), bad}, {bad, bad}} {
					base, head := data(t, meta, samples{unit: repeat(1, 10)}),
						data(t, meta, samples{unit: repeat(1, 10)})
					base.Values[X][unit], head.Values[X][unit] = sides[0], sides[1]
					r := once(base, head)
					require.Equal(t, Unknown, r.Comparisons[0].Verdict)
					require.Equal(t, "not all values are numbers", r.Comparisons[0].Why)
					require.NoError(t, r.WriteJSON(&strings.Builder{}))
				}
			}
		}
	}
}

// TestRatios: both ends of the interval of a ratio, of one-sided tests at 5 %, and
// its p-value, by quantiles of the normal distribution from tables.
func TestRatios(t *testing.T) {
	const z975, z95 = 1.959963984540054, 1.6448536269514722
	figure := func(value, low, high float64) judge.Estimate {
		return judge.Estimate{Value: value, Interval: &run.Interval{Low: low, High: high}}
	}
	base, head := figure(2, 2/math.Exp(0.03), 2*math.Exp(0.03)), figure(3, 3/math.Exp(0.04), 3*math.Exp(0.04))
	s, p := ratio(base, head)
	deviation := 0.05 / z975
	require.InDelta(t, 0.5, s.Value, 1e-12)
	require.InDelta(t, 1.5*math.Exp(-z95*deviation)-1, s.Lo, 1e-9)
	require.InDelta(t, 1.5*math.Exp(z95*deviation)-1, s.Hi, 1e-9)
	require.InDelta(t, 0, p, 1e-12)
	s, p = ratio(figure(1, math.Exp(-0.03), math.Exp(0.03)),
		figure(math.Exp(0.05), math.Exp(0.01), math.Exp(0.09)))
	require.InDelta(t, 0.05, p, 1e-9, "1.96 deviations")
	require.InDelta(t, math.Exp(0.05*(1-z95/z975))-1, s.Lo, 1e-9)
	require.InDelta(t, math.Exp(0.05*(1+z95/z975))-1, s.Hi, 1e-9)

	for name, c := range map[string]struct {
		base, head judge.Estimate
		value, p   float64
		ends       bool
	}{
		"no interval of base":  {judge.Estimate{Value: 2}, head, 0.5, 1, false},
		"no interval of head":  {base, judge.Estimate{Value: 3}, 0.5, 1, false},
		"base is 0":            {figure(0, 1, 2), head, 0, 1, false},
		"head is 0":            {base, figure(0, 1, 2), -1, 1, false},
		"base reaches 0":       {figure(2, 0, 4), head, 0.5, 1, false},
		"head reaches 0":       {base, figure(3, 0, 4), 0.5, 1, false},
		"no width, no shift":   {figure(2, 2, 2), figure(2, 2, 2), 0, 1, true},
		"no width and a shift": {figure(2, 2, 2), figure(3, 3, 3), 0.5, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			s, p := ratio(c.base, c.head)
			require.InDelta(t, c.value, s.Value, 1e-12)
			require.Equal(t, c.p, p)
			if c.ends {
				require.InDelta(t, c.value, s.Lo, 1e-12)
				require.InDelta(t, c.value, s.Hi, 1e-12)
				return
			}
			require.Equal(t, []float64{math.Inf(-1), math.Inf(1)}, []float64{s.Lo, s.Hi})
		})
	}
}

// shifted are ten values of base in no order, and of head 4 % above with some overlap: significant
// alone and not among twenty.
func shifted() (base, head []float64) {
	for _, i := range []float64{0, 9, 8, 1, 2, 7, 6, 3, 4, 5} {
		base, head = append(base, 1+0.01*i), append(head, 1.047+0.0101*i)
	}
	return base, head
}

// TestFamiliesOfUnits: p-values are corrected for the number of noisy units, so a change
// may be significant alone and not significant among others. Exact units and medians do
// not count.
func TestFamiliesOfUnits(t *testing.T) {
	base, head := shifted()
	p := pValue(base, head)
	require.Less(t, p, 0.02)
	require.Greater(t, p, 0.0025)
	for others, want := range map[int]Verdict{0: Regression, 1: Regression, 19: Unknown} {
		const meta = "Unit size assume=exact"
		bases := samples{"x/op": base, "size": repeat(3, 10), "allocs/op": repeat(3, 10)}
		heads := samples{"x/op": head, "size": repeat(3, 10), "allocs/op": repeat(3, 10)}
		for i := range others {
			unit := fmt.Sprintf("other%d/op", i)
			bases[unit], heads[unit] = around(1, 2), around(1, 2)
		}
		c := comparisonOf(t, once(data(t, meta, bases), data(t, meta, heads)), "x/op")
		require.Equal(t, want, c.Verdict, "%d others", others)
		require.InDelta(t, p, c.P, 1e-12)
		require.InDelta(t, min(1, p*float64(others+1)), c.Adjusted, 1e-12)
	}
}

// TestFamiliesOfLooks: a unit that was settled as changed keeps its verdict and figures, and
// stays significant in later corrections. One that was settled as the same stays not significant.
func TestFamiliesOfLooks(t *testing.T) {
	base, head := shifted()
	p := pValue(base, head)
	for settled, times := range map[float64]float64{1.5: 1, 1: 2} {
		j := Judge{}
		at := func(xs []float64, x []float64) *result.Data {
			return data(t, "", samples{"settled/op": xs, "x/op": x})
		}
		r := j.Look(at(around(1, 2), around(1, 40)), at(around(settled, 2), around(1, 40)))
		require.Equal(t, []result.Key{{Package: "p", Name: "X"}}, r.open())
		first := r.Comparisons
		r = j.Look(at(around(1, 2), base), at(around(1.2, 2), head))
		require.Equal(t, 2, r.Looks)
		require.InDelta(t, p*times, comparisonOf(t, r, "x/op").Adjusted, 1e-12, "settled at %v", settled)
		c := comparisonOf(t, r, "settled/op")
		require.Equal(t, map[float64]Verdict{1.5: Regression, 1: Same}[settled], c.Verdict)
		require.Contains(t, first, c, "its figures stay")
	}
}
