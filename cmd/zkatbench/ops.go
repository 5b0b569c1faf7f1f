package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/count/cost"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// opsLine prints, for each operation and case, the counts by phase, the predicted
// time and the measured time.
func opsLine(s streams) *commandLine {
	l := newLine("ops", takesOperations,
		"count the group operations of the benchmarked operations, and predict their times")
	f := newCostFlags(&l.flags)
	format := flags.One(&l.flags, "format", asText,
		": text, or bench: counts alone, as Go benchmark format with the phase in the name, for benchstat "+
			"and zkatbench report", flags.Names(asText, asBench))
	req := l.operations(matrix)
	l.exec = func(ctx context.Context, _ []string) error {
		if *format == asBench {
			return benchCounts(req, s.out)
		}
		return f.explain(ctx, req, s)
	}
	return l
}

// explain prints all operations of a request.
func (f *costFlags) explain(ctx context.Context, req *request, s streams) error {
	unlock, err := lockMachine(ctx, f.nolock, s.err)
	if err != nil {
		return err
	}
	defer unlock()
	known := map[string]*cost.Costs{}
	for _, op := range req.ops {
		for _, c := range req.cases(op) {
			unit, err := f.unitCosts(ctx, req.subject, c, known, s)
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return errInterrupted
			}
			if err := explain(s.out, op, c, unit); err != nil {
				return fmt.Errorf("%s/%s: %w", op.Name, c.Name(), err)
			}
		}
	}
	return nil
}

// unitCosts returns the unit costs of a case, nil for a subject without them: from the
// file, or measured if the file lacks this machine. On first use it prints their
// provenance.
func (f *costFlags) unitCosts(ctx context.Context, subject bench.Subject, c bench.Case,
	known map[string]*cost.Costs, s streams) (unit *cost.Costs, err error) {
	if subject.Costs == nil {
		return nil, nil
	}
	key := subject.Costs.Key(c)
	if known[key] != nil {
		return known[key], nil
	}
	file, err := cost.Load(f.file)
	if err == nil {
		unit, err = file.Of(key, machine())
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, cost.ErrNoCosts) {
		unit, err = f.measure(ctx, subject, c, s.err)
	} else if err != nil {
		err = fmt.Errorf("-costs: %w", err)
	}
	if err == nil {
		known[key] = unit
		fmt.Fprintf(s.out, "%s: %s\n\n", key, provenance(unit))
	}
	return unit, err
}

// explain prints one operation of one case.
func explain(out io.Writer, op bench.Op, c bench.Case, unit *cost.Costs) error {
	phases, err := op.Count(c, true)
	if err != nil {
		return err
	}
	now, done := clock(op, c)
	defer done()
	took, spread, err := timed(op, c, now)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s/%s\n", op.Name, c.Name())
	if unit == nil {
		fmt.Fprintf(out, "%smeasured %v\n", phases.Text(), took)
	} else if err := cost.WriteTree(out,
		cost.Operation{Name: op.Name, Counts: phases, Measured: took, Spread: spread}, unit); err != nil {
		return err
	}
	r, err := op.Examine(c, now)
	if err != nil {
		return err
	}
	for _, f := range r.Findings { // reasons to doubt the measured time
		fmt.Fprintln(out, "doubtful:", f)
	}
	_, err = fmt.Fprintf(out, "first use / steady state %.2f\n\n", r.Ratio())
	return err
}

const (
	environments = 8  // number of environments in the cycle
	rounds       = 16 // uses of each environment
)

// clock returns a clock of processor time, which other programs do not affect,
// if one goroutine does all the work, and of wall time otherwise.
func clock(op bench.Op, c bench.Case) (now func() time.Duration, done func()) {
	if op.Concurrent == nil || !op.Concurrent(c) {
		return cputime.Thread()
	}
	start := time.Now()
	return func() time.Duration { return time.Since(start) }, func() {}
}

// timed returns the median time of an operation without counting, after one
// checked operation, and the interquartile range of the times relative to the
// median.
func timed(op bench.Op, c bench.Case, now func() time.Duration) (took time.Duration, spread float64,
	err error) {
	ins := make([]bench.Instance, environments)
	for i := range ins {
		ins[i], err = op.New(c, uint64(i))
		if err != nil {
			return 0, 0, err
		}
	}
	out, err := ins[0].Work()
	if err == nil {
		err = ins[0].Check(out)
	}
	times := make([]time.Duration, 0, environments*rounds)
	for i := 0; i < cap(times) && err == nil; i++ {
		start := now()
		_, err = ins[i%environments].Work()
		times = append(times, now()-start)
	}
	if err != nil {
		return 0, 0, err
	}
	slices.Sort(times)
	n := len(times)
	took = times[n/2]
	return took, float64(times[n*3/4]-times[n/4]) / float64(took), nil
}
