package x509_test

import (
	"crypto/rand"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
)

// A wallet has a key and a certificate; its owner identity has both types and bytes.
func ExampleNewWallet() {
	wallet, err := x509.NewWallet(rand.Reader, "alice")
	if err != nil {
		fmt.Println(err)
		return
	}
	id, err := identity.Decode(wallet.Identity())
	fmt.Println(id.Type, err)
	info, err := x509.NewAuditInfo(wallet.Identity())
	fmt.Println(info.EID, err)
	// Output:
	// x509 <nil>
	// alice <nil>
}
