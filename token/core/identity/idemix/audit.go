package idemix

import (
	"bytes"
	"errors"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/credential"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// ErrNoMatch says that audit information is not about an identity.
var ErrNoMatch = errors.New("audit information does not match the identity")

// Matchers returns Match for each of the two types, for an auditor.
func (ks *Keys) Matchers() map[identity.Type]func(raw, encoded []byte) error {
	matchers := map[identity.Type]func(raw, encoded []byte) error{}
	for _, t := range []identity.Type{identity.Idemix, identity.IdemixNym} {
		matchers[t] = func(raw, encoded []byte) error { return ks.Match(t, raw, encoded) }
	}
	return matchers
}

// Match returns nil if encoded audit information is about the inside of an
// identity of type 1 or 3, ErrNoMatch or a *wire.DecodeError if not: that of
// the last key.
func (ks *Keys) Match(t identity.Type, raw, encoded []byte) error {
	a, err := decodeInfo(t, encoded)
	if err != nil {
		return err
	}
	for _, s := range ks.issuers {
		if err = s.match(t, raw, a); err == nil {
			return nil
		}
	}
	return err
}

// match reads the presentation that a is about, strictly, and opens its two
// pseudonyms. Each field of the openings must be the one that the presentation or
// the attribute determines. Of type 3 the identity is the pseudonym of the enrolment
// identifier in it.
func (s issuer) match(t identity.Type, raw []byte, a NymInfo) error {
	scheme, shown := s.Scheme(), raw
	if t == identity.IdemixNym {
		shown = a.IdemixSignature
	}
	id, err := scheme.Identity(shown)
	if err != nil {
		return err
	}
	if t == identity.IdemixNym && !bytes.Equal(raw, id.EID) {
		return ErrNoMatch
	}
	shows := credential.Opening{
		EnrollmentID: a.Attributes[presentation.EnrollmentID], RevocationHandle: a.Attributes[presentation.RevocationHandle],
	}
	if shows.EIDBlinding, err = s.blinding(a.EidNymAuditData, id.Presentation.EID, shows.EnrollmentID); err != nil {
		return err
	}
	if shows.RHBlinding, err = s.blinding(a.RhNymAuditData, id.Presentation.RH, shows.RevocationHandle); err != nil {
		return err
	}
	if !s.Opens(&id.Presentation, shows) {
		return ErrNoMatch
	}
	return nil
}

// blinding returns the blinding of o, which must be about the pseudonym nym and the
// value of its attribute.
func (s issuer) blinding(o Opening, nym group.Point, value []byte) (rand group.Scalar, err error) {
	if rand, err = s.scalar(o.Rand); err != nil {
		return rand, err
	}
	attr, err := s.scalar(o.Attr)
	if err != nil {
		return rand, err
	}
	if !s.Scheme().IsOf(o.Nym.Curve) {
		return rand, wire.Bad(whatInfo, "pseudonym", wire.ErrWrongCurve)
	}
	if attr != s.AttributeScalar(value) || !bytes.Equal(o.Nym.Element, s.Scheme().Group().AppendPoint(nil, nym)) {
		return rand, ErrNoMatch
	}
	return rand, nil
}
