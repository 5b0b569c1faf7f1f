package params_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
)

// Parameters are made once for a network, and read by all parties.
func ExampleSetup() {
	p, err := params.Setup(params.Config{Group: bn254.New(), Bits: 32})
	if err != nil {
		fmt.Println(err)
		return
	}
	read, err := params.Decode(p.Encode(), params.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(read.Kind(), read.MaxValue(), read.Digest() == p.Digest())
	// Output: csp 4294967295 true
}
