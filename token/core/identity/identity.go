// Package identity defines owners, issuers and auditors: an identity is a byte
// string with a type, and each type has a verifier of signatures.
//
// Each type has a package: x509 (ECDSA keys in PEM, for owners, issuers and
// auditors) and, for owners, idemix (pseudonyms), htlc (hash time locks),
// multisig (several identities that all sign), policy (several identities under
// a boolean expression) and hashed (named by a hash until they spend). A
// registry has the verifier for each type. A Task is a check that costs less
// together with others.
//
// The envelope is SEQUENCE { type INTEGER, identity OCTET STRING }
// (specification, section 13.1). Identities are compared as byte strings.
package identity

import (
	"errors"
	"fmt"

	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Type is the number of an identity's type on the wire.
type Type int

// The types of the v1 wire format, and Hashed.
const (
	Idemix    Type = 1
	X509      Type = 2
	IdemixNym Type = 3
	HTLC      Type = 4
	Multisig  Type = 5
	Policy    Type = 6
	Hashed    Type = 7 // of networks with owners by hash, in no version of the reference
)

var typeNames = map[Type]string{
	Idemix: "idemix", X509: "x509", IdemixNym: "idemixnym", HTLC: "htlc", Multisig: "multisig",
	Policy: "policy",
	Hashed: "hashed",
}

// String returns the name of the type, "type 99" for one without name.
func (t Type) String() string {
	if name, ok := typeNames[t]; ok {
		return name
	}
	return fmt.Sprintf("type %d", int(t))
}

var (
	// ErrSignature says that a signature is not valid for the identity and the
	// message.
	ErrSignature = errors.New("signature is rejected")
	// ErrUnknownType says that no verifier is registered for an identity's type.
	ErrUnknownType = errors.New("identity type has no verifier")
)

// Verifier checks the signatures of one identity.
type Verifier interface {
	// Begin does the cheap checks of a signature of message and returns a task that
	// does the others, or nil if all are done. An error of either wraps
	// ErrSignature if the signature is not valid, or is a *wire.DecodeError. Tasks
	// that run together verify their signatures together.
	Begin(message Message, signature []byte) (Task, error)
}

// Costly is a Verifier that takes longer than ECDSA on P-256.
type Costly interface {
	// Cost is the time of Verify in verifications of ECDSA on P-256, rounded up.
	Cost() int
}

// Openable is a Verifier with checks of the identity that need no signature: of its
// members, or of a proof that it contains. To open a member is part of the
// verification of an identity, whether the member has to sign or not.
type Openable interface {
	Verifier
	// BeginOpen does the cheap checks and returns a task that does the others, or nil
	// for an identity without members. The identity can be opened if neither returns an error.
	BeginOpen() (Task, error)
}

// Signer signs for one identity.
type Signer interface {
	// Identity returns the typed identity that verifies the signatures. The
	// caller does not change it.
	Identity() []byte
	Sign(message []byte) ([]byte, error)
}

// Typed is an identity without its envelope.
type Typed struct {
	Type Type
	Raw  []byte // in the format of the type
}

// Encode returns the typed identity.
func (t Typed) Encode() []byte {
	return wire.AppendTyped(make([]byte, 0, wire.TypedLen(len(t.Raw))), int(t.Type), t.Raw)
}

// MaxLen bounds a typed identity in bytes: the reference encodes lengths in at
// most two bytes.
const MaxLen = 1<<16 - 1

// Decode reads a typed identity of any type; Raw is a view into b. Errors are
// *wire.DecodeError.
func Decode(b []byte) (Typed, error) {
	if len(b) > MaxLen {
		return Typed{}, wire.Name("identity").Bad("value", wire.ErrTooLarge)
	}
	kind, raw, err := wire.Typed("identity", b)
	return Typed{Type: Type(kind), Raw: raw}, err
}
