package main

import (
	"bytes"
	"context"
	"io"
	"slices"

	"github.com/zkatbench/zkatbench/bench/compare"
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
	var out string
	outputFlag(l, &out, "o", "", ": all results; standard output if not given")
	allow := flags.Many(&l.flags, "allow", "",
		": files of hosts with the same processor, Go release and revision (host), or of any (any); files "+
			"that are not whole, or of some shards only (partial); results or shards in two files (doubles)",
		optional("host", "any", "partial", "doubles"))
	l.expects(1, many, "name the files to join")
	l.exec = func(_ context.Context, files []string) error {
		loads, err := compare.AreLoads(files...)
		if err != nil {
			return err
		}
		var all bytes.Buffer
		if loads {
			err = compare.MergeLoads(&all, files)
		} else {
			err = result.Merge(&all,
				result.Accept{Hosts: slices.Contains(*allow, "host"), Mixed: slices.Contains(*allow, "any"),
					Partial: slices.Contains(*allow, "partial"), Doubles: slices.Contains(*allow, "doubles")},
				files...)
		}
		if err != nil {
			return err
		}
		return writeFile(out, s.out, func(w io.Writer) error { _, err := all.WriteTo(w); return err })
	}
	return l
}
