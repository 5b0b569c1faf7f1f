package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os/exec"
	"strings"

	"github.com/zkatbench/zkatbench/bench/instr"
	"github.com/zkatbench/zkatbench/bench/oneshot"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// showHeap prints the memory that an operation allocates and keeps, and writes its file.
func showHeap(ctx context.Context, v *view, s streams) error {
	if err := v.read(s); err != nil {
		return err
	}
	v.Report = s.out
	fmt.Fprintln(s.err, "# disturbed by: heap") // do not use times
	found, err := oneshot.Heap(ctx, *v.Program, uint64(v.every), v.scope == "all")
	if err != nil {
		return err
	}
	found.WriteText(s.out)
	command := "zkatbench " + strings.Join(v.line, " ")
	if err := outfile.Write(v.out, func(w io.Writer) error {
		return found.WriteFile(w, command)
	}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out,
		"dhat: The data has been saved to %s, and is viewable with dhat/dh_view.html\n", v.out)
	return err
}

// showInstructions prints the instructions of one operation. The shorter run has as many
// operations as the program has records. Children read their inputs: to make them would
// take more instructions than the work, and vary more.
func showInstructions(ctx context.Context, v *view, s streams) error {
	if err := instr.Missing(); err != nil {
		if v.skip {
			fmt.Fprintf(s.err, "zkatbench: inside: %v: skipped\n", err)
			return nil
		}
		return fmt.Errorf("%w; it counts instructions, on Linux only", err)
	}
	program := func(prepared, worked int) (*exec.Cmd, error) {
		cmd, err := child(ctx, v.line, v.Seed, [2]int{prepared, worked})
		if err != nil || v.Op.Read == nil {
			return cmd, err
		}
		p := *v.Program
		p.Records = prepared
		r, err := p.Prepare(ctx)
		if err != nil {
			return nil, err
		}
		var inputs bytes.Buffer
		cmd.Stdin = &inputs
		return cmd, r.Emit(&inputs)
	}
	perOp, n, err := instr.Measure(ctx, program, v.Records, v.cache)
	if err != nil {
		return err
	}
	if v.format == asBench {
		_, err = fmt.Fprintf(s.out, "Unit instr/op better=lower\nBenchmark%s %d %.0f instr/op\n", v.Name(), n,
			perOp.Instructions)
		return err
	}
	fmt.Fprintln(s.out, v.Name())
	row := func(label string, v float64) {
		fmt.Fprintf(s.out, "  %-18s%15s\n", label,
			strings.ReplaceAll(text.Count(int64(math.Round(v))), " ", ","))
	}
	row("Instructions:", perOp.Instructions)
	if v.cache {
		row("L1 Accesses:", perOp.L1)
		row("L2 Accesses:", perOp.LL)
		row("RAM Accesses:", perOp.RAM)
		row("Estimated Cycles:", perOp.Cycles())
	}
	_, err = fmt.Fprintf(s.out, "instr: vector instructions count as one; processor features offered by %s\n",
		instr.Features())
	return err
}
