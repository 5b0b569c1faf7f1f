package curve_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// Some curves have a backend of their own; all have that of mathlib.
func ExampleHasNative() {
	name := curve.Names[0]
	c, err := curve.Find(name, curve.Backends[0])
	fmt.Println(curve.HasNative(name), c != nil, err)
	// Output: true true <nil>
}
