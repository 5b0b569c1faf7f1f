package library

import (
	bccsp "github.com/IBM/idemix/bccsp/types"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// Verifier verifies as the library does, for comparison. Package presentation
// has read the identities.
type Verifier struct{ issuer issuer }

// NewVerifier imports a key. Errors wrap idemix.ErrKey.
func NewVerifier(k idemix.Key) (v *Verifier, err error) {
	quiet()
	v = &Verifier{}
	err = executor.Guard(func() (err error) { v.issuer, err = newIssuer(k); return err })
	return v, err
}

// Verify checks the signature of message by the pseudonym of id and the
// presentation of id. If eid is not nil, it is the pseudonym of the enrolment
// identifier. The error is identity.ErrSignature.
func (v *Verifier) Verify(id *presentation.Identity, eid, message, signature []byte) error {
	err := executor.Guard(func() error {
		if err := v.issuer.verifySignature(id.Nym, message, signature); err != nil {
			return err
		}
		return v.issuer.verifyPresentation(id.Proof, eid)
	})
	if err != nil {
		return identity.ErrSignature
	}
	return nil
}

func (s issuer) verifySignature(raw, message, signature []byte) error {
	nym, err := s.csp.KeyImport(raw, &bccsp.IdemixNymPublicKeyImportOpts{Temporary: true})
	if err != nil {
		return err
	}
	return verdict(s.csp.Verify(nym, signature, message, &bccsp.IdemixNymSignerOpts{IssuerPK: s.key}))
}

func (s issuer) verifyPresentation(proof, eid []byte) error {
	opts := &bccsp.IdemixSignerOpts{
		Attributes: hidden, EidIndex: enrollmentID, RhIndex: revocationHandle, VerificationType: bccsp.ExpectEidNymRhNym,
	}
	if eid != nil {
		opts.Metadata = &bccsp.IdemixSignerMetadata{EidNym: eid}
	}
	return verdict(s.csp.Verify(s.key, proof, nil, opts))
}

// Opens reports whether the enrolment identifier and the revocation handle of
// audit information open the pseudonyms of a presentation.
func (v *Verifier) Opens(proof []byte, a idemix.Info) bool {
	scalar := v.issuer.curve.NewZrFromBytes
	return executor.Guard(func() error {
		err := verdict(v.issuer.csp.Verify(v.issuer.key, proof, nil, &bccsp.EidNymAuditOpts{
			EidIndex: enrollmentID, EnrollmentID: string(a.Attributes[enrollmentID]), RNymEid: scalar(a.EidNymAuditData.Rand.Element),
		}))
		if err != nil {
			return err
		}
		return verdict(v.issuer.csp.Verify(v.issuer.key, proof, nil, &bccsp.RhNymAuditOpts{
			RhIndex: revocationHandle, RevocationHandle: string(a.Attributes[revocationHandle]), RNymRh: scalar(a.RhNymAuditData.Rand.Element),
		}))
	}) == nil
}

func verdict(valid bool, err error) error {
	if err == nil && !valid {
		return identity.ErrSignature
	}
	return err
}
