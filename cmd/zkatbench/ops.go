package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/count/cost"
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
			if err := op.Explain(s.out, c, unit); err != nil {
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

// benchCounts writes the counts of each phase as a line of the Go benchmark
// format, without timing.
func benchCounts(req *request, out io.Writer) error {
	if err := req.subject.WriteUnits(out); err != nil {
		return err
	}
	for _, op := range req.ops {
		for _, c := range req.cases(op) {
			if err := req.subject.WriteCounts(out, op, c); err != nil {
				return fmt.Errorf("%s/%s: %w", op.Name, c.Name(), err)
			}
		}
	}
	return nil
}
