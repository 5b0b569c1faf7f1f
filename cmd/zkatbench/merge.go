package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// merge joins result files, such as those of shards.
func merge(ctx context.Context, args []string, s streams) error {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	out := fs.String("o", "", "`file` of all results; standard output if not given")
	overwrite := fs.Bool("f", false, "overwrite the file of -o")
	var accept result.Accept
	fs.BoolVar(&accept.Mixed, "mix", false, "also join files of different machines, Go releases or revisions")
	fs.BoolVar(&accept.Partial, "partial", false, "also join files that are not whole, and shards although some are missing")
	fs.BoolVar(&accept.Doubles, "doubles", false, "also join results, or a shard, that are in two files")
	l := commandLine{
		name: "merge", takes: "[flags] files", flags: fs,
		help: "Writes the results of all files as one file. It refuses files that differ in the machine,\n" +
			"the Go release or the revision, files that were cut or whose run did not end, shards of which\n" +
			"one is missing, and results that are in two files. JSON files of the load runner become one\n" +
			"result if they are of generators that ran at the same time.",
		exec: func(ctx context.Context, files []string) error { return mergeFiles(*out, *overwrite, accept, files, s) },
	}
	return l.run(ctx, args, s)
}

func mergeFiles(out string, overwrite bool, accept result.Accept, files []string, s streams) error {
	if err := noLateFlags("merge", files); err != nil {
		return err
	}
	if len(files) == 0 {
		return usageError("merge: which files?")
	}
	if !overwrite {
		if err := result.Vacant(out); err != nil {
			return usageError("merge: -o: %w", err)
		}
	}
	all, err := mergedText(accept, files)
	if err != nil {
		return fmt.Errorf("zkatbench: merge: %w", err)
	}
	if out == "" {
		_, err := s.out.Write(all)
		return err
	}
	if err := outfile.WriteBytes(out, all); err != nil {
		return fmt.Errorf("zkatbench: merge: %w", err)
	}
	return nil
}

// mergedText joins files of benchmarks, or of the load runner.
func mergedText(accept result.Accept, files []string) ([]byte, error) {
	loads, err := areLoads(files...)
	if err != nil {
		return nil, err
	}
	if loads {
		return mergeLoads(files)
	}
	var all bytes.Buffer
	err = result.Merge(&all, accept, files...)
	return all.Bytes(), err
}
