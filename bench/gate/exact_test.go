package gate

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner"
	run "github.com/zkatbench/zkatbench/runner/stats"
)

// TestExactUnitsVaryOnNeitherSide: an exact unit with two values has no verdict, on
// either side, also if one of the values comes from the other side.
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
		r := once(data(t, meta, map[string][]float64{"proof-B": c.base}), data(t, meta, map[string][]float64{"proof-B": c.head}))
		require.Equal(t, Unknown, r.Comparisons[0].Verdict)
		require.Equal(t, c.why, r.Comparisons[0].Why)
		require.Equal(t, Unclear, r.Outcome())
		require.Empty(t, r.open(), "more results do not help")
	}
}

// TestInfinityIsNoNumber: a value that is infinite, of any kind of unit on any side, has
// no verdict, and is written as JSON.
func TestInfinityIsNoNumber(t *testing.T) {
	const meta = "Unit proof-B assume=exact better=lower"
	for _, unit := range []string{"sec/op", "allocs/op", "proof-B"} {
		for _, wrong := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
			for _, at := range []int{0, 1, 9} {
				bad := repeat(1, 10)
				bad[at] = wrong
				for _, sides := range [][2][]float64{{bad, repeat(2, 10)}, {repeat(2, 10), bad}, {bad, bad}} {
					r := once(data(t, meta, map[string][]float64{unit: sides[0]}), data(t, meta, map[string][]float64{unit: sides[1]}))
					require.Equal(t, Unknown, r.Comparisons[0].Verdict)
					require.Equal(t, "not all values are numbers", r.Comparisons[0].Why)
					require.NoError(t, r.WriteJSON(&strings.Builder{}))
				}
			}
		}
	}
}

// TestLimitsOfMedians: a shift of exactly the limit does not count.
func TestLimitsOfMedians(t *testing.T) {
	for head, want := range map[float64]Verdict{200: Same, 202: Same, 203: Regression, 198: Same, 197: Improvement} {
		r := once(data(t, "", map[string][]float64{"allocs/op": {200}}), data(t, "", map[string][]float64{"allocs/op": {head}}))
		require.Equal(t, want, r.Comparisons[0].Verdict, head)
		require.InDelta(t, head/200-1, r.Comparisons[0].Shift.Value, 1e-12)
		require.Equal(t, r.Comparisons[0].Shift.Value, r.Comparisons[0].Shift.Lo)
		require.Equal(t, r.Comparisons[0].Shift.Value, r.Comparisons[0].Shift.Hi)
	}
}

