package htlc_test

import (
	"crypto/rand"
	"fmt"
	"time"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
)

// Until the deadline, the recipient spends a locked token with the pre-image.
func ExampleScript() {
	wallet := func() *x509.Wallet {
		w, err := x509.NewKeyWallet(rand.Reader)
		if err != nil {
			fmt.Println(err)
		}
		return w
	}
	sender, recipient, now := wallet(), wallet(), time.Now()
	preimage := []byte("0123456789abcdef0123456789abcdef")
	owner, err := htlc.Script{Sender: sender.Identity(), Recipient: recipient.Identity(),
		Deadline: now.Add(time.Hour), HashInfo: htlc.NewLock(preimage)}.Encode()
	if err != nil {
		fmt.Println(err)
		return
	}
	registry := identity.Registry{identity.X509: x509.NewVerifier}
	registry[identity.HTLC] = htlc.New(registry, now)
	claim, err := htlc.Sign(recipient, []byte("transfer"), preimage)
	fmt.Println(err, registry.Verify(owner, []byte("transfer"), claim))
	// Output: <nil> <nil>
}
