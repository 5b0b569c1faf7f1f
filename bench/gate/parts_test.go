package gate // floorOf, note and compare are private steps of a report

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
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
	of := func(cs ...Comparison) Report { return Report{Comparisons: cs} }
	unknown, worse := compared("Y", wallTime, Unknown, 0), compared("Z", wallTime, Regression, 1)
	varies := unknown
	varies.Rule.Kind = exact
	wide := func(value, lo, hi float64, better Direction) Report {
		c := unknown
		c.Rule, c.Shift = Rule{noisy, 0.03, better}, Shift{value, lo, hi}
		return of(c)
	}
	slower, faster := wide(0.04, 0.01, 0.1, Lower), wide(0.04, 0.01, 0.1, Higher)
	strict := wide(0, 0, 0.04, Lower)
	slower.Alpha, faster.Alpha, strict.Strict = 0.05, 0.05, true
	for name, c := range map[string]struct {
		Report
		want Outcome
	}{
		"same":                 {of(), Pass},
		"new":                  {Report{New: []Cell{{Key: X}}}, Pass},
		"unknown":              {wide(0, -5, 0.29, Lower), Pass},
		"unknown, of a rate":   {wide(0, -0.29, 5, Higher), Pass},
		"unknown by ten times": {wide(0, -5, 0.31, Lower), Unclear},
		"either direction":     {wide(0, -0.31, 0, Either), Unclear},
		"not bounded":          {wide(0, math.Inf(-1), math.Inf(1), Lower), Unclear},
		"not a number":         {wide(0, math.NaN(), math.NaN(), Lower), Unclear},
		"exact, and varies":    {of(varies), Unclear},
		"seems worse":          {slower, Unclear},
		"seems better":         {faster, Pass},
		"not by a test":        {wide(0.04, 0.01, 0.1, Lower), Pass},
		"strict":               {strict, Unclear},
		"worse":                {of(worse), Regressed},
		"worse, and so":        {of(unknown, worse), Regressed},
		"missing":              {Report{Missing: []Cell{{}}}, Unclear},
		"unmeasured":           {Report{Unmeasured: []result.Key{X}}, Unclear},
		"interrupted":          {Report{Interrupted: true}, Unclear},
		"incomplete":           {Report{Incomplete: []string{"a"}}, Unclear},
	} {
		t.Run(name, func(t *testing.T) {
			c.Comparisons = append(c.Comparisons, compared("X", wallTime, Same, 0))
			require.Equal(t, c.want, c.Outcome())
		})
	}
	require.Equal(t, Unclear, of().Outcome(), "nothing was compared")
}

