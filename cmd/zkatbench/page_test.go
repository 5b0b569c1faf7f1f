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
	"github.com/zkatbench/zkatbench/text"
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

// findings lists the kinds of findings of the load runner with their limits.
func findings() string {
	var all []string
	limits := runner.Thresholds()
	for _, kind := range slices.Sorted(maps.Keys(limits)) {
		all = append(all, fmt.Sprintf("%s (%v)", kind, limits[kind]))
	}
	return strings.Join(all, ", ") + ".\n"
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
// Flags that several commands share stand before them, once.
func helpOfCommands(t *testing.T) string {
	t.Helper()
	shared := sharedFlags()
	var b strings.Builder
	b.WriteString(fenced(t, nil, "help"))
	b.WriteString("\n### Flags of several commands\n\n| flag | meaning |\n| --- | --- |\n")
	for _, name := range slices.Sorted(maps.Keys(shared)) {
		flag, usage := describe(shared[name])
		fmt.Fprintf(&b, "| `%s` | %s |\n", homeless(flag), homeless(strings.ReplaceAll(usage, "|", `\|`)))
	}
	for _, l := range lines(streams{}) {
		fmt.Fprintf(&b, "\n### %s\n\n%s", l.name, fenced(t, shared, l.name, "-h"))
		for _, sub := range l.below {
			fmt.Fprintf(&b, "\n#### %s\n\n%s", sub.name, fenced(t, shared, append(strings.Fields(sub.name), "-h")...))
		}
	}
	return b.String()
}

// sharedFlags returns the flags with the same meaning and default in at least two
// commands. The axes of the first subject, which the page lists elsewhere, have no
// meaning.
func sharedFlags() map[string]*flags.Flag {
	shared := map[string]*flags.Flag{}
	var axes flags.Set
	bench.Register(&axes, subjects[0].Axes...)
	users := map[[2]string]int{}
	for _, l := range lines(streams{}) {
		for _, c := range append([]*commandLine{l}, l.below...) {
			for _, f := range c.flags.All() {
				flag, usage := describe(f)
				users[[2]string{flag, usage}]++
				isAxis := strings.Contains(c.takes, takesOperations) && axes.Lookup(f.Name) != nil
				if users[[2]string{flag, usage}] == 2 && !isAxis && shared[f.Name] == nil {
					shared[f.Name] = f
				}
			}
		}
	}
	return shared
}

// homeless shows the path of the user's cache folder as ~/.cache.
func homeless(s string) string {
	return strings.ReplaceAll(s, strings.TrimSuffix(defaultCosts(), "/zkatbench/costs.json"), "~/.cache")
}

var flagLine = regexp.MustCompile(`^  -([a-z0-9_-]+)`)

// fenced returns the output of a command line as a fenced block, without the flags
// that the page lists once: the shared ones, and the axes of the first subject for
// commands on operations.
func fenced(t *testing.T, shared map[string]*flags.Flag, args ...string) string {
	t.Helper()
	var out, errors bytes.Buffer
	require.Zero(t, run(t.Context(), args, streams{out: &out, err: &errors}), errors.String())
	var axes flags.Set
	if strings.Contains(out.String(), takesOperations) {
		bench.Register(&axes, subjects[0].Axes...)
	}
	var b strings.Builder
	b.WriteString("```\n")
	var elsewhere []string
	omitted, axis := false, false
	for line := range strings.Lines(strings.Trim(out.String(), "\n")) {
		m := flagLine.FindStringSubmatch(line)
		switch {
		case m != nil && axes.Lookup(m[1]) != nil:
			omitted, axis = true, true
			continue
		case m != nil && isShared(shared, m[1], args):
			omitted, elsewhere = true, append(elsewhere, "-"+m[1])
			continue
		case omitted && strings.HasPrefix(line, "   "):
			continue // of the flag above
		}
		omitted = false
		b.WriteString(strings.TrimRight(homeless(line), " \n") + "\n")
	}
	if axis {
		b.WriteString("  and the axes of the operation, as for the test binaries\n")
	}
	if len(elsewhere) > 0 {
		b.WriteString(text.Indent("  and ", strings.Join(elsewhere, " "), helpWidth) + "\n")
	}
	b.WriteString("```\n")
	return b.String()
}

// isShared reports whether the flag of a command is the shared one.
func isShared(shared map[string]*flags.Flag, name string, args []string) bool {
	s := shared[name]
	if s == nil {
		return false
	}
	want, wantUsage := describe(s)
	command := strings.Join(args[:len(args)-1], " ")
	for _, l := range lines(streams{}) {
		for _, c := range append([]*commandLine{l}, l.below...) {
			if f := c.flags.Lookup(name); c.name == command && f != nil {
				flag, usage := describe(f)
				return flag == want && usage == wantUsage
			}
		}
	}
	return false
}

// TestHelpFits checks that no line of a help is wider than 80 columns.
func TestHelpFits(t *testing.T) {
	commands := [][]string{{"help"}}
	for _, l := range lines(streams{}) {
		commands = append(commands, []string{l.name, "-h"})
		for _, sub := range l.below {
			commands = append(commands, append(strings.Fields(sub.name), "-h"))
		}
	}
	for _, args := range commands {
		var out, errors bytes.Buffer
		require.Zero(t, run(t.Context(), args, streams{out: &out, err: &errors}), errors.String())
		for line := range strings.Lines(out.String()) {
			require.LessOrEqual(t, text.Len(strings.TrimSuffix(line, "\n")), 80, "%s: %s", args, line)
		}
	}
}
