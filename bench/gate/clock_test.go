package gate // clocksOf and chooseProcess are private: results for each of their rows are long

import (
	"fmt"
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
	units := samples{wallTime: wall}
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
	quiet, busy := timed(t, same, same, false), timed(t, slower, same, false)
	worse := timed(t, slower, slower, false)
	for name, c := range map[string]struct {
		base, head *result.Data
		rules      string
		wall       bool
		unit       string
		want       Verdict
		note       string
		beside     int
	}{
		"one thread, other programs": {quiet, busy, "", false, cpuTime, Same, "the clocks disagree", 1},
		"one thread, a slower head":  {quiet, worse, "", false, cpuTime, Regression, "", 1},
		"hidden by a busy base":      {busy, worse, "", false, cpuTime, Regression, "the clocks disagree", 1},
		"several threads": {timed(t, same, same, true), timed(t, slower, same, true), "", false,
			wallTime, Regression, "sec/op says regression", 1},
		"several threads in head": {quiet, timed(t, same, slower, true), "", false,
			wallTime, Same, "cpu-sec/op says regression", 1},
		"wall time on request": {quiet, busy, "", true, wallTime, Regression, "the clocks disagree", 1},
		"wall time by a rule": {quiet, busy, "ignore .unit:cpu-sec/op", false, wallTime, Regression, "",
			0},
		"a base without the clock": {timed(t, same, nil, false), busy, "", false, wallTime, Regression,
			"", 0},
		"a head without the clock": {quiet, timed(t, slower, nil, false), "", false, wallTime, Regression,
			"", 0},
		"a limit for wall time counts": {quiet, worse, "unit sec/op 50%", false, cpuTime, Same, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			rules := ruled(t, c.rules)
			rules.Wall = c.wall
			r := (&Judge{Rules: rules, Once: true}).Look(c.base, c.head)
			require.Len(t, r.Comparisons, 1)
			require.Equal(t, c.unit, r.Comparisons[0].Unit)
			require.Equal(t, c.want, r.Comparisons[0].Verdict)
			require.Empty(t, r.Missing)
			require.Len(t, r.Beside, c.beside)
			if c.note != "" {
				require.Contains(t, strings.Join(r.Notes, "\n"), c.note)
			}
			var text strings.Builder
			require.NoError(t, r.WriteText(&text, true))
			require.Equal(t, c.beside, strings.Count(text.String(), "not judged\n"), text.String())
		})
	}
	require.Empty(t, once(quiet, quiet).Notes, "the clocks agree")
	r := (&Judge{Rules: ruled(t, countsOnly), Once: true}).Look(quiet, quiet)
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
	r := once(one, all)
	require.Contains(t, strings.Join(r.Notes, "\n"),
		"wall time is judged for X although there is processor time: several threads, or waiting")
}

// TestTheTimeOfTheProcess: wall time decides where it can, and a change that it
// cannot show is found by the processor time of the process.
func TestTheTimeOfTheProcess(t *testing.T) {
	noise := []float64{1, 9, 2, 8, 3, 7, 4, 6, 5, 5}
	with := func(wall, process []float64) *result.Data {
		return data(t, "", samples{wallTime: wall, processTime: process})
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
		"a limit for wall time counts": {with(noise, around(1, 1)), with(noise, around(1.1, 1)),
			"unit sec/op 50%", processTime, Same},
	} {
		t.Run(name, func(t *testing.T) {
			r := (&Judge{Rules: ruled(t, c.rules), Once: true}).Look(c.base, c.head)
			require.Len(t, r.Comparisons, 1)
			require.Len(t, r.Beside, 1)
			require.Equal(t, c.unit, r.Comparisons[0].Unit)
			require.Equal(t, c.want, r.Comparisons[0].Verdict)
		})
	}
}

// TestShortResultsAreNamed: a result is short below 0.2 s and below 200 iterations, both at
// once, unless its time is not known. Units without noise do not count.
func TestShortResultsAreNamed(t *testing.T) {
	const note = "results of X are short: raise -benchtime to 0.2 s or 200x"
	read := func(line string) *result.Data {
		d := result.NewData()
		require.NoError(t, d.Read(strings.NewReader("pkg: p\nBenchmarkX "+line+"\n"), ""))
		return d
	}
	for line, short := range map[string]bool{
		"26 2000000 ns/op": true, "199 1000000 ns/op": true, "1 1 ns/op": true,
		"20 10000000 ns/op": false, "200 20 ns/op": false, "20 5 things": false, "20 5 allocs/op": false,
	} {
		t.Run(line, func(t *testing.T) {
			long := read("200" + line[strings.IndexByte(line, ' '):])
			require.Equal(t, short, slices.Contains(once(read(line), long).Notes, note), "base")
			require.Equal(t, short, slices.Contains(once(long, read(line)).Notes, note), "head")
		})
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
		{Unknown, Regression, 0.01, true}, {Unknown, Improvement, 0.01, true}, {Unknown, Same, 0.05, true},
		{Unknown, Layout, 0.05, true},
		{Unknown, Same, 0.049, false}, {Unknown, Layout, 0.049, false}, {Unknown, Unknown, 1, false},
		{Same, Regression, 1, false},
		{Regression, Improvement, 1, false}, {Improvement, Regression, 1, false}, {Same, Same, 1, false},
		{Layout, Same, 1, false},
	} {
		t.Run(fmt.Sprintf("%s and %s at %g", c.wall, c.process, c.adjusted), func(t *testing.T) {
			other, alone := wall("other", Unknown), process("alone", Same)
			count := compared("X", "B/op", Same, 0)
			w, p := wall("X", c.wall), process("X", c.process)
			w.Adjusted = c.adjusted
			r := Report{Comparisons: []Comparison{other, w, p, count, alone}, Alpha: 0.05}
			r.chooseProcess()
			if c.byProcess {
				require.Equal(t, []Comparison{other, p, count, alone}, r.Comparisons)
				require.Equal(t, []Comparison{w}, r.Beside)
				return
			}
			require.Equal(t, []Comparison{other, w, count, alone}, r.Comparisons)
			require.Equal(t, []Comparison{p}, r.Beside)
		})
	}
}
