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
	shown, err := u.present(nil)
	if err != nil {
		return nil, err
	}
	return &Wallet{user: u, nym: shown.nym,
		id: identity.Typed{Type: identity.Idemix, Raw: shown.raw}.Encode(), info: u.info(shown.openings)}, nil
}

// shown is a pseudonym with a presentation: the inside of an identity of type 1.
type shown struct {
	nym      bccsp.Key
	raw      []byte
	openings *bccsp.IdemixSignerMetadata // of the pseudonyms of two attributes
}

// present makes a pseudonym and its presentation. The pseudonyms of the attributes
// come from openings, or are new if it is nil.
func (u *User) present(openings *bccsp.IdemixSignerMetadata) (s shown, err error) {
	err = executor.Guard(func() (err error) { s, err = u.makePresentation(openings); return err })
	if err != nil {
		return s, fmt.Errorf("idemix pseudonym: %w", err)
	}
	return s, nil
}

func (u *User) makePresentation(openings *bccsp.IdemixSignerMetadata) (s shown, err error) {
	s.nym, err = u.issuer.csp.KeyDeriv(u.key,
		&bccsp.IdemixNymKeyDerivationOpts{Temporary: true, IssuerPK: u.issuer.key})
	if err != nil {
		return s, err
	}
	opts := &bccsp.IdemixSignerOpts{
		Credential: u.credential, CRI: u.epoch, Nym: s.nym, IssuerPK: u.issuer.key, Attributes: hidden,
		EidIndex: enrollmentID, RhIndex: revocationHandle, SigType: bccsp.EidNymRhNym, Metadata: openings,
	}
	proof, err := u.issuer.csp.Sign(u.key, nil, opts)
	if err != nil {
		return s, err
	}
	public, err := s.nym.PublicKey()
	if err != nil {
		return s, err
	}
	nym, err := public.Bytes()
	s.raw, s.openings = wire.AppendBytes(wire.AppendBytes(nil, 1, nym), 4, proof), opts.Metadata
	return s, err
}

// info is the audit information of a presentation.
func (u *User) info(openings *bccsp.IdemixSignerMetadata) idemix.Info {
	return idemix.Info{
		EidNymAuditData: u.issuer.openingOf(openings.EidNymAuditData),
		RhNymAuditData:  u.issuer.openingOf(openings.RhNymAuditData),
		Attributes:      [][]byte{enrollmentID: []byte(u.eid), revocationHandle: []byte(u.rh)},
	}
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
		return nil, errNoUser
	}
	return w.user.sign(w.nym, message)
}

var errNoUser = errors.New("sign: wallet has no user")

// sign signs for a pseudonym.
func (u *User) sign(nym bccsp.Key, message []byte) (signature []byte, err error) {
	opts := &bccsp.IdemixNymSignerOpts{Nym: nym, IssuerPK: u.issuer.key}
	err = executor.Guard(func() (err error) {
		signature, err = u.issuer.csp.Sign(u.key, message, opts)
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
