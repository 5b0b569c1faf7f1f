package library

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	bccsp "github.com/IBM/idemix/bccsp/types"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Wallet is one pseudonym of a user, an identity of type 1. It implements
// identity.Signer and is safe for concurrent use. Printing it shows no secret.
type Wallet struct {
	user *User
	nym  bccsp.Key
	id   []byte
	info idemix.Info
}

var _ identity.Signer = (*Wallet)(nil)

// hidden are all attributes of a credential, hidden.
var hidden = slices.Repeat([]bccsp.IdemixAttribute{{Type: bccsp.IdemixHiddenAttribute}}, len(attributes))

// NewWallet makes a pseudonym with the proof that a credential belongs to it.
func (u *User) NewWallet() (*Wallet, error) {
	w := &Wallet{user: u}
	if err := executor.Guard(w.present); err != nil {
		return nil, fmt.Errorf("idemix pseudonym: %w", err)
	}
	return w, nil
}

func (w *Wallet) present() (err error) {
	u := w.user
	if w.nym, err = u.issuer.csp.KeyDeriv(u.key, &bccsp.IdemixNymKeyDerivationOpts{Temporary: true, IssuerPK: u.issuer.key}); err != nil {
		return err
	}
	opts := &bccsp.IdemixSignerOpts{
		Credential: u.credential, CRI: u.epoch, Nym: w.nym, IssuerPK: u.issuer.key, Attributes: hidden,
		EidIndex: enrollmentID, RhIndex: revocationHandle, SigType: bccsp.EidNymRhNym,
	}
	proof, err := u.issuer.csp.Sign(u.key, nil, opts)
	if err != nil {
		return err
	}
	public, err := w.nym.PublicKey()
	if err != nil {
		return err
	}
	nym, err := public.Bytes()
	if err != nil {
		return err
	}
	w.id = identity.Typed{Type: identity.Idemix, Raw: wire.AppendBytes(wire.AppendBytes(nil, 1, nym), 4, proof)}.Encode()
	w.info = idemix.Info{
		EidNymAuditData: u.issuer.openingOf(opts.Metadata.EidNymAuditData),
		RhNymAuditData:  u.issuer.openingOf(opts.Metadata.RhNymAuditData),
		Attributes:      [][]byte{enrollmentID: []byte(u.eid), revocationHandle: []byte(u.rh)},
	}
	return nil
}

// openingOf returns the library's opening of a pseudonym, labelled with the curve
// of the issuer's key.
func (s issuer) openingOf(d *bccsp.AttrNymAuditData) idemix.Opening {
	label := func(b []byte) idemix.Element { return idemix.Element{Curve: s.label, Element: b} }
	return idemix.Opening{Nym: label(d.Nym.Bytes()), Rand: label(d.Rand.Bytes()), Attr: label(d.Attr.Bytes())}
}

// Identity implements identity.Signer.
func (w *Wallet) Identity() []byte { return w.id }

// Sign implements identity.Signer, with a signature of the pseudonym.
func (w *Wallet) Sign(message []byte) (signature []byte, err error) {
	if w.user == nil {
		return nil, errors.New("sign: wallet has no user")
	}
	opts := &bccsp.IdemixNymSignerOpts{Nym: w.nym, IssuerPK: w.user.issuer.key}
	err = executor.Guard(func() (err error) {
		signature, err = w.user.issuer.csp.Sign(w.user.key, message, opts)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	return signature, nil
}

// AuditInfo opens the pseudonym's enrolment id and revocation handle.
func (w *Wallet) AuditInfo() ([]byte, error) { return json.Marshal(w.info) }

// Format implements fmt.Formatter for every verb: it writes no secret.
func (Wallet) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "idemix wallet") }
