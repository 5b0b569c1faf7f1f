package transfer_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
)

// Alice received 100, and pays 60 to Bob: 40 are her change.
func ExampleSender_Transfer() {
	p, err := params.Setup(params.Config{Group: bn254.New(), Bits: 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	issued, openings, err := issue.Issuer{Params: p, Identity: []byte("bank")}.Issue("EUR",
		[]token.Receive{{Owner: []byte("alice"), Value: 100}})
	if err != nil {
		fmt.Println(err)
		return
	}
	action, _, err := transfer.Sender{Params: p}.Transfer(
		[]transfer.Spend{{ID: token.ID{TxID: "tx1"}, Token: issued.Outputs[0], Opening: openings[0]}},
		[]token.Receive{{Owner: []byte("bob"), Value: 60}, {Owner: []byte("alice"), Value: 40}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(proof.Verify(p, action, proof.Place{}))
	// Output: <nil>
}
