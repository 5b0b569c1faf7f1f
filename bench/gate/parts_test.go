package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/schedule"
	run "github.com/zkatbench/zkatbench/runner/stats"
)

// X is the case of most tests.
var X = result.Key{Package: "p", Name: "X"}

// TestFloorExactly: the floor of a cell is the absolute shift between both
// parts. A missing or infinite unit is left out.
func TestFloorExactly(t *testing.T) {
	inf := math.Inf(1)
	d := data(t, "", map[string][]float64{"a/op": {10, 10, 10, 12, 12}, "b/op": {10, 8}, "c/op": {1}, "d/op": {inf, 1}, "e/op": {1, inf}, "g/op": {2, 3}})
	f := floorOf(d, secondHalf)
	require.Len(t, f, 3)
	require.InDelta(t, 0.2, f[Cell{X, "a/op"}], 1e-12, "of 10, 10 and 10, 12, 12")
	require.InDelta(t, 0.2, f[Cell{X, "b/op"}], 1e-12, "a fall")
	require.InDelta(t, 0.5, f[Cell{X, "g/op"}], 1e-12)
	d = data(t, "", map[string][]float64{"a/op": {10, 12, 10, 12, 11}})
	require.InDelta(t, 0.2, floorOf(d, odd)[Cell{X, "a/op"}], 1e-12, "of 10, 10, 11 and 12, 12")
	require.Empty(t, floorOf(result.NewData(), odd))
}

// TestUnitsOfACase: each unit of base is compared, put beside, missing or left out by
// itself, in the order of base, and so are the units after it.
func TestUnitsOfACase(t *testing.T) {
	samples := map[string][]float64{
		"ignored/op": {1}, cpuThreads: {1}, processTime: {1}, wallTime: {2}, cpuTime: {1}, "one-sided": {1}, "allocs/op": {7}, "B/op": {5}, "size": {3},
	}
	order := []string{"ignored/op", cpuThreads, processTime, wallTime, cpuTime, "one-sided", "allocs/op", "absent", "B/op", "size"}
	side := func(scale float64, without ...string) *result.Data {
		d := result.NewData()
		d.Cases, d.Units, d.Values[X] = []result.Key{X}, order, map[string][]float64{}
		for unit, xs := range samples {
			d.Values[X][unit] = []float64{xs[0] * scale}
		}
		for _, unit := range without {
			delete(d.Values[X], unit)
		}
		return d
	}
	units := func(cs []Comparison) (all []string) {
		for _, c := range cs {
			all = append(all, c.Unit)
			require.InDelta(t, 1, c.Shift.Value, 1e-12, "from one to two: %s", c.Unit)
			require.Equal(t, [2]int{1, 1}, [2]int{c.Base.N, c.Head.N})
			require.InDelta(t, samples[c.Unit][0], c.Base.Median, 1e-12)
		}
		return all
	}
	look := func(rules string, base, head *result.Data) Report {
		r, err := ParseRules(strings.NewReader("ignore .unit:ignored/op\n"+rules), "rules")
		require.NoError(t, err)
		return (&Judge{Rules: r, Once: true}).Look(base, head)
	}
	one, two := side(1, cpuThreads), side(2, cpuThreads)
	r := look("", one, two)
	require.Equal(t, []string{cpuTime, "one-sided", "allocs/op", "B/op", "size"}, units(r.Comparisons))
	require.Equal(t, []string{wallTime}, units(r.Beside))
	require.Empty(t, r.Missing)

	r = look("", side(1), side(2))
	require.Equal(t, []string{wallTime, "one-sided", "allocs/op", "B/op", "size"}, units(r.Comparisons))
	require.Equal(t, []string{cpuTime, processTime}, units(r.Beside))

	r = look("", one, side(2, cpuThreads, "one-sided", "allocs/op", "size"))
	require.Equal(t, []string{cpuTime, "B/op"}, units(r.Comparisons))
	require.Equal(t, []Cell{{X, "allocs/op"}}, r.Missing)
	require.Subset(t, r.Notes, []string{"HEAD has no one-sided of X", "HEAD has no size of X"})

	r = look("", one, side(2, wallTime))
	require.Equal(t, []string{cpuTime, "one-sided", "allocs/op", "B/op", "size"}, units(r.Comparisons))
	require.Equal(t, []Cell{{X, wallTime}}, r.Missing, "time does not go")
	require.Empty(t, r.Beside)

	r = look("", one, side(2, cpuTime, cpuThreads))
	require.Equal(t, []string{wallTime, "one-sided", "allocs/op", "B/op", "size"}, units(r.Comparisons))
	require.Equal(t, []string{processTime}, units(r.Beside))
	require.Empty(t, r.Missing, "HEAD is of a revision without processor time")

	r = look("ignore .unit:sec/op", one, two)
	require.Equal(t, []string{"one-sided", "allocs/op", "B/op", "size"}, units(r.Comparisons))
	require.Empty(t, r.Beside)
	r = look("", side(1, cpuTime), side(2, cpuTime, processTime))
	require.Equal(t, []string{wallTime, "one-sided", "allocs/op", "B/op", "size"}, units(r.Comparisons))
	require.Empty(t, r.Missing, "the time of a process may be missing")
	wall := Judge{Rules: Rules{Wall: true}, Once: true}
	r = wall.Look(side(1, cpuTime, "ignored/op"), side(2, cpuTime))
	require.Equal(t, []string{wallTime, "one-sided", "allocs/op", "B/op", "size"}, units(r.Comparisons))
	require.Empty(t, r.Beside, "wall time was asked for")
}

