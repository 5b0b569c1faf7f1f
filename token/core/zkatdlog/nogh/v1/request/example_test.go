package request_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
)

// A request carries actions and signatures; one with other bytes is refused.
func ExampleDecode() {
	r := request.Request{Actions: []request.Action{{Kind: request.Transfer, Raw: []byte("an action")}}}
	raw := r.Encode()
	read, err := request.Decode(raw, request.DefaultLimits)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(read.Actions[0].Kind, len(read.Signatures))
	_, err = request.Decode(raw[:len(raw)-1], request.DefaultLimits)
	fmt.Println(err != nil)
	// Output:
	// transfer 0
	// true
}
