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
	page = fill(t, page, "flags of other subjects", otherSubjects(t))
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

// loadMark begins the usage of a flag of the load runner in the test binaries.
const loadMark = "under the runner: "

// flagTables returns the flags of the first subject's test binaries: its axes, and
// the flags of the load runner.
func flagTables(t *testing.T) (matrix, load string) {
	t.Helper()
	var set flags.Set
	subjects[0].RegisterLoad(&set)
	var m, r []*flags.Flag
	for _, f := range set.All() {
		if usage, isLoad := strings.CutPrefix(f.Usage, loadMark); isLoad {
			copied := *f
			copied.Usage = usage
			r = append(r, &copied)
		} else {
			m = append(m, f)
		}
	}
	return block(t, m), block(t, r)
}

// block returns flags with their usage as a fenced block.
func block(t *testing.T, list []*flags.Flag) string {
	t.Helper()
	var table text.Table
	for _, f := range list {
		flag, usage := describe(f)
		table.Rows = append(table.Rows, []string{homeless(flag), homeless(usage)})
	}
	var b strings.Builder
	require.NoError(t, table.Write(&b, helpWidth))
	return "```\n" + b.String() + "```\n"
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

// otherSubjects returns the flags of the own axes of each subject but the first.
func otherSubjects(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, s := range subjects[1:] {
		var set flags.Set
		bench.Register(&set, s.Axes...)
		fmt.Fprintf(&b, "### %s: %s\n\n%s\n", s.Name, s.Summary, block(t, set.All()))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// helpOfCommands returns a section for each command and subcommand with its help.
// Flags that several commands share stand after them, once.
func helpOfCommands(t *testing.T) string {
	t.Helper()
	known := knownFlags()
	var b strings.Builder
	for _, l := range lines(streams{}) {
		fmt.Fprintf(&b, "\n### %s\n\n%s", l.name, fenced(t, known, l.name, "-h"))
		for _, sub := range l.below {
			fmt.Fprintf(&b, "\n#### %s\n\n%s", sub.name, fenced(t, known, append(strings.Fields(sub.name), "-h")...))
		}
	}
	var shared []*flags.Flag
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if f := known[name]; f.place == "" {
			shared = append(shared, f.Flag)
		}
	}
	return b.String() + "\n### Flags of several commands\n\n" + block(t, shared)
}

// knownFlag is a flag that the page describes once, with the words that stand for it
// and its neighbours of the same place in the help of a command. Without a place, its
// name does.
type knownFlag struct {
	*flags.Flag
	place string
}

// knownFlags returns the axes of the first subject, the flags of the load runner and
// the flags with the same meaning and default in at least two commands, by name.
func knownFlags() map[string]knownFlag {
	known := map[string]knownFlag{}
	var binaries flags.Set
	subjects[0].RegisterLoad(&binaries)
	for _, f := range binaries.All() {
		if usage, isLoad := strings.CutPrefix(f.Usage, loadMark); isLoad {
			copied := *f
			copied.Usage = usage
			known[f.Name] = knownFlag{&copied, "the flags of the load runner"}
		} else {
			known[f.Name] = knownFlag{f, "axes of the test binaries"}
		}
	}
	users := map[[2]string]int{} // by name and usage
	for _, l := range lines(streams{}) {
		for _, c := range append([]*commandLine{l}, l.below...) {
			if c.prepare != nil {
				c.prepare(nil)
			}
			for _, f := range c.flags.All() {
				users[[2]string{f.Name, f.Usage}]++
				if _, exists := known[f.Name]; !exists && users[[2]string{f.Name, f.Usage}] == 2 {
					known[f.Name] = knownFlag{f, ""}
				}
			}
		}
	}
	return known
}

// homeless shows the path of the user's cache folder as ~/.cache.
func homeless(s string) string {
	return strings.ReplaceAll(s, strings.TrimSuffix(cached("costs.json"), "/zkatbench/costs.json"), "~/.cache")
}

var flagLine = regexp.MustCompile(`^  -([a-z0-9_-]+)`)

// fenced returns the output of a command line as a fenced block, without the flags
// that the page describes once.
func fenced(t *testing.T, known map[string]knownFlag, args ...string) string {
	t.Helper()
	var out, errors bytes.Buffer
	require.Zero(t, run(t.Context(), args, streams{out: &out, err: &errors}), errors.String())
	own := ownFlags(strings.Join(args[:len(args)-1], " "))
	var b strings.Builder
	b.WriteString("```\n")
	elsewhere := map[string][]string{}
	omitted := false
	help, _, _ := strings.Cut(out.String(), "\nSUBCOMMANDS\n") // which follow on the page
	for line := range strings.Lines(strings.Trim(strings.TrimPrefix(help, "USAGE\n"), "\n")) {
		if line == "FLAGS\n" {
			continue
		}
		if m := flagLine.FindStringSubmatch(line); m != nil {
			k, isKnown := known[m[1]]
			f := own.Lookup(m[1])
			if omitted = isKnown && f != nil && k.Usage == f.Usage; omitted {
				elsewhere[k.place] = append(elsewhere[k.place], "-"+f.Name+otherDefault(f, k.Flag))
			}
		}
		if !omitted || !strings.HasPrefix(line, "  ") {
			b.WriteString(strings.TrimRight(homeless(line), " \n") + "\n")
		}
	}
	for _, place := range slices.Sorted(maps.Keys(elsewhere)) {
		names := strings.Join(elsewhere[place], " ")
		if len(elsewhere[place]) >= manyFlags && place != "" && !strings.Contains(names, "=") {
			names = place
		}
		b.WriteString(text.Indent("  and ", names, helpWidth) + "\n")
	}
	b.WriteString("```\n")
	return b.String()
}

// manyFlags is the number of flags of one place for which the place stands.
const manyFlags = 8

// ownFlags returns the flags of the command called name.
func ownFlags(name string) *flags.Set {
	for _, l := range lines(streams{}) {
		for _, c := range append([]*commandLine{l}, l.below...) {
			if c.name == name {
				if c.prepare != nil {
					c.prepare(nil)
				}
				return &c.flags
			}
		}
	}
	return &flags.Set{}
}

// otherDefault returns the default of f as an argument, if known has another one.
func otherDefault(f, known *flags.Flag) string {
	if f.Default == known.Default {
		return ""
	}
	return "=" + f.Default
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
