package presentation

import (
	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Signature is a signature of a pseudonym: a proof of knowledge of the secret
// key and the blinding of Nym = m·k + ρ·h.
type Signature struct {
	Commitment          []byte       // BLS12-381: as in a Presentation
	Challenge           group.Scalar // BN254
	SecretKey, Blinding group.Scalar
	Nonce               group.Scalar
	points
}

// Signature reads a signature of a pseudonym. Errors are *wire.DecodeError.
func (s *Scheme) Signature(b []byte) (*Signature, error) {
	signature, err := s.FrameSignature(b)
	if err == nil {
		err = s.decodeOne(&signature.points)
	}
	if err != nil {
		return nil, err
	}
	return signature, nil
}

// FrameSignature is Signature without the points, which Points decodes.
func (s *Scheme) FrameSignature(b []byte) (*Signature, error) {
	if s.group == nil {
		return nil, errEmpty
	}
	r := newReader("idemix signature", s.group, b)
	signature := &Signature{}
	s.signature(r, signature)
	if err := r.finish(); err != nil {
		return nil, err
	}
	signature.points = r.points
	return signature, nil
}

// maxSigned bounds a signature of an owner of type 3 in bytes.
const maxSigned = 1 << 12

// Signed is the signature of an owner of type 3: an identity of type 1 and its
// signature.
type Signed struct{ Creator, Signature []byte }

// DecodeSigned reads SEQUENCE { creator OCTET STRING, signature OCTET STRING }.
// Errors are *wire.DecodeError.
func DecodeSigned(b []byte) (Signed, error) {
	const messageName wire.Name = "idemix signature"
	if len(b) > maxSigned {
		return Signed{}, messageName.Bad("value", wire.ErrTooLarge)
	}
	in := cryptobyte.String(b)
	var outer, creator, signature cryptobyte.String
	switch {
	case !in.ReadASN1(&outer, asn1.SEQUENCE) || !outer.ReadASN1(&creator, asn1.OCTET_STRING) ||
		!outer.ReadASN1(&signature, asn1.OCTET_STRING):
		return Signed{}, messageName.Bad("value", wire.ErrMalformed)
	case !outer.Empty() || !in.Empty():
		return Signed{}, messageName.Bad("value", wire.ErrTrailing)
	}
	return Signed{Creator: creator, Signature: signature}, nil
}
