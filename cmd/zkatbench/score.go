package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/score"
)

// scores prints the results in files as a table of scores.
func scores(ctx context.Context, args []string, s streams) error {
	fs := flag.NewFlagSet("score", flag.ContinueOnError)
	mode := fs.String("mode", score.Average, "avgt, the time of an operation, or thrpt, operations a millisecond; for files in Go benchmark format")
	format := fs.String("format", asText, "text, json or bench")
	out := fs.String("o", "", "`file` of the table, the standard output if not given")
	l := commandLine{
		name: "score", takes: "[flags] files", flags: fs, mixed: true,
		help: "Prints a row for each benchmark in files of Go benchmark format or of JSON from zkatbench shots: the\n" +
			"mean of its samples ± the half-width of the 99.9 % interval by Student's t.",
		exec: func(_ context.Context, files []string) error {
			if !slices.Contains([]string{score.Average, score.Throughput}, *mode) {
				return usageError("score: -mode: %q is not one of %s, %s", *mode, score.Average, score.Throughput)
			}
			if !slices.Contains([]string{asText, asJSON, asBench}, *format) {
				return usageError("score: -format: %q is not one of %s", *format, strings.Join([]string{asText, asJSON, asBench}, ", "))
			}
			if len(files) == 0 {
				return usageError("score: which files? Such as: zkatbench score bench.txt")
			}
			rows, err := readScores(files, *mode)
			if err != nil {
				return fmt.Errorf("zkatbench: score: %w", err)
			}
			return writeScores(*out, *format, rows, s.out)
		},
	}
	return l.run(ctx, args, s)
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
		for _, r := range more {
			i := slices.IndexFunc(rows, func(old score.Row) bool { return old.Mode == r.Mode && old.Name() == r.Name() })
			if i < 0 {
				rows = append(rows, r)
				continue
			}
			rows[i].Samples = append(rows[i].Samples, r.Samples...)
		}
	}
	return rows, nil
}
