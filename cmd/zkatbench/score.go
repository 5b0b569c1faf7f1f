package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/compare"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/flags"
)

const scoreHelp = `Prints a row for each benchmark in files of Go benchmark format: the
mean of its results ± the half-width of the 99.9 % interval by Student's t. Packages instead of
files are measured: -forks processes, each with a warm-up and -count results of -duration. With
-before, the rows stand beside those of an older file, with the change.`

// scoreFlags are the flags of score.
type scoreFlags struct {
	forks, count             int
	duration                 time.Duration
	unit, format, out, clock string
	renames                  result.Renames
	before                   *result.Data
	nolock                   bool
}

// scoreLine prints results as a table of scores.
func scoreLine(s streams) *commandLine {
	l := newLine("score", "[flags] files | packages [-- flags of go test]",
		"print results as a table of scores: mean ± 99.9 % interval")
	l.help, l.afterDashes = scoreHelp, new([]string)
	set := &l.flags
	f := &scoreFlags{}
	flags.Into(set, &f.unit, "unit", result.Average,
		": avgt, the time of an operation, or thrpt, operations a millisecond",
		flags.Names(result.Average, result.Throughput))
	flags.Into(set, &f.format, "format", asText, ": text, or json as the Java harness writes it",
		flags.Names(asText, asJSON))
	clockFlag(set, &f.clock)
	outputFlag(l, &f.out, "o", "", ": the table; standard output if not given")
	inputFlag(set, &f.before, "before", ": to compare with",
		func(name string) (*result.Data, error) { return result.ReadFiles(name) })
	renamesFlag(set, &f.renames, ": in -before")
	flags.Into(set, &f.forks, "forks", "3", "", flags.AtLeast(1))
	flags.Into(set, &f.count, "count", "5",
		": results of each benchmark and process, after one that is not counted", flags.AtLeast(1))
	flags.Into(set, &f.duration, "duration", "1s", ": of one result", flags.Durations())
	noLockFlag(set, &f.nolock)
	set.Check(func() error {
		switch {
		case f.before != nil && f.format != asText:
			return fmt.Errorf("-format: a comparison with -before is text only")
		case f.before == nil && f.renames != nil:
			return fmt.Errorf("-map needs -before")
		}
		return nil
	})
	l.expects(1, many, "name files or packages, as in zkatbench score bench.txt")
	l.exec = func(ctx context.Context, args []string) error {
		scores := result.Scores{Mode: f.unit, Clock: f.clock, Forks: 1}
		if err := f.read(ctx, &scores, args, *l.afterDashes, s); err != nil {
			return err
		}
		return f.write(scores, s.out)
	}
	return l
}

// read reads files or measures packages.
func (f *scoreFlags) read(ctx context.Context, scores *result.Scores, args, tests []string,
	s streams) (err error) {
	switch packages := slices.ContainsFunc(args, isPackage); {
	case !packages && len(tests) > 0:
		return fmt.Errorf("files of results take no flags of go test")
	case !packages:
		scores.Data, err = result.ReadFiles(args...)
		return err
	case slices.ContainsFunc(args, func(name string) bool { return !isPackage(name) }):
		return fmt.Errorf("files and packages cannot be mixed")
	}
	return f.measure(ctx, scores, args, tests, s)
}

// isPackage reports whether an argument names packages and not a file.
func isPackage(name string) bool {
	kind := compare.KindOf(name)
	return kind == compare.Folder || kind == compare.Revision &&
		(strings.HasPrefix(name, ".") || strings.Contains(name, "..."))
}

// measure measures the benchmarks of packages as the command run does, in some processes,
// each with a warm-up and some iterations of a fixed time. tests are flags of go test.
func (f *scoreFlags) measure(ctx context.Context, scores *result.Scores, packages, tests []string,
	s streams) error {
	flags, err := result.CheckedFlags(tests)
	if err != nil {
		return err
	}
	results := f.count + 1 // the first one is the warm-up
	flags.Run = append(slices.Clip(flags.Run), "-test.benchtime="+f.duration.String(),
		fmt.Sprintf("-test.count=%d", results))
	var text bytes.Buffer
	open := func(result.Environment) (result.Sink, error) { return result.Stream{Writer: &text}, nil }
	measured := measurement{free: f.nolock, packages: packages, open: open}
	if err := measured.run(ctx, result.Suite{Flags: flags, Count: f.forks}, s); err != nil {
		return err
	}
	scores.Data, scores.Forks = result.NewData(), f.forks
	err = scores.Read(&text, "results")
	scores.SkipFirst(1, results)
	return err
}

// write prints the scores, or the change since -before.
func (f *scoreFlags) write(scores result.Scores, out io.Writer) error {
	write := scores.Write
	if f.format == asJSON {
		write = scores.WriteJSON
	}
	if f.before != nil {
		if err := scores.Rename(f.renames); err != nil {
			return fmt.Errorf("-map: %w", err)
		}
		write = func(w io.Writer) error { return scores.WriteChanges(w, f.before) }
	}
	return writeFile(f.out, out, write)
}
