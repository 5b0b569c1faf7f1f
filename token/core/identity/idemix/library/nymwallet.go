package library

import (
	"encoding/json"
	"fmt"
	"io"

	bccsp "github.com/IBM/idemix/bccsp/types"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// NymWallet is one pseudonym of the enrolment identifier of a user, an identity of
// type 3. Each signature carries a new presentation. It implements identity.Signer
// and is safe for concurrent use. Printing it shows no secret.
type NymWallet struct {
	user     *User
	openings *bccsp.IdemixSignerMetadata
	id       []byte
	info     idemix.NymInfo
}

var _ identity.Signer = (*NymWallet)(nil)

// NewNymWallet makes a pseudonym of the enrolment identifier.
func (u *User) NewNymWallet() (*NymWallet, error) {
	shown, err := u.present(nil)
	if err != nil {
		return nil, err
	}
	return &NymWallet{
		user: u, openings: shown.openings,
		id: identity.Typed{Type: identity.IdemixNym,
			Raw: shown.openings.EidNymAuditData.Nym.Bytes()}.Encode(),
		info: idemix.NymInfo{Info: u.info(shown.openings), IdemixSignature: shown.raw},
	}, nil
}

// Identity implements identity.Signer.
func (w *NymWallet) Identity() []byte { return w.id }

// Sign implements identity.Signer, with the signature of a new pseudonym and the
// presentation that both belong to the user.
func (w *NymWallet) Sign(message []byte) ([]byte, error) {
	if w.user == nil {
		return nil, errNoUser
	}
	shown, err := w.user.present(w.openings)
	if err != nil {
		return nil, err
	}
	signature, err := w.user.sign(shown.nym, message)
	if err != nil {
		return nil, err
	}
	return wire.AppendOctetList(nil, shown.raw, signature), nil
}

// AuditInfo opens the pseudonym.
func (w *NymWallet) AuditInfo() ([]byte, error) { return json.Marshal(w.info) }

// Format implements fmt.Formatter for every verb: it writes no secret.
func (NymWallet) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "idemix wallet") }
