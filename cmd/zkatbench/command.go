package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/text"
)

// commandLine is the command line of a command or of a subcommand.
type commandLine struct {
	name      string // after zkatbench: "merge", "history add"
	arguments string // after the name: "[flags] files"
	summary   string // one line, for lists
	help      string // if empty, the summary as a sentence
	flags     flags.Set
	below     []*commandLine
	// prepare, if not nil, changes the arguments and declares flags that depend
	// on them.
	prepare func(args []string) []string
	// behind receives the arguments after --. If it is nil, they are arguments as
	// others.
	afterDashes *[]string
	exec        func(ctx context.Context, args []string) error
}

// newLine returns a command line without flags.
func newLine(name, arguments, summary string) *commandLine {
	return &commandLine{name: name, arguments: arguments, summary: summary, flags: flags.Set{Env: bench.Env}}
}

// grouped returns a command that has subcommands only.
func grouped(name, summary, help string, below ...*commandLine) *commandLine {
	var names []string
	for _, sub := range below {
		names = append(names, strings.TrimPrefix(sub.name, name+" "))
	}
	l := newLine(name, strings.Join(names, "|")+" ...", summary)
	l.help, l.below = help, below
	l.exec = func(context.Context, []string) error {
		return usageError("%s: name one of %s", name, strings.Join(names, ", "))
	}
	return l
}

// badFlag is an error shown without a prefix; its exit status is 2.
type badFlag struct{ error }

func (badFlag) Is(target error) bool { return target == errUsage }

// usageError is an error of the command line: exit status 2.
func usageError(format string, args ...any) error {
	return badFlag{fmt.Errorf("zkatbench: "+format, args...)}
}

// run parses args and runs the command. Requested help goes to standard output.
func (l *commandLine) run(ctx context.Context, args []string, s streams) error {
	for _, sub := range l.below {
		if len(args) > 0 && l.name+" "+args[0] == sub.name {
			return sub.run(ctx, args[1:], s)
		}
	}
	if l.prepare != nil {
		args = l.prepare(args)
	}
	rest, afterDashes, err := l.flags.Parse(args)
	switch {
	case errors.Is(err, flags.ErrHelp):
		return l.writeHelp(s.out)
	case err != nil:
		return l.explain(err)
	case l.afterDashes != nil:
		*l.afterDashes = afterDashes
	default:
		rest = append(rest, afterDashes...)
	}
	switch {
	case len(rest) == 0 || l.below != nil:
	case l.arguments == "":
		return usageError("%s takes no arguments, not %q", l.name, rest[0])
	case l.arguments == "[flags]":
		return usageError("%s takes flags only, not %q", l.name, rest[0])
	case l.arguments == takesOperations:
		return usageError("%s takes flags and names of operations, not %q", l.name, rest[0])
	}
	if err := l.flags.Resolve(os.Getenv); err != nil {
		return l.explain(err)
	}
	return l.exec(ctx, rest)
}

// helpWidth is the width of help where the output has none: help is for reading, also
// through a pager.
const helpWidth = text.DefaultWidth

// writeHelp prints the usage, the help and the flags.
func (l *commandLine) writeHelp(out io.Writer) error {
	width := cmp.Or(text.Width(out), helpWidth)
	var b strings.Builder
	fmt.Fprintf(&b, "USAGE\n  zkatbench %s\n", strings.TrimSpace(l.name+" "+l.arguments))
	if l.help == "" {
		l.help = strings.ToUpper(l.summary[:1]) + l.summary[1:] + "."
	}
	fmt.Fprintf(&b, "\n%s\n", paragraphs(l.help, width))
	below := text.Table{Indent: "  "}
	for _, sub := range l.below {
		below.Rows = append(below.Rows, []string{strings.TrimPrefix(sub.name, l.name+" "), sub.summary})
	}
	if len(l.below) > 0 {
		b.WriteString("\nSUBCOMMANDS\n")
	}
	_ = below.Write(&b, width) // a builder has no error
	if len(l.flags.Names()) > 0 {
		b.WriteString("\nFLAGS\n")
	}
	options := text.Table{Indent: "  "}
	for _, f := range l.flags.All() {
		flag, usage := describe(f)
		options.Rows = append(options.Rows, []string{flag, usage})
	}
	_ = options.Write(&b, width)
	b.WriteString("\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// paragraphs wraps text to a width. Lines that begin with a blank stay as they are.
func paragraphs(help string, width int) string {
	var all []string
	for part := range strings.SplitSeq(help, "\n\n") {
		lines := []string{""}
		for line := range strings.SplitSeq(part, "\n") {
			if last := &lines[len(lines)-1]; !strings.HasPrefix(line, " ") && !strings.HasPrefix(*last, " ") {
				*last = strings.TrimSpace(*last + " " + line)
			} else {
				lines = append(lines, line)
			}
		}
		for i, line := range lines {
			if !strings.HasPrefix(line, " ") {
				lines[i] = text.Indent("", line, width)
			}
		}
		all = append(all, strings.TrimPrefix(strings.Join(lines, "\n"), "\n"))
	}
	return strings.Join(all, "\n\n")
}

// describe returns a flag with its value or the name of the value, and its usage.
func describe(f *flags.Flag) (flag, usage string) {
	space, value := " ", f.Default
	name, usage := placeholder(f.Usage)
	if f.Switch {
		space = "="
	}
	switch {
	case value == "":
		value = name
	case len(value) > maxDefault:
		value, usage = name, fmt.Sprintf("%s (default %s)", usage, value)
	}
	return "-" + f.Name + space + value, usage
}

// placeholder returns the word between back quotes in the usage of a flag, which
// stands for its value in the help, and the usage without the quotes.
func placeholder(usage string) (name, plain string) {
	before, rest, found := strings.Cut(usage, "`")
	name, after, closed := strings.Cut(rest, "`")
	if !found || !closed {
		return "value", usage
	}
	return name, before + name + after
}

// maxDefault is the length of a default value in the first column of the
// help. Longer ones follow the usage.
const maxDefault = 12
