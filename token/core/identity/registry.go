package identity

import "fmt"

// Registry holds, for each type, how to make a Verifier of what is inside the
// envelope. It is filled once and then only read.
type Registry map[Type]func(raw []byte) (Verifier, error)

// Verifier returns the Verifier of a typed identity: a *wire.DecodeError if it
// is malformed, ErrUnknownType if its type is not registered.
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

// Open opens a typed identity and all that it is made of: nil if each can be
// read and has a registered type.
func (r Registry) Open(id []byte) error {
	v, err := r.Verifier(id)
	if err != nil {
		return err
	}
	return OpenAll(v)
}

// OpenAll opens what v is made of.
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

// VerifyMessage is Verify for a message that many sign.
func (r Registry) VerifyMessage(id []byte, message Message, signature []byte) error {
	v, err := r.Verifier(id)
	if err != nil {
		return err
	}
	return v.Verify(message, signature)
}
