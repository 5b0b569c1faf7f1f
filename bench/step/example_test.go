package step_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/bench/step"
)

// A program reports calls of its steps; steps nest.
func ExampleTable() {
	t := step.Table{}
	t.Add("sign", step.Calls, 1)
	t.Add(step.Join("sign", "hash"), step.Calls, 2)
	fmt.Println(t.Total()[step.Calls], t["sign/hash"][step.Calls])
	// Output: 3 2
}
