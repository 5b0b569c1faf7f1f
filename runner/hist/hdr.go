package hist

import (
	"math"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// HDR returns the counts as an HdrHistogram with three significant digits, in
// nanoseconds. Durations below 1 ns count as 1 ns.
func (h Histogram) HDR() (*hdrhistogram.Histogram, error) {
	out := hdrhistogram.New(1, 1<<maxExp, 3)
	var err error
	h.Each(func(i int, c uint64) {
		for ; c > 0 && err == nil; c -= min(c, math.MaxInt64) {
			err = out.RecordValues(max(1, int64(midpoint(i))), int64(min(c, math.MaxInt64)))
		}
	})
	return out, err
}
