package schedule_test

import (
	"fmt"
	"time"

	"github.com/zkatbench/zkatbench/runner/schedule"
)

// Arrivals of a ramp: from 100 to 300 operations a second in 10 s.
func ExampleParse() {
	p, err := schedule.Parse(100, "ramp:300/10s")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p, p.Length(), p.Expected(10*time.Second))
	// Output: 100/s, ramp:300/10s 10s 2000
}
