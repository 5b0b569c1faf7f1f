package group_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

// A multi-scalar multiplication: 2·P + 3·P is 5·P.
func ExampleMSM() {
	g, err := curves.ByName("BN254")
	if err != nil {
		fmt.Println(err)
		return
	}
	p := g.HashToPoint([]byte("a generator"))
	sum := group.MSM(g, []group.Point{p, p}, []group.Scalar{g.Uint64(2), g.Uint64(3)})
	fmt.Println(g.Equal(sum, group.MulPoint(g, p, g.Uint64(5))))
	// Output: true
}
