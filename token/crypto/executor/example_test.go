package executor_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// Tasks run on workers; the error of the first task that failed is returned.
func ExampleByName() {
	e, err := executor.ByName("serial")
	if err != nil {
		fmt.Println(err)
		return
	}
	squares := make([]int, 4)
	err = e.Run(len(squares), func(i int) error {
		squares[i] = i * i
		return nil
	})
	fmt.Println(squares, err)
	// Output: [0 1 4 9] <nil>
}
