package htlc

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Claim is the signature of a recipient, in JSON: over the message followed by
// the pre-image.
type Claim struct{ RecipientSignature, Preimage []byte }

// Format implements fmt.Formatter for every verb: it writes no secret.
func (Claim) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "claim of a hash-time-locked token")
}

// Sign returns the signature of recipient with preimage.
func Sign(recipient identity.Signer, message, preimage []byte) ([]byte, error) {
	signature, err := recipient.Sign(identity.NewMessage(message).With(preimage).Bytes())
	if err != nil {
		return nil, err
	}
	return json.Marshal(Claim{RecipientSignature: signature, Preimage: preimage})
}

// New returns a function that makes a Verifier for the time now. Sender and
// recipient are opened with r.
func New(r identity.Registry, now time.Time) func(raw []byte) (identity.Verifier, error) {
	return func(raw []byte) (identity.Verifier, error) {
		s, err := Decode(raw)
		if err != nil {
			return nil, err
		}
		if !s.IsClaim(now) {
			return r.Verifier(s.Sender)
		}
		if err := s.HashInfo.Check(); err != nil {
			return nil, err
		}
		v, err := r.Verifier(s.Recipient)
		if err != nil {
			return nil, err
		}
		return recipient{lock: s.HashInfo, verifier: v}, nil
	}
}

// IsClaim reports whether the recipient, and not the sender, spends at the time
// now.
func (s Script) IsClaim(now time.Time) bool { return now.Before(s.Deadline) }

type recipient struct {
	lock     Lock
	verifier identity.Verifier
}

// Open implements identity.Composite.
func (v recipient) Open() error { return identity.OpenAll(v.verifier) }

// Verify implements identity.Verifier for claims.
func (v recipient) Verify(message identity.Message, signature []byte) error {
	return identity.Complete(v, message, signature)
}

// Begin implements identity.Deferred for claims.
func (v recipient) Begin(message identity.Message, signature []byte) ([]identity.Rest, error) {
	var c Claim
	if err := wire.ExactJSON(signature, &c); err != nil {
		return nil, wire.Bad("htlc claim", "JSON", err)
	}
	if !v.lock.Opens(c.Preimage) {
		return nil, fmt.Errorf("pre-image: %w", identity.ErrSignature)
	}
	return identity.Begin(v.verifier, message.With(c.Preimage), c.RecipientSignature)
}
