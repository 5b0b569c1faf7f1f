package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// commandLine is the command line of a command or of a subcommand.
type commandLine struct {
	name      string // after zkatbench: "merge", "history add"
	arguments string // after the name: "[flags] files"
	summary   string // one line, for lists
	help      string // if empty, the summary as a sentence
	flags     flags.Set
	below     []*commandLine
	typed     []string // the name and the arguments, for children of this program
	// prepare, if not nil, changes the arguments and declares flags that depend
	// on them.
	prepare func(args []string) []string
	// afterDashes receives the arguments after --. If it is nil, they are arguments as
	// others.
	afterDashes *[]string
	// least and most bound the number of arguments, and missing is the complaint about
	// too few.
	least, most int
	missing     string
	exec        func(ctx context.Context, args []string) error
	// outputs are the flags with names of files to write, and overwrite is -f.
	outputs   []outFiles
	overwrite bool
}

// newLine returns a command line without flags, for a command without arguments.
func newLine(name, arguments, summary string) *commandLine {
	return &commandLine{name: name, arguments: arguments, summary: summary, flags: flags.Set{Env: bench.Env}}
}

// expects allows from least to most arguments; missing is the complaint about too few.
func (l *commandLine) expects(least, most int, missing string) {
	l.least, l.most, l.missing = least, most, missing
}

// many is the number of arguments of a command without a bound.
const many = math.MaxInt

// takesOperations are the arguments of a command on operations.
const takesOperations = "[flags] [operations]"

// grouped returns a command that has subcommands only.
func grouped(name, summary, help string, below ...*commandLine) *commandLine {
	var names []string
	for _, sub := range below {
		names = append(names, strings.TrimPrefix(sub.name, name+" "))
	}
	l := newLine(name, strings.Join(names, "|")+" ...", summary)
	l.help, l.below, l.most = help, below, many
	l.exec = func(context.Context, []string) error {
		return fmt.Errorf("name one of %s", strings.Join(names, ", "))
	}
	return l
}

// run parses args and runs the command. Errors begin with its name.
func (l *commandLine) run(ctx context.Context, args []string, s streams) error {
	for _, sub := range l.below {
		if len(args) > 0 && l.name+" "+args[0] == sub.name {
			return sub.run(ctx, args[1:], s)
		}
	}
	err, exit := l.parseAndRun(ctx, args, s), exitError{}
	switch isExit := errors.As(err, &exit); {
	case err == nil, isExit && exit.error == nil:
		return err
	case !isExit && ctx.Err() != nil && !errors.Is(err, result.ErrInterrupted):
		// such as of a child that was killed
		err = errInterrupted
	}
	return fmt.Errorf("%s: %w", l.name, err)
}

// parseAndRun is run without the name. Requested help goes to standard output.
func (l *commandLine) parseAndRun(ctx context.Context, args []string, s streams) error {
	l.typed = append([]string{l.name}, args...)
	if l.prepare != nil {
		args = l.prepare(args)
	}
	rest, afterDashes, err := l.flags.Parse(args)
	for _, note := range l.flags.Notes() {
		fmt.Fprintf(s.err, "zkatbench: %s: %s\n", l.name, note)
	}
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
	case len(rest) < l.least:
		return fmt.Errorf("%s", l.missing)
	case len(rest) > l.most && l.arguments == takesOperations:
		return noOperation(rest[0])
	case len(rest) > l.most:
		return fmt.Errorf("%q is not expected: zkatbench %s", rest[l.most],
			strings.TrimSpace(l.name+" "+l.arguments))
	}
	if err := l.flags.Resolve(os.Getenv); err != nil {
		return l.explain(err)
	}
	if err := l.checkOutputs(slices.Concat(rest, afterDashes)); err != nil {
		return err
	}
	return l.exec(ctx, rest)
}

// ofFlag puts the name of a flag before an error, if there is one.
func ofFlag(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("-%s: %w", name, err)
}

// inputFlag declares a flag with the name of a file, which read reads before the work
// begins. Without the flag the value is zero.
func inputFlag[T any](set *flags.Set, to *T, name, usage string, read func(file string) (T, error)) {
	file := flags.One(set, name, "", usage, flags.Text("a file"))
	set.Check(func() (err error) {
		if *file == "" {
			return nil
		}
		*to, err = read(*file)
		return ofFlag(name, err)
	})
}

// optional are some of names, or none.
func optional(names ...string) flags.Values[string] {
	chosen := flags.Names(names...)
	parse := chosen.Parse
	chosen.Parse = func(item string) ([]string, bool) {
		if item == "" {
			return nil, true
		}
		return parse(item)
	}
	return chosen
}

// writeFile writes the file of an outputFlag, or to out if it is not given.
func writeFile(name string, out io.Writer, write func(io.Writer) error) error {
	if name == "" {
		return write(out)
	}
	return outfile.Write(name, write)
}

// helpWidth is the width of help if the width of the output is not known: help is for
// reading, also through a pager.
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
	var below, options [][]string
	for _, sub := range l.below {
		below = append(below, []string{strings.TrimPrefix(sub.name, l.name+" "), sub.summary})
	}
	for _, f := range l.flags.All() {
		option, usage := f.Help()
		options = append(options, []string{option, usage})
	}
	heads := [2]string{"SUBCOMMANDS", "FLAGS"}
	for i, rows := range [2][][]string{below, options} {
		if len(rows) > 0 {
			fmt.Fprintf(&b, "\n%s\n", heads[i])
			_ = text.Table{Indent: "  ", Rows: rows}.Write(&b, width) // a builder does not fail
		}
	}
	b.WriteString("\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// continued is the beginning of a line that belongs to the paragraph before it.
var continued = regexp.MustCompile("\n([^ ])")

// paragraphs wraps text to a width. Lines that begin with a blank stay as they are.
func paragraphs(help string, width int) string {
	var all []string
	for part := range strings.SplitSeq(help, "\n\n") {
		lines := strings.Split(continued.ReplaceAllString(part, " $1"), "\n")
		for i, line := range lines {
			if !strings.HasPrefix(line, " ") {
				lines[i] = text.Indent("", line, width)
			}
		}
		all = append(all, strings.Join(lines, "\n"))
	}
	return strings.Join(all, "\n\n")
}
