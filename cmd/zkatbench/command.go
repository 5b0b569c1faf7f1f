package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/zkatbench/zkatbench/bench"
)

// commandLine is the command line of a command or of a subcommand. All flags
// are flags of package flag; axes of package bench are registered there too.
type commandLine struct {
	name    string        // after zkatbench: "merge", "history add"
	takes   string        // after the name: "[flags] files"
	help    string        // if empty, the summary of the command
	flags   *flag.FlagSet // nil without flags
	below   []*commandLine
	summary string // of a subcommand, in the help of its command
	// mixed allows flags after other arguments.
	mixed bool
	exec  func(ctx context.Context, args []string) error
}

// summaries are the summaries of all commands as sentences.
var summaries = map[string]string{}

func init() {
	for _, c := range commands {
		summaries[c.name] = strings.ToUpper(c.summary[:1]) + c.summary[1:] + "."
	}
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
	rest, err := l.parse(args, s.out)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	return l.exec(ctx, rest)
}

// parse returns the arguments that are not flags. If help was requested, it
// prints the help and returns flag.ErrHelp. Other errors are one line.
func (l *commandLine) parse(args []string, out io.Writer) (rest []string, err error) {
	if l.flags == nil {
		l.flags = flag.NewFlagSet(l.name, flag.ContinueOnError)
	}
	l.flags.SetOutput(io.Discard)
	l.flags.Usage = func() {}
	if l.mixed {
		args = flagsFirst(l.flags, args)
	}
	switch err := l.flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		if err := l.writeHelp(out); err != nil {
			return nil, err
		}
		return nil, flag.ErrHelp
	case err != nil:
		return nil, l.explain(err)
	}
	return l.flags.Args(), nil
}

// writeHelp prints the usage, the help and the flags.
func (l *commandLine) writeHelp(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 2, 2, ' ', 0)
	fmt.Fprintf(w, "USAGE\n  zkatbench %s\n", strings.TrimSpace(l.name+" "+l.takes))
	if l.help == "" {
		l.help = summaries[l.name]
	}
	if l.help != "" {
		fmt.Fprintf(w, "\n%s\n", l.help)
	}
	if len(l.below) > 0 {
		fmt.Fprint(w, "\nSUBCOMMANDS\n")
		for _, sub := range l.below {
			fmt.Fprintf(w, "  %s\t%s\n", strings.TrimPrefix(sub.name, l.name+" "), sub.summary)
		}
	}
	first := true
	l.flags.VisitAll(func(f *flag.Flag) {
		if first {
			fmt.Fprint(w, "\nFLAGS\n")
			first = false
		}
		space, value := " ", f.DefValue
		name, usage := flag.UnquoteUsage(f)
		if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
			space = "="
		}
		switch {
		case value == "":
			value = name
		case len(value) > maxDefault:
			value, usage = name, fmt.Sprintf("%s (default %s)", usage, value)
		}
		fmt.Fprintf(w, "  -%s%s%s\t%s\n", f.Name, space, value, usage)
	})
	fmt.Fprintln(w)
	return w.Flush()
}

// maxDefault is the length of a default value in the first column of the
// help. Longer ones follow the usage.
const maxDefault = 24

// selection parses the flags of set for a command that takes only flags, or
// names that the caller has removed from args. If help was requested, it prints
// the help and returns nil without an error.
func selection(l commandLine, set bench.Set, args []string, out io.Writer) (*bench.Selection, error) {
	l.flags = flag.NewFlagSet(l.name, flag.ContinueOnError)
	flags := set.Register(l.flags)
	rest, err := l.parse(args, out)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil, nil
	case err != nil:
		return nil, err
	case len(rest) > 0 && strings.Contains(l.takes, "operations"):
		return nil, usageError("%s takes flags and names of operations, not %s", l.name, rest[0])
	case len(rest) > 0:
		return nil, usageError("%s takes flags only, not %s", l.name, rest[0])
	}
	sel, err := flags.Resolve(os.Getenv)
	if err != nil {
		return nil, badFlag{err}
	}
	return sel, nil
}

// splitAtDashes splits a command line at --: the part after it is for go test.
func splitAtDashes(args []string) (ours, tests []string) {
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i], args[i+1:]
	}
	return args, nil
}

// noLateFlags reports flags after the first argument, which package flag does
// not parse.
func noLateFlags(command string, args []string) error {
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			return usageError("%s: %s: flags come before other arguments, and flags of go test after --", command, a)
		}
	}
	return nil
}

// flagsFirst moves flags before the other arguments, as package flag requires.
// Arguments after -- stay in place.
func flagsFirst(fs *flag.FlagSet, args []string) []string {
	var flags, others []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			others = append(others, args[i:]...)
			break
		}
		if !strings.HasPrefix(a, "-") || a == "-" {
			others = append(others, a)
			continue
		}
		flags = append(flags, a)
		if i+1 < len(args) && wantsValue(fs, a) {
			i++
			flags = append(flags, args[i])
		}
	}
	return slices.Concat(flags, others)
}

// wantsValue reports whether the value of a flag is the next argument.
func wantsValue(fs *flag.FlagSet, arg string) bool {
	f := fs.Lookup(strings.TrimLeft(arg, "-"))
	if f == nil {
		return false
	}
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return !ok || !b.IsBoolFlag()
}
