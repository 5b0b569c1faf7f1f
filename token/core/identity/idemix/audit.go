package idemix

import (
	"errors"

	bccsp "github.com/IBM/idemix/bccsp/types"

	"github.com/zkatbench/zkatbench/token/core/identity"
)

// ErrNoMatch says that audit information is not about an identity.
var ErrNoMatch = errors.New("audit information does not match the identity")

// eid is what the library asks for to open the pseudonym of the enrolment id.
func (s issuer) eid(a nymInfo) (*bccsp.EidNymAuditOpts, error) {
	rand, err := a.EidNymAuditData.Rand.scalar(s.curve)
	return &bccsp.EidNymAuditOpts{
		EidIndex: enrollmentID, EnrollmentID: string(a.Attributes[enrollmentID]), RNymEid: rand,
	}, err
}

// rh is what the library asks for to open the pseudonym of the revocation
// handle.
func (s issuer) rh(a nymInfo) (*bccsp.RhNymAuditOpts, error) {
	rand, err := a.RhNymAuditData.Rand.scalar(s.curve)
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
// identity of type 1 or 3, ErrNoMatch or a *wire.DecodeError if not.
func (ks *Keys) Match(t identity.Type, raw, encoded []byte) error {
	a, err := decodeInfo(t, encoded)
	if err != nil {
		return err
	}
	shown := raw
	if t == identity.IdemixNym {
		shown = a.IdemixSignature
	}
	p, err := decode(shown)
	if err != nil {
		return err
	}
	for _, s := range ks.issuers {
		err := guarded(func() error { return s.match(t, raw, p, a) })
		if err == nil {
			return nil
		}
	}
	return ErrNoMatch
}

func (s issuer) match(t identity.Type, raw []byte, p presentation, a nymInfo) error {
	eid, err := s.eid(a)
	if err != nil {
		return err
	}
	rh, err := s.rh(a)
	if err != nil {
		return err
	}
	if err := s.audit(p.proof, eid); err != nil {
		return err
	}
	if err := s.audit(p.proof, rh); err != nil {
		return err
	}
	if t != identity.IdemixNym {
		return nil
	}
	eid.AuditVerificationType = bccsp.AuditExpectEidNym
	return s.audit(raw, eid)
}

func (s issuer) audit(shown []byte, opts bccsp.SignerOpts) error {
	if valid, err := s.csp.Verify(s.key, shown, nil, opts); err != nil || !valid {
		return ErrNoMatch
	}
	return nil
}
