package idemix

import (
	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Info is the audit information of an identity of type 1, in JSON with exactly
// these fields in this order (specification, section 13.4).
type Info struct {
	EidNymAuditData Opening
	RhNymAuditData  Opening
	Attributes      [][]byte // by index; the hidden ones are null
	Schema          string
}

// nymInfo is the audit information of an identity of type 3: that of a
// presentation of the same enrolment id, and the presentation.
type nymInfo struct {
	Info
	IdemixSignature []byte
}

// Opening opens the pseudonym Nym = Attr·a + Rand·h of an attribute.
type Opening struct{ Nym, Rand, Attr Element }

// Element is a point or a scalar in the JSON form of section 1.
type Element struct {
	Curve   int    `json:"curve"`
	Element []byte `json:"element"`
}

const whatInfo = "idemix audit information"

// maxInfo bounds audit information in bytes.
const maxInfo = 1 << 15

// decodeInfo reads the audit information of an identity of type t.
func decodeInfo(t identity.Type, encoded []byte) (a nymInfo, err error) {
	if len(encoded) > maxInfo {
		return a, wire.Bad(whatInfo, "value", wire.ErrTooLarge)
	}
	var target any = &a
	if t == identity.Idemix {
		target = &a.Info
	}
	if err := wire.ExactJSON(encoded, target); err != nil {
		return a, wire.Bad(whatInfo, "JSON", err)
	}
	if len(a.Attributes) != presentation.Attributes {
		return a, wire.Bad(whatInfo, "attributes", wire.ErrCount)
	}
	return a, nil
}

// scalar reads e as a scalar of the curve of the issuer's key.
func (s issuer) scalar(e Element) (group.Scalar, error) {
	if !s.Scheme().IsOf(e.Curve) {
		return group.Scalar{}, wire.Bad(whatInfo, "opening", wire.ErrWrongCurve)
	}
	v, err := s.Scheme().Group().DecodeScalar(e.Element)
	if err != nil {
		return group.Scalar{}, wire.Bad(whatInfo, "opening", err)
	}
	return v, nil
}
