package result_test

import (
	"context"
	"fmt"

	"github.com/zkatbench/zkatbench/runner"
)

// A result has counts, figures and errors of a run; package judge says what they mean.
func Example() {
	n := 0
	op := runner.Func(func(context.Context) error {
		if n++; n%10 == 0 {
			return fmt.Errorf("no answer")
		}
		return nil
	})
	r, err := runner.Run(context.Background(), runner.Config{Workers: 1, Ops: 100, WarmUp: -1}, op)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Done, r.Failed, r.Messages())
	// Output: 90 10 [no answer]
}
