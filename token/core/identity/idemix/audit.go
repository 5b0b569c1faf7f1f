package idemix

import (
	"bytes"
	"errors"
	"slices"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/credential"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// ErrNoMatch says that audit information is not about an identity.
var ErrNoMatch = errors.New("audit information does not match the identity")

// Matchers returns, for an auditor, a matcher for each of the two types: it reads
// audit information, and returns a task that compares it with the identity (Match).
func (ks *Keys) Matchers() map[identity.Type]func(raw, encoded []byte) (identity.Task, error) {
	matchers := map[identity.Type]func(raw, encoded []byte) (identity.Task, error){}
	for _, t := range []identity.Type{identity.Idemix, identity.IdemixNym} {
		matchers[t] = func(raw, encoded []byte) (identity.Task, error) {
			info, err := decodeInfo(t, encoded)
			m := &match{kind: t, raw: raw, info: info}
			return ks.matches.Task(m), err
		}
	}
	return matchers
}

// Match returns nil if encoded audit information is about the inside of an
// identity of type 1 or 3. Otherwise it returns the error of the last key:
// ErrNoMatch or a *wire.DecodeError.
func (ks *Keys) Match(t identity.Type, raw, encoded []byte) error {
	info, err := decodeInfo(t, encoded)
	if err != nil {
		return err
	}
	return round.Run(nil, func(r round.Round) error {
		return ks.matches.Wait(r, &match{kind: t, raw: raw, info: info})
	})
}

// match is audit information of an identity, and whether it is about it.
type match struct {
	kind identity.Type
	raw  []byte
	info NymInfo
	err  error
}

// match does the work of matches, in one part: auditors look at one request at a time.
func (ks *Keys) match(_ group.Group, _ executor.Executor, all []*match) []error {
	open := slices.Clone(all)
	for _, key := range ks.issuers {
		key.match(open)
		open = slices.DeleteFunc(open, func(m *match) bool { return m.err == nil })
	}
	if len(open) == 0 {
		return nil
	}
	errs := make([]error, len(all))
	for i, m := range all {
		errs[i] = m.err
	}
	return errs
}

// match reads the presentations that matches are about, strictly and together, and
// opens their pseudonyms in one sum.
func (s *issuer) match(all []*match) {
	ids, framed := make([]*presentation.Identity, 0, len(all)), make([]*match, 0, len(all))
	for _, m := range all {
		shown := m.raw
		if m.kind == identity.IdemixNym {
			shown = m.info.IdemixSignature
		}
		id, err := s.Scheme().FrameIdentity(shown)
		m.err = err
		if err == nil {
			ids, framed = append(ids, id), append(framed, m)
		}
	}
	var shown []*presentation.Presentation
	var openings []credential.Opening
	var read []*match
	for i, err := range s.Scheme().Points(ids, make([]*presentation.Signature, len(ids))) {
		m, opening := framed[i], credential.Opening{}
		if err == nil {
			opening, err = s.opening(m, ids[i])
		}
		m.err = err
		if err == nil {
			shown, openings, read = append(shown, &ids[i].Presentation), append(openings, opening),
				append(read, m)
		}
	}
	for i, ok := range s.Opens(shown, openings) {
		if !ok {
			read[i].err = ErrNoMatch
		}
	}
}

// opening returns the opening of the two pseudonyms of a presentation in audit
// information. Each field must have the value that the presentation or the attribute
// determines. An identity of type 3 must be the pseudonym of the enrolment identifier
// in the presentation.
func (s *issuer) opening(m *match, id *presentation.Identity) (o credential.Opening, err error) {
	a := m.info
	if m.kind == identity.IdemixNym && !bytes.Equal(m.raw, id.EID) {
		return o, ErrNoMatch
	}
	o.EnrollmentID, o.RevocationHandle = a.Attributes[presentation.EnrollmentID],
		a.Attributes[presentation.RevocationHandle]
	o.EIDBlinding, err = s.blinding(a.EidNymAuditData, id.Presentation.EID, o.EnrollmentID)
	if err != nil {
		return o, err
	}
	o.RHBlinding, err = s.blinding(a.RhNymAuditData, id.Presentation.RH, o.RevocationHandle)
	return o, err
}

// blinding returns the blinding of o, which must be about the pseudonym nym and the
// value of its attribute.
func (s *issuer) blinding(o Opening, nym group.Point, value []byte) (rand group.Scalar, err error) {
	rand, err = s.scalar(o.Rand)
	if err != nil {
		return rand, err
	}
	attr, err := s.scalar(o.Attr)
	if err != nil {
		return rand, err
	}
	if o.Nym.Curve != s.label {
		return rand, whatInfo.Bad("pseudonym", wire.ErrWrongCurve)
	}
	if attr != s.AttributeScalar(value) ||
		!bytes.Equal(o.Nym.Element, s.Scheme().Group().AppendPoint(nil, nym)) {
		return rand, ErrNoMatch
	}
	return rand, nil
}
