package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/zkatbench/zkatbench/bench/heap"
	"github.com/zkatbench/zkatbench/bench/oneshot"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// showHeap prints what an operation allocates and keeps, and writes the file of
// it. It measures in a process that records every allocation: this one, or
// another with the same arguments.
func showHeap(ctx context.Context, v *view, s streams) error {
	if !heap.Armed() {
		return armed(ctx, append([]string{"inside"}, v.args...), s)
	}
	if err := v.read(s); err != nil {
		return err
	}
	var looks *heap.Looks
	start := func() (err error) { looks, err = heap.Start(uint64(*v.every)); return err }
	v.WriteHead(s.out)
	fmt.Fprintln(s.err, "# disturbed by: heap") // times mean nothing
	if *v.scope == "all" {
		if err := start(); err != nil {
			return err
		}
	}
	border := func() {
		if looks != nil {
			looks.Border()
		}
	}
	_, res, err := oneshot.Observed(ctx, *v.Program, 0, border, func(r *oneshot.Run) error {
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
	res.Write(s.out, *v.Program)
	found.WriteText(s.out)
	command := "zkatbench inside " + strings.Join(v.args, " ")
	if err := outfile.Write(*v.out, func(w io.Writer) error { return found.WriteFile(w, command) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "dhat: The data has been saved to %s, and is viewable with dhat/dh_view.html\n", *v.out)
	return err
}

// armed runs this program again so that it records every allocation.
func armed(ctx context.Context, args []string, s streams) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	environment := heap.Environment(os.Environ())
	if strings.Contains(os.Getenv("GODEBUG"), "memprofilerate=") {
		return heap.ErrNotArmed // by another rate, which the user has set
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Args[0], cmd.Env = os.Args[0], environment
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.in, s.out, s.err
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	err = cmd.Run()
	if exit := new(exec.ExitError); errors.As(err, &exit) && ctx.Err() == nil {
		return exitError{status: exit.ExitCode()} // it has said why
	}
	return err
}
