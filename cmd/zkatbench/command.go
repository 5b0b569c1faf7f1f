package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// commandLine is the command line of a command or of a subcommand.
type commandLine struct {
	name    string // after zkatbench: "merge", "history add"
	takes   string // after the name: "[flags] files"
	summary string // one line, for lists
	help    string // if empty, the summary as a sentence
	flags   flags.Set
	below   []*commandLine
	// prepare, if not nil, changes the arguments and declares flags that depend
	// on them.
	prepare func(args []string) []string
	// behind receives the arguments after --. If it is nil, they are arguments as
	// others.
	behind *[]string
	exec   func(ctx context.Context, args []string) error
}

// newLine returns a command line without flags.
func newLine(name, takes, summary string) *commandLine {
	return &commandLine{name: name, takes: takes, summary: summary, flags: flags.Set{Env: bench.Env}}
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
	rest, behind, err := l.flags.Parse(args)
	switch {
	case errors.Is(err, flags.ErrHelp):
		return l.writeHelp(s.out)
	case err != nil:
		return l.explain(err)
	case l.behind != nil:
		*l.behind = behind
	default:
		rest = append(rest, behind...)
	}
	switch {
	case len(rest) == 0 || l.below != nil:
	case l.takes == "":
		return usageError("%s takes no arguments, not %q", l.name, rest[0])
	case l.takes == "[flags]":
		return usageError("%s takes flags only, not %q", l.name, rest[0])
	case l.takes == takesOperations:
		return usageError("%s takes flags and names of operations, not %q", l.name, rest[0])
	}
	if err := l.flags.Resolve(os.Getenv); err != nil {
		return l.explain(err)
	}
	return l.exec(ctx, rest)
}

// writeHelp prints the usage, the help and the flags.
func (l *commandLine) writeHelp(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 2, 2, ' ', 0)
	fmt.Fprintf(w, "USAGE\n  zkatbench %s\n", strings.TrimSpace(l.name+" "+l.takes))
	if l.help == "" {
		l.help = strings.ToUpper(l.summary[:1]) + l.summary[1:] + "."
	}
	fmt.Fprintf(w, "\n%s\n", l.help)
	if len(l.below) > 0 {
		fmt.Fprint(w, "\nSUBCOMMANDS\n")
		for _, sub := range l.below {
			fmt.Fprintf(w, "  %s\t%s\n", strings.TrimPrefix(sub.name, l.name+" "), sub.summary)
		}
	}
	if len(l.flags.Names()) > 0 {
		fmt.Fprint(w, "\nFLAGS\n")
	}
	for _, f := range l.flags.All() {
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
		fmt.Fprintf(w, "  -%s%s%s\t%s\n", f.Name, space, value, usage)
	}
	fmt.Fprintln(w)
	return w.Flush()
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
const maxDefault = 24
