package identity_test

import (
	"crypto/rand"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
)

// A registry has a verifier for each type of owner that a network accepts.
func ExampleRegistry() {
	registry := identity.Registry{identity.X509: x509.NewVerifier}
	wallet, err := x509.NewKeyWallet(rand.Reader)
	if err != nil {
		fmt.Println(err)
		return
	}
	signature, err := wallet.Sign([]byte("pay 10"))
	fmt.Println(err, registry.Verify(wallet.Identity(), []byte("pay 10"), signature))
	fmt.Println(registry.Verify(wallet.Identity(), []byte("pay 1000"), signature) != nil)
	// Output:
	// <nil> <nil>
	// true
}
