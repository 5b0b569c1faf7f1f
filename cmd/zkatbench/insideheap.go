package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/zkatbench/zkatbench/bench/heap"
	"github.com/zkatbench/zkatbench/bench/oneshot"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// showHeap prints the memory that an operation allocates and keeps, and writes the file of
// it. It measures in a process that records every allocation: this one, or
// another with the same arguments.
func showHeap(ctx context.Context, v *view, s streams) error {
	if !heap.Armed() {
		return armed(ctx, append([]string{"inside"}, v.args...), s)
	}
	if err := v.read(s); err != nil {
		return err
	}
	v.WriteHead(s.out)
	fmt.Fprintln(s.err, "# disturbed by: heap") // do not use times
	found, res, err := v.lookAtHeap(ctx, s.out)
	if err != nil {
		return err
	}
	if err := v.totalOfHeap(ctx, found); err != nil {
		return err
	}
	res.Write(s.out, *v.Program)
	found.WriteText(s.out)
	command := "zkatbench inside " + strings.Join(v.args, " ")
	if err := outfile.Write(*v.out, func(w io.Writer) error { return found.WriteFile(w, command) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "dhat: The data has been saved to %s, and is viewable with dhat/dh_view.html\n", *v.out)
	return err
}

// lookAtHeap runs the program with looks at live memory. They begin before the work or,
// with -scope=all, before the preparation.
func (v *view) lookAtHeap(ctx context.Context, out io.Writer) (*heap.Result, *oneshot.Result, error) {
	var looks *heap.Looks
	begin := func() (err error) { looks, err = heap.Start(uint64(*v.every)); return err }
	if *v.scope == "all" {
		if err := begin(); err != nil {
			return nil, nil, err
		}
	}
	border := func() {
		if looks != nil {
			looks.Border()
		}
	}
	_, res, err := oneshot.Observed(ctx, *v.Program, 0, border, func(r *oneshot.Run) error {
		r.WritePreparation(out)
		if looks != nil {
			return nil
		}
		return begin()
	})
	if err != nil {
		return nil, nil, err
	}
	return looks.End(), res, nil
}

// warmUp is the number of operations that fill pools: before the first mark, between
// both, and again before the work.
const warmUp = 5

// totalOfHeap runs the program without looks and without recorders of steps, so that
// it allocates as much as a benchmark of the operation. The total goes into found.
func (v *view) totalOfHeap(ctx context.Context, found *heap.Result) error {
	totals, err := heap.StartTotals()
	if err != nil {
		return err
	}
	defer totals.Stop()
	all := *v.scope == "all"
	if all {
		totals.Mark()
	}
	prepared, err := v.Prepare(ctx)
	if err != nil {
		return err
	}
	_, err = prepared.Work(ctx, func(record int, work func()) {
		times := 1
		if record == 0 && !all {
			times += 3 * warmUp
		}
		for n := range times { // from one line, so that places are the same
			if n == warmUp || n == 2*warmUp {
				totals.Mark()
			}
			work()
		}
		if record == v.Records-1 {
			totals.Mark()
			totals.Into(found)
		}
	})
	return err
}

// armed runs this program again so that it records every allocation.
func armed(ctx context.Context, args []string, s streams) error {
	if strings.Contains(os.Getenv("GODEBUG"), "memprofilerate=") {
		return heap.ErrNotArmed // by another rate, which the user has set
	}
	return runChild(ctx, args, heap.Environment(os.Environ()), s.in, s)
}
