package mathlib_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
	"github.com/zkatbench/zkatbench/token/crypto/group/mathlib"
)

// The curves of IBM/mathlib compute the same points as our backend.
func ExampleNew() {
	curve, err := mathlib.New(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	own := bn254.New()
	nine := group.MulPoint(curve, curve.Generator(), curve.Uint64(9))
	same := group.MulPoint(own, own.Generator(), own.Uint64(9))
	fmt.Println(curve.Name(), string(curve.AppendPoint(nil, nine)) == string(own.AppendPoint(nil, same)))
	// Output: BN254 true
}
