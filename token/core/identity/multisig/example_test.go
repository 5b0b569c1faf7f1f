package multisig_test

import (
	"crypto/rand"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
)

// A token of two owners needs the signatures of both, in their order.
func ExampleJoin() {
	var members, signatures [][]byte
	for range 2 {
		w, err := x509.NewKeyWallet(rand.Reader)
		if err != nil {
			fmt.Println(err)
			return
		}
		signature, err := w.Sign([]byte("transfer"))
		if err != nil {
			fmt.Println(err)
			return
		}
		members, signatures = append(members, w.Identity()), append(signatures, signature)
	}
	owner := multisig.Encode(members...)
	registry := identity.Registry{identity.X509: x509.NewVerifier}
	registry[identity.Multisig] = multisig.New(registry, identity.Distinct)
	fmt.Println(registry.Verify(owner, []byte("transfer"), multisig.Join(signatures...)))
	twice := multisig.Join(signatures[0], signatures[0])
	fmt.Println(registry.Verify(owner, []byte("transfer"), twice) != nil)
	// Output:
	// <nil>
	// true
}
