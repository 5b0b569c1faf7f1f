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
// recipient are opened with r: first the party who signs, then the other.
func New(r identity.Registry, now time.Time) func(raw []byte) (identity.Verifier, error) {
	return func(raw []byte) (identity.Verifier, error) {
		s, err := Decode(raw)
		if err != nil {
			return nil, err
		}
		v, signer := party{registry: r, other: s.Recipient}, s.Sender
		if s.IsClaim(now) {
			if err := s.HashInfo.Check(); err != nil {
				return nil, err
			}
			v.lock, v.other, signer = &s.HashInfo, s.Sender, s.Recipient
		}
		v.verifier, err = r.Verifier(signer)
		if err != nil {
			return nil, err
		}
		return v, nil
	}
}

// IsClaim reports whether the recipient, and not the sender, spends at the time
// now.
func (s Script) IsClaim(now time.Time) bool { return now.Before(s.Deadline) }

// party verifies for the recipient, with a lock, or for the sender.
type party struct {
	registry identity.Registry
	verifier identity.Verifier
	other    []byte
	lock     *Lock
}

var _ identity.Openable = party{}

// BeginOpen implements identity.Openable.
func (v party) BeginOpen() (identity.Task, error) {
	return v.withOther(func() (identity.Task, error) { return identity.BeginOpen(v.verifier) })
}

// withOther opens the party that does not sign too.
func (v party) withOther(begin func() (identity.Task, error)) (identity.Task, error) {
	named := func(i int, err error) error {
		if i == 0 {
			return err
		}
		return fmt.Errorf("other party of the script: %w", err)
	}
	return identity.BeginAll(2, named, func(i int) (identity.Task, error) {
		if i == 0 {
			return begin()
		}
		return v.registry.BeginOpen(v.other)
	})
}

// Begin implements identity.Verifier.
func (v party) Begin(message identity.Message, signature []byte) (identity.Task, error) {
	if v.lock != nil {
		var c Claim
		if err := wire.ExactJSON(signature, &c); err != nil {
			return nil, wire.Name("htlc claim").Bad("JSON", err)
		}
		if !v.lock.Opens(c.Preimage) {
			return nil, fmt.Errorf("pre-image: %w", identity.ErrSignature)
		}
		message, signature = message.With(c.Preimage), c.RecipientSignature
	}
	return v.withOther(func() (identity.Task, error) { return v.verifier.Begin(message, signature) })
}
