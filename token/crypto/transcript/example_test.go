package transcript_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
)

// The challenge depends on everything that went into the chain before it.
func ExampleChain() {
	g := bn254.New()
	challenge := func(body string) group.Scalar {
		var c transcript.Chain
		c.Link("statement", []byte(body))
		var x [1]group.Scalar
		c.Challenges(g, x[:], "example")
		return x[0]
	}
	first, again, other := challenge("a"), challenge("a"), challenge("b")
	fmt.Println(first == again, first == other)
	// Output: true false
}
