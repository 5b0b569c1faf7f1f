package main

import (
	"cmp"
	"context"

	"github.com/zkatbench/zkatbench/bench/peers"
	"github.com/zkatbench/zkatbench/runner/flags"
)

const peersHelp = `Measures proof systems for confidential transfers on this machine, in turns: ours,
Groth16 and PLONK of gnark, and range proofs and a transfer of five Rust libraries. Folder peers/ of a
clone has the programs; they are built with their versions pinned, for this processor. A program that
cannot be built is named with the reason, and the others are measured. Figures are processor time of one
thread for one proof; statements, generators and keys are made before; every proof is checked. peak-B is
the largest resident memory of a program that does each operation of one case, on Linux. The output is
in the format of Go benchmarks; peers/page makes tables of it.`

// peersLine measures other proof systems and ours.
func peersLine(s streams) *commandLine {
	l := newLine("peers", "[flags]", "compare proof systems for confidential transfers on this machine")
	l.help = peersHelp
	count := flags.One(&l.flags, "count", "10", ": results of each benchmark", flags.AtLeast(1))
	only := flags.One(&l.flags, "only", "", "", flags.Text("a part of a name"))
	folder := flags.One(&l.flags, "dir", "",
		": the built programs; by default in the user's cache", flags.Text("a folder"))
	l.exec = func(ctx context.Context, _ []string) error {
		err := peers.Measure(ctx, cmp.Or(*folder, cached("peers")), *only, *count, s.out, s.err)
		return childEnded(ctx, err)
	}
	return l
}
