package presentation

import (
	"errors"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// ErrDiffers reports a field unlike the value that the format fixes or that another
// part of the message states. For example, the pseudonym of an identity must equal
// the pseudonym of its presentation.
var ErrDiffers = errors.New("is not the required value")

// Identity is the inside of an identity of type 1: a pseudonym with a
// presentation of a credential, which is made for this pseudonym.
type Identity struct {
	Nym   []byte // the pseudonym, uncompressed
	EID   []byte // the pseudonym of the enrolment identifier, uncompressed
	Proof []byte // the presentation
	Presentation
	points
}

// Presentation proves knowledge of a credential: of e, s and a secret key m
// with A = (g₁ + s·h + m·k + Σ attributeᵢ·aᵢ)/(x + e), where x is the issuer's
// secret, W = x·g₂ (Au, Susilo, Mu, SCN 2006; Camenisch, Drijvers, Lehmann,
// ePrint 2016/663, section 4.5).
type Presentation struct {
	// APrime, ABar and B are the credential, randomised: A′, Ā = x·A′ and B′,
	// which BBS+ calls D.
	APrime, ABar, B group.Point
	// Nym, EID and RH are the pseudonym and the pseudonyms of the enrolment
	// identifier and of the revocation handle.
	Nym, EID, RH group.Point
	// Commitments are T₁ … T₅ on BLS12-381: encodings of points of the curve,
	// uncompressed. The encodings of the sums, which are in the group, must equal
	// them. They are nil on BN254, where the sums hash to Challenge.
	Commitments [5][]byte
	Challenge   group.Scalar
	Nonce       group.Scalar
	Responses
}

// Responses are the responses of the proof.
type Responses struct {
	E, R2      group.Scalar // of Ā - B′ = -e·A′ + r₂·h
	R3, S      group.Scalar // of g₁ = r₃·B′ - s′·h - m·k - Σ attributeᵢ·aᵢ
	SecretKey  group.Scalar
	Attributes [Attributes]group.Scalar
	// Of the blinding of the three pseudonyms.
	Nym, EID, RH group.Scalar
}

// Identity reads the inside of an identity of type 1, the message
// SerializedIdemixIdentity { nym_public_key = 1, proof = 4 }. Errors are
// *wire.DecodeError.
func (s *Scheme) Identity(raw []byte) (*Identity, error) {
	id, err := s.FrameIdentity(raw)
	if err == nil {
		err = s.decodeOne(&id.points)
	}
	if err != nil {
		return nil, err
	}
	return id, nil
}

// FrameIdentity is Identity without the points, which Points decodes.
func (s *Scheme) FrameIdentity(raw []byte) (*Identity, error) {
	const messageName = "idemix identity"
	if s.group == nil {
		return nil, errEmpty
	}
	id := &Identity{}
	m := wire.NewMessage(messageName, raw)
	id.Nym = exact(&m, 1, "pseudonym", s.group.PointLen())
	id.Proof = m.Present(4, "proof")
	if err := m.Done(); err != nil {
		return nil, err
	}
	r := newReader("idemix presentation", s.group, id.Proof)
	s.presentation(r, id)
	if err := r.finish(); err != nil {
		return nil, err
	}
	id.points = r.points
	return id, nil
}
