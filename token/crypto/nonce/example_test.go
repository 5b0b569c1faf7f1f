package nonce_test

import (
	"bytes"
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
)

// Nonces depend on the witness and on the context too, not only on the random source: a
// source that repeats itself gives other nonces for another message.
func ExampleNewHedge() {
	g := bn254.New()
	secret := g.Uint64(42)
	nonceFor := func(message string) group.Scalar {
		repeating := bytes.NewReader(make([]byte, 64))
		h, err := nonce.NewHedge(g, repeating, []byte(message), secret)
		if err != nil {
			fmt.Println(err)
		}
		var s [1]group.Scalar
		h.Stream("commitment", 0).Fill(s[:])
		return s[0]
	}
	first, again, other := nonceFor("pay 1"), nonceFor("pay 1"), nonceFor("pay 2")
	fmt.Println(first == again, first == other)
	// Output: true false
}
