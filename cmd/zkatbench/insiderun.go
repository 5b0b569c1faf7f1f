package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/oneshot"
	"github.com/zkatbench/zkatbench/bench/step"
	"github.com/zkatbench/zkatbench/runner/outfile"
	"github.com/zkatbench/zkatbench/runner/stats"
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
	low, high, ok := stats.Ranks(uint64(v.Records), 0.5, 0.95)
	if !ok {
		return fmt.Errorf("-count=%d is too few for an interval; 6 is the least", v.Records)
	}
	if err := v.read(s); err != nil {
		return err
	}
	unlock, err := lockMachine(ctx, v.nolock, s.err)
	if err != nil {
		return err
	}
	defer unlock()
	times, err := recordTimes(ctx, v.Program)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s\n%24stime:   [%s %s %s]\n", v.Name(), "", precise(times[low-1]),
		precise(times[len(times)/2]), precise(times[high-1]))
	return err
}

// recordTimes returns the times of all records in ns, sorted.
func recordTimes(ctx context.Context, p *oneshot.Program) ([]float64, error) {
	r, err := p.Prepare(ctx)
	if err != nil {
		return nil, err
	}
	now, done := clock(p.Op, p.Case)
	defer done()
	var times []float64
	_, err = r.Work(ctx, func(_ int, work func()) {
		start := now()
		work()
		times = append(times, float64(now()-start))
	})
	slices.Sort(times)
	return times, err
}

// precise writes a time in ns with four decimals.
func precise(ns float64) string {
	d := time.Duration(ns)
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%.4f s", ns/1e9)
	case d >= time.Millisecond:
		return fmt.Sprintf("%.4f ms", ns/1e6)
	case d >= time.Microsecond:
		return fmt.Sprintf("%.4f µs", ns/1e3)
	}
	return fmt.Sprintf("%.1f ns", ns)
}

// profileEndings are the endings of files of a CPU profile and of a trace.
var profileEndings = []string{".svg", ".txt", ".pprof", traceEnding}

// traceEnding is the ending of an execution trace with steps as regions.
const traceEnding = ".trace"

// showFlame profiles the work, and writes the files of -o.
func showFlame(ctx context.Context, v *view, s streams) error {
	paths := strings.Split(v.out, ",")
	for _, path := range paths {
		if !slices.Contains(profileEndings, filepath.Ext(path)) {
			return fmt.Errorf("-o: %q is not a name that ends in one of %s", path,
				strings.Join(profileEndings, ", "))
		}
	}
	if err := v.read(s); err != nil {
		return err
	}
	v.Report = s.out
	var raw, events bytes.Buffer
	traced := slices.ContainsFunc(paths, func(path string) bool { return filepath.Ext(path) == traceEnding })
	_, _, err := oneshot.Observed(ctx, *v.Program, step.Labels, nil, func() error {
		if traced {
			if err := trace.Start(&events); err != nil {
				return err
			}
		}
		return pprof.StartCPUProfile(&raw)
	})
	pprof.StopCPUProfile()
	if traced {
		trace.Stop()
	}
	if err != nil {
		return err
	}
	prof, err := profile.Parse(bytes.NewReader(raw.Bytes()))
	if err != nil {
		return fmt.Errorf("the CPU profile cannot be read: %w", err)
	}
	stacks := flame.Fold(prof, step.Label)
	if stacks.Samples() < flame.FewSamples {
		fmt.Fprintf(s.err, "zkatbench: few samples: raise -count (%d samples, %d wanted)\n", stacks.Samples(),
			flame.FewSamples)
	}
	write := map[string]func(io.Writer) error{
		".svg":      func(w io.Writer) error { return stacks.SVG(w, v.Name()) },
		".txt":      stacks.Write,
		traceEnding: func(w io.Writer) error { _, err := w.Write(events.Bytes()); return err },
		".pprof":    func(w io.Writer) error { _, err := w.Write(raw.Bytes()); return err },
	}
	for _, path := range paths {
		if err := outfile.Write(path, write[filepath.Ext(path)]); err != nil {
			return err
		}
	}
	return nil
}
