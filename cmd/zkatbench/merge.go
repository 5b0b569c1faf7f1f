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
	mix := fs.Bool("mix", false, "also join files of different machines, Go releases or revisions")
	l := commandLine{
		name: "merge", takes: "[flags] files", flags: fs,
		help: "Writes the results of all files as one file. It refuses files that differ in the machine,\n" +
			"the Go release or the revision.",
		exec: func(ctx context.Context, files []string) error { return mergeFiles(*out, *mix, files, s) },
	}
	return l.run(ctx, args, s)
}

func mergeFiles(out string, mix bool, files []string, s streams) error {
	if err := noLateFlags("merge", files); err != nil {
		return err
	}
	if len(files) == 0 {
		return usageError("merge: which files?")
	}
	var all bytes.Buffer
	if err := result.Merge(&all, mix, files...); err != nil {
		return fmt.Errorf("zkatbench: merge: %w", err)
	}
	if out == "" {
		_, err := s.out.Write(all.Bytes())
		return err
	}
	if err := outfile.WriteBytes(out, all.Bytes()); err != nil {
		return fmt.Errorf("zkatbench: merge: %w", err)
	}
	return nil
}
