package clear_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/clear"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
)

// Clear tokens are checked by adding.
func ExampleAction_Verify() {
	coin := func(owner string, value uint64) token.Clear {
		return token.Clear{Owner: []byte(owner), Type: "EUR", Quantity: token.FormatQuantity(value)}
	}
	a := clear.Action{
		Inputs:  []clear.Input{{ID: token.ID{TxID: "tx1"}, Token: coin("alice", 10)}},
		Outputs: []token.Clear{coin("bob", 7), coin("alice", 3)},
	}
	fmt.Println(a.Verify(32))
	a.Outputs[0] = coin("bob", 8)
	fmt.Println(a.Verify(32))
	// Output:
	// <nil>
	// inputs and outputs do not add up to the same
}
