// Package htlc implements hash-time-locked owners (specification, section 15,
// type 4). Before a deadline the recipient spends the token with a pre-image of a
// hash; from the deadline on the sender spends it.
//
// The validator has the rules for outputs of a transfer with such an owner.
package htlc

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

const messageName wire.Name = "htlc script"

// Script is the inside of an identity.
type Script struct {
	Sender    []byte // typed identity
	Recipient []byte // typed identity
	Deadline  time.Time
	HashInfo  Lock
}

// Encode returns the typed identity.
func (s Script) Encode() ([]byte, error) {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("htlc script: %w", err)
	}
	return identity.Typed{Type: identity.HTLC, Raw: raw}.Encode(), nil
}

// Decode reads the inside of an identity: JSON in the form that Encode writes,
// with a sender and a recipient. Errors are *wire.DecodeError.
func Decode(raw []byte) (Script, error) {
	var s Script
	if err := wire.ExactJSON(raw, &s); err != nil {
		return Script{}, messageName.Bad("JSON", err)
	}
	if len(s.Sender) == 0 || len(s.Recipient) == 0 {
		return Script{}, messageName.Bad("sender or recipient", wire.ErrMissing)
	}
	return s, nil
}
