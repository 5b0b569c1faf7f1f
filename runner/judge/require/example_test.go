package require_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/runner/judge/require"
)

// Requirements are parsed before the run, and judged with its result.
func ExampleParse() {
	rs, err := require.Parse("p99<2ms,errors<0.1%,throughput>400")
	fmt.Println(rs, err)
	_, err = require.Parse("p99=2ms")
	fmt.Println(err != nil)
	// Output:
	// [p99<2ms errors<0.1% throughput>400] <nil>
	// true
}
