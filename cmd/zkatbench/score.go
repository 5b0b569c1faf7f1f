package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/bench/score"
	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/outfile"
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
	l.help, l.behind = scoreHelp, new([]string)
	set := &l.flags
	f := scoreFlags{
		mode: flags.One(set, "mode", score.Average, "avgt, the time of an operation, or thrpt, operations a millisecond; for results in Go benchmark format",
			flags.Names(score.Average, score.Throughput)),
		format:     flags.One(set, "format", asText, "text, json or bench", flags.Names(asText, asJSON, asBench)),
		clock:      clockFlag(set),
		out:        flags.One(set, "o", "", "`file` of the table, the standard output if not given", flags.Text("a file")),
		before:     flags.One(set, "before", "", "`file` of older results to compare with", flags.Text("a file")),
		renames:    renamesFlag("score", set, "benchmarks with other names in -before"),
		forks:      flags.One(set, "forks", "3", "processes in which packages are measured", flags.AtLeast(1)),
		iterations: flags.One(set, "iterations", "5", "results of each benchmark and process, after one that is not counted", flags.AtLeast(1)),
		time:       flags.One(set, "time", "1s", "time of one result", flags.Durations()),
		free:       noLockFlag(set),
	}
	set.Check(func() error {
		switch {
		case *f.before != "" && *f.format != asText:
			return usageError("score: -format: a comparison with -before is text only")
		case *f.before == "" && *f.renames != nil:
			return usageError("score: -map needs -before")
		}
		return nil
	})
	l.exec = func(ctx context.Context, args []string) error {
		if len(args) == 0 {
			return usageError("score: name files or packages, as in zkatbench score bench.txt")
		}
		rows, err := f.rows(ctx, args, *l.behind, s)
		if err != nil {
			return err
		}
		return scoreError(f.write(rows, s.out))
	}
	return l
}

func scoreError(err error) error {
	if err == nil || errors.Is(err, errUsage) {
		return err
	}
	return fmt.Errorf("zkatbench: score: %w", err)
}

// rows reads files or measures packages.
func (f *scoreFlags) rows(ctx context.Context, args, tests []string, s streams) ([]score.Row, error) {
	packages := 0
	for _, name := range args {
		if isPackage(name) {
			packages++
		}
	}
	switch {
	case packages == 0 && len(tests) > 0:
		return nil, usageError("score: files of results take no flags of go test")
	case packages == 0:
		rows, err := readScores(args, *f.mode)
		return rows, scoreError(err)
	case packages < len(args):
		return nil, usageError("score: files and packages cannot be mixed")
	}
	return f.run(ctx, args, tests, s)
}

// isPackage reports whether an argument names packages and not a file.
func isPackage(name string) bool {
	kind := kindOf(name)
	return kind == folder || kind == revision && (strings.HasPrefix(name, ".") || strings.Contains(name, "..."))
}

// write prints the rows, or the change since -before.
func (f *scoreFlags) write(rows []score.Row, out io.Writer) error {
	if *f.before == "" {
		return writeScores(*f.out, *f.format, *f.clock, rows, out)
	}
	before, err := readScores([]string{*f.before}, *f.mode)
	if err == nil {
		before, err = score.OnClock(before, *f.clock)
	}
	if err == nil {
		rows, err = score.OnClock(rows, *f.clock)
	}
	if err != nil {
		return err
	}
	keys := make([]result.Key, len(rows))
	for i, r := range rows {
		keys[i] = result.Key{Name: r.Name()}
	}
	if _, err := f.renames.Keys(keys); err != nil {
		return usageError("score: -map: %w", err)
	}
	for i, r := range rows {
		rows[i] = r.Renamed(f.renames.Old)
	}
	if *f.out == "" {
		return score.WriteChanges(out, before, rows)
	}
	return outfile.Write(*f.out, func(w io.Writer) error { return score.WriteChanges(w, before, rows) })
}

// readScores reads the rows of all files. Equal rows of several files are one row
// with a fork for each.
func readScores(files []string, mode string) (rows []score.Row, err error) {
	for _, name := range files {
		f, err := outfile.Open(name)
		if err != nil {
			return nil, err
		}
		more, err := score.Read(f, name, mode)
		f.Close()
		if err != nil {
			return nil, err
		}
		rows = mergeForks(rows, more)
	}
	return rows, nil
}
