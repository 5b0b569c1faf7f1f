package pedersen_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
)

// A commitment hides a value, and opens to that value alone.
func ExampleKey_Commit() {
	g := bn254.New()
	k := pedersen.NewKey(g, [3]group.Point{
		g.HashToPoint([]byte("type")), g.HashToPoint([]byte("value")), g.HashToPoint([]byte("blinding")),
	})
	typ, blinding := g.Reduce([]byte("EUR")), g.Reduce([]byte("use crypto/rand"))
	c := k.Commit(typ, g.Uint64(100), blinding)
	fmt.Println(k.Open(c, typ, g.Uint64(100), blinding))
	fmt.Println(k.Open(c, typ, g.Uint64(101), blinding))
	// Output:
	// <nil>
	// opening does not reproduce the commitment
}
