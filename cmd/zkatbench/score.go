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
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/bench/score"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

const scoreHelp = `Prints a row for each benchmark in files of Go benchmark format or of JSON from zkatbench shots: the
mean of its samples ± the half-width of the 99.9 % interval by Student's t. Packages instead of
files are measured: -forks processes, each with a warm-up and -iterations results of -time. With
-before, the rows stand beside those of an older file, with the change.`

// scoreFlags are the flags of score.
type scoreFlags struct {
	throughputRun
	format, out, before, renamed string
	renames                      result.Renames
}

// scores prints results as a table of scores.
func scores(ctx context.Context, args []string, s streams) error {
	ours, tests := splitAtDashes(args)
	fs, f := flag.NewFlagSet("score", flag.ContinueOnError), scoreFlags{}
	fs.StringVar(&f.mode, "mode", score.Average, "avgt, the time of an operation, or thrpt, operations a millisecond; for results in Go benchmark format")
	fs.StringVar(&f.format, "format", asText, "text, json or bench")
	fs.StringVar(&f.out, "o", "", "`file` of the table, the standard output if not given")
	fs.StringVar(&f.before, "before", "", "`file` of older results to compare with")
	fs.StringVar(&f.renamed, "map", "", "benchmarks with other names in -before, `new=old[,...]`, by whole names or beginnings")
	fs.IntVar(&f.forks, "forks", 3, "processes in which packages are measured")
	fs.IntVar(&f.iterations, "iterations", 5, "results of each benchmark and process, after one that is not counted")
	fs.DurationVar(&f.time, "time", time.Second, "time of one result")
	fs.BoolVar(&f.free, "nolock", false, "do not wait for other measurements on this machine")
	l := commandLine{
		name: "score", takes: "[flags] files | packages [-- flags of go test]", flags: fs, mixed: true, help: scoreHelp,
		exec: func(ctx context.Context, args []string) error {
			if err := f.check(args); err != nil {
				return err
			}
			rows, err := f.rows(ctx, args, tests, s)
			if err == nil {
				err = f.write(rows, s.out)
			}
			if err == nil || errors.Is(err, errUsage) || errors.Is(err, context.Canceled) {
				return err
			}
			return fmt.Errorf("zkatbench: score: %w", err)
		},
	}
	return l.run(ctx, ours, s)
}

func (f *scoreFlags) check(args []string) (err error) {
	switch {
	case !slices.Contains([]string{score.Average, score.Throughput}, f.mode):
		return usageError("score: -mode: %q is not one of %s, %s", f.mode, score.Average, score.Throughput)
	case !slices.Contains([]string{asText, asJSON, asBench}, f.format):
		return usageError("score: -format: %q is not one of %s", f.format, strings.Join([]string{asText, asJSON, asBench}, ", "))
	case f.before != "" && f.format != asText:
		return usageError("score: -format: a comparison with -before is text only")
	case f.before == "" && f.renamed != "":
		return usageError("score: -map needs -before")
	case len(args) == 0:
		return usageError("score: which files? Such as: zkatbench score bench.txt")
	}
	if f.renames, err = result.ParseRenames(f.renamed); err != nil {
		return usageError("score: -map: %w", err)
	}
	return f.throughputRun.check()
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
		return readScores(args, f.mode)
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
	if f.before == "" {
		return writeScores(f.out, f.format, rows, out)
	}
	before, err := readScores([]string{f.before}, f.mode)
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
	if f.out == "" {
		return score.WriteChanges(out, before, rows)
	}
	return outfile.Write(f.out, func(w io.Writer) error { return score.WriteChanges(w, before, rows) })
}

// readScores reads the rows of all files. Equal rows of several files are one row
// with a fork for each.
func readScores(files []string, mode string) (rows []score.Row, err error) {
	for _, name := range files {
		f, err := os.Open(name)
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
