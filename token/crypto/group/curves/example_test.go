package curves_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

// A curve has a name, and the identifier that parameters and keys carry.
func ExampleByName() {
	g, err := curves.ByName("BLS12_381_BBS")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Name(), g.ID(), g.PointLen())
	_, err = curves.ByName("P256")
	fmt.Println(err != nil)
	// Output:
	// BLS12_381_BBS 6 96
	// true
}
