package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/zkatbench/zkatbench/bench/instr"
	"github.com/zkatbench/zkatbench/bench/oneshot"
)

// showInstructions prints the instructions of one operation. The shorter run has
// as many operations as the program has records.
func showInstructions(ctx context.Context, v *view, s streams) error {
	if err := instr.Missing(); err != nil {
		if *v.skipMissing {
			fmt.Fprintf(s.err, "zkatbench: inside: %v: skipped\n", err)
			return nil
		}
		return usageError("inside: %w; it counts instructions, on Linux only", err)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	o := instr.Options{N: v.Records, Cache: *v.cache, Command: func(prepared, worked int) []string {
		return append([]string{self, "inside"}, runArgs(v.Program, prepared, worked)...)
	}}
	if v.Op.Read != nil {
		o.Input = func(prepared int) ([]byte, error) { return inputsOf(ctx, *v.Program, prepared) }
	}
	perOp, n, err := instr.Measure(ctx, o)
	if err != nil {
		return err
	}
	if *v.format == asBench {
		_, err = fmt.Fprintf(s.out, "Unit instr/op better=lower\nBenchmark%s %d %.0f instr/op\n", v.Name(), n, perOp.Instructions)
		return err
	}
	fmt.Fprintln(s.out, v.Name())
	row := func(label string, v float64) { fmt.Fprintf(s.out, "  %-18s%15s\n", label, instr.Grouped(v)) }
	row("Instructions:", perOp.Instructions)
	if o.Cache {
		row("L1 Accesses:", perOp.L1)
		row("L2 Accesses:", perOp.LL)
		row("RAM Accesses:", perOp.RAM)
		row("Estimated Cycles:", perOp.Cycles())
	}
	_, err = fmt.Fprintf(s.out, "instr: vector instructions count as one; processor features offered by %s\n", instr.Features())
	return err
}

// runArgs is the command line of inside -what=run for the same operation and case.
func runArgs(p *oneshot.Program, prepared, worked int) []string {
	args := []string{p.Op.Name, "-what=run", "-seed=" + strconv.FormatUint(p.Seed, 10), "-n=" + strconv.Itoa(worked), "-prepare=" + strconv.Itoa(prepared)}
	if p.Op.Read != nil {
		args = append(args, "-stdin")
	}
	return append(args, p.Case.Flags()...)
}

// inputsOf returns the inputs of prepared records as text. A program that reads
// them does not make them, which would take more instructions than its work and
// vary more.
func inputsOf(ctx context.Context, p oneshot.Program, prepared int) ([]byte, error) {
	p.Records = prepared
	r, err := p.Prepare(ctx)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = r.Emit(&b)
	return b.Bytes(), err
}
