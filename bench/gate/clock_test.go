package gate

import (
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
		"one thread, other programs":   {timed(t, same, same, false), timed(t, slower, same, false), "", false, cpuTime, Same, "HEAD waits more, or other programs competed with it", 1, 0},
		"one thread, a slower head":    {timed(t, same, same, false), timed(t, slower, slower, false), "", false, cpuTime, Regression, "is judged for X", 1, 0},
		"hidden by a busy base":        {timed(t, slower, same, false), timed(t, slower, slower, false), "", false, cpuTime, Regression, "other programs competed with BASE", 1, 0},
		"several threads":              {timed(t, same, same, true), timed(t, slower, same, true), "", false, wallTime, Regression, "wall time says regression", 1, 0},
		"several threads in head":      {timed(t, same, same, false), timed(t, same, slower, true), "", false, wallTime, Same, "processor time says regression", 1, 0},
		"wall time on request":         {timed(t, same, same, false), timed(t, slower, same, false), "", true, wallTime, Regression, "the clocks disagree", 1, 0},
		"wall time by a rule":          {timed(t, same, same, false), timed(t, slower, same, false), "ignore .unit:cpu-sec/op", false, wallTime, Regression, "", 0, 0},
		"a base without the clock":     {timed(t, same, nil, false), timed(t, slower, same, false), "", false, wallTime, Regression, "", 0, 0},
		"a head without the clock":     {timed(t, same, same, false), timed(t, slower, nil, false), "", false, wallTime, Regression, "", 0, 0},
		"a limit for wall time counts": {timed(t, same, same, false), timed(t, slower, slower, false), "unit sec/op 50%", false, cpuTime, Same, "", 1, 0},
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
	require.Len(t, r.Notes, 1, "the clocks agree")

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
	require.Equal(t, clocks{wallTime, cpuTime, "it works on several threads, or waits"}, Rules{}.clocksOf(k, one, all))
	r := (&Judge{Once: true}).Look(one, all)
	require.Contains(t, strings.Join(r.Notes, "\n"), "wall time is judged for X although there is processor time: it works on several threads")
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
		"hidden by other programs":     {with(noise, around(1, 1)), with(noise, around(1.1, 1)), "", processTime, Regression},
		"wall time decides":            {with(around(1, 1), around(1, 1)), with(around(1, 1), around(1.1, 1)), "", wallTime, Same},
		"nothing to see":               {with(noise, around(1, 1)), with(noise, around(1, 1)), "", wallTime, Unknown},
		"a limit for wall time counts": {with(noise, around(1, 1)), with(noise, around(1.1, 1)), "unit sec/op 50%", wallTime, Unknown},
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
		require.Len(t, r.Notes, c.notes)
		if c.notes > 0 {
			require.Equal(t, "results of 1 cases are short, such as X: 26 iterations in 0.052 s; raise -benchtime to 0.2 s or 200x", r.Notes[0])
		}
	}
}
