package idemix

import (
	"bytes"
	"errors"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/credential"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
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
// pseudonyms. Of type 3 the identity is the pseudonym of the enrolment
// identifier in it.
func (s issuer) match(t identity.Type, raw []byte, a nymInfo) error {
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
	eid, err := s.scalar(a.EidNymAuditData.Rand)
	if err != nil {
		return err
	}
	handle, err := s.scalar(a.RhNymAuditData.Rand)
	if err != nil {
		return err
	}
	if !s.Opens(&id.Presentation, credential.Opening{
		EnrollmentID: a.Attributes[presentation.EnrollmentID], RevocationHandle: a.Attributes[presentation.RevocationHandle],
		EIDBlinding: eid, RHBlinding: handle,
	}) {
		return ErrNoMatch
	}
	return nil
}
