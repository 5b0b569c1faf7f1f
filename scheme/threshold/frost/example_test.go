package frost_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"fmt"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/frost"
)

// Two of three parties sign together; the result is an ordinary Ed25519 signature.
func ExampleNewSigner() {
	keys, err := frost.Deal(rand.Reader, 3, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	c := frost.Config{IDs: []uint32{1, 2}, Coordinator: 1, Message: []byte("pay 10")}
	parties := []engine.Party{
		frost.NewSigner(c, keys[0], rand.Reader), frost.NewSigner(c, keys[1], rand.Reader),
	}
	if _, err := engine.Run(parties); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ed25519.Verify(keys[0].Public, c.Message, parties[0].Output()))
	// Output: true
}
