package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/oneshot"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// showRun prepares, works and reports.
func showRun(ctx context.Context, v *view, s streams) error {
	if err := v.read(s); err != nil {
		return err
	}
	if v.emit {
		r, err := v.Prepare(ctx)
		if err == nil {
			err = r.Emit(s.out)
		}
		return err
	}
	v.Report = s.out
	r, err := v.Prepare(ctx)
	if err == nil {
		_, err = r.Work(ctx, nil)
	}
	return err
}

// showSteps prints the cost of each step of an operation.
func showSteps(ctx context.Context, v *view, s streams) error {
	if err := v.read(s); err != nil {
		return err
	}
	table, took, err := oneshot.ByStep(ctx, *v.Program)
	if err != nil {
		return err
	}
	if v.collapse {
		table = table.Collapse()
	}
	if v.out != "" {
		return outfile.Write(v.out, table.Write)
	}
	fmt.Fprintf(s.out, "benchmark complete after %.7fs\n", took.Seconds())
	return table.Write(s.out)
}

// showTime prints the median time of an operation with its 95 % interval.
func showTime(ctx context.Context, v *view, s streams) error {
	if v.Records < oneshot.FewestTimes {
		return fmt.Errorf("-count=%d is too few for an interval; %d is the least", v.Records,
			oneshot.FewestTimes)
	}
	if err := v.read(s); err != nil {
		return err
	}
	unlock, err := lockMachine(ctx, v.nolock, s.err)
	if err != nil {
		return err
	}
	defer unlock()
	times, err := oneshot.Times(ctx, *v.Program)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s\n%24stime:   %v\n", v.Name(), "", times)
	return err
}

// showFlame profiles the work, and writes the files of -o.
func showFlame(ctx context.Context, v *view, s streams) error {
	paths := strings.Split(v.out, ",")
	for _, path := range paths {
		if !slices.Contains(oneshot.ProfileEndings, filepath.Ext(path)) {
			return fmt.Errorf("-o: %q is not a name that ends in one of %s", path,
				strings.Join(oneshot.ProfileEndings, ", "))
		}
	}
	if err := v.read(s); err != nil {
		return err
	}
	v.Report = s.out
	traced := slices.ContainsFunc(paths, func(path string) bool {
		return filepath.Ext(path) == oneshot.TraceEnding
	})
	p, err := oneshot.ProfileOf(ctx, *v.Program, traced)
	if err != nil {
		return err
	}
	if n := p.Stacks.Samples(); n < flame.FewSamples {
		fmt.Fprintf(s.err, "zkatbench: few samples: raise -count (%d samples, %d wanted)\n", n,
			flame.FewSamples)
	}
	for _, path := range paths {
		if err := outfile.Write(path, func(w io.Writer) error {
			return p.Write(w, filepath.Ext(path))
		}); err != nil {
			return err
		}
	}
	return nil
}
