package main

import (
	"bytes"
	"context"
	"io"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// mergeLine joins result files, such as the files of shards.
func mergeLine(s streams) *commandLine {
	l := newLine("merge", "[flags] files", "join result files, such as those of shards")
	l.help = "Writes the results of all files as one file. It refuses files that differ in the machine,\n" +
		"the Go release or the revision, files that were cut or whose run did not end, shards of which\n" +
		"one is missing, and results that are in two files. JSON files of the load runner become one\n" +
		"result if they are of generators that ran at the same time."
	out := newFileFlag(&l.flags, "o", "`file` of all results; standard output if not given")
	mixed := flags.One(&l.flags, "mix", "none", "also join files of other hosts with the same processor, Go release and revision (host), or of any", flags.Names("none", "host", "any"))
	partial := flags.One(&l.flags, "partial", "false", "also join files that are not whole, and shards although some are missing", flags.Switch())
	doubles := flags.One(&l.flags, "doubles", "false", "also join results, or a shard, that are in two files", flags.Switch())
	l.expects(1, many, "name the files to join")
	l.exec = func(_ context.Context, files []string) error {
		loads, err := areLoads(files...)
		if err != nil {
			return err
		}
		var all bytes.Buffer
		if loads {
			err = mergeLoads(&all, files)
		} else {
			err = result.Merge(&all, result.Accept{Hosts: *mixed == "host", Mixed: *mixed == "any", Partial: *partial, Doubles: *doubles}, files...)
		}
		if err != nil {
			return err
		}
		return writeFile(*out, s.out, func(w io.Writer) error { _, err := all.WriteTo(w); return err })
	}
	return l
}
