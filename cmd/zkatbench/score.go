package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/flags"
)

const scoreHelp = `Prints a row for each benchmark in files of Go benchmark format or of JSON from zkatbench shots: the
mean of its samples ± the half-width of the 99.9 % interval by Student's t. Packages instead of
files are measured: -forks processes, each with a warm-up and -iterations results of -time. With
-before, the rows stand beside those of an older file, with the change.`

// scoreFlags are the flags of score.
type scoreFlags struct {
	forks, iterations         *int
	time                      *time.Duration
	free                      *bool // of the lock
	mode, format, out, before *string
	clock                     *string
	renames                   *result.Renames
}

// scoreLine prints results as a table of scores.
func scoreLine(s streams) *commandLine {
	l := newLine("score", "[flags] files | packages [-- flags of go test]", "print results as a table of scores: mean ± 99.9 % interval")
	l.help, l.afterDashes = scoreHelp, new([]string)
	set := &l.flags
	f := scoreFlags{
		mode: flags.One(set, "mode", result.Average, "avgt, the time of an operation, or thrpt, operations a millisecond; for results in Go benchmark format",
			flags.Names(result.Average, result.Throughput)),
		format:     flags.One(set, "format", asText, "text, json or bench", flags.Names(asText, asJSON, asBench)),
		clock:      clockFlag(set),
		out:        outputFlag(set, "o", "", "`file` of the table; standard output if not given"),
		before:     flags.One(set, "before", "", "`file` of older results to compare with", flags.Text("a file")),
		renames:    renamesFlag(set, "benchmarks with other names in -before"),
		forks:      flags.One(set, "forks", "3", "processes in which packages are measured", flags.AtLeast(1)),
		iterations: flags.One(set, "iterations", "5", "results of each benchmark and process, after one that is not counted", flags.AtLeast(1)),
		time:       flags.One(set, "time", "1s", "time of one result", flags.Durations()),
		free:       noLockFlag(set),
	}
	set.Check(func() error {
		switch {
		case *f.before != "" && *f.format != asText:
			return fmt.Errorf("-format: a comparison with -before is text only")
		case *f.before == "" && *f.renames != nil:
			return fmt.Errorf("-map needs -before")
		}
		return nil
	})
	l.expects(1, many, "name files or packages, as in zkatbench score bench.txt")
	l.exec = func(ctx context.Context, args []string) error {
		rows, err := f.rows(ctx, args, *l.afterDashes, s)
		if err != nil {
			return err
		}
		return f.write(rows, s.out)
	}
	return l
}

// rows reads files or measures packages.
func (f *scoreFlags) rows(ctx context.Context, args, tests []string, s streams) ([]result.Row, error) {
	packages := 0
	for _, name := range args {
		if isPackage(name) {
			packages++
		}
	}
	switch {
	case packages == 0 && len(tests) > 0:
		return nil, fmt.Errorf("files of results take no flags of go test")
	case packages == 0:
		return result.ReadRows(*f.mode, args...)
	case packages < len(args):
		return nil, fmt.Errorf("files and packages cannot be mixed")
	}
	return f.run(ctx, args, tests, s)
}

// isPackage reports whether an argument names packages and not a file.
func isPackage(name string) bool {
	kind := kindOf(name)
	return kind == folder || kind == revision && (strings.HasPrefix(name, ".") || strings.Contains(name, "..."))
}

// run measures the benchmarks of packages as the command run does, in some processes,
// each with a warm-up and some iterations of a fixed time. tests are flags of go test.
func (f *scoreFlags) run(ctx context.Context, packages, tests []string, s streams) ([]result.Row, error) {
	flags, err := result.ParseFlags(tests)
	if err != nil {
		return nil, err
	}
	flags.Run = append(slices.Clip(flags.Run), "-test.benchtime="+f.time.String())
	results := *f.iterations + 1 // the first one is the warm-up
	var text bytes.Buffer
	open := func(result.Environment) (result.Sink, error) { return result.Stream{Writer: &text}, nil }
	if err := (measurement{"", *f.free, packages, open}).run(ctx, result.Suite{Flags: flags, Count: *f.forks, Each: results}, s); err != nil {
		return nil, err
	}
	d := result.NewData()
	err = d.Read(&text, "results")
	rows := result.Rows(*f.mode, d)
	for i, r := range rows {
		rows[i].Warmup, rows[i].Samples, rows[i].CPU = 1, counted(r.Samples, results), counted(r.CPU, results)
	}
	return rows, err
}

// counted returns the samples of each fork without the warm-up, from those of all
// forks.
func counted(all [][]float64, results int) (forks [][]float64) {
	for fork := range slices.Chunk(slices.Concat(all...), results) {
		forks = append(forks, fork[1:])
	}
	return forks
}

// write prints the rows, or the change since -before.
func (f *scoreFlags) write(rows []result.Row, out io.Writer) error {
	if *f.before == "" {
		return writeScores(*f.out, *f.format, *f.clock, rows, out)
	}
	before, err := result.ReadRows(*f.mode, *f.before)
	if err == nil {
		before, err = result.OnClock(before, *f.clock)
	}
	if err == nil {
		rows, err = result.OnClock(rows, *f.clock)
	}
	if err != nil {
		return err
	}
	keys := make([]result.Key, len(rows))
	for i, r := range rows {
		keys[i] = result.Key{Name: r.Name()}
	}
	if _, err := f.renames.Keys(keys); err != nil {
		return fmt.Errorf("-map: %w", err)
	}
	for i, r := range rows {
		rows[i] = r.Renamed(f.renames.Old)
	}
	return writeFile(*f.out, out, func(w io.Writer) error { return result.WriteChanges(w, before, rows) })
}
