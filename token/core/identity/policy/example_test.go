package policy_test

import (
	"crypto/rand"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
)

// One of two owners suffices; the slot of the other is empty.
func ExamplePolicy() {
	var members [][]byte
	var signature []byte
	for range 2 {
		w, err := x509.NewKeyWallet(rand.Reader)
		if err != nil {
			fmt.Println(err)
			return
		}
		signature, err = w.Sign([]byte("transfer"))
		if err != nil {
			fmt.Println(err)
			return
		}
		members = append(members, w.Identity())
	}
	owner, err := policy.Policy{Text: "$0 OR $1", Members: members}.Encode()
	if err != nil {
		fmt.Println(err)
		return
	}
	registry := identity.Registry{identity.X509: x509.NewVerifier}
	registry[identity.Policy] = policy.New(registry, identity.Distinct)
	fmt.Println(registry.Verify(owner, []byte("transfer"), policy.Join(nil, signature)))
	// Output: <nil>
}
