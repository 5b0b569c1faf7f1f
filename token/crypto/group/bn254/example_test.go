package bn254_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
)

// A point survives its encoding.
func ExampleNew() {
	g := bn254.New()
	p := group.MulPoint(g, g.Generator(), g.Uint64(7))
	encoded := g.AppendPoint(nil, p)
	decoded, err := g.DecodePoint(encoded)
	fmt.Println(len(encoded), g.Equal(p, decoded), err)
	// Output: 64 true <nil>
}