// TestVerdictBeside: the other clock has a verdict of its own, at the level of one
// comparison, and no correction.
func TestVerdictBeside(t *testing.T) {
	base, head := shifted()
	with := func(wall, cpu []float64) *result.Data {
		return data(t, "", map[string][]float64{wallTime: wall, cpuTime: cpu, "a/op": around(1, 2), "b/op": around(1, 2), "c/op": around(1, 2), "d/op": around(1, 2)})
	}
	r := (&Judge{Once: true}).Look(with(base, around(1, 1)), with(head, around(1, 1)))
	require.Len(t, r.Beside, 1)
	require.Equal(t, Regression, r.Beside[0].Verdict)
	require.Equal(t, pValue(base, head), r.Beside[0].P)
	require.Equal(t, r.Beside[0].P, r.Beside[0].Adjusted)
	require.Positive(t, r.Beside[0].Shift.Value)

	floor := Floor{Cell{X, wallTime}: 0.5}
	r = (&Judge{Once: true, Floor: floor}).Look(with(base, around(1, 1)), with(head, around(1, 1)))
	require.Equal(t, Unknown, r.Beside[0].Verdict, "base differs from itself by more")
	require.Equal(t, "base differs from itself by 50 %", r.Beside[0].Why)
}

// TestCasesOfALook: cases of one side only, and cases that a rule ignores.
func TestCasesOfALook(t *testing.T) {
	of := func(names ...string) *result.Data {
		d := result.NewData()
		for _, n := range names {
			require.NoError(t, d.Read(strings.NewReader("pkg: p\nBenchmark"+n+" 1000 1000000 ns/op\n"), ""))
		}
		return d
	}
	rules, err := ParseRules(strings.NewReader("ignore .name:/Slow.*/"), "rules")
	require.NoError(t, err)
	j := Judge{Rules: rules}
	r := j.Look(of("SlowBase", "A", "B", "Slow", "C"), of("SlowHead", "D", "C", "Slow", "E", "A"))
	require.Equal(t, []Cell{{Key: result.Key{Package: "p", Name: "B"}}}, r.Missing)
	require.Equal(t, []result.Key{{Package: "p", Name: "D"}, {Package: "p", Name: "E"}}, r.New)
	var names []string
	for _, c := range r.Comparisons {
		names = append(names, c.Key.Name)
	}
	require.Equal(t, []string{"A", "C"}, names)
	require.Equal(t, 1, r.Looks)
	require.InDelta(t, 0.025, r.Alpha, 1e-15)
	require.InDelta(t, 0.05/6, j.Look(of("A"), of("A")).Alpha, 1e-15)
}

// TestMetadataOfBothSides: base has priority, and head adds what base lacks.
func TestMetadataOfBothSides(t *testing.T) {
	of := func(meta string) *result.Data { return data(t, meta, map[string][]float64{"u": {1}, "v": {1}}) }
	base, head := of("Unit u better=lower"), of("Unit u better=higher\nUnit v better=higher")
	want := map[string]int{"u": -1, "v": 1}
	for _, c := range (&Judge{Once: true}).Look(base, head).Comparisons {
		require.Equal(t, want[c.Unit], c.Rule.Better, c.Unit)
	}
	require.Len(t, head.Meta, 2)
	require.Len(t, base.Meta, 1, "the data stay as they are")
}

// TestOpenCases: a case is open once, if a unit of it has no verdict and is not exact.
func TestOpenCases(t *testing.T) {
	sized := compared("E", "size", Unknown, 0)
	sized.Rule.Kind = exact
	r := Report{Comparisons: []Comparison{
		sized, compared("S", wallTime, Same, 0), compared("U", wallTime, Unknown, 0), compared("R", wallTime, Regression, 0),
		compared("U", cpuTime, Unknown, 0), compared("V", wallTime, Unknown, 0),
	}}
	require.Equal(t, []result.Key{{Package: "p", Name: "U"}, {Package: "p", Name: "V"}}, r.open())
	require.False(t, r.exactRegression())
	sized.Verdict = Regression
	r.Comparisons = append(r.Comparisons, sized)
	require.True(t, r.exactRegression())
}

