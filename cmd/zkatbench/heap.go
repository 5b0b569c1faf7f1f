package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/heap"
	"github.com/zkatbench/zkatbench/bench/oneshot"
	"github.com/zkatbench/zkatbench/bench/source"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

var (
	heapFlag = fileFlag("heap", "file for a heap profile of the work, for Valgrind's DHAT viewer")
	heapOut  = &bench.Axis[string]{
		Name: "o", Flag: "o", Default: "dhat-heap.json", Values: paths, Show: bench.Never, One: true,
		Usage: "file for Valgrind's DHAT viewer",
	}
	heapEvery = &bench.Axis[int]{
		Name: "heap_every", Flag: "heap_every", Default: "1048576", Values: bench.Numbers(1, 1<<40), Show: bench.Never, One: true,
		Usage: "bytes allocated between two looks at the heap",
	}
	heapScope = &bench.Axis[string]{
		Name: "scope", Flag: "scope", Default: "work", Values: bench.Names("work", "all"), Show: bench.Never, One: true,
		Usage: "memory that is measured: of the work, or of preparation too (all)",
	}
)

// heapCommand prints what an operation allocates and keeps, and writes the file
// of it.
func heapCommand(ctx context.Context, args []string, s streams) error {
	own := bench.Axes(records, seedFlag, heapOut, heapEvery, heapScope)
	p, _, err := oneProgram("heap", own, args, s.out)
	if p == nil {
		return err
	}
	return inside("heap", heapPass(ctx, p, heapOut.Of(p.Case), append([]string{"heap"}, args...), s))
}

// heapPass measures the heap of a program in a process that records every
// allocation: this one, or another with the same arguments.
func heapPass(ctx context.Context, p *oneshot.Program, path string, args []string, s streams) error {
	var looks *heap.Looks
	start := func() (err error) { looks, err = heap.Start(uint64(heapEvery.Of(p.Case))); return err }
	if !heap.Armed() {
		return armed(ctx, args, s)
	}
	p.WriteHead(s.out)
	fmt.Fprint(s.err, source.Pass{source.Heap}.Header())
	if heapScope.Of(p.Case) == "all" {
		if err := start(); err != nil {
			return err
		}
	}
	border := func() {
		if looks != nil {
			looks.Border()
		}
	}
	_, res, err := source.Observed(ctx, *p, 0, border, func(r *oneshot.Run) error {
		r.WritePreparation(s.out)
		if looks != nil {
			return nil
		}
		return start()
	})
	if err != nil {
		return err
	}
	found := looks.End()
	res.Write(s.out, *p)
	found.WriteText(s.out)
	if err := outfile.Write(path, func(w io.Writer) error { return found.WriteFile(w, "zkatbench "+strings.Join(args, " ")) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "dhat: The data has been saved to %s, and is viewable with dhat/dh_view.html\n", path)
	return err
}

// armed runs this program again so that it records every allocation.
func armed(ctx context.Context, args []string, s streams) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Args[0] = os.Args[0]
	cmd.Env = append(os.Environ(), heap.Variable+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.in, s.out, s.err
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	err = cmd.Run()
	if exit, ok := err.(*exec.ExitError); ok && ctx.Err() == nil {
		return exitError{status: exit.ExitCode()} // it has said why
	}
	return err
}
