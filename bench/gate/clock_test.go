package gate

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

// timed returns results with wall and processor times in nanoseconds; threads
// adds their number.
func timed(t *testing.T, wall, cpu []float64, threads bool) *result.Data {
	t.Helper()
	units := map[string][]float64{wallTime: wall}
	if cpu != nil {
		units[cpuTime] = cpu
	}
	if threads {
		units[cpuThreads] = repeat(2, len(wall))
	}
	return data(t, "", units)
}

// TestTheClockThatIsJudged compares sides with clocks that differ in their verdicts.
func TestTheClockThatIsJudged(t *testing.T) {
	same, slower := around(1, 1), around(1.2, 1)
	for name, c := range map[string]struct {
		base, head     *result.Data
		rules          string
		wall           bool
		unit           string
		want           Verdict
		note           string
		beside, missed int
	}{
		"one thread, other programs": {timed(t, same, same, false), timed(t, slower, same, false), "",
			false, cpuTime, Same, "the clocks disagree", 1, 0},
		"one thread, a slower head": {timed(t, same, same, false), timed(t, slower, slower, false), "",
			false, cpuTime, Regression, "", 1, 0},
		"hidden by a busy base": {timed(t, slower, same, false), timed(t, slower, slower, false), "",
			false, cpuTime, Regression, "the clocks disagree", 1, 0},
		"several threads": {timed(t, same, same, true), timed(t, slower, same, true), "", false,
			wallTime, Regression, "sec/op says regression", 1, 0},
		"several threads in head": {timed(t, same, same, false), timed(t, same, slower, true), "", false,
			wallTime, Same, "cpu-sec/op says regression", 1, 0},
		"wall time on request": {timed(t, same, same, false), timed(t, slower, same, false), "", true,
			wallTime, Regression, "the clocks disagree", 1, 0},
		"wall time by a rule": {timed(t, same, same, false), timed(t, slower, same, false),
			"ignore .unit:cpu-sec/op", false, wallTime, Regression, "", 0, 0},
		"a base without the clock": {timed(t, same, nil, false), timed(t, slower, same, false), "", false,
			wallTime, Regression, "", 0, 0},
		"a head without the clock": {timed(t, same, same, false), timed(t, slower, nil, false), "", false,
			wallTime, Regression, "", 0, 0},
		"a limit for wall time counts": {timed(t, same, same, false), timed(t, slower, slower, false),
			"unit sec/op 50%", false, cpuTime, Same, "", 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			rules, err := ParseRules(strings.NewReader(c.rules), "rules")
			require.NoError(t, err)
			rules.Wall = c.wall
			r := (&Judge{Rules: rules, Once: true}).Look(c.base, c.head)
			require.Len(t, r.Comparisons, 1)
			require.Equal(t, c.unit, r.Comparisons[0].Unit)
			require.Equal(t, c.want, r.Comparisons[0].Verdict)
			require.Len(t, r.Missing, c.missed)
			require.Len(t, r.Beside, c.beside)
			if c.note != "" {
				require.Contains(t, strings.Join(r.Notes, "\n"), c.note)
			}
			var text strings.Builder
			require.NoError(t, r.WriteText(&text, true))
			require.Equal(t, c.beside, strings.Count(text.String(), "not judged\n"), text.String())
		})
	}
	r := (&Judge{Once: true}).Look(timed(t, same, same, false), timed(t, same, same, false))
	require.Empty(t, r.Notes, "the clocks agree")

	ignored, err := ParseRules(strings.NewReader("ignore .unit:sec/op"), "rules")
	require.NoError(t, err)
	r = (&Judge{Rules: ignored, Once: true}).Look(timed(t, same, same, false), timed(t, same, same, false))
	require.Empty(t, r.Comparisons, "without wall time, processor time is not compared either")
}

// TestOneResultDoesNotMoveACase: one of 20 results used several threads.
func TestOneResultDoesNotMoveACase(t *testing.T) {
	one := timed(t, around(1, 1), around(1, 1), false)
	k := one.Cases[0]
	one.Values[k][cpuThreads] = []float64{2}
	require.Equal(t, cpuTime, Rules{}.clocksOf(k, one, one).judged)
	all := timed(t, around(1, 1), around(1, 1), true)
	require.Equal(t, clocks{wallTime, cpuTime, "several threads, or waiting"}, Rules{}.clocksOf(k, one, all))
	r := (&Judge{Once: true}).Look(one, all)
	require.Contains(t, strings.Join(r.Notes, "\n"),
		"wall time is judged for X although there is processor time: several threads, or waiting")
}

// TestTheTimeOfTheProcess: wall time decides where it can, and a change that it
// cannot show is found by the processor time of the process.
func TestTheTimeOfTheProcess(t *testing.T) {
	noise := []float64{1, 9, 2, 8, 3, 7, 4, 6, 5, 5}
	with := func(wall, process []float64) *result.Data {
		return data(t, "", map[string][]float64{wallTime: wall, processTime: process})
	}
	for name, c := range map[string]struct {
		base, head *result.Data
		rules      string
		unit       string
		want       Verdict
	}{
		"hidden by other programs": {with(noise, around(1, 1)), with(noise, around(1.1, 1)), "",
			processTime, Regression},
		"wall time decides": {with(around(1, 1), around(1, 1)), with(around(1, 1), around(1.1, 1)),
			"", wallTime, Same},
		"hidden, and nothing to see": {with(noise, around(1, 1)), with(noise, around(1, 1)), "",
			processTime, Same},
		"hidden, both clocks": {with(noise, noise), with(noise, noise), "", wallTime, Unknown},
		"a limit for wall time counts": {with(noise, around(1, 1)), with(noise, around(1.1, 1)),
			"unit sec/op 50%", processTime, Same},
	} {
		rules, err := ParseRules(strings.NewReader(c.rules), "rules")
		require.NoError(t, err, name)
		r := (&Judge{Rules: rules, Once: true}).Look(c.base, c.head)
		require.Len(t, r.Comparisons, 1, name)
		require.Len(t, r.Beside, 1, name)
		require.Equal(t, c.unit, r.Comparisons[0].Unit, name)
		require.Equal(t, c.want, r.Comparisons[0].Verdict, name)
	}
}

