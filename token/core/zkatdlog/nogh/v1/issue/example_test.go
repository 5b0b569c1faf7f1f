package issue_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
)

// An issuer creates tokens; everybody verifies that their values are in the range.
func ExampleIssuer_Issue() {
	p, err := params.Setup(params.Config{Group: bn254.New(), Bits: 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	issuer := issue.Issuer{Params: p, Identity: []byte("bank")}
	action, openings, err := issuer.Issue("EUR", []token.Receive{{Owner: []byte("alice"), Value: 100}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(openings), proof.Verify(p, action, proof.Place{}))
	// Output: 1 <nil>
}
