package gate // Rules.of and ignores are private: a report leaves out ignored units

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

// samples are results of a case by unit.
type samples = map[string][]float64

// data reads results: unit lines, then samples of BenchmarkX by unit.
func data(t *testing.T, meta string, of samples) *result.Data {
	t.Helper()
	var b strings.Builder
	b.WriteString(meta + "\npkg: p\n")
	for unit, xs := range of {
		for _, x := range xs {
			fmt.Fprintf(&b, "BenchmarkX 1 %v %s\n", x, unit)
		}
	}
	d := result.NewData()
	require.NoError(t, d.Read(strings.NewReader(b.String()), "test"))
	return d
}

// oneCase are results of X in the order of their measurement.
func oneCase(unit string, values []float64, layouts ...float64) *result.Data {
	d := result.NewData()
	d.Cases, d.Units = []result.Key{X}, []string{unit}
	d.Values[X], d.Layouts[X] = samples{unit: values}, samples{unit: layouts}
	return d
}

// around returns ten values around x, some percent apart.
func around(x, percent float64) (xs []float64) {
	for i := range 10 {
		xs = append(xs, x*(1+percent/100*(float64(i)-4.5)/4.5))
	}
	return xs
}

func repeat(x float64, n int) (xs []float64) {
	for range n {
		xs = append(xs, x)
	}
	return xs
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, meta, unit string
		base, head       []float64
		want             Verdict
		why              string
	}{
		{"slower", "", "sec/op", around(1, 2), around(1.3, 2), Regression, ""},
		{"faster", "", "sec/op", around(1, 2), around(0.7, 2), Improvement, ""},
		{"the same", "", "sec/op", around(1, 2), around(1.001, 2), Same, ""},
		{"slower by less than the threshold", "", "sec/op", around(1, 0.5), around(1.02, 0.5), Same, ""},
		{"a rate that falls", "", "B/s", around(1, 2), around(0.7, 2), Regression, ""},
		{"a rate that rises", "", "B/s", around(1, 2), around(1.3, 2), Improvement, ""},
		{"a cost without metadata", "", "eq-mul/op", around(1, 2), around(1.3, 2), Regression, ""},
		{"no direction", "", "things", around(1, 2), around(0.7, 2), Changed, ""},
		{"too noisy", "", "sec/op", around(1, 40), around(1.05, 40), Unknown, ""},
		{"a base that changes by itself", "", "sec/op", append(repeat(1, 5), repeat(1.3, 5)...),
			repeat(1.32, 10), Unknown, "base differs from itself by 30.0 %"},
		{"perhaps faster, surely not slower", "", "sec/op", around(1, 12), around(0.95, 12), Unknown,
			"no regression over 3 %; the medians differ by -5.00 %, within their scatter"},
		{"one result", "", "sec/op", []float64{1}, []float64{1.3}, Unknown,
			"too few results: a verdict needs 6 of one side and 4 of the other"},

		{"an allocation more", "", "allocs/op", repeat(60, 10), repeat(61, 10), Regression, ""},
		{"instructions within their variation", "", "instr/op", repeat(1_000_000, 6), repeat(1_001_900, 6),
			Same, ""},
		{"more instructions", "", "instr/op", repeat(1_000_000, 6), repeat(1_003_000, 6), Regression, ""},
		{"an allocation less", "", "allocs/op", repeat(60, 6), repeat(59, 6), Improvement, ""},
		{"the first allocation", "", "allocs/op", repeat(0, 6), repeat(1, 6), Regression, ""},
		{"no allocations", "", "allocs/op", repeat(0, 6), repeat(0, 6), Same, ""},
		{"pools that jitter", "", "allocs/op", []float64{59, 60, 59, 60, 60, 60},
			[]float64{60, 60, 59, 60, 60, 60}, Same, ""},
		{"bytes within the tolerance", "", "B/op", around(31168, 0.2), around(31300, 0.2), Same, ""},
		{"bytes that jitter", "", "B/op", append(repeat(50, 5), repeat(150, 5)...), repeat(140, 10), Unknown,
			""},
		{"an outlier in base does not hide a regression", "", "B/op", append(repeat(100, 9), 150),
			repeat(140, 10), Regression, ""},

		{"the same bytes", "Unit proof-B assume=exact better=lower", "proof-B", repeat(2921, 3),
			repeat(2921, 3), Same, ""},
		{"a byte more", "Unit proof-B assume=exact better=lower", "proof-B", repeat(2921, 3), repeat(2922, 3),
			Regression, ""},
		{"a byte less", "Unit proof-B assume=exact better=lower", "proof-B", repeat(2921, 3), repeat(2920, 3),
			Improvement, ""},
		{"exact without direction", "Unit id assume=exact", "id", repeat(7, 3), repeat(6, 3), Changed, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := once(data(t, c.meta, samples{c.unit: c.base}),
				data(t, "", samples{c.unit: c.head}))
			require.Len(t, r.Comparisons, 1)
			require.Equal(t, c.want, r.Comparisons[0].Verdict, "%+v", r.Comparisons[0])
			require.Equal(t, c.why, r.Comparisons[0].Why)
			require.NoError(t, r.WriteJSON(&strings.Builder{}))
		})
	}
}

