package gate // floorOf, note and compare are private steps of a report

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

// X is the case of most tests.
var X = result.Key{Package: "p", Name: "X"}

// TestFloors: the floor of a cell is the absolute shift between both
// parts. A missing or infinite unit is left out.
func TestFloors(t *testing.T) {
	d := data(t, "",
		samples{"a/op": {10, 10, 10, 12, 12}, "b/op": {10, 8}, "c/op": {1}, "g/op": {2, 3}})
	d.Values[X]["d/op"], d.Values[X]["e/op"] = []float64{math.Inf(1), 1}, []float64{1, math.Inf(1)}
	f := floorOf(d, secondHalf)
	require.Len(t, f, 3)
	require.InDelta(t, 0.2, f[Cell{X, "a/op"}], 1e-12, "of 10, 10 and 10, 12, 12")
	require.InDelta(t, 0.2, f[Cell{X, "b/op"}], 1e-12, "a fall")
	require.InDelta(t, 0.5, f[Cell{X, "g/op"}], 1e-12)
	d = data(t, "", samples{"a/op": {10, 12, 10, 12, 11}})
	require.InDelta(t, 0.2, floorOf(d, odd)[Cell{X, "a/op"}], 1e-12, "of 10, 10, 11 and 12, 12")
	require.Empty(t, floorOf(result.NewData(), odd))
}

// TestOutcomes: each fact by itself that stands against Pass.
func TestOutcomes(t *testing.T) {
	same, unknown, worse := compared("X", wallTime, Same, 0), compared("Y", wallTime, Unknown, 0),
		compared("Z", wallTime, Regression, 1)
	wide := func(lo, hi float64, better Direction) func(*Report) {
		return func(r *Report) {
			c := unknown
			c.Rule, c.Shift = Rule{noisy, 0.03, better}, Shift{0, lo, hi}
			r.Comparisons = append(r.Comparisons, c)
		}
	}
	for name, c := range map[string]struct {
		change func(*Report)
		want   Outcome
	}{
		"same":                 {func(*Report) {}, Pass},
		"new":                  {func(r *Report) { r.New = []Cell{{Key: X}} }, Pass},
		"unknown":              {wide(-5, 0.29, -1), Pass},
		"unknown, of a rate":   {wide(-0.29, 5, 1), Pass},
		"unknown by ten times": {wide(-5, 0.31, -1), Unclear},
		"either direction":     {wide(-0.31, 0, Either), Unclear},
		"not bounded":          {wide(math.Inf(-1), math.Inf(1), -1), Unclear},
		"not a number":         {wide(math.NaN(), math.NaN(), -1), Unclear},
		"exact, and varies": {func(r *Report) {
			c := unknown
			c.Rule.Kind = exact
			r.Comparisons = append(r.Comparisons, c)
		}, Unclear},
		"seems worse": {func(r *Report) {
			r.Alpha = 0.05
			wide(0.01, 0.1, -1)(r)
			r.Comparisons[1].Shift.Value = 0.04
		}, Unclear},
		"seems better": {func(r *Report) {
			r.Alpha = 0.05
			wide(0.01, 0.1, 1)(r)
			r.Comparisons[1].Shift.Value = 0.04
		}, Pass},
		"not by a test": {func(r *Report) {
			wide(0.01, 0.1, -1)(r)
			r.Comparisons[1].Shift.Value = 0.04
		}, Pass},
		"strict": {func(r *Report) { r.Strict = true; wide(0, 0.04, -1)(r) }, Unclear},
		"worse":  {func(r *Report) { r.Comparisons = append(r.Comparisons, worse) }, Regressed},
		"worse, and so": {func(r *Report) {
			r.Comparisons = append(r.Comparisons, unknown, worse)
		}, Regressed},
		"missing":     {func(r *Report) { r.Missing = []Cell{{}} }, Unclear},
		"unmeasured":  {func(r *Report) { r.Unmeasured = []result.Key{X} }, Unclear},
		"none":        {func(r *Report) { r.Comparisons = nil }, Unclear},
		"interrupted": {func(r *Report) { r.Interrupted = true }, Unclear},
		"incomplete":  {func(r *Report) { r.Incomplete = []string{"a"} }, Unclear},
	} {
		t.Run(name, func(t *testing.T) {
			r := Report{Comparisons: []Comparison{same}}
			c.change(&r)
			require.Equal(t, c.want, r.Outcome())
		})
	}
}

