package validator_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
)

// A validator has one verdict for each request of a block; the proofs are verified together.
func ExampleValidator_ValidateBatch() {
	network, err := fixture.NewNetwork(fixture.Config{Group: bn254.New(), Bits: 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	var block []validator.Submission
	for i, anchor := range []string{"tx1", "tx2"} {
		r, err := network.Request(anchor, fixture.Shape{Kind: "issues", Outputs: 1}, uint64(i))
		if err != nil {
			fmt.Println(err)
			return
		}
		block = append(block, validator.Submission{Anchor: anchor, Raw: r.Request.Encode()})
	}
	block[1].Anchor = "tx3" // signed for another one
	for _, v := range network.Validator(validator.Options{}).ValidateBatch(block) {
		fmt.Println(v.Accepted != nil, v.Err)
	}
	// Output:
	// true <nil>
	// false signatures: auditor: signature is rejected
}
