package bench

import (
	"io"
	"slices"
	"sync"
	"testing"
	"time"
)

// Suite drives operations over the selected cases.
type Suite struct {
	Selection *Selection
	Header    Header
	// Out is where results go, os.Stdout; the header is written there once.
	Out io.Writer

	once sync.Once
}

func (s *Suite) begin() { s.once.Do(func() { s.Header.write(s.Out) }) }

// figures collects what is reported beside the time of one case.
type figures struct {
	stick Yardstick
	ticks []time.Duration
}

func newFigures(op Op, c Case) (f figures, err error) {
	if op.Yardstick != nil {
		f.stick, err = op.Yardstick(c)
	}
	f.ticks = f.stick.times(nil)
	return f, err
}

// report ends the measurement of a case.
func (s *Suite) report(b *testing.B, f figures, exact []Metric) {
	b.StopTimer()
	if f.ticks = f.stick.times(f.ticks); len(f.ticks) > 0 {
		m := f.stick.ratio(b.Elapsed()/time.Duration(b.N), f.ticks)
		b.ReportMetric(m.Value, m.Unit)
	}
	for _, m := range exact {
		if !slices.Contains(s.Header.Exact, m.Unit) {
			b.Fatalf("unit %q is exact and the header does not say so", m.Unit)
		}
		b.ReportMetric(m.Value, m.Unit)
	}
}
