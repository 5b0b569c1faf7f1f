package library_test

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/library"
)

// An enrolled user owns tokens by pseudonyms, which the issuer's public key verifies.
func ExampleIssuer() {
	issuer, err := library.NewIssuer(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	user, err := issuer.Enrol("alice", "handle")
	if err != nil {
		fmt.Println(err)
		return
	}
	wallet, err := user.NewWallet()
	if err != nil {
		fmt.Println(err)
		return
	}
	signature, err := wallet.Sign([]byte("transfer"))
	if err != nil {
		fmt.Println(err)
		return
	}
	keys, err := idemix.New([]idemix.Key{issuer.Key()})
	if err != nil {
		fmt.Println(err)
		return
	}
	registry := identity.Registry{}
	keys.Register(registry)
	fmt.Println(registry.Verify(wallet.Identity(), []byte("transfer"), signature))
	// Output: <nil>
}