// TestOutcomeExactly: each fact by itself that stands against Pass.
func TestOutcomeExactly(t *testing.T) {
	same, unknown, worse := compared("X", wallTime, Same, 0), compared("Y", wallTime, Unknown, 0), compared("Z", wallTime, Regression, 1)
	wide := func(lo, hi float64, better int) func(*Report) {
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
		"new":                  {func(r *Report) { r.New = []result.Key{X} }, Pass},
		"unknown":              {wide(-5, 0.29, -1), Pass},
		"unknown, of a rate":   {wide(-0.29, 5, 1), Pass},
		"unknown by ten times": {wide(-5, 0.31, -1), Unclear},
		"either direction":     {wide(-0.31, 0, 0), Unclear},
		"not bounded":          {wide(math.Inf(-1), math.Inf(1), -1), Unclear},
		"not a number":         {wide(math.NaN(), math.NaN(), -1), Unclear},
		"exact, and varies": {func(r *Report) {
			c := unknown
			c.Rule.Kind = exact
			r.Comparisons = append(r.Comparisons, c)
		}, Unclear},
		"seems worse":   {func(r *Report) { r.Alpha = 0.05; wide(0.01, 0.1, -1)(r); r.Comparisons[1].Shift.Value = 0.04 }, Unclear},
		"seems better":  {func(r *Report) { r.Alpha = 0.05; wide(0.01, 0.1, 1)(r); r.Comparisons[1].Shift.Value = 0.04 }, Pass},
		"not by a test": {func(r *Report) { wide(0.01, 0.1, -1)(r); r.Comparisons[1].Shift.Value = 0.04 }, Pass},
		"strict":        {func(r *Report) { r.Strict = true; wide(0, 0.04, -1)(r) }, Unclear},
		"worse":         {func(r *Report) { r.Comparisons = append(r.Comparisons, worse) }, Regressed},
		"worse, and so": {func(r *Report) { r.Comparisons = append(r.Comparisons, unknown, worse) }, Regressed},
		"missing":       {func(r *Report) { r.Missing = []Cell{{}} }, Unclear},
		"unmeasured":    {func(r *Report) { r.Unmeasured = []result.Key{X} }, Unclear},
		"none":          {func(r *Report) { r.Comparisons = nil }, Unclear},
		"interrupted":   {func(r *Report) { r.Interrupted = true }, Unclear},
		"incomplete":    {func(r *Report) { r.Incomplete = []string{"a"} }, Unclear},
	} {
		r := Report{Comparisons: []Comparison{same}}
		c.change(&r)
		require.Equal(t, c.want, r.Outcome(), name)
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

// TestJSONExactly: every field of a report.
func TestJSONExactly(t *testing.T) {
	noisy := Comparison{
		Key: X, Unit: wallTime, Rule: Rule{noisy, 0.03, -1}, Base: Side{10, 1}, Head: Side{11, 1.5}, Shift: Shift{0.5, 0.25, 0.75},
		Floor: 0.125, P: 0.01, Adjusted: 0.02, Verdict: Regression, Why: "so",
	}
	sized := noisy
	sized.Unit, sized.Rule.Kind, sized.Floor, sized.Shift.Value = "size", exact, math.NaN(), math.Inf(1)
	infinite := noisy
	infinite.Shift.Lo, infinite.Shift.Hi = math.Inf(-1), math.Inf(1)
	r := Report{
		Base: "a", Head: "b", Revisions: [2]string{"1", "2"}, Comparisons: []Comparison{noisy, sized}, Beside: []Comparison{infinite},
		Missing: []Cell{{X, "u"}, {Key: X}}, New: []result.Key{{Package: "q", Name: "N"}}, Unmeasured: []result.Key{{Package: "q", Name: "U"}},
		Alpha: 0.05, Looks: 3, Interrupted: true, Incomplete: []string{"cut"}, Notes: []string{"note"},
	}
	var b strings.Builder
	require.NoError(t, r.WriteJSON(&b))
	const sides = `"base": {"n": 10, "median": 1}, "head": {"n": 11, "median": 1.5}`
	require.JSONEq(t, `{
		"outcome": "regression", "base": "a", "head": "b", "revisions": ["1", "2"], "interrupted": true, "incomplete": ["cut"],
		"alpha": 0.05, "looks": 3, "notes": ["note"],
		"comparisons": [
			{"package": "p", "name": "X", "unit": "sec/op", "kind": "noisy", "verdict": "regression", `+sides+`, "shift": 0.5, "lo": 0.25, "hi": 0.75,
			 "limit": 0.03, "floor": 0.125, "p": 0.01, "adjusted_p": 0.02, "why": "so"},
			{"package": "p", "name": "X", "unit": "size", "kind": "exact", "verdict": "regression", `+sides+`, "limit": 0.03, "why": "so"}
		],
		"not_judged": [
			{"package": "p", "name": "X", "unit": "sec/op", "kind": "noisy", "verdict": "regression", `+sides+`, "shift": 0.5,
			 "limit": 0.03, "floor": 0.125, "p": 0.01, "adjusted_p": 0.02, "why": "so"}
		],
		"missing": [{"package": "p", "name": "X", "unit": "u"}, {"package": "p", "name": "X"}],
		"new": [{"package": "q", "name": "N"}], "unmeasured": [{"package": "q", "name": "U"}]
	}`, b.String())
	require.Contains(t, b.String(), "{\n  \"alpha\"", "indented by two")
	b.Reset()
	require.NoError(t, Report{}.WriteJSON(&b))
	require.True(t, json.Valid([]byte(b.String())))
	require.NotContains(t, b.String(), "revisions")
	require.NotContains(t, b.String(), "not_judged")
	require.NotContains(t, b.String(), "null")
}

// full takes no bytes.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestTextExactly: all parts of a report as text and as Markdown.
func TestTextExactly(t *testing.T) {
	worse := Comparison{Key: X, Unit: wallTime, Rule: Rule{noisy, 0.03, -1}, Base: Side{10, 1}, Head: Side{9, 1.5}, Shift: Shift{0.5, 0.25, 0.75}, P: 0.0123, Verdict: Regression}
	same := worse
	same.Unit, same.Shift, same.Verdict, same.P = cpuTime, Shift{0.001, -0.01, 0.01}, Same, 0.5
	r := Report{
		Base: "a", Head: "b", Revisions: [2]string{"1234", "abcd"}, Comparisons: []Comparison{same, worse}, Beside: []Comparison{worse},
		Missing: []Cell{{X, "u"}}, New: []result.Key{{Package: "q", Name: "N"}}, Unmeasured: []result.Key{{Package: "q", Name: "U"}},
		Alpha: 0.025, Looks: 1, Interrupted: true, Incomplete: []string{"c: cut"}, Notes: []string{"first", "second"},
	}
	const top = `regression: a → b: 1 regression, 1 same, 1 missing, 1 new, 1 not measured, interrupted
note: first
note: second
incomplete: c: cut
missing: p.X u
new: q.N
not measured: q.U

`
	const bottom = `
intervals: 95 % confidence, look 1; false alarms: at most 5 % for all 2 together
`
	const head = "  unit         base   head   change       interval  verdict\np.X\n"
	var b strings.Builder
	require.NoError(t, r.WriteText(&b, true))
	require.Equal(t, top+head+
		"  sec/op      1.000  1.500    +50 %  +25 % … +75 %  regression\n    p=0.012 n=10+9, repeated 0 %\n"+
		"  cpu-sec/op  1.000  1.500  +0.10 %    -1 % … +1 %  same\n    no regression over 3 %, p=0.500 n=10+9, repeated 0 %\n"+
		"  sec/op      1.000  1.500    +50 %  +25 % … +75 %  not judged\n    p=0.012 n=10+9, repeated 0 %\n"+bottom, b.String())
	b.Reset()
	require.NoError(t, r.WriteText(&b, false))
	require.Equal(t, top+strings.NewReplacer("unit    ", "unit", "head   change", "head  change").Replace(head)+
		"  sec/op  1.000  1.500   +50 %  +25 % … +75 %  regression\n    p=0.012 n=10+9, repeated 0 %\n"+bottom, b.String())
	b.Reset()
	require.NoError(t, r.WriteMarkdown(&b))
	require.Equal(t, "### Benchmarks: regression\n\n`a` → `b`: 1 regression, 1 same, 1 missing, 1 new, 1 not measured, interrupted.\n"+
		"* first\n* second\n* incomplete: c: cut\n* missing: `p.X u`\n* new: `q.N`\n* not measured: `q.U`\n\n"+
		"| case | unit | base | head | change | interval | verdict |\n| --- | --- | ---: | ---: | ---: | ---: | --- |\n"+
		"| `p.X` | sec/op | 1.000 | 1.500 | +50 % | +25 % … +75 % | regression (p=0.012 n=10+9, repeated 0 %) |\n\n"+
		"<details><summary>1 the same</summary>\n\n"+
		"| case | unit | base | head | change | interval | verdict |\n| --- | --- | ---: | ---: | ---: | ---: | --- |\n"+
		"| `p.X` | cpu-sec/op | 1.000 | 1.500 | +0.10 % | -1 % … +1 % | same (no regression over 3 %, p=0.500 n=10+9, repeated 0 %) |\n\n</details>\n\n"+
		"Intervals have 95 % confidence; false alarms: at most 5 % for all comparisons together.\n", b.String())
	for _, write := range []func(io.Writer) error{r.WriteMarkdown, r.WriteJSON, func(w io.Writer) error { return r.WriteText(w, true) }} {
		require.ErrorIs(t, write(full{}), errFull)
	}
}

func TestIntervals(t *testing.T) {
	require.Equal(t, "-1 % … +2 %", interval(Shift{0, -0.01, 0.02}))
	require.Equal(t, "unknown", interval(Shift{0, math.Inf(-1), 0.02}))
	require.Equal(t, "unknown", interval(Shift{0, 0.01, math.Inf(1)}))
}

// TestExplanations: the reasons of each kind of verdict.
func TestExplanations(t *testing.T) {
	of := func(v Verdict, k Kind, change func(*Comparison)) Comparison {
		c := Comparison{Verdict: v, Rule: Rule{Kind: k, Limit: 0.03}, P: 0.25, Base: Side{N: 3}, Head: Side{N: 4}}
		if change != nil {
			change(&c)
		}
		return c
	}
	for _, c := range []struct {
		c    Comparison
		want string
	}{
		{of(Same, noisy, nil), "no regression over 3 %, p=0.250 n=3+4, repeated 0 %"},
		{of(Same, bounded, func(c *Comparison) { c.constant = true }), ""},
		{of(Regression, exact, nil), ""},
		{of(Regression, noisy, nil), "p=0.250 n=3+4, repeated 0 %"},
		{of(Unknown, noisy, nil), "p=0.250 n=3+4, repeated 0 %"},
		{of(Unknown, exact, func(c *Comparison) { c.Why = "so" }), "so"},
		{of(Layout, noisy, func(c *Comparison) { c.Why, c.Relinked, c.layouts.several = "so", 0.26, true }), "so, p=0.250 n=3+4, repeated 0 %, relinked 26 %"},
		{of(Unknown, noisy, func(c *Comparison) { c.load = true }), "needs longer runs, p=0.250"},
		{of(Unknown, noisy, func(c *Comparison) { c.load, c.Why, c.noInterval = true, "no interval: so", "so" }), "no interval: so"},
		{of(Regression, noisy, func(c *Comparison) { c.load = true }), "p=0.250"},
	} {
		require.Equal(t, c.want, explanation(c.c), "%+v", c.c)
	}
}

// TestOrderOfRows: by verdict, then from worst to best, then as they came.
func TestOrderOfRows(t *testing.T) {
	of := func(name string, v Verdict, shift float64, better int) Comparison {
		c := compared(name, "u", v, shift)
		c.Rule.Better = better
		return c
	}
	r := Report{Comparisons: []Comparison{
		of("s", Same, 0, -1), of("i", Improvement, -0.5, -1), of("u", Unknown, 9, -1), of("r1", Regression, 0.1, -1), of("r3", Regression, -0.3, 1), of("r2", Regression, 0.1, -1), of("r4", Regression, 0.2, 0),
	}}
	var names []string
	for _, c := range r.sorted() {
		names = append(names, c.Key.Name)
	}
	require.Equal(t, []string{"r3", "r4", "r1", "r2", "u", "i", "s"}, names)
	require.Equal(t, "s", r.Comparisons[0].Key.Name, "the report keeps its order")
	require.Equal(t, "4 regressions, 1 cannot tell, 1 improvement, 1 same", r.verdicts())
	require.Equal(t, "no comparison", Report{}.verdicts())
	r = Report{Comparisons: []Comparison{of("a", Unknown, 0, 0), of("b", Unknown, 0, 0), of("c", Same, 0, 0), of("d", Same, 0, 0), of("e", Improvement, 0, 0), of("f", Improvement, 0, 0)}, Missing: make([]Cell, 2), New: make([]result.Key, 3), Unmeasured: make([]result.Key, 4)}
	require.Equal(t, "2 cannot tell, 2 improvements, 2 same, 2 missing, 3 new, 4 not measured", r.verdicts())
}

// TestShortNames: the last part of a package stands for it if no other package of the
// report has the same one.
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
		got, err := ParseLimit(text)
		require.NoError(t, err)
		require.InDelta(t, want, got, 1e-12)
	}
	for _, text := range []string{"0%", "-1%", "1000.1%", "3", "x%", "NaN%", "", "Inf%"} {
		v, err := ParseLimit(text)
		require.EqualError(t, err, fmt.Sprintf("%q is not a share such as 3%%, above 0 and up to 1000%%", text))
		require.Zero(t, v)
	}
	none := data(t, "", map[string][]float64{"u": {1}}).Meta
	require.Equal(t, Rule{noisy, 0.03, -1}, Rules{}.of(wallTime, none))
	require.Equal(t, Rule{noisy, 0.1, -1}, Rules{Limit: 0.1}.of(wallTime, none))
	require.Equal(t, Rule{bounded, 0.01, -1}, Rules{Limit: 0.1}.of("allocs/op", none))
	require.Equal(t, Rule{bounded, 0.002, -1}, Rules{}.of("instr/op", none))
}

