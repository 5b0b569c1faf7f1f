package runner_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/golden"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/render"
)

// TestPageNamesEveryFindingAndFlag checks that docs/commands.md lists every
// finding and every flag.
func TestPageNamesEveryFindingAndFlag(t *testing.T) {
	b, err := os.ReadFile("../docs/commands.md")
	require.NoError(t, err)
	commands := string(b)
	kinds := judge.Thresholds()
	require.NotEmpty(t, kinds)
	for kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			require.Contains(t, commands, kind+" (")
		})
	}
	set := new(flags.Set)
	drive.Register(set)
	require.NotEmpty(t, set.Names())
	for _, name := range set.Names() {
		require.Regexp(t, `(?m)(^| )-`+name+`\b`, commands)
	}
}

// form returns the sections and the names of the lines of a report. Rows of a picture are their
// pattern, with digits and bars left out.
func form(report string) (lines []string) {
	name := regexp.MustCompile(`^ {0,2}(\S+( \S+)*)`)
	row := regexp.MustCompile(`^ *[\d.]+ \S+ – +[\d.]+ \S+ +\d+ +[\d.]+ % .$`)
	moment := regexp.MustCompile(`^ *[\d.]+ \wm?s [ ░▒▓█]*$`)
	bars := regexp.MustCompile(`[▏▎▍▌▋▊▉█]+$`)
	for line := range strings.Lines(report) {
		line = strings.TrimRight(line, "\n")
		switch {
		case row.MatchString(bars.ReplaceAllString(line, "█")):
			lines = append(lines, "row")
		case moment.MatchString(line):
			lines = append(lines, "row over time")
		case name.MatchString(line):
			found, _, _ := strings.Cut(name.FindString(line), " (")
			lines = append(lines, strings.TrimSpace(found))
		}
	}
	return lines
}

// TestSampleReport compares the report of docs/runner.md with today's: 168 latencies of 55.2 to
// 59.1 ms have the same lines, and as many rows.
func TestSampleReport(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 168))
	r := replay(t, runner.Config{Workers: 1, Ops: 168}, func(int, time.Duration) time.Duration {
		return time.Duration(55.2e6 + 3.9e6*random.Float64())
	})
	var b bytes.Buffer
	require.NoError(t, render.Text(&b, r, render.Options{Name: "sample", Width: 100}))
	now := b.String()
	before, rest, _ := strings.Cut(now, "Memory and scheduling\n")
	_, rest, _ = strings.Cut(rest, "Latency heatmap\n")
	pictures, _, found := strings.Cut(rest, "\nThroughput over time")
	require.True(t, found)
	now = before + "Latency heatmap\n" + pictures
	page, err := os.ReadFile("../docs/runner.md")
	require.NoError(t, err)
	_, sample, _ := strings.Cut(string(page), "<!-- sample -->\n\n```\n")
	sample, _, found = strings.Cut(sample, "```\n\n<!-- end -->")
	require.True(t, found, "docs/runner.md lacks the sample:\n%s", now)
	lines := func(report string) string { return strings.Join(form(report), "\n") + "\n" }
	require.Empty(t, golden.Difference(lines(sample), lines(now)), "the sample, and today's report")
	rows := strings.Count(strings.Join(form(sample), "\n")+"\n", "row\n")
	require.GreaterOrEqual(t, rows, 12)
	require.LessOrEqual(t, rows, 26)
}
