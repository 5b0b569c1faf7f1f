package identity

import "fmt"

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
