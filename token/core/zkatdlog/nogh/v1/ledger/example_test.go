package ledger_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
)

// A ledger applies a request once.
func ExampleMemory_Apply() {
	network, err := fixture.NewNetwork(fixture.Config{Group: bn254.New(), Bits: 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := network.Request("tx1", fixture.Shape{Kind: "issues", Outputs: 1}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	var tokens ledger.Memory
	accepted, err := network.Validator(validator.Options{Ledger: &tokens}).Validate("tx1", r.Request.Encode())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tokens.Apply(accepted), tokens.Len())
	fmt.Println(tokens.Apply(accepted))
	// Output:
	// <nil> 1
	// transaction was applied before
}
