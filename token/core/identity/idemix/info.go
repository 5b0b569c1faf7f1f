package idemix

import (
	math "github.com/IBM/mathlib"

	bccsp "github.com/IBM/idemix/bccsp/types"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// info is the audit information of an identity of type 1, in JSON with exactly
// these fields in this order (specification, section 13.4).
type info struct {
	EidNymAuditData opening
	RhNymAuditData  opening
	Attributes      [][]byte // by index; the hidden ones are null
	Schema          string
}

// nymInfo is the audit information of an identity of type 3: that of a
// presentation of the same enrolment id, and the presentation.
type nymInfo struct {
	info
	IdemixSignature []byte
}

// opening opens the pseudonym Nym = Attr·a + Rand·h of an attribute.
type opening struct{ Nym, Rand, Attr element }

// element is a point or a scalar in the JSON form of section 1.
type element struct {
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
		target = &a.info
	}
	if err := wire.ExactJSON(encoded, target); err != nil {
		return a, wire.Bad(whatInfo, "JSON", err)
	}
	if len(a.Attributes) != len(attributes) {
		return a, wire.Bad(whatInfo, "attributes", wire.ErrCount)
	}
	return a, nil
}

// scalar reads e as a scalar of the scheme's curve.
func (s issuer) scalar(e element) (*math.Zr, error) {
	err := wire.ErrWrongCurve
	if curveOf(e.Curve) == s.curve {
		_, err = s.scheme.Group().DecodeScalar(e.Element)
	}
	if err != nil {
		return nil, wire.Bad(whatInfo, "opening", err)
	}
	return s.curve.NewZrFromBytes(e.Element), nil
}

// openingOf returns what the library says of a pseudonym, labelled with the
// curve of the issuer's key.
func (s issuer) openingOf(d *bccsp.AttrNymAuditData) opening {
	label := func(b []byte) element { return element{Curve: s.label, Element: b} }
	return opening{Nym: label(d.Nym.Bytes()), Rand: label(d.Rand.Bytes()), Attr: label(d.Attr.Bytes())}
}
