package secp_test

import (
	"crypto/rand"
	"fmt"

	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// A dealer splits a key; the public key is the same for all parties.
func ExampleDeal() {
	keys, err := secp.Deal(rand.Reader, 3, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(keys), secp.IDs(3))
	// Output: 3 [1 2 3]
}