// TestRulesExactly: rules by unit, in any order of words, and their errors.
func TestRulesExactly(t *testing.T) {
	rules, err := ParseRules(strings.NewReader("unit a bounded\nunit b exact 5%\nunit c higher\nunit sec/op 7% either bounded\nunit process-cpu-sec/op 9%\nunit e noisy\nunit f 2% bounded lower"), "f")
	require.NoError(t, err)
	for unit, want := range map[string]Rule{
		"a": {bounded, 0.01, 0}, "b": {exact, 0.05, 0}, "c": {noisy, 0.03, 1}, wallTime: {bounded, 0.07, 0}, cpuTime: {bounded, 0.07, 0},
		processTime: {noisy, 0.09, -1}, "e": {noisy, 0.03, 0}, "f": {bounded, 0.02, -1}, "instr/op": {bounded, 0.002, -1}, "other": {noisy, 0.03, 0},
	} {
		require.Equal(t, want, rules.of(unit, nil), unit)
	}
	meta := data(t, "Unit a better=higher\nUnit c better=lower\nUnit g/op better=higher assume=exact\nUnit h/op better=neither", map[string][]float64{"u": {1}}).Meta
	require.Equal(t, Rule{bounded, 0.01, 1}, rules.of("a", meta))
	require.Equal(t, Rule{noisy, 0.03, 1}, rules.of("c", meta), "a rule has priority")
	require.Equal(t, Rule{exact, 0, 1}, rules.of("g/op", meta))
	require.Equal(t, Rule{noisy, 0.03, 0}, rules.of("h/op", meta), "a direction without a name here")
	const form = "is neither unit NAME [exact|bounded|noisy] [N%] [lower|higher|either], nor ignore FILTER"
	for text, want := range map[string]string{
		"\n# c\n unit x  3 # d": `f:3: "unit x  3" ` + form, "unit x 3%\nunit x 4%": `f:2: "unit x 4%" there is already a rule for this unit`,
		"unit x exact exact": `f:1: "unit x exact exact" ` + form, "unit x lower lower": `f:1: "unit x lower lower" ` + form, "unit x 3% 3%": `f:1: "unit x 3% 3%" ` + form,
	} {
		_, err := ParseRules(strings.NewReader(text), "f")
		require.EqualError(t, err, want)
	}
	_, err = ParseRules(strings.NewReader(strings.Repeat("#", 1<<17)), "f")
	require.ErrorContains(t, err, "token too long")
	_, err = ParseRules(strings.NewReader("ignore"), "f")
	require.EqualError(t, err, `f:1: "ignore" `+form)
	_, err = ParseRules(strings.NewReader("ignore ("), "f")
	require.ErrorContains(t, err, `f:1: "ignore (" `+form+": ")
}

