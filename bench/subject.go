package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/zkatbench/zkatbench/bench/metric"
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/count/cost"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/drive"
)

// Subject is a system under measurement. Its package suite declares it as a
// value; the test helpers of package benchtest and every command of zkatbench
// work from that value alone.
//
// To add a subject: declare its axes and operations, make a Subject of them,
// drive the operations from a test package with benchtest.New, and add a line to
// cmd/zkatbench/subjects.go. docs/own-scheme.md shows a complete example.
type Subject struct {
	// Name is the subject's name in lists, "token".
	Name string
	// Summary describes the subject in one line.
	Summary string
	// Package is the import path of the test package with the subject's
	// benchmarks, relative to the module: "./scheme/ps18/suite".
	Package string
	// Axes are the parameters of the matrix in the order of names, without
	// the axes that all subjects share.
	Axes []Param
	// Ops are all operations.
	Ops []Op
	// Header describes the results of a selection; nil for an empty one. The
	// units of -ops are added to it.
	Header func(*Selection) Header
	// Units are the figures of -ops, nil for Counts.Units. Of empty counts it
	// returns all units.
	Units func(count.Counts) []count.Unit
	// Costs measures the unit costs for predicted times; nil if the subject does not
	// have unit costs.
	Costs *UnitCosts
}

// UnitCosts measures the operations of a subject's algebra on this machine.
type UnitCosts struct {
	// Axes are the axes of the subject on which the costs depend.
	Axes []Param
	// Key names the costs of a case in files of costs: "BN254/native".
	Key func(Case) string
	// Measure measures the costs for a case. It returns the error of the context
	// if that ended.
	Measure func(context.Context, Case, cost.Options) (*cost.Costs, error)
}

// Op returns the operation with this name, or with this second name.
func (s Subject) Op(name string) (Op, error) {
	i := slices.IndexFunc(s.Ops, func(op Op) bool { return name == op.Name || name != "" && name == op.Also })
	if i < 0 {
		return Op{}, fmt.Errorf("%q is not an operation of %s", name, s.Name)
	}
	return s.Ops[i], nil
}

// Flags lists the flags of the axes on which op depends.
func (s Subject) Flags(op Op) (flags []string) {
	for _, a := range s.Axes {
		if !slices.Contains(op.Without, a) {
			flags = append(flags, a.info().flag)
		}
	}
	return flags
}

// PackageOf returns the import path of the test package with the benchmark of
// op, relative to the module.
func (s Subject) PackageOf(op Op) string {
	if op.Package != "" {
		return op.Package
	}
	return s.Package
}

// header is the header of the results of a selection.
func (s Subject) header(sel *Selection) Header {
	var h Header
	if s.Header != nil {
		h = s.Header(sel)
	}
	if sel.Options.Ops {
		for _, u := range s.CountUnits(nil) {
			h.Exact = append(h.Exact, u.Name)
		}
	}
	return h
}

// CountUnits are the figures of counts in results.
func (s Subject) CountUnits(c count.Counts) []count.Unit {
	if s.Units == nil {
		return c.Units()
	}
	return s.Units(c)
}

// Suite drives the operations of the subject over a selection. Results go to
// standard output.
func (s Subject) Suite(sel *Selection) *Suite {
	return &Suite{Selection: sel, Header: s.header(sel), units: s.CountUnits,
		Out: text.Printer{Writer: os.Stdout}, Err: text.Printer{Writer: os.Stderr}}
}

// Suite drives operations over the selected cases.
type Suite struct {
	Selection *Selection
	Header    Header
	// Out receives results (os.Stdout); the header of benchmarks is written to
	// it once. Err receives the other output (os.Stderr).
	Out, Err io.Writer

	units       func(count.Counts) []count.Unit // of -ops; nil for Counts.Units
	once        sync.Once
	interrupted bool // a run under the runner, by ^C
	ran         bool // a case of a benchmark
}

// Ran reports whether a case of a benchmark has run.
func (s *Suite) Ran() bool { return s.ran }

// begin waits until no other measurement runs on this machine, and writes the
// header. end lets others measure again.
func (s *Suite) begin(b *testing.B) (end func()) {
	x, err := drive.Start(b.Context(), s.Selection.runner, drive.Streams{Out: s.Out, Err: s.Err})
	if err != nil {
		b.Fatal(err)
	}
	s.once.Do(func() { s.Header.write(s.Out) })
	return x.Close
}

// Status returns the exit status of a test binary after its tests returned code: 130 if
// a run was interrupted, by the convention of shells.
func (s *Suite) Status(code int) int {
	if s.interrupted {
		return drive.Interrupted
	}
	return code
}

// report ends the measurement of a case.
func (s *Suite) report(b *testing.B, r *ruler, exact []Metric) {
	b.StopTimer()
	r.report()
	for _, m := range exact {
		if !slices.Contains(s.Header.Exact, m.Unit) {
			b.Fatalf("unit %q is exact, but the header does not declare it", m.Unit)
		}
		b.ReportMetric(m.Value, m.Unit)
	}
}

// Header describes the results in Go benchmark format, so that benchstat and
// similar tools know how to read them.
type Header struct {
	// Exact lists the units of figures without variation: one sample suffices,
	// and any change is real.
	Exact []string
	// Config are configuration lines, key and value.
	Config [][2]string
	// Prepare does work that all results share, such as building tables, before
	// the first result, and returns a line about it. It may be nil.
	Prepare func() string
}

func (h Header) write(w io.Writer) {
	for _, unit := range h.Exact {
		fmt.Fprintf(w, "Unit %s assume=exact better=lower\n", unit)
	}
	for _, c := range h.Config {
		fmt.Fprintf(w, "%s: %s\n", c[0], c[1])
	}
	// These lines begin with a capital, so that they do not count as configuration:
	// benchstat makes a table for each value of a configuration line.
	if h.Prepare != nil {
		fmt.Fprintln(w, h.Prepare())
	}
	fmt.Fprintln(w, "Memory:", metric.Access())
}
