package ps18_test

import (
	"crypto/rand"
	"fmt"
	"math/big"

	"github.com/zkatbench/zkatbench/scheme/ps18"
	"github.com/zkatbench/zkatbench/scheme/ps18/curve"
)

// A signature of a list of messages; randomised, it is another signature of the same.
func ExampleSecretKey_Sign() {
	c, err := curve.Find("BN254", "native")
	if err != nil {
		fmt.Println(err)
		return
	}
	sk, pk, err := ps18.KeyGen(c, 2, rand.Reader)
	if err != nil {
		fmt.Println(err)
		return
	}
	messages := []*big.Int{big.NewInt(7), big.NewInt(1984)}
	s, err := sk.Sign(messages, rand.Reader)
	if err != nil {
		fmt.Println(err)
		return
	}
	other, err := s.Randomise(c, rand.Reader)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pk.Verify(messages, s, ps18.Product), pk.Verify(messages, other, ps18.Product))
	messages[1] = big.NewInt(2001)
	fmt.Println(pk.Verify(messages, s, ps18.Product))
	// Output:
	// <nil> <nil>
	// ps18: signature rejected
}
