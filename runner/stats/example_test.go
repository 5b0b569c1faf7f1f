package stats_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// The difference of two samples, with its confidence interval.
func ExampleDifferenceOf() {
	base := []float64{100, 101, 99, 100, 102, 100, 99, 101}
	head := []float64{110, 111, 109, 110, 112, 110, 109, 111}
	d := stats.DifferenceOf(base, head, 0.95)
	fmt.Printf("%.2f in [%.2f, %.2f], P = %.4f\n", d.Value, d.Low, d.High, d.P)
	// Output: 10.00 in [8.89, 11.11], P = 0.0000
}