// TestRatioExactly: both ends of the interval of a ratio, of one-sided tests at 5 %, and
// its p-value, by quantiles of the normal distribution from tables.
func TestRatioExactly(t *testing.T) {
	const z975, z95 = 1.959963984540054, 1.6448536269514722
	figure := func(value, low, high float64) runner.Estimate {
		return runner.Estimate{Value: value, Interval: &run.Interval{Low: low, High: high}}
	}
	base, head := figure(2, 2/math.Exp(0.03), 2*math.Exp(0.03)), figure(3, 3/math.Exp(0.04), 3*math.Exp(0.04))
	s, p := ratio(base, head)
	deviation := 0.05 / z975
	require.InDelta(t, 0.5, s.Value, 1e-12)
	require.InDelta(t, 1.5*math.Exp(-z95*deviation)-1, s.Lo, 1e-9)
	require.InDelta(t, 1.5*math.Exp(z95*deviation)-1, s.Hi, 1e-9)
	require.InDelta(t, 0, p, 1e-12)
	s, p = ratio(figure(1, math.Exp(-0.03), math.Exp(0.03)), figure(math.Exp(0.05), math.Exp(0.01), math.Exp(0.09)))
	require.InDelta(t, 0.05, p, 1e-9, "1.96 deviations")
	require.InDelta(t, math.Exp(0.05*(1-z95/z975))-1, s.Lo, 1e-9)
	require.InDelta(t, math.Exp(0.05*(1+z95/z975))-1, s.Hi, 1e-9)

	for name, c := range map[string]struct {
		base, head runner.Estimate
		value, p   float64
		ends       bool
	}{
		"no interval of base":  {runner.Estimate{Value: 2}, head, 0.5, 1, false},
		"no interval of head":  {base, runner.Estimate{Value: 3}, 0.5, 1, false},
		"base is 0":            {figure(0, 1, 2), head, 0, 1, false},
		"head is 0":            {base, figure(0, 1, 2), -1, 1, false},
		"base reaches 0":       {figure(2, 0, 4), head, 0.5, 1, false},
		"head reaches 0":       {base, figure(3, 0, 4), 0.5, 1, false},
		"no width, no shift":   {figure(2, 2, 2), figure(2, 2, 2), 0, 1, true},
		"no width and a shift": {figure(2, 2, 2), figure(3, 3, 3), 0.5, 0, true},
	} {
		s, p := ratio(c.base, c.head)
		require.InDelta(t, c.value, s.Value, 1e-12, name)
		require.Equal(t, c.p, p, name)
		if c.ends {
			require.InDelta(t, c.value, s.Lo, 1e-12, name)
			require.InDelta(t, c.value, s.Hi, 1e-12, name)
			continue
		}
		require.Equal(t, []float64{math.Inf(-1), math.Inf(1)}, []float64{s.Lo, s.Hi}, name)
	}
}