// TestShiftsExactly: ratios of values, or differences relative to the median of base if it
// has a value that is not positive.
func TestShiftsExactly(t *testing.T) {
	s := shiftOf([]float64{1, 2, 4}, []float64{2}, 0)
	require.InDelta(t, 0, s.Value, 1e-12, "of 1, 0 and -1/2")
	s = shiftOf([]float64{0, 2, 4}, []float64{3}, 0)
	require.InDelta(t, 0.5, s.Value, 1e-12, "of 3/2, 1/2 and -1/2")
	s = shiftOf([]float64{0.5, 2}, []float64{1}, 0)
	require.InDelta(t, 0.25, s.Value, 1e-12, "of 1 and -1/2")
	// With 4 and 4 values P(U < 1) = 1/70, so at tails of 2.5 % the ends are the extremes.
	base, head := []float64{10, 10, 10, 10}, []float64{11, 12, 13, 14}
	s = shiftOf(base, head, 0.95)
	require.Equal(t, Shift{0.25, 0.1, 0.4}, rounded(s))
	s = shiftOf(base, head, 0.975)
	require.Equal(t, []float64{math.Inf(-1), math.Inf(1)}, []float64{s.Lo, s.Hi}, "1/70 is above 1.25 %")
	require.Equal(t, 1, rank(4, 4, 0.0143))
	require.Zero(t, rank(4, 4, 0.0142))
	require.Equal(t, 1, rank(4, 4, 0.0143), "again")
	require.Equal(t, 8, rank(4, 4, 0.5), "the middle of 0 to 16")
	require.Equal(t, 1, rank(1, 1, 0.5))
	require.Zero(t, share(0, 0))
	require.InDelta(t, -0.5, share(-1, 2), 1e-12)
}

