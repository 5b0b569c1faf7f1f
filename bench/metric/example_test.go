package metric_test

import (
	"fmt"
	"time"

	"github.com/zkatbench/zkatbench/bench/metric"
)

// An operation is tried and timed before it is measured.
func ExampleExamine() {
	now := time.Duration(0)
	clock := func() time.Duration { now += time.Millisecond; return now }
	fresh := func() (metric.Instance, error) {
		return metric.Instance{
			Work:  func() ([]byte, error) { return []byte("out"), nil },
			Check: func([]byte) error { return nil },
		}, nil
	}
	r, err := metric.Examine(fresh, clock)
	fmt.Println(r.First, r.Steady, r.Findings, err)
	// Output: 1ms 1ms [] <nil>
}
