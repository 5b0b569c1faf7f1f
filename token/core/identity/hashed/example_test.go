package hashed_test

import (
	"crypto/rand"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity/hashed"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
)

// A token names its owner by a salted hash; who knows the salt sees the owner.
func ExampleNew() {
	wallet, err := x509.NewKeyWallet(rand.Reader)
	if err != nil {
		fmt.Println(err)
		return
	}
	opening, err := hashed.New(rand.Reader, wallet.Identity())
	if err != nil {
		fmt.Println(err)
		return
	}
	var network hashed.Digest // params.Params.OwnerDigest
	var shown hashed.Shown
	signature, err := shown.Sign(opening, wallet, []byte("transfer"))
	if err != nil {
		fmt.Println(err)
		return
	}
	decoded, err := hashed.DecodeSignature(signature)
	fmt.Println(string(decoded.Inner) == string(wallet.Identity()), err, len(opening.Owner(network)) > 32)
	// Output: true <nil> true
}
