package idemix

import (
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Info is the audit information of an identity of type 1, in JSON with exactly
// these fields in this order (specification, section 13.4). A presentation proves
// no part of the organisational unit, the role and the schema that an auditor could
// check, so these are empty. Printing it with any verb shows no field.
type Info struct {
	EidNymAuditData Opening
	RhNymAuditData  Opening
	Attributes      [][]byte // by index; all but enrolment id and revocation handle are null
	Schema          string   // empty
}

// NymInfo is the audit information of an identity of type 3: a presentation of the
// same enrolment id, and the audit information of that presentation. Printing it with
// any verb shows no field.
type NymInfo struct {
	Info
	IdemixSignature []byte
}

// Format implements fmt.Formatter for every verb: it writes no field.
func (Info) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, string(whatInfo)) }

// Opening opens the pseudonym Nym = Attr·a + Rand·h of an attribute. Printing it with
// any verb shows no field.
type Opening struct{ Nym, Rand, Attr Element }

// Format implements fmt.Formatter for every verb: it writes no field.
func (Opening) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "opening of a pseudonym") }

// Element is a point or a scalar in the JSON form of section 1.
type Element struct {
	Curve   int    `json:"curve"`
	Element []byte `json:"element"`
}

const whatInfo wire.Name = "idemix audit information"

// maxInfo bounds audit information in bytes.
const maxInfo = 1 << 15

// decodeInfo reads the audit information of an identity of type t.
func decodeInfo(t identity.Type, encoded []byte) (a NymInfo, err error) {
	if len(encoded) > maxInfo {
		return a, whatInfo.Bad("value", wire.ErrTooLarge)
	}
	var target any = &a
	if t == identity.Idemix {
		target = &a.Info
	}
	if err := wire.ExactJSON(encoded, target); err != nil {
		return a, whatInfo.Bad("JSON", err)
	}
	if len(a.Attributes) != presentation.Attributes {
		return a, whatInfo.Bad("attributes", wire.ErrCount)
	}
	for i, value := range a.Attributes {
		if value != nil && i != presentation.EnrollmentID && i != presentation.RevocationHandle {
			return a, whatInfo.Bad("hidden attribute", presentation.ErrDiffers)
		}
	}
	if a.Schema != "" {
		return a, whatInfo.Bad("schema", presentation.ErrDiffers)
	}
	return a, nil
}

// scalar reads e as a scalar; the label of its curve equals the issuer key's.
func (s *issuer) scalar(e Element) (group.Scalar, error) {
	if e.Curve != s.label {
		return group.Scalar{}, whatInfo.Bad("opening", wire.ErrWrongCurve)
	}
	v, err := s.Scheme().Group().DecodeScalar(e.Element)
	if err != nil {
		return group.Scalar{}, whatInfo.Bad("opening", err)
	}
	return v, nil
}
