package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/zkatbench/zkatbench/bench/instr"
	"github.com/zkatbench/zkatbench/bench/oneshot"
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
// operations as the program has records.
func showInstructions(ctx context.Context, v *view, s streams) error {
	if err := instr.Missing(); err != nil {
		if v.skip {
			fmt.Fprintf(s.err, "zkatbench: inside: %v: skipped\n", err)
			return nil
		}
		return fmt.Errorf("%w; it counts instructions, on Linux only", err)
	}
	perOp, n, err := oneshot.Instructions(ctx, *v.Program, func(prepared, worked int) (*exec.Cmd, error) {
		return child(ctx, v.line, v.Seed, [2]int{prepared, worked})
	}, v.cache)
	if err != nil {
		return err
	}
	if v.format == asBench {
		return perOp.WriteBench(s.out, v.Name(), n)
	}
	fmt.Fprintln(s.out, v.Name())
	if err := perOp.WriteText(s.out); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "instr: vector instructions count as one; processor features offered by %s\n",
		instr.Features())
	return err
}
