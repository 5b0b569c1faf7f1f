package bench

import (
	"testing"
	"time"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// Yardstick is an operation of well-known cost. The time of another operation
// divided by its time can be compared across machines.
type Yardstick struct {
	// Unit names the ratio, "eq-mul/op".
	Unit string
	Work func()
}

// A shared machine can change its speed within a second. Therefore the
// yardstick is timed for about yardstickTime, at least yardstickLeast times,
// before and after each section of about sectionTime.
const (
	sectionTime    = 50 * time.Millisecond
	yardstickTime  = 2 * time.Millisecond
	yardstickLeast = 5
)

// lapTime is the least time measured at once, so that the cost of reading the
// clock is negligible.
const lapTime = 100 * time.Microsecond

// time returns the median time of the yardstick over a short period.
func (y Yardstick) time() time.Duration {
	y.Work() // warms the caches after other work
	var ds []time.Duration
	start := time.Now()
	for len(ds) < yardstickLeast || time.Since(start) < yardstickTime {
		before := time.Now()
		y.Work()
		ds = append(ds, time.Since(before))
	}
	return stats.Median(ds)
}

// ruler measures the operations of a benchmark in yardsticks. The figure uses
// medians on both sides, so that interruptions, which hit a long operation more
// often than a short yardstick, do not count.
type ruler struct {
	b     *testing.B
	stick Yardstick

	n, due int           // operations in the current lap, and operations per lap
	last   time.Duration // start of the lap by the timer of the benchmark
	laps   []float64     // times per operation in the current section
	began  time.Duration // start of the section
	before time.Duration // of the yardstick
	ratios []float64     // one for each section
}

// newRuler begins the first section. If the operation has no yardstick, the
// ruler does not measure.
func newRuler(b *testing.B, op Op, c Case) (*ruler, error) {
	r := &ruler{b: b, due: 1, laps: make([]float64, 0, sectionTime/lapTime+1)}
	if op.Yardstick == nil {
		return r, nil
	}
	var err error
	if r.stick, err = op.Yardstick(c); err == nil {
		r.before = r.stick.time()
	}
	return r, err
}

// step records that an operation finished, with the timer running. It does not
// allocate while the timer runs.
func (r *ruler) step() {
	if r.n++; r.n < r.due || r.stick.Work == nil {
		return
	}
	now := r.b.Elapsed()
	if now-r.last < lapTime {
		r.due *= 2
		return
	}
	r.lap(now)
	if now-r.began >= sectionTime {
		r.b.StopTimer()
		r.section()
		r.b.StartTimer()
	}
}

func (r *ruler) lap(now time.Duration) {
	r.laps = append(r.laps, float64(now-r.last)/float64(r.n))
	r.n, r.last = 0, now
}

// section ends a section, with the timer stopped, and begins the next one.
func (r *ruler) section() {
	after := r.stick.time()
	for _, d := range r.laps {
		r.ratios = append(r.ratios, d/(float64(r.before+after)/2))
	}
	r.laps, r.before = r.laps[:0], after
	r.began = r.b.Elapsed()
	r.last = r.began
}

// report ends the last section and reports the figure.
func (r *ruler) report() {
	if r.stick.Work == nil {
		return
	}
	if r.n > 0 {
		r.lap(r.b.Elapsed())
	}
	if len(r.laps) > 0 {
		r.section()
	}
	r.b.ReportMetric(stats.Median(r.ratios), r.stick.Unit)
}
