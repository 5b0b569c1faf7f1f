package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/judge"
)

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
		flag, usage := f.Help()
		table.Rows = append(table.Rows, []string{homeless(flag), homeless(usage)})
	}
	var b strings.Builder
	require.NoError(t, table.Write(&b, helpWidth))
	return "```\n" + b.String() + "```\n"
}

// findings lists the kinds of findings of the load runner with their limits.
func findings() string {
	var all []string
	limits := judge.Thresholds()
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
// The meaning of flags that several commands share stands after them, once.
func helpOfCommands(t *testing.T) string {
	t.Helper()
	known, said := knownFlags(), map[string]bool{}
	var b strings.Builder
	for _, l := range lines(streams{}) {
		fmt.Fprintf(&b, "\n### %s\n\n%s", l.name, fenced(t, known, said, l))
		for _, sub := range l.below {
			fmt.Fprintf(&b, "\n#### %s\n\n%s", sub.name, fenced(t, known, said, sub))
		}
	}
	var shared text.Table
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if f := known[name]; f.place == "" {
			shared.Rows = append(shared.Rows, []string{"-" + name + " " + f.Type, word(name).Meaning})
		}
	}
	b.WriteString("\n### Flags of several commands\n\n```\n")
	require.NoError(t, shared.Write(&b, helpWidth))
	return b.String() + "```\n"
}

// word returns the word of a flag.
func word(name string) flags.Word {
	at := slices.IndexFunc(flags.Words, func(w flags.Word) bool { return w.Name == name })
	if at < 0 {
		return flags.Word{}
	}
	return flags.Words[at]
}

// knownFlag is a flag that the page describes once, with the words that stand for it
// and its neighbours of the same place in the help of a command. Without a place, its
// name does.
type knownFlag struct {
	*flags.Flag
	place string
}

// knownFlags returns the axes of the first subject, the flags of the load runner and
// the flags of at least two commands, by name.
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
	users := map[string]int{}
	for _, l := range everyLine() {
		for _, f := range l.flags.All() {
			if users[f.Name]++; users[f.Name] == 2 && known[f.Name].Flag == nil {
				known[f.Name] = knownFlag{f, ""}
			}
		}
	}
	return known
}

// everyLine returns all commands and subcommands with their flags.
func everyLine() (all []*commandLine) {
	for _, l := range lines(streams{}) {
		all = append(append(all, l), l.below...)
	}
	for _, l := range all {
		if l.prepare != nil {
			l.prepare(nil)
		}
	}
	return all
}

// homeless shows the path of the user's cache folder as ~/.cache.
func homeless(s string) string {
	return strings.ReplaceAll(s, strings.TrimSuffix(cached("costs.json"), "/zkatbench/costs.json"),
		"~/.cache")
}

// fenced returns the help of a command as a fenced block. A flag that the page describes
// in another place has only what is different here, and nothing if that was said before.
func fenced(t *testing.T, known map[string]knownFlag, said map[string]bool, l *commandLine) string {
	t.Helper()
	var out, errors bytes.Buffer
	require.Zero(t, run(t.Context(), append(strings.Fields(l.name), "-h"), streams{out: &out, err: &errors}),
		errors.String())
	help, _, _ := strings.Cut(out.String(), "\nFLAGS\n")
	help, _, _ = strings.Cut(help, "\nSUBCOMMANDS\n") // which follow on the page
	var b strings.Builder
	b.WriteString("```\n" + strings.Trim(strings.TrimPrefix(help, "USAGE\n"), "\n") + "\n")
	if l.prepare != nil {
		l.prepare(nil)
	}
	own := text.Table{Indent: "  "}
	elsewhere := map[string][]string{}
	for _, f := range l.flags.All() {
		option, usage := f.Help()
		k, isKnown := known[f.Name]
		same := k.place != "" && k.Usage == f.Usage || f.Usage == word(f.Name).Meaning || said[usage+option]
		said[usage+option] = true
		if isKnown && same {
			elsewhere[k.place] = append(elsewhere[k.place], "-"+f.Name+otherDefault(f, k))
			continue
		}
		if isKnown {
			usage = strings.TrimPrefix(usage, word(f.Name).Meaning+": ")
		}
		own.Rows = append(own.Rows, []string{homeless(option), homeless(usage)})
	}
	if len(own.Rows) > 0 {
		b.WriteString("\n")
		require.NoError(t, own.Write(&b, helpWidth))
	} else if len(elsewhere) > 0 {
		b.WriteString("\n")
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

// otherDefault returns the default of f as an argument, unless the page has it in another place.
func otherDefault(f *flags.Flag, known knownFlag) string {
	if known.place != "" && f.Default == known.Default || f.Default == "" || f.Default == "false" {
		return ""
	}
	return "=" + homeless(f.Default)
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
