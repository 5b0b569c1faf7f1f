package idemix

import (
	"bytes"
	"errors"

	bccsp "github.com/IBM/idemix/bccsp/types"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// ErrNoMatch says that audit information is not about an identity.
var ErrNoMatch = errors.New("audit information does not match the identity")

// eid is what the library asks for to open the pseudonym of the enrolment id.
func (s issuer) eid(a nymInfo) (*bccsp.EidNymAuditOpts, error) {
	rand, err := s.scalar(a.EidNymAuditData.Rand)
	return &bccsp.EidNymAuditOpts{
		EidIndex: enrollmentID, EnrollmentID: string(a.Attributes[enrollmentID]), RNymEid: rand,
	}, err
}

// rh is what the library asks for to open the pseudonym of the revocation
// handle.
func (s issuer) rh(a nymInfo) (*bccsp.RhNymAuditOpts, error) {
	rand, err := s.scalar(a.RhNymAuditData.Rand)
	return &bccsp.RhNymAuditOpts{
		RhIndex: revocationHandle, RevocationHandle: string(a.Attributes[revocationHandle]), RNymRh: rand,
	}, err
}

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
	shown := raw
	if t == identity.IdemixNym {
		shown = a.IdemixSignature
	}
	id, err := s.scheme.Identity(shown)
	if err != nil {
		return err
	}
	if t == identity.IdemixNym && !bytes.Equal(raw, s.scheme.Group().AppendPoint(nil, id.EID)) {
		return ErrNoMatch
	}
	eid, err := s.eid(a)
	if err != nil {
		return err
	}
	rh, err := s.rh(a)
	if err != nil {
		return err
	}
	if err := s.audit(id.Proof, eid); err != nil {
		return err
	}
	return s.audit(id.Proof, rh)
}

// audit asks the library whether shown is opened by opts.
func (s issuer) audit(shown []byte, opts bccsp.SignerOpts) error {
	return executor.Guard(func() error {
		if valid, err := s.csp.Verify(s.key, shown, nil, opts); err != nil || !valid {
			return ErrNoMatch
		}
		return nil
	})
}