// TestMissingBenchmark: a benchmark that HEAD lacks never passes, and a new one is named.
func TestMissingBenchmark(t *testing.T) {
	other := result.NewData()
	require.NoError(t, other.Read(strings.NewReader("pkg: p\nBenchmarkY 1 1 ns/op\n"), ""))
	base := data(t, "", samples{"sec/op": around(1, 2)})
	r := once(base, other)
	require.Equal(t, Unclear, r.Outcome())
	require.Equal(t, []Cell{{Key: X}}, r.Missing)
	require.Equal(t, []Cell{{Key: result.Key{Package: "p", Name: "Y"}}}, r.New)
	r = (&Judge{Rules: ruled(t, "ignore .name:X\nignore .name:Y"), Once: true}).Look(base, other)
	require.Empty(t, append(r.Missing, r.New...), "they are ignored")
}

// TestLooksShareAlpha checks that all looks together use Alpha, regardless of
// their number.
func TestLooksShareAlpha(t *testing.T) {
	d := data(t, "", samples{"sec/op": around(1, 40)})
	j, sum := Judge{}, 0.0
	for range 50 {
		sum += j.Look(d, d).Alpha
	}
	require.Greater(t, sum, 0.95*significance)
	require.Less(t, sum, significance)
	j = Judge{Once: true}
	require.Equal(t, significance, j.Look(d, d).Alpha)
}

// ruled parses a file of rules.
func ruled(t *testing.T, text string) Rules {
	t.Helper()
	r, err := ParseRules(strings.NewReader(text), "rules")
	require.NoError(t, err)
	return r
}

// countsOnly are rules that exclude times.
const countsOnly = "ignore .unit:sec/op"

func TestRules(t *testing.T) {
	r := ruled(t, `
# times
unit ns/op 10%
ignore .unit:eq-mul/op
unit size-B exact lower   # bytes
unit MB/s noisy 5% either
unit allocs/op bounded 0.1%
ignore .name:Sender /curve:/BLS.*/
ignore pkg:example.com/slow
`)
	d := result.NewData()
	require.Equal(t, Rule{noisy, 0.1, -1}, r.of("sec/op", d.Meta))
	require.Equal(t, Rule{exact, 0, Lower}, r.of("size-B", d.Meta))
	require.Equal(t, Rule{noisy, 0.05, Either}, r.of("B/s", d.Meta))
	require.Equal(t, Rule{bounded, 0.001, -1}, r.of("allocs/op", d.Meta))
	require.Equal(t, Rule{bounded, boundedLimit, -1}, r.of("B/op", d.Meta))
	for _, c := range []struct {
		pkg, name, unit string
		ignored         bool
	}{
		{"p", "Sender/bits=32/curve=BLS12_381/n=1-2", "sec/op", true},
		{"p", "Sender/bits=32/curve=BN254/n=1-2", "sec/op", false},
		{"p", "Sender/bits=32/curve=BN254/n=1-2", "eq-mul/op", true},
		{"p", "Other/curve=BLS12_381", "sec/op", false},
		{"example.com/slow", "X", "B/op", true},
	} {
		t.Run(c.pkg+"."+c.name+" "+c.unit, func(t *testing.T) {
			k := result.Key{Package: c.pkg, Name: c.name}
			require.Equal(t, c.ignored, r.ignores(k, c.unit))
			require.Equal(t, c.ignored && c.unit != "eq-mul/op", r.ignoresCase(k))
		})
	}

	for bad, line := range map[string]int{
		"unit": 1, "unit x": 1, "unit x 3": 1, "unit x -3%": 1, "unit x 0%": 1, "unit x NaN%": 1,
		"unit x exact noisy": 1, "unit x lower higher": 1,
		"unit x 3% 4%": 1, "ignore": 1, "ignore (": 1, "ignore a b": 1, "unit x ignore": 1,
		"ignore .config:x": 1, "units x 3%": 1, "\nunit x 3%\nunit x 4%": 3,
		"unit ns/op 3%\nunit sec/op 3%": 2,
	} {
		t.Run(fmt.Sprintf("%q", bad), func(t *testing.T) {
			_, err := ParseRules(strings.NewReader(bad), "f")
			require.ErrorContains(t, err, fmt.Sprintf("f:%d: ", line))
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

func FuzzParseRules(f *testing.F) {
	f.Add("unit ns/op 10%\nignore .name:X -(/n:1 OR .unit:/s.*/)")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRules(strings.NewReader(text), "f")
		if err != nil {
			return
		}
		for unit := range r.units {
			rule := r.of(unit, nil)
			require.True(t, rule.Limit >= 0 && rule.Limit <= 10)
			r.ignores(result.Key{Package: "p", Name: "X/n=1-2"}, unit)
		}
	})
}

func TestUnitsOfHeadCountToo(t *testing.T) {
	r := once(data(t, "", samples{"size-B": repeat(5, 2)}),
		data(t, "Unit size-B assume=exact", samples{"size-B": repeat(6, 2)}))
	require.Equal(t, exact, r.Comparisons[0].Rule.Kind)
	require.Equal(t, Regression, r.Comparisons[0].Verdict)
}
