package flags_test

import (
	"fmt"
	"time"

	"github.com/zkatbench/zkatbench/runner/flags"
)

// A flag has its allowed values, which help and errors show.
func ExampleOne() {
	var set flags.Set
	workers := flags.One(&set, "workers", "1", "number of workers", flags.Numbers(1, 64))
	duration := flags.One(&set, "time", "1s", "duration", flags.Durations())
	_, _, err := set.Parse([]string{"-workers=8"})
	if err == nil {
		err = set.Resolve(func(string) string { return "" })
	}
	fmt.Println(*workers, *duration == time.Second, err)
	// Output: 8 true <nil>
}
