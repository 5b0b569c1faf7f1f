package v1_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
)

// The service of an issuer makes an action with everything that its receivers and the
// auditor need.
func ExampleService_Issue() {
	network, err := fixture.NewNetwork(fixture.Config{Group: bn254.New(), Bits: 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	service, order, err := network.IssueOrder(1, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	order.Receive[0] = token.Receive{Owner: network.Issuer.Identity(), Value: 100}
	part, err := service.Issue(order)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(part.Metadata.Kind, len(part.Openings), len(part.Signers))
	// Output: issue 2 1
}
