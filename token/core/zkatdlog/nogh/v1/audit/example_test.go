package audit_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
)

// An auditor opens the tokens of a request before it signs.
func ExampleAuditor_Check() {
	network, err := fixture.NewNetwork(fixture.Config{Group: bn254.New(), Bits: 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := network.Request("tx1", fixture.Shape{Kind: "issues", Outputs: 2}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	audited, err := network.Audit().Check(r.AuditRequest())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(audited.Actions[0].Kind, audited.Actions[0].Type, len(audited.Actions[0].Outputs))
	// Output: issue EUR 2
}
