package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/render"
)

var update = flag.Bool("update", false, "write the generated parts of pages")

const commandsPage = "../../docs/commands.md"

// TestCommandsPage compares docs/commands.md with the flags of the test binaries
// and the help of every command.
func TestCommandsPage(t *testing.T) {
	raw, err := os.ReadFile(commandsPage)
	require.NoError(t, err)
	page := string(raw)
	matrix, load := flagTables(t)
	page = fill(t, page, "flags of the test binaries", matrix)
	page = fill(t, page, "flags of the load runner", load)
	page = fill(t, page, "lines", reportLines(t))
	page = fill(t, page, "findings", findings())
	page = fill(t, page, "flags of other subjects", otherSubjects())
	page = fill(t, page, "commands", helpOfCommands(t))
	sameOrUpdated(t, commandsPage, string(raw), page)
}

// fill replaces the text between the comment called name and the next end comment.
func fill(t *testing.T, page, name, text string) string {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n", "<!-- end -->"
	before, rest, found := strings.Cut(page, begin)
	require.True(t, found, "the page has no comment %q", name)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found, "%q has no end", name)
	return before + begin + "\n" + text + "\n" + end + after
}

// flagTables returns the flags of the first subject's test binaries as tables:
// its axes, and the flags of the load runner.
func flagTables(t *testing.T) (matrix, load string) {
	t.Helper()
	var set flags.Set
	subjects[0].RegisterLoad(&set)
	var m, r strings.Builder
	head := "| flag | default | meaning |\n| --- | --- | --- |\n"
	m.WriteString(head)
	r.WriteString(head)
	for _, f := range set.All() {
		usage, table := f.Usage, &m
		if ofRunner, found := strings.CutPrefix(usage, "under the runner: "); found {
			table, usage = &r, ofRunner
		}
		fmt.Fprintf(table, "| `-%s` | %s | %s |\n", f.Name, strings.ReplaceAll(f.Default, ",", ", "), strings.ReplaceAll(usage, "|", `\|`))
	}
	return m.String(), r.String()
}

// reportLines returns a table of the lines of a report: of an open loop in the
// test data of package render.
func reportLines(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile("../../runner/render/testdata/open.json")
	require.NoError(t, err)
	_, r, err := render.ReadJSON(bytes.NewReader(raw))
	require.NoError(t, err)
	parts, err := render.Parts(r, render.Options{})
	require.NoError(t, err)
	var b strings.Builder
	b.WriteString("| line | value | remark |\n| --- | --- | --- |\n")
	for _, part := range parts {
		for _, l := range part.Lines {
			if l.Name != "" {
				fmt.Fprintf(&b, "| %s | %s | %s |\n", l.Name, l.Value, l.Remark)
			}
		}
	}
	return b.String()
}

// findings returns a table of the findings of the load runner, each with its
// limit, and with the sentence and the advice at that limit.
func findings() string {
	limits := runner.Thresholds()
	var b strings.Builder
	b.WriteString("| kind | limit | text | advice |\n| --- | --- | --- | --- |\n")
	for _, kind := range slices.Sorted(maps.Keys(limits)) {
		text, advice := render.Sentence(runner.Finding{Kind: kind, Value: limits[kind], Limit: limits[kind]})
		fmt.Fprintf(&b, "| `%s` | %v | %s | %s |\n", kind, limits[kind], text, advice)
	}
	return b.String()
}

// otherSubjects returns a table for each subject but the first: the flags of its
// own axes.
func otherSubjects() string {
	var b strings.Builder
	for _, s := range subjects[1:] {
		fmt.Fprintf(&b, "### %s: %s\n\n| flag | default | meaning |\n| --- | --- | --- |\n", s.Name, s.Summary)
		var set flags.Set
		bench.Register(&set, s.Axes...)
		for _, f := range set.All() {
			fmt.Fprintf(&b, "| `-%s` | %s | %s |\n", f.Name, strings.ReplaceAll(f.Default, ",", ", "), f.Usage)
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// helpOfCommands returns a section for each command and subcommand with its help.
func helpOfCommands(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(fenced(t, "help"))
	for _, l := range lines(streams{}) {
		fmt.Fprintf(&b, "\n### %s\n\n%s", l.name, fenced(t, l.name, "-h"))
		for _, sub := range l.below {
			fmt.Fprintf(&b, "\n#### %s\n\n%s", sub.name, fenced(t, append(strings.Fields(sub.name), "-h")...))
		}
	}
	return b.String()
}

var flagLine = regexp.MustCompile(`^  -([a-z0-9_-]+)`)

// fenced returns the output of a command line as a fenced block, without the axes
// of the first subject for commands on operations, which the page lists once. The
// path of the user's cache folder is shown as ~/.cache.
func fenced(t *testing.T, args ...string) string {
	t.Helper()
	var out, errors bytes.Buffer
	require.Zero(t, run(t.Context(), args, streams{out: &out, err: &errors}), errors.String())
	text := strings.ReplaceAll(out.String(), strings.TrimSuffix(defaultCosts(), "/zkatbench/costs.json"), "~/.cache")
	var b strings.Builder
	b.WriteString("```\n")
	var axes flags.Set
	if strings.Contains(text, takesOperations) {
		bench.Register(&axes, subjects[0].Axes...)
	}
	omitted := false
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		if m := flagLine.FindStringSubmatch(line); m != nil && axes.Lookup(m[1]) != nil {
			omitted = true
			continue
		}
		b.WriteString(strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " \n") + "\n")
	}
	if omitted {
		b.WriteString("  and the axes of the operation, as for the test binaries\n")
	}
	b.WriteString("```\n")
	return b.String()
}
