package report_test

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
)

var tags = regexp.MustCompile(`<[^>]*>`)

// headline returns the text of the summary at the top of a page.
func headline(t testing.TB, page string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, `<section id="headline"`)
	require.True(t, found)
	text, _, _ := strings.Cut(rest, "</section>")
	return html.UnescapeString(tags.ReplaceAllString(text, " "))
}

func TestHeadlineOfResults(t *testing.T) {
	const described = "governor: performance\n"
	same, slower := described+small(1), described+small(1.3)
	var scatter strings.Builder
	for i := range 10 {
		fmt.Fprintf(&scatter, "BenchmarkA 1000 %d ns/op\n", 5000+1000*i)
	}
	noisy := "noise: load is 3.2 on 2 processors\n" + slower
	for name, c := range map[string]struct {
		base, head string
		want       []string
	}{
		"one file": {"", same,
			[]string{"18 cases of Sender, at least 10 results each, on Some Processor, revision 0123abc.",
				"No base", "No sign of disturbance"}},
		"worse": {same, slower,
			[]string{"Worse", "Worse: sec/op (18 of 18 cases, +2", " %), eq-mul/op (18 of 18 cases, +2",
				"Same: proof-B (18 of 18 cases)",
				"No sign of disturbance", "the largest change for the worse: +3", "; sec/op of "}},
		"better": {slower, same, []string{"Better", "Better: sec/op (18 of 18 cases, -2"}},
		"equal":  {same, same, []string{"Cannot tell", "Undecided: "}},
		"few": {"", "BenchmarkA 1 5 ns/op\nBenchmarkA 1 6 ns/op\n",
			[]string{"1 case of A, at least 2 results each", "With care",
				"the least number of results of a case is 2; intervals need 6"}},
		"noisy":   {same, noisy, []string{"With care", "load is 3.2 on 2 processors (results)"}},
		"no word": {"", small(1), []string{"Unknown", "does not describe the machine"}},
		"scatter": {"", scatter.String(),
			[]string{"With care", "results scatter: the interval of the median is ±", " wide; BenchmarkA: "}},
		"stopped": {"", "interrupted: by ^C\n" + same,
			[]string{"With care", "the measurement was interrupted; by ^C"}},
	} {
		t.Run(name, func(t *testing.T) {
			files := []string{write(t, "head.txt", c.head)}
			if c.base != "" {
				files = append([]string{write(t, "base.txt", c.base)}, files...)
			}
			text := headline(t, draw(t, read(t, files...)))
			for _, want := range c.want {
				require.Contains(t, text, want)
			}
		})
	}
}

// TestFindingsAreRanked checks that the machine comes first, and that the effects
// that it can cause are muted and come last.
func TestFindingsAreRanked(t *testing.T) {
	in := underLoad(t)
	for i := range in.Loads {
		in.Loads[i].Result.Control = result.Control{N: 50, Median: 44000, Spread: 0.3}
	}
	page := draw(t, in)
	require.Contains(t, headline(t, page), "With care")
	finding := regexp.MustCompile(`<li class="(\w+)">(?:<b class="bad">(Warning)</b> )?([^<]*)`)
	var classes []string
	for _, m := range finding.FindAllStringSubmatch(page, -1) {
		classes = append(classes, m[1])
		if m[1] == "machine" {
			require.Equal(t, "Warning", m[2])
			require.Contains(t, m[3], "the machine is noisy (in 4 of 4 runs")
		}
	}
	require.Equal(t, "machine", classes[0])
	require.Equal(t, 1, strings.Count(strings.Join(classes, " "), "machine"))
	require.Contains(t, classes, "muted")
	require.IsNonDecreasing(t, orders(classes))
	require.Contains(t, page, "possibly caused by: noisy machine")
}

// TestRunsOfLoadsAreSummarised: failures are said of the runs that have some, and
// findings come in the order of each run, the machine's first.
func TestRunsOfLoadsAreSummarised(t *testing.T) {
	in := underLoad(t)
	in.Loads[1].Result.Failed, in.Loads[1].Result.Errors = 7, map[string]uint64{"no": 7}
	for i := range in.Loads {
		in.Loads[i].Result.Control = result.Control{N: 50, Median: 44000, Spread: 0.3}
	}
	in.Loads[2].Result.Interrupted, in.Loads[2].Result.End = true, "^C"
	page := headline(t, draw(t, in))
	require.Equal(t, 1, strings.Count(page, " failed."), page)
	require.Contains(t, page, "; 7 failed.")
	require.Contains(t, page, "the run was interrupted by: ^C (in 1 of 4 runs")
}

// TestFindingsOfRunsAreJoined: findings come in the order of the first run that has
// them, and a finding about the operation is not muted by noise in another run.
func TestFindingsOfRunsAreJoined(t *testing.T) {
	in := underLoad(t)
	page := draw(t, in)
	at := 0
	for _, f := range judge.Findings(in.Loads[0].Result) {
		if !f.Machine && f.Cause == "" {
			i := strings.Index(page, html.EscapeString(f.Observed)+" (in ")
			require.Greater(t, i, at, f.Observed)
			at = i
		}
	}
	require.Positive(t, at)
	in.Loads[0].Result.Control = result.Control{N: 50, Median: 44000, Spread: 0.3}
	caused := 0
	for _, f := range judge.Findings(in.Loads[0].Result) {
		if f.Cause != "" {
			caused++
		}
	}
	require.Positive(t, caused)
	page = draw(t, in)
	require.Contains(t, page, "the machine is noisy (in 1 of 4 runs")
	require.NotContains(t, page, `<li class="muted">`, "three runs were quiet")
}

func orders(classes []string) (at []int) {
	for _, c := range classes {
		at = append(at, map[string]int{"machine": 0, "work": 1, "muted": 2}[c])
	}
	return at
}

// TestHeatBeginsAboveNoise checks that cells within noise of the smallest one have no
// colour, and that the others have.
func TestHeatBeginsAboveNoise(t *testing.T) {
	var text strings.Builder
	for _, wobble := range []string{"0", "1", "2", "3", "4", "5", "6", "7"} {
		text.WriteString("BenchmarkA/n=1 1 10" + wobble + " ns/op\nBenchmarkA/n=2 1 10" + wobble +
			".5 ns/op\nBenchmarkA/n=3 1 20" + wobble + " ns/op\n")
	}
	page := pageOf(t, text.String())
	cell := regexp.MustCompile(`<td( [^>]*)? data-hint="BenchmarkA/n=\d, 8 results`)
	var heats []string
	for _, m := range cell.FindAllStringSubmatch(page, -1) {
		heats = append(heats, m[1])
	}
	require.Equal(t, []string{"", "", ` style="--heat:1"`}, heats)
}