// TestFailuresExactly: the two-proportion test with the pooled deviation.
func TestFailuresExactly(t *testing.T) {
	of := func(done, failed uint64) *runner.Result { return &runner.Result{Done: done, Failed: failed} }
	k := result.Key{Package: "load", Name: "x"}
	cs := failures(Rules{}, k, of(990, 10), of(970, 30))
	require.Len(t, cs, 1)
	c, deviation := cs[0], math.Sqrt(0.02*0.98*2/1000)
	require.Equal(t, "failed-share", c.Unit)
	require.InDelta(t, 0.01, c.Base.Median, 1e-12)
	require.InDelta(t, 0.03, c.Head.Median, 1e-12)
	require.InDelta(t, 2, c.Shift.Value, 1e-9)
	require.InDelta(t, (0.02-1.6448536269514722*deviation)/0.01, c.Shift.Lo, 1e-9)
	require.InDelta(t, (0.02+1.6448536269514722*deviation)/0.01, c.Shift.Hi, 1e-9)
	require.InDelta(t, math.Erfc(0.02/deviation/math.Sqrt2), c.P, 1e-12)
	require.Equal(t, -1, c.Rule.Better)

	c = failures(Rules{}, k, of(1000, 0), of(1990, 10))[0]
	require.InDelta(t, 0.005/0.001, c.Shift.Value, 1e-9, "in units of one operation of base")
	c = failures(Rules{}, k, of(0, 5), of(0, 7))[0]
	require.Zero(t, c.Shift.Value)
	require.Equal(t, 1.0, c.P)
	require.Empty(t, failures(Rules{}, k, of(1000, 0), of(1000, 0)))
	require.Empty(t, failures(Rules{}, k, of(0, 0), of(1000, 7)))
	require.Empty(t, failures(Rules{}, k, of(1000, 7), of(0, 0)))
	rules, err := ParseRules(strings.NewReader("ignore .unit:failed-share"), "rules")
	require.NoError(t, err)
	require.Empty(t, failures(rules, k, of(990, 10), of(970, 30)))
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
// that is significant alone is not among others. Exact units and medians do not count.
func TestFamiliesOfUnits(t *testing.T) {
	base, head := shifted()
	p := pValue(base, head)
	require.Less(t, p, 0.02)
	require.Greater(t, p, 0.0025)
	for others, want := range map[int]Verdict{0: Regression, 1: Regression, 19: Unknown} {
		const meta = "Unit size assume=exact"
		bases := map[string][]float64{"x/op": base, "size": repeat(3, 10), "allocs/op": repeat(3, 10)}
		heads := map[string][]float64{"x/op": head, "size": repeat(3, 10), "allocs/op": repeat(3, 10)}
		for i := range others {
			unit := fmt.Sprintf("other%d/op", i)
			bases[unit], heads[unit] = around(1, 2), around(1, 2)
		}
		r := once(data(t, meta, bases), data(t, meta, heads))
		found := 0
		for _, c := range r.Comparisons {
			if c.Unit != "x/op" {
				continue
			}
			found++
			require.Equal(t, want, c.Verdict, "%d others", others)
			require.InDelta(t, p, c.P, 1e-12)
			require.InDelta(t, min(1, p*float64(others+1)), c.Adjusted, 1e-12)
		}
		require.Equal(t, 1, found)
	}
}

// TestFamiliesOfLooks: a unit that was settled as changed stays significant in later
// corrections, and one that was settled as the same stays not significant.
func TestFamiliesOfLooks(t *testing.T) {
	base, head := shifted()
	p := pValue(base, head)
	for settled, times := range map[float64]float64{1.5: 1, 1: 2} {
		j := Judge{}
		at := func(xs []float64, x []float64) *result.Data {
			return data(t, "", map[string][]float64{"settled/op": xs, "x/op": x})
		}
		r := j.Look(at(around(1, 2), around(1, 40)), at(around(settled, 2), around(1, 40)))
		require.Equal(t, []result.Key{{Package: "p", Name: "X"}}, r.open())
		first := r.Comparisons
		r = j.Look(at(around(1, 2), base), at(around(settled, 2), head))
		for _, c := range r.Comparisons {
			if c.Unit == "x/op" {
				require.InDelta(t, p*times, c.Adjusted, 1e-12, "settled at %v", settled)
				continue
			}
			require.Equal(t, map[float64]Verdict{1.5: Regression, 1: Same}[settled], c.Verdict)
			require.Contains(t, first, c, "its figures stay")
		}
		require.Len(t, r.Comparisons, 2)
	}
}

// TestRanksOfManyRuns: beyond the exact distribution the rank follows the normal one
// with the mean and the variance of U.
func TestRanksOfManyRuns(t *testing.T) {
	require.Equal(t, 1427, rank(60, 60, 0.025))  // 1800.5 - 1.95996·√(3600·121/12)
	require.Equal(t, 1442, rank(100, 40, 0.005)) // 2000.5 - 2.57583·√(4000·141/12), rounded down
	require.Zero(t, rank(1, 51, 1e-6))
}

// TestWaysOfUnits: without metadata a unit for each operation is better if lower, one for
// each second if higher, and another one has no direction.
func TestWaysOfUnits(t *testing.T) {
	for unit, want := range map[string][2]Verdict{ // of falling and of rising values
		"things/op": {Improvement, Regression}, "things/s": {Regression, Improvement},
		"things": {Regression, Regression}, "/op-things": {Regression, Regression},
	} {
		for i, to := range []float64{0.7, 1.3} {
			r := once(data(t, "", map[string][]float64{unit: around(1, 2)}), data(t, "", map[string][]float64{unit: around(to, 2)}))
			require.Equal(t, want[i], r.Comparisons[0].Verdict, "%s to %v", unit, to)
		}
	}
}

// TestNotesOfCounts: a count that is the same in every result of a side and another one
// in HEAD is named although the change is below the tolerance.
func TestNotesOfCounts(t *testing.T) {
	for _, c := range []struct {
		unit       string
		base, head []float64
		note       string
	}{
		{"allocs/op", repeat(1000, 3), repeat(1001, 3), "allocs/op of X: 1000 in every result of BASE, 1001 in every one of HEAD, a change below the tolerance of 1 %"},
		{"allocs/op", repeat(1000, 2), repeat(1001, 2), "allocs/op of X: 1000 in every result of BASE, 1001 in every one of HEAD, a change below the tolerance of 1 %"},
		{"allocs/op", repeat(1000, 3), repeat(1000, 3), ""},
		{"allocs/op", repeat(1000, 3), repeat(1100, 3), ""},
		{"allocs/op", repeat(1000, 3), []float64{1001, 1001, 1002}, ""},
		{"allocs/op", []float64{1000, 1000, 999}, repeat(1001, 3), ""},
		{"allocs/op", repeat(1000, 1), repeat(1001, 3), ""},
		{"allocs/op", repeat(1000.5, 3), repeat(1001, 3), ""},
		{"sec/op", repeat(1000, 10), repeat(1001, 10), ""},
	} {
		r := once(data(t, "", map[string][]float64{c.unit: c.base}), data(t, "", map[string][]float64{c.unit: c.head}))
		require.Equal(t, c.note, strings.Join(r.Notes, "\n"), "%v %v", c.base, c.head)
	}
}

// TestLooksAreNamed: text says which look at growing results it is, and not for a single
// one.
func TestLooksAreNamed(t *testing.T) {
	d := data(t, "", map[string][]float64{"sec/op": around(1, 40), "x/op": around(1, 2)})
	text := func(r Report) string {
		var plain, marked strings.Builder
		require.NoError(t, r.WriteText(&plain, true))
		require.NoError(t, r.WriteMarkdown(&marked))
		require.Contains(t, marked.String(), fmt.Sprintf("Intervals have %.4g %% confidence; false alarms: at most 5 %%", 100*(1-2*r.Alpha)))
		require.Contains(t, marked.String(), "1 the same")
		return plain.String()
	}
	require.NotContains(t, text(once(d, d)), ", look ")
	j := Judge{}
	j.Look(d, d)
	r := j.Look(d, d)
	require.Equal(t, 2, r.Looks)
	require.Contains(t, text(r), "% confidence, look 2;")
	empty := Report{Alpha: significance}
	var marked strings.Builder
	require.NoError(t, empty.WriteMarkdown(&marked))
	require.NotContains(t, marked.String(), "Intervals have")
}

// TestSplit: keys that others have, and those that they lack, in their order.
func TestSplit(t *testing.T) {
	key := func(name string) result.Key { return result.Key{Package: "p", Name: name} }
	not, have := split([]result.Key{key("a"), key("b"), key("c"), key("d")}, []result.Key{key("d"), key("b"), key("x")})
	require.Equal(t, []result.Key{key("a"), key("c")}, not)
	require.Equal(t, []result.Key{key("b"), key("d")}, have)
}

// TestRulesOfLoads: a unit or a case that a rule ignores is not compared, and each
// figure of the others is.
func TestRulesOfLoads(t *testing.T) {
	base, head := served(t, 1, 5*time.Millisecond, 0), served(t, 2, 5*time.Millisecond, 0)
	units := func(text string) (all []string) {
		rules, err := ParseRules(strings.NewReader(text), "rules")
		require.NoError(t, err)
		r := CompareLoads(rules, []Load{{"op", base}}, []Load{{"op", head}})
		require.Equal(t, 1, r.Looks)
		require.Equal(t, significance, r.Alpha)
		require.Empty(t, r.Missing)
		for _, c := range r.Comparisons {
			all = append(all, c.Unit)
		}
		return all
	}
	all := units("")
	require.Equal(t, []string{"mean-sec/op", "p50-sec/op", "p90-sec/op", "p95-sec/op", "p99-sec/op", "p99.9-sec/op", "ops/s"}, all)
	require.Equal(t, append(append([]string(nil), all[:1]...), all[2:]...), units("ignore .unit:p50-sec/op"))
	require.Empty(t, units("ignore .name:op"))
}
