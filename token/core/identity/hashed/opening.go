// Package hashed implements owners by hash (docs/spec/hashed-owners.md, identity
// type 7): a token names its owner by a salted hash, and the owner is shown once in
// the request that spends the token.
//
// In the notation of the specification LP(b) = BE32(len b) ‖ b.
package hashed

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Reasons to refuse an owner by hash or its signature, in addition to
// *wire.DecodeError.
var (
	ErrHash    = errors.New("salt and inner identity do not hash to the owner")
	ErrInner   = errors.New("cannot own tokens by hash")
	ErrDepth   = errors.New("members of the inner identity nest too deep")
	ErrMembers = errors.New("inner identity, or a member, has too many members")
	ErrEither  = errors.New("is given with the number of an earlier signature, or missing without one")
	ErrEarlier = errors.New("earlier signature shows no inner identity")
	ErrAgain   = errors.New("inner identity was shown by an earlier signature")
	ErrMany    = errors.New("too many inner identities to refer to one")
)

// Digest is the digest of the parameters, pd in the specification.
type Digest = [sha256.Size]byte

// SaltLen is the length of a salt in bytes.
const SaltLen = 16

// Opening is the secret behind the hash of an owner. It is stored with the token:
// without it the token cannot be spent.
type Opening struct {
	Salt  [SaltLen]byte
	Inner []byte // a typed identity
}

// Format implements fmt.Formatter for every verb and shows neither salt nor owner, also
// of a Signature and an Info.
func (Opening) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "opening of an owner") }

// New draws a salt for an inner identity. A nil random is crypto/rand. The error is
// group.ErrRandom.
func New(random io.Reader, inner []byte) (o Opening, err error) {
	_, err = io.ReadFull(cmp.Or(random, rand.Reader), o.Salt[:])
	if err != nil {
		return o, fmt.Errorf("%w: %w", group.ErrRandom, err)
	}
	o.Inner = inner
	return o, nil
}

// Owner returns the typed identity of type 7.
func (o Opening) Owner(pd Digest) []byte {
	sum := o.hash(pd)
	return identity.Typed{Type: identity.Hashed, Raw: sum[:]}.Encode()
}

const label = "zkatdlog-nogh/hashed-owner"

func (o Opening) hash(pd Digest) [sha256.Size]byte {
	b := make([]byte, 0, 128+len(o.Inner))
	b = append(binary.BigEndian.AppendUint32(b, uint32(len(label))), label...)
	b = append(binary.BigEndian.AppendUint32(b, uint32(len(pd))), pd[:]...)
	b = append(b, o.Salt[:]...)
	return sha256.Sum256(append(binary.BigEndian.AppendUint32(b, uint32(len(o.Inner))), o.Inner...))
}

// Check returns nil if o opens the owner with the inside raw, and the inner identity
// is of a permitted type. It compares the hash before it reads the inner identity,
// and leaves the members of that to their verifier.
func (o Opening) Check(pd Digest, raw []byte) error {
	if sum := o.hash(pd); !bytes.Equal(sum[:], raw) {
		return ErrHash
	}
	_, err := decodeInner(o.Inner)
	return err
}

// CheckLen checks the inside of an identity of type 7.
func CheckLen(raw []byte) error {
	if len(raw) != sha256.Size {
		return wire.Name("hashed identity").Bad("hash", wire.ErrLength)
	}
	return nil
}

// decodeInner reads an inner identity, or a member of one. Scripts are refused since
// their rules are checked when a token is made.
func decodeInner(id []byte) (identity.Typed, error) {
	typed, err := identity.Decode(id)
	allowed := []identity.Type{identity.Idemix, identity.X509, identity.IdemixNym, identity.Multisig,
		identity.Policy}
	if err == nil && !slices.Contains(allowed, typed.Type) {
		err = fmt.Errorf("inner identity: %s: %w", typed.Type, ErrInner)
	}
	return typed, err
}

// Info is the audit information of an owner by hash, which gives its receiver the
// opening too:
//
//	SEQUENCE { salt OCTET STRING (SIZE (16)), inner OCTET STRING, info OCTET STRING }
type Info struct {
	Opening
	Info []byte // audit information of the inner identity
}

// Encode returns the bytes of i.
func (i Info) Encode() ([]byte, error) { return i.encode(i.Info, nil) }

// OpenInfo reads the audit information of an owner by hash with the inside raw,
// and checks its opening. Inner and Info are views into b. Errors are *wire.DecodeError,
// or one of this package.
func OpenInfo(pd Digest, raw, b []byte) (i Info, err error) {
	i.Opening, i.Info, err = decode("audit information", b, nil)
	if err == nil {
		err = i.Check(pd, raw)
	}
	return i, err
}

// encode returns SEQUENCE { salt, inner, earlier, content }. Audit information is
// without earlier.
func (o Opening) encode(content []byte, earlier *uint8) ([]byte, error) {
	var b cryptobyte.Builder
	b.AddASN1(asn1.SEQUENCE, func(b *cryptobyte.Builder) {
		b.AddASN1OctetString(o.Salt[:])
		b.AddASN1OctetString(o.Inner)
		if earlier != nil {
			b.AddASN1Uint64(uint64(*earlier))
		}
		b.AddASN1OctetString(content)
	})
	return b.Bytes()
}

// decode reads the bytes of encode. The inner identity is empty if earlier is not 0.
func decode(name wire.Name, b []byte, earlier *uint8) (o Opening, content []byte, err error) {
	in := cryptobyte.String(b)
	var fields, salt, inner cryptobyte.String
	bad := func(field string, err error) (Opening, []byte, error) { return o, nil, name.Bad(field, err) }
	switch {
	case !in.ReadASN1(&fields, asn1.SEQUENCE):
		return bad("value", wire.ErrMalformed)
	case !fields.ReadASN1(&salt, asn1.OCTET_STRING):
		return bad("salt", wire.ErrMalformed)
	case len(salt) != SaltLen:
		return bad("salt", wire.ErrLength)
	case !fields.ReadASN1(&inner, asn1.OCTET_STRING):
		return bad("inner", wire.ErrMalformed)
	case len(inner) > identity.MaxLen:
		return bad("inner", wire.ErrTooLarge)
	case earlier != nil && !fields.ReadASN1Integer(earlier):
		return bad("earlier", wire.ErrMalformed)
	case !fields.ReadASN1((*cryptobyte.String)(&content), asn1.OCTET_STRING):
		return bad("content", wire.ErrMalformed)
	case !fields.Empty() || !in.Empty():
		return bad("value", wire.ErrTrailing)
	case (len(inner) > 0) == (earlier != nil && *earlier > 0):
		return bad("inner", ErrEither)
	}
	return Opening{[SaltLen]byte(salt), inner}, content, nil
}
