package hist_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/runner/hist"
)

// A histogram has quantiles, at most 0.8 % from the value.
func ExampleHistogram() {
	h := hist.New()
	h.AddN(1000, 99)
	h.Add(50_000)
	fmt.Println(h.Total(), h.Quantile(0.5) < 1008, h.Quantile(1) > 49_600)
	// Output: 100 true true
}
