package pin_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/runner/pin"
)

// Processors are written as taskset and cpuset write them.
func ExampleParse() {
	cpus, err := pin.Parse("0-3,8")
	fmt.Println(cpus, err)
	_, err = pin.Parse("3-0")
	fmt.Println(err != nil)
	// Output:
	// [0 1 2 3 8] <nil>
	// true
}