func TestShortResultsAreNamed(t *testing.T) {
	short, long := result.NewData(), result.NewData()
	require.NoError(t, short.Read(strings.NewReader("pkg: p\nBenchmarkX 26 2000000 ns/op\n"), ""))
	require.NoError(t, long.Read(strings.NewReader("pkg: p\nBenchmarkX 200 20 ns/op\n"), ""))
	for _, c := range []struct {
		base, head *result.Data
		notes      int
	}{{long, long, 0}, {short, long, 1}, {long, short, 1}} {
		r := (&Judge{Once: true}).Look(c.base, c.head)
		require.Len(t,
			slices.DeleteFunc(r.Notes, func(n string) bool {
				return strings.Contains(n, "without a verdict")
			}), c.notes)
		if c.notes > 0 {
			require.Equal(t, "results of X are short: raise -benchtime to 0.2 s or 200x", r.Notes[0])
		}
	}
}

// compared is a comparison of a unit of a case of package p.
func compared(name, unit string, v Verdict, shift float64) Comparison {
	return Comparison{Key: result.Key{Package: "p", Name: name}, Unit: unit, Rule: Rule{Kind: noisy},
		Verdict: v, Shift: Shift{Value: shift}}
}

// TestProcessOrWallTime: the processor time of a process is judged only if it gives a
// verdict and wall time does not; a verdict other than a change also only if wall time
// does not differ by its test. The other clock of these cases is beside; cases without it
// stay as they are.
func TestProcessOrWallTime(t *testing.T) {
	wall := func(name string, v Verdict) Comparison { return compared(name, wallTime, v, 0) }
	process := func(name string, v Verdict) Comparison { return compared(name, processTime, v, 0) }
	for _, c := range []struct {
		wall, process Verdict
		adjusted      float64
		byProcess     bool
	}{
		{Unknown, Regression, 0.05, true}, {Unknown, Improvement, 0.01, true}, {Unknown, Same, 0.05, true},
		{Unknown, Layout, 0.05, true},
		{Unknown, Same, 0.049, false}, {Unknown, Layout, 0.049, false}, {Unknown, Unknown, 1, false},
		{Same, Regression, 1, false},
		{Regression, Improvement, 1, false}, {Improvement, Regression, 1, false}, {Same, Same, 1, false},
		{Layout, Same, 1, false},
	} {
		other, count, alone := wall("other", Unknown), compared("X", "B/op", Same, 0), process("alone", Same)
		w, p := wall("X", c.wall), process("X", c.process)
		w.Adjusted = c.adjusted
		r := Report{Comparisons: []Comparison{other, w, p, count, alone}, Alpha: 0.05}
		r.chooseProcess()
		if c.byProcess {
			require.Equal(t, []Comparison{other, p, count, alone}, r.Comparisons, c)
			require.Equal(t, []Comparison{w}, r.Beside, c)
			continue
		}
		require.Equal(t, []Comparison{other, w, count, alone}, r.Comparisons, c)
		require.Equal(t, []Comparison{p}, r.Beside, c)
	}
}

// TestThroughputIsNotJudgedTwice: B/s is wall time in another unit.
func TestThroughputIsNotJudgedTwice(t *testing.T) {
	d := data(t, "", map[string][]float64{wallTime: around(1, 1), throughput: around(1, 1)})
	r := once(d, d)
	require.Len(t, r.Comparisons, 1)
	require.Equal(t, wallTime, r.Comparisons[0].Unit)
	rules, err := ParseRules(strings.NewReader("unit MB/s 5%"), "rules")
	require.NoError(t, err)
	require.Len(t, (&Judge{Rules: rules, Once: true}).Look(d, d).Comparisons, 2)
	alone := data(t, "", map[string][]float64{throughput: around(1, 1)})
	require.Len(t, once(alone, alone).Comparisons, 1)
}

// TestLimitsOfShortResults: a result is short below 0.2 s and below 200 iterations, both
// at once, unless its time is not known. Units without noise do not count.
func TestLimitsOfShortResults(t *testing.T) {
	k := result.Key{Package: "p", Name: "X"}
	for _, c := range []struct {
		spent, iterations float64
		want              bool
	}{{0.1, 20, true}, {0.199, 199, true}, {0.2, 20, false}, {0.1, 200, false}, {0, 20, false},
		{1e-9, 1, true}} {
		d := result.NewData()
		d.Spent[k], d.Iters[k] = c.spent, c.iterations
		require.Equal(t, c.want, short(d, k), "%+v", c)
	}
	counted := data(t, "", map[string][]float64{"allocs/op": repeat(1, 10)})
	counted.Spent[counted.Cases[0]], counted.Iters[counted.Cases[0]] = 0.1, 20
	require.Empty(t, once(counted, counted).Notes)
}
