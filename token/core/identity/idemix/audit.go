package idemix

import (
	"encoding/json"
	"errors"

	bccsp "github.com/IBM/idemix/bccsp/types"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// ErrNoMatch says that audit information is not about an identity.
var ErrNoMatch = errors.New("audit information does not match the identity")

// auditInfo opens the two pseudonyms of a presentation.
type auditInfo struct {
	EidNymAuditData *bccsp.AttrNymAuditData
	RhNymAuditData  *bccsp.AttrNymAuditData
	Attributes      [][]byte
	Schema          string
	IdemixSignature []byte // of type 3: a presentation of the same enrolment id
}

// maxInfo bounds audit information in bytes.
const maxInfo = 1 << 15

func decodeInfo(encoded []byte) (a auditInfo, err error) {
	const what = "idemix audit information"
	if len(encoded) > maxInfo {
		return a, wire.Bad(what, "value", wire.ErrTooLarge)
	}
	if err := guarded(func() error { return json.Unmarshal(encoded, &a) }); err != nil {
		return a, wire.Bad(what, "JSON", wire.ErrMalformed)
	}
	if a.EidNymAuditData == nil || a.EidNymAuditData.Rand == nil ||
		a.RhNymAuditData == nil || a.RhNymAuditData.Rand == nil || len(a.Attributes) != len(attributes) {
		return a, wire.Bad(what, "openings", wire.ErrMissing)
	}
	return a, nil
}

func (a auditInfo) eid() *bccsp.EidNymAuditOpts {
	return &bccsp.EidNymAuditOpts{
		EidIndex: enrollmentID, EnrollmentID: string(a.Attributes[enrollmentID]), RNymEid: a.EidNymAuditData.Rand,
	}
}

func (a auditInfo) rh() *bccsp.RhNymAuditOpts {
	return &bccsp.RhNymAuditOpts{
		RhIndex: revocationHandle, RevocationHandle: string(a.Attributes[revocationHandle]), RNymRh: a.RhNymAuditData.Rand,
	}
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
	a, err := decodeInfo(encoded)
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

func (s issuer) match(t identity.Type, raw []byte, p presentation, a auditInfo) error {
	if err := s.audit(p.proof, a.eid()); err != nil {
		return err
	}
	if err := s.audit(p.proof, a.rh()); err != nil {
		return err
	}
	if t != identity.IdemixNym {
		return nil
	}
	opts := a.eid()
	opts.AuditVerificationType = bccsp.AuditExpectEidNym
	return s.audit(raw, opts)
}

func (s issuer) audit(shown []byte, opts bccsp.SignerOpts) error {
	if valid, err := s.csp.Verify(s.key, shown, nil, opts); err != nil || !valid {
		return ErrNoMatch
	}
	return nil
}
