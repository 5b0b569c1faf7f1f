package host_test

import (
	"fmt"
	"runtime"

	"github.com/zkatbench/zkatbench/runner/host"
)

// State describes the machine and its load beside a measurement.
func ExampleRead() {
	s := host.Read()
	fmt.Println(s.OS == runtime.GOOS, s.CPUs > 0, s.CPU != "")
	// Output: true true true
}
