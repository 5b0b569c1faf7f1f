package identity

import (
	"errors"
	"fmt"
)

// Registry maps each type to a function that makes a Verifier from the bytes
// inside the envelope. It is filled once and then only read.
type Registry map[Type]func(raw []byte) (Verifier, error)

// Verifier returns the Verifier of a typed identity. Errors are a
// *wire.DecodeError for a malformed one, and ErrUnknownType.
func (r Registry) Verifier(id []byte) (Verifier, error) {
	typed, err := Decode(id)
	if err != nil {
		return nil, err
	}
	verifier, ok := r[typed.Type]
	if !ok {
		return nil, fmt.Errorf("%s: %w", typed.Type, ErrUnknownType)
	}
	return verifier(typed.Raw)
}

// ErrRepeated says that two members of an identity are equal.
var ErrRepeated = errors.New("members are equal")

// MemberRule accepts or refuses the members of an identity as a whole, before any
// of them is opened. Nil accepts all.
type MemberRule func(members [][]byte) error

// Check applies the rule.
func (rule MemberRule) Check(members [][]byte) error {
	if rule == nil {
		return nil
	}
	return rule(members)
}

// Distinct is the MemberRule that refuses equal members, with ErrRepeated. It does
// not look inside them.
func Distinct(members [][]byte) error {
	seen := make(map[string]bool, len(members))
	for i, m := range members {
		if seen[string(m)] {
			return fmt.Errorf("member %d: %w", i, ErrRepeated)
		}
		seen[string(m)] = true
	}
	return nil
}

// Open opens a typed identity and all its members. It returns nil if each can
// be read and has a registered type.
func (r Registry) Open(id []byte) error {
	v, err := r.Verifier(id)
	if err != nil {
		return err
	}
	return OpenAll(v)
}

// OpenAll opens the members of v, if it has any.
func OpenAll(v Verifier) error {
	if c, ok := v.(Composite); ok {
		return c.Open()
	}
	return nil
}

// Verify checks one signature of a typed identity.
func (r Registry) Verify(id, message, signature []byte) error {
	return r.VerifyMessage(id, NewMessage(message), signature)
}

// VerifyMessage is Verify for a message with several signers.
func (r Registry) VerifyMessage(id []byte, message Message, signature []byte) error {
	v, err := r.Verifier(id)
	if err != nil {
		return err
	}
	return v.Verify(message, signature)
}
