package scale_test

import (
	"context"
	"fmt"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/scale"
)

// Three runs of one operation, one after another, each with its own warm-up.
func ExampleRepeat() {
	op := runner.Func(func(context.Context) error { return nil })
	rs, err := scale.Repeat(context.Background(), runner.Config{Workers: 1, Ops: 100, WarmUp: -1}, op, 3)
	fmt.Println(len(rs), err)
	// Output: 3 <nil>
}
