package hashed

import (
	"math"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Signature is the signature of an owner by hash:
//
//	HashedSignature ::= SEQUENCE {
//	    salt OCTET STRING (SIZE (16)), inner OCTET STRING,
//	    earlier INTEGER (0..255), signature OCTET STRING }
type Signature struct {
	Opening        // without the inner identity if Earlier is not 0
	Earlier uint8  // the number of the signature that showed the inner identity, from 1
	Raw     []byte // signature of the inner identity
}

// Encode returns the bytes of s.
func (s Signature) Encode() ([]byte, error) { return s.encode(s.Raw, &s.Earlier) }

// DecodeSignature reads a signature. Inner and Raw are views into b. Errors are
// *wire.DecodeError.
func DecodeSignature(b []byte) (s Signature, err error) {
	const name wire.Name = "hashed signature"
	s.Opening, s.Raw, err = decode(name, b, &s.Earlier)
	if err != nil {
		return s, err
	}
	if len(s.Raw) == 0 {
		return s, name.Bad("signature", wire.ErrMissing)
	}
	return s, nil
}

// Shown lists the inner identities that the signatures of one request have shown, in
// the order of the signatures in validators. The zero value is empty.
type Shown struct {
	inner   [][]byte
	numbers map[string]int // of inner, from 1
}

// add adds an inner identity, or returns ErrAgain if it is there.
func (s *Shown) add(inner []byte) error {
	if s.numbers[string(inner)] > 0 {
		return ErrAgain
	}
	if s.numbers == nil {
		s.numbers = map[string]int{}
	}
	s.inner = append(s.inner, inner)
	s.numbers[string(inner)] = len(s.inner)
	return nil
}

// Open opens the next owner by hash with the inside raw, and its signature.
// It returns the inner identity and its signature, views into the bytes read. Errors
// are *wire.DecodeError, or one of this package.
func (s *Shown) Open(pd Digest, raw, signature []byte) (inner, inside []byte, err error) {
	read, err := DecodeSignature(signature)
	if err != nil {
		return nil, nil, err
	}
	e := int(read.Earlier)
	switch {
	case e > len(s.inner):
		return nil, nil, ErrEarlier
	case e > 0:
		read.Inner = s.inner[e-1]
	}
	err = read.Check(pd, raw)
	if err == nil && e == 0 {
		err = s.add(read.Inner)
	}
	if err != nil {
		return nil, nil, err
	}
	return read.Inner, read.Raw, nil
}

// Sign makes the next signature of a request, of the owner with this opening, with
// a signer of the inner identity. It shows the inner identity if no signature before
// it did. It returns the errors of the signer, and ErrMany.
func (s *Shown) Sign(o Opening, signer identity.Signer, message []byte) ([]byte, error) {
	raw, err := signer.Sign(message)
	if err != nil {
		return nil, err
	}
	made := Signature{Opening: o, Raw: raw}
	if s.add(o.Inner) != nil {
		e := s.numbers[string(o.Inner)]
		made.Inner, made.Earlier = nil, uint8(e)
		if e > math.MaxUint8 {
			return nil, ErrMany
		}
	}
	return made.Encode()
}