// TestVerdictExactly: the limits of a verdict on a noisy unit.
func TestVerdictExactly(t *testing.T) {
	of := func(s Shift, limit, floor float64, better int) *Comparison {
		return &Comparison{Rule: Rule{noisy, limit, better}, Shift: s, Floor: floor, Base: Side{N: 20}, Head: Side{N: 10}, Why: "old"}
	}
	for name, c := range map[string]struct {
		c        *Comparison
		adjusted float64
		want     Verdict
		why      string
	}{
		"worse":                     {of(Shift{0.5, 0.4, 0.6}, 0.25, 0, -1), 0.04, Regression, ""},
		"at the limit":              {of(Shift{0.25, 0.2, 0.3}, 0.25, 0, -1), 0.04, Unknown, ""},
		"at the level":              {of(Shift{0.5, 0.4, 0.6}, 0.25, 0, -1), 0.05, Unknown, ""},
		"better":                    {of(Shift{-0.5, -0.6, -0.4}, 0.25, 0, -1), 0.04, Improvement, ""},
		"a rate falls":              {of(Shift{-0.5, -0.6, -0.4}, 0.25, 0, 1), 0.04, Regression, ""},
		"no direction":              {of(Shift{-0.5, -0.6, -0.4}, 0.25, 0, 0), 0.04, Regression, ""},
		"below the floor":           {of(Shift{0.5, 0.4, 0.6}, 0.25, 0.5, -1), 0.04, Unknown, "base differs from itself by 50 %"},
		"below it, no significance": {of(Shift{0.5, 0.4, 0.6}, 0.25, 0.5, -1), 0.05, Unknown, ""},
		"same":                      {of(Shift{0, -0.9, 0.24}, 0.25, 0, -1), 1, Same, ""},
		"the end is at the limit":   {of(Shift{0, -0.9, 0.25}, 0.25, 0, -1), 1, Unknown, ""},
		"the end of a rate":         {of(Shift{0, -0.25, 0.9}, 0.25, 0, 1), 1, Unknown, ""},
		"a rate is the same":        {of(Shift{0, -0.24, 0.9}, 0.25, 0, 1), 1, Same, ""},
		"better, and in the floor":  {of(Shift{-0.5, -0.6, -0.4}, 0.25, 0.5, -1), 0.04, Same, ""},
	} {
		c.c.decide(c.adjusted, 0.05, false)
		require.Equal(t, c.want, c.c.Verdict, name)
		require.Equal(t, c.why, c.c.Why, name)
		require.Equal(t, c.adjusted, c.c.Adjusted)
	}
}

