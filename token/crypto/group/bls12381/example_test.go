package bls12381_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bls12381"
)

// The inverse of a scalar undoes its product.
func ExampleNew() {
	g := bls12381.New(6)
	k := g.Uint64(12)
	p := group.MulPoint(g, g.Generator(), k)
	fmt.Println(g.Equal(group.MulPoint(g, p, g.Inv(k)), g.Generator()))
	// Output: true
}
