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

// MaxDepth bounds how deep identities of several parties nest in networks without a
// resource limit.
const MaxDepth = 64

// ErrDepth says that identities nest deeper than MaxDepth.
var ErrDepth = errors.New("identities nest too deep")

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
			return Member(i, ErrRepeated)
		}
		seen[string(m)] = true
	}
	return nil
}

// Open opens a typed identity without a signature. It returns nil if the identity
// and all its members can be read, have registered types, and are proved.
func (r Registry) Open(id []byte) error { return alone(r.BeginOpen(id)) }

// BeginOpen begins to open a typed identity.
func (r Registry) BeginOpen(id []byte) (Task, error) {
	v, err := r.Verifier(id)
	if err != nil {
		return nil, err
	}
	return BeginOpen(v)
}

// BeginOpen opens the identity of v if v is Openable.
func BeginOpen(v Verifier) (Task, error) {
	if o, ok := v.(Openable); ok {
		return o.BeginOpen()
	}
	return nil, nil
}

// BeginOpenAll begins to open typed identities, the members of another one, one by
// one. It stops at the first error.
func (r Registry) BeginOpenAll(members [][]byte) (Task, error) {
	return BeginAll(len(members), Member, func(i int) (Task, error) { return r.BeginOpen(members[i]) })
}

// Verify checks one signature of a typed identity.
func (r Registry) Verify(id, message, signature []byte) error {
	return alone(r.Begin(id, NewMessage(message), signature))
}

// Begin begins to verify a signature of a typed identity.
func (r Registry) Begin(id []byte, message Message, signature []byte) (Task, error) {
	v, err := r.Verifier(id)
	if err != nil {
		return nil, err
	}
	return v.Begin(message, signature)
}