// TestNotesAreJoined: a note is said once, with its cases.
func TestNotesAreJoined(t *testing.T) {
	var r Report
	for _, said := range [][2]string{{"first", "A"}, {"second", "A"}, {"first", "B"}, {"first", "A"}} {
		r.note(said[0]+" of CASES", result.Key{Package: "p", Name: said[1]})
	}
	r.noteVerdicts()
	require.Equal(t, []string{"first of 2 cases, such as A", "second of A"}, r.Notes)
}

// TestShortNames: the last part names a package if no other package of the report has
// the same last part.
func TestShortNames(t *testing.T) {
	of := func(pkgs ...string) (r Report) {
		for _, p := range pkgs {
			r.Comparisons = append(r.Comparisons, Comparison{Key: result.Key{Package: p, Name: "X"}})
		}
		return r
	}
	k := result.Key{Package: "a/b", Name: "X"}
	require.Equal(t, "b.X", of("a/b", "a/c", "a/b").names()(k))
	require.Equal(t, "a/b.X", of("a/b", "c/b", "d/e").names()(k))
	require.Equal(t, "a/b.X", of("c/b", "a/b").names()(k))
	require.Equal(t, "X", of("a/b").names()(result.Key{Name: "X"}))
}

// TestLimitsInRules: a limit is above 0 and up to 1000 %.
func TestLimitsInRules(t *testing.T) {
	for text, want := range map[string]float64{"1000%": 10, "3%": 0.03, "0.001%": 0.00001} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			got, err := ParseLimit(text)
			require.NoError(t, err)
			require.InDelta(t, want, got, 1e-12)
		})
	}
	for _, text := range []string{"0%", "-1%", "1000.1%", "3", "x%", "NaN%", "", "Inf%"} {
		v, err := ParseLimit(text)
		require.EqualError(t, err,
			fmt.Sprintf("%q is not a share such as 3%%, above 0 and up to 1000%%", text))
		require.Zero(t, v)
	}
}

// TestBoundedUnits: constants are compared at once, and the lower quartiles of all
// others by a test.
func TestBoundedUnits(t *testing.T) {
	of := func(floor float64, base, head []float64) Comparison {
		c := compare(Comparison{Key: X, Unit: "allocs/op", Rule: Rule{bounded, 0.01, -1}, Floor: floor},
			sample{values: base}, sample{values: head}, 0.05)
		if c.tested() {
			c.decide(c.P, 0.05, false)
		}
		return c
	}
	require.Equal(t, Improvement, of(0, []float64{-100}, []float64{-102}).Verdict,
		"relative to the size of base")
	require.Equal(t, Same, of(1, []float64{100}, []float64{50}).Verdict, "a fall within the floor")
	rare := []float64{1000, 1000, 1000, 6200, 1000, 1000}
	require.Equal(t, Same, of(0, repeat(1000, 6), rare).Verdict, "of some results")
	c := of(0, []float64{1000, 6200, 1000, 6200, 1000, 6200, 6200},
		[]float64{1000, 1000, 1000, 1000, 6200, 1000, 1000})
	require.Zero(t, c.Shift.Value)
	require.Equal(t, Unknown, c.Verdict)
	require.Equal(t, "no regression over 1 %; the medians differ by -83.9 %, within their scatter", c.Why)
	require.True(t, c.Harmless)
	require.Empty(t, Report{Comparisons: []Comparison{c}}.open(), "more results are not needed")
	require.Equal(t, Pass, Report{Comparisons: []Comparison{c}}.Outcome())
	sized := compare(Comparison{Rule: Rule{exact, 0, -1}}, sample{values: []float64{-4}},
		sample{values: []float64{-2, -2}}, 0.05)
	require.InDelta(t, 0.5, sized.Shift.Value, 1e-12)
}
