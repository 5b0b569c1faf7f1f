package bench

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/zkatbench/zkatbench/bench/metric"
	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/runner/drive"
)

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

// Status returns the exit status of a test binary whose tests returned code:
// 130 if a run was interrupted, by the convention of shells.
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
	// These lines begin with a capital, so that they are no configuration: benchstat
	// makes a table for each value of that.
	if h.Prepare != nil {
		fmt.Fprintln(w, h.Prepare())
	}
	fmt.Fprintln(w, "Memory:", metric.Access())
}
