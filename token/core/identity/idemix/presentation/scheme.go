package presentation

import (
	"errors"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bls12381"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
)

// Scheme is a credential scheme on its curve: BN254 or BLS12381.
type Scheme struct {
	group        group.Group
	issuerKey    func(b []byte) (*IssuerKey, error)
	decodePoints func([]place)
	// presentation and signature queue the fields of their messages.
	presentation func(r *reader, id *Identity)
	signature    func(r *reader, s *Signature)
}

// errEmpty says that a Scheme is not one of the two.
var errEmpty = errors.New("idemix: scheme is empty")

// The two schemes. Signatures of credentials are BBS+ in both; their messages
// and challenges differ.
var (
	BN254    = newBN254(bn254.New())
	BLS12381 = newBLS12381(bls12381.New(7))
)

// SchemeOf returns the scheme of a curve by its identifier on the wire, nil for
// curves without one. The identifiers 6, 7 and 8 name one curve with one encoding.
func SchemeOf(curve int) *Scheme {
	switch curve {
	case 1:
		return BN254
	case 6, 7, 8:
		return BLS12381
	}
	return nil
}

// Group returns the scheme's first group.
func (s *Scheme) Group() group.Group { return s.group }

// On returns the scheme on g, a view of its group that observes calls.
func (s *Scheme) On(g group.Group) *Scheme {
	observed := *s
	observed.group = g
	return &observed
}

// Attributes is the number of attributes of a credential: OU, Role, EnrollmentID
// and RevocationHandle, in this order.
const Attributes = 4

// Positions of the attributes that have a pseudonym.
const (
	EnrollmentID     = 2
	RevocationHandle = 3
)

// maxEpochSignature bounds the signature of the epoch's key, of ECDSA on P-384.
const maxEpochSignature = 104
