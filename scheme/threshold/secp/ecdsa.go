package secp

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
)

// The errors of signing.
var (
	ErrZero      = errors.New("a value that must not be zero is zero")
	errSignature = errors.New("signature does not verify")
	// ErrShare says that a share does not fit the public values of its party.
	ErrShare = errors.New("share does not verify")
	// ErrReused says that a presignature would sign a second time.
	ErrReused = errors.New("presignature signs once")
	// ErrHash says that the hash of the message is 0.
	ErrHash = errors.New("hash of the message must not be 0")
	// ErrIncomplete says that a key, a tweak or a presignature was not filled.
	ErrIncomplete = errors.New("key, tweak or presignature is empty")
)

// Tweak is the input of rerandomisation besides the presignature.
type Tweak struct {
	Public  *Point  // X, the public key without the tweak
	Epsilon *Scalar // ε: the signature verifies under X + ε·G
	Hash    *Scalar // h of the message
	Entropy [32]byte
	IDs     []uint32
}

// Delta returns δ for the presignature with nonce point R: HKDF-SHA256, 48 bytes
// modulo the order.
func (t Tweak) Delta(r *Point) (*Scalar, error) {
	if t.Public == nil || t.Epsilon == nil || t.Hash == nil || r == nil || t.Public.IsIdentity() ||
		r.IsIdentity() {
		return nil, ErrIncomplete
	}
	info := slices.Concat(t.Public.Encode(), Encode(t.Epsilon), Encode(t.Hash), r.Encode())
	info = binary.BigEndian.AppendUint32(info, uint32(len(t.IDs)))
	for _, id := range t.IDs {
		info = binary.BigEndian.AppendUint32(info, id)
	}
	wide, err := hkdf.Key(sha256.New, t.Entropy[:], []byte("zkatbench/threshold/rerandomize/v1"),
		string(info), 48)
	if err != nil {
		return nil, err
	}
	delta := Reduce(wide)
	if delta.IsZero() {
		return nil, ErrZero
	}
	return delta, nil
}

// Finish adds up shares, takes the smaller of s and -s, and verifies the signature
// under X + ε·G. It returns R ‖ s.
func (t Tweak) Finish(r *Point, shares []*Scalar) ([]byte, error) {
	if t.Public == nil || t.Epsilon == nil || t.Hash == nil || r == nil || r.IsIdentity() {
		return nil, ErrIncomplete
	}
	s := new(Scalar)
	for _, share := range shares {
		s.Add(share)
	}
	if s.IsZero() {
		return nil, ErrZero
	}
	if s.IsOverHalfOrder() {
		s.Negate()
	}
	if !Verify(t.Public.Plus(Base(t.Epsilon)), t.Hash, r.X(), s) {
		return nil, errSignature
	}
	return append(r.Encode(), Encode(s)...), nil
}

// Verify verifies an ECDSA signature (r, s) of a hash.
func Verify(public *Point, hash, r, s *Scalar) bool {
	if r.IsZero() || s.IsZero() {
		return false
	}
	w := Inv(s)
	p := Base(Mul(hash, w)).Plus(public.Times(Mul(r, w)))
	return !p.IsIdentity() && p.X().Equals(r)
}
