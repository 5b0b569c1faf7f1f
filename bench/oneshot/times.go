package oneshot

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// FewestTimes is the least number of records whose median has a 95 % interval.
const FewestTimes = 6

// Median is the median time of the records of a program, with its 95 % interval.
type Median struct{ Low, Mid, High time.Duration }

// Times runs a program and returns the median time of its records, by the clock of its operation.
// It needs FewestTimes records.
func Times(ctx context.Context, p Program) (Median, error) {
	low, high, ok := stats.Ranks(uint64(p.Records), 0.5, 0.95)
	if !ok {
		return Median{}, fmt.Errorf("%d records are too few for an interval; %d is the least", p.Records,
			FewestTimes)
	}
	r, err := p.Prepare(ctx)
	if err != nil {
		return Median{}, err
	}
	now, done := p.Op.Clock(p.Case)
	defer done()
	times := make([]time.Duration, 0, p.Records)
	_, err = r.Work(ctx, func(_ int, work func()) {
		start := now()
		work()
		times = append(times, now()-start)
	})
	if err != nil {
		return Median{}, err
	}
	slices.Sort(times)
	return Median{Low: times[low-1], Mid: times[len(times)/2], High: times[high-1]}, nil
}

// String is the interval with the median in its middle.
func (m Median) String() string {
	return fmt.Sprintf("[%s %s %s]", precise(m.Low), precise(m.Mid), precise(m.High))
}

// precise writes a time with four decimals.
func precise(d time.Duration) string {
	ns := float64(d)
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