// TestBoundedExactly: constants are compared at once, and the lower quartiles of all
// others by a test.
func TestBoundedExactly(t *testing.T) {
	of := func(floor float64, base, head []float64) Comparison {
		c := compare(Comparison{Key: X, Unit: "allocs/op", Rule: Rule{bounded, 0.01, -1}, Floor: floor}, sample{values: base}, sample{values: head}, 0.05)
		if c.tested() {
			c.decide(c.P, 0.05, false)
		}
		return c
	}
	require.Equal(t, Improvement, of(0, []float64{-100}, []float64{-102}).Verdict, "relative to the size of base")
	require.Equal(t, Same, of(1, []float64{100}, []float64{50}).Verdict, "a fall within the floor")
	require.Equal(t, Regression, of(0, []float64{20, 20}, []float64{21, 21}).Verdict)
	rare := []float64{1000, 1000, 1000, 6200, 1000, 1000}
	require.Equal(t, Same, of(0, repeat(1000, 6), rare).Verdict, "of some results")
	c := of(0, []float64{1000, 6200, 1000, 6200, 1000, 6200, 6200}, []float64{1000, 1000, 1000, 1000, 6200, 1000, 1000})
	require.Zero(t, c.Shift.Value)
	require.Equal(t, Unknown, c.Verdict)
	require.Equal(t, "no regression over 1 %; the medians differ by -83.9 %, within their scatter", c.Why)
	require.True(t, c.Harmless)
	require.Empty(t, Report{Comparisons: []Comparison{c}}.open(), "more results are not needed")
	require.Equal(t, Pass, Report{Comparisons: []Comparison{c}}.Outcome())
	require.Equal(t, Unknown, of(0, []float64{1000, 1000}, []float64{6200, 6201}).Verdict, "too few for the test")
	require.Equal(t, Regression, of(0, around(1000, 0.1), around(1100, 0.1)).Verdict)
	bad := of(0, []float64{math.NaN()}, []float64{1, 2})
	require.Equal(t, [2]Side{{N: 1}, {N: 2}}, [2]Side{bad.Base, bad.Head})
	require.Equal(t, exact, bad.Rule.Kind)
	sized := compare(Comparison{Rule: Rule{exact, 0, -1}}, sample{values: []float64{-4}}, sample{values: []float64{-2, -2}}, 0.05)
	require.InDelta(t, 0.5, sized.Shift.Value, 1e-12)
	require.Equal(t, Regression, sized.Verdict)
}

