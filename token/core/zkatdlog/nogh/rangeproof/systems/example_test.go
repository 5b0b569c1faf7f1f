package systems_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
)

// The registry has each range-proof system under its name.
func ExampleFind() {
	f, found := systems.Find("csp")
	fmt.Println(f.Kind, f.Sound, found)
	_, found = systems.Find("snark")
	fmt.Println(found)
	// Output:
	// csp true true
	// false
}