// TestVerdictsAreCounted: the first line has the number of each verdict, in the plural if it has one.
func TestVerdictsAreCounted(t *testing.T) {
	var r Report
	for _, want := range []string{
		"1 regression, 1 cannot tell, 1 changed by the layout of the binary, 1 changed, 1 improvement, " +
			"1 same",
		"2 regressions, 2 cannot tell, 2 changed by the layout of the binary, 2 changed, 2 improvements, " +
			"2 same",
	} {
		for _, v := range order {
			r.Comparisons = append(r.Comparisons, compared("X", wallTime, v, 0))
		}
		require.Equal(t, want, r.verdicts())
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

// TestNoteOfClocks: clocks disagree if both units are times with verdicts that differ.
func TestNoteOfClocks(t *testing.T) {
	verdicts := []Verdict{Same, Regression, Unknown}
	for _, judged := range []string{wallTime, "B/op"} {
		for _, beside := range []string{processTime, throughput} {
			for _, v := range verdicts {
				for _, other := range verdicts {
					r := Report{Comparisons: []Comparison{compared("X", judged, v, 0)},
						Beside: []Comparison{compared("Y", beside, Same, 0), compared("X", beside, other, 0)}}
					r.noteVerdicts()
					want := judged == wallTime && beside == processTime && v != other && v != Unknown &&
						other != Unknown
					notes := strings.Join(r.Notes, "\n")
					require.Equal(t, want, strings.Contains(notes, "the clocks disagree on X: "), notes)
				}
			}
		}
	}
}

// TestListsOfAReport: the text has each entry of each list.
func TestListsOfAReport(t *testing.T) {
	const entries = 20
	r := Report{Alpha: significance / 2, Looks: 3,
		Comparisons: []Comparison{compared("X", wallTime, Same, 0)},
		Beside:      []Comparison{compared("X", processTime, Same, 0), compared("X", throughput, Same, 0)}}
	var notes, incomplete, missing, fresh, unmeasured, contended, renamed []string
	for i := range entries {
		name := fmt.Sprint("N", i)
		k := result.Key{Name: name}
		r.Notes, notes = append(r.Notes, name), append(notes, "note: "+name)
		r.Incomplete, incomplete = append(r.Incomplete, name), append(incomplete, "incomplete: "+name)
		r.Missing, missing = append(r.Missing, Cell{Key: k}), append(missing, "missing: "+name)
		r.New, fresh = append(r.New, Cell{Key: k}), append(fresh, "new: "+name)
		r.Unmeasured, unmeasured = append(r.Unmeasured, k), append(unmeasured, "not measured: "+name)
		slow := Contention{Benchmark: k}
		r.Contended = append(r.Contended, slow)
		contended = append(contended, "more cores, slower: "+slow.String())
		r.Renamed, renamed = append(r.Renamed, name), append(renamed, "renamed? "+name)
	}
	var b strings.Builder
	require.NoError(t, r.WriteText(&b, true))
	_, after, _ := strings.Cut(b.String(), "\n")
	lists, table, _ := strings.Cut(after, "\n\n")
	require.Equal(t, slices.Concat(notes, incomplete, missing, fresh, unmeasured, contended, renamed),
		strings.Split(lists, "\n"))
	require.Contains(t, table, " confidence, look 3; ")
	b.Reset()
	require.NoError(t, r.WriteMarkdown(&b))
	var bullets []string
	for line := range strings.Lines(strings.ReplaceAll(b.String(), "`", "")) {
		if entry, is := strings.CutPrefix(line, "* "); is {
			bullets = append(bullets, strings.TrimSpace(entry))
		}
	}
	require.Equal(t, slices.Concat(r.Notes, incomplete, missing, fresh, unmeasured, contended, renamed),
		bullets)
	b.Reset()
	require.NoError(t, r.WriteJSON(&b))
	var kept map[string]any
	require.NoError(t, json.Unmarshal([]byte(b.String()), &kept))
	for _, list := range []string{"notes", "incomplete", "missing", "new", "unmeasured",
		"slower_with_more_cores", "renamed"} {
		require.Len(t, kept[list], entries, list)
	}
	var shown [][2]string
	for _, row := range r.rows(true, true) {
		shown = append(shown, [2]string{row.cells[0], row.cells[5]})
	}
	require.Equal(t,
		[][2]string{{wallTime, "same"}, {processTime, "not judged"}, {throughput, "derived"}}, shown)
}

// TestReasonsOfAVerdict: each reason follows the others.
func TestReasonsOfAVerdict(t *testing.T) {
	c := compared("X", wallTime, Same, 0)
	c.Rule.Limit, c.P, c.Floor, c.Relinked, c.Base.N, c.Head.N = 0.03, 0.5, 0.01, 0.02, 6, 7
	c.Why, c.layouts.several, c.Grown = "why", true, []Growth{{"p.f", 0.12}, {"p.g", 0.03}}
	require.Equal(t, "no regression over 3 %, why, p=0.500 n=6+7, repeated 1 %, relinked 2 %, "+
		"more time in p.f +12 %, p.g +3 %", explanation(c))
	load := Comparison{Verdict: Unknown, load: true, P: 0.25, Rule: Rule{Kind: noisy}}
	require.Equal(t, "needs longer runs, p=0.250", explanation(load))
	load.noInterval, load.Why = "short", "no interval: short"
	require.Equal(t, "no interval: short", explanation(load))
}

// TestLimitOfAProof: the limit to keep is half of the least slow-down that is found, and
// above the changes of noisy units without a fault, except by layouts.
func TestLimitOfAProof(t *testing.T) {
	for _, row := range []struct {
		Kind
		Verdict
		limit string
	}{{noisy, Unknown, "40%"}, {noisy, Layout, "10%"}, {exact, Changed, "10%"}} {
		c := Comparison{Rule: Rule{Kind: row.Kind}, Verdict: row.Verdict, Shift: Shift{Value: -0.4}}
		var p Proof
		p.Add(Fault{Name: "none"}, Report{Comparisons: []Comparison{c}})
		var b strings.Builder
		require.NoError(t, p.WriteText(&b))
		require.Contains(t, b.String(), "unit sec/op "+row.limit+"\n", row)
	}
	var p Proof
	slower := compared("X", wallTime, Regression, 0.4)
	p.Add(Fault{Name: "+40 %", Slower: 0.4}, Report{Comparisons: []Comparison{slower}})
	p.Add(Fault{Name: "nothing", Nothing: true}, Report{Comparisons: []Comparison{slower}})
	var b strings.Builder
	require.NoError(t, p.WriteText(&b))
	require.Contains(t, b.String(), "unit sec/op 20%\n", "half of a slow-down that is found")
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