// TestFiguresOfARun: in seconds, with intervals or the reason for none.
func TestFiguresOfARun(t *testing.T) {
	r := served(t, 1, 5*time.Millisecond, 0)
	fs := figuresOf(r)
	mean, p90 := r.Mean(), r.Quantile(0.9)
	seconds := func(e runner.Estimate) runner.Estimate {
		e.Value, e.Interval = e.Value/1e9, &run.Interval{Low: e.Interval.Low / 1e9, High: e.Interval.High / 1e9}
		return e
	}
	require.Equal(t, loadFigure{"mean-sec/op", -1, seconds(mean)}, fs[0])
	require.Equal(t, loadFigure{"p90-sec/op", -1, seconds(p90)}, fs[2])
	require.InDelta(t, 0.005, fs[0].Value, 0.0005)
	through, ok := r.ThroughputInterval()
	require.True(t, ok)
	require.Equal(t, loadFigure{"ops/s", 1, runner.Estimate{Value: r.Throughput(), Interval: &through}}, fs[len(fs)-1])

	short := &runner.Result{Latency: r.Latency, Records: 50, Done: r.Done, Weighted: r.Weighted, Elapsed: r.Elapsed}
	var units []string
	for _, f := range figuresOf(short) {
		units = append(units, f.unit)
		if f.unit == "mean-sec/op" || f.unit == "ops/s" {
			require.Nil(t, f.Interval)
			require.NotEmpty(t, f.Reason)
		}
	}
	require.Equal(t, []string{"mean-sec/op", "p50-sec/op", "p90-sec/op", "ops/s"}, units, "50 latencies are too few for others")

	c := compareLoad(Rules{}, X, r, short)
	require.Len(t, c, 4)
	require.Equal(t, Side{1, mean.Value / 1e9}, c[0].Base)
	require.Equal(t, Side{1, 0}, c[0].Head)
	require.Equal(t, short.Mean().Reason, c[0].noInterval)
	require.Equal(t, -1, c[0].Rule.Better)
	require.Equal(t, 1, c[3].Rule.Better)
	require.True(t, c[0].load)
	require.Empty(t, c[1].noInterval)
	require.Equal(t, "short window", c[3].noInterval)
	require.Equal(t, "short window", compareLoad(Rules{}, X, short, r)[3].noInterval)

	report := CompareLoads(Rules{}, []Load{{"op", r}}, []Load{{"op", short}})
	require.Equal(t, "no interval: short window", report.Comparisons[3].Why)
	require.Equal(t, "no interval: "+short.Mean().Reason, report.Comparisons[0].Why)
	for _, c := range CompareLoads(Rules{}, []Load{{"op", r}}, []Load{{"op", r}}).Comparisons {
		require.Empty(t, c.Why)
	}
}

// TestLoadsByName: runs of one name are compared, and the operations of a mix.
func TestLoadsByName(t *testing.T) {
	r := &runner.Result{Done: 10, Parts: []runner.Part{{Name: "read", Result: &runner.Result{Done: 5}}, {Name: "write", Result: &runner.Result{Done: 5}}}}
	all := apart([]Load{{"mix", r}, {"one", r.Parts[0].Result}})
	require.Equal(t, []Load{{"mix", r}, {"mix/op=read", r.Parts[0].Result}, {"mix/op=write", r.Parts[1].Result}, {"one", r.Parts[0].Result}}, all)

	plan := func(rate float64) *runner.Result {
		return &runner.Result{Config: runner.Config{Plan: &schedule.Plan{Rate: rate}}}
	}
	require.Equal(t, []string{"op: 10/s, constant in BASE, 20/s, constant in HEAD"}, differences("op", plan(10), plan(20)))
	require.Equal(t, []string{"op: back to back in BASE, 20/s, constant in HEAD"}, differences("op", &runner.Result{}, plan(20)))
	require.Empty(t, differences("op", plan(10), plan(10)))

	rules, err := ParseRules(strings.NewReader("ignore .name:gone\nignore .name:hidden"), "rules")
	require.NoError(t, err)
	report := CompareLoads(rules, []Load{{"gone", r}, {"a", plan(1)}, {"hidden", plan(1)}, {"b", plan(2)}}, []Load{{"hidden", plan(3)}, {"b", plan(5)}, {"c", plan(1)}})
	require.Equal(t, []Cell{{Key: result.Key{Package: "load", Name: "a"}}}, report.Missing)
	require.Equal(t, []result.Key{{Package: "load", Name: "c"}}, report.New)
	require.Equal(t, []string{"b: 2/s, constant in BASE, 5/s, constant in HEAD"}, report.Notes[:1])
}
