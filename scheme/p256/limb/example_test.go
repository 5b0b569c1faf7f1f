package limb_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/scheme/p256/limb"
)

// The limbs of 29 bits that a field of 256 bits needs.
func ExampleLeastLimbs() {
	m, found := limb.NamedModulus("p256")
	fmt.Println(found, limb.LeastLimbs(m, 29))
	// Output: true 9
}
