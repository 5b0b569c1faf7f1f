package bench

import (
	"slices"
	"time"
)

// Yardstick is an operation whose cost everybody knows. The time of another
// operation divided by its time compares across machines.
type Yardstick struct {
	// Unit names the ratio, "eq-mul/op".
	Unit string
	Work func()
}

// The yardstick is timed for about yardstickTime, never less than
// yardstickLeast times, on each side of what is measured.
const (
	yardstickTime  = 5 * time.Millisecond
	yardstickLeast = 5
)

// times runs the yardstick for a moment and adds each of its times to ds.
func (y Yardstick) times(ds []time.Duration) []time.Duration {
	if y.Work == nil {
		return nil
	}
	y.Work() // caches are cold after other work
	start := time.Now()
	for n := 0; n < yardstickLeast || time.Since(start) < yardstickTime; n++ {
		before := time.Now()
		y.Work()
		ds = append(ds, time.Since(before))
	}
	return ds
}

// ratio is d in yardsticks: over the median, which a few interruptions by the
// machine do not move.
func (y Yardstick) ratio(d time.Duration, ds []time.Duration) Metric {
	slices.Sort(ds)
	return Metric{float64(d) / float64(ds[len(ds)/2]), y.Unit}
}
