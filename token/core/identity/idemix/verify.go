package idemix

import (
	"fmt"

	bccsp "github.com/IBM/idemix/bccsp/types"
	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

const what = "idemix identity"

// maxPart bounds the parts of an identity or signature in bytes; presentations
// have about 1200.
const maxPart = 1 << 13

// presentation is an identity of type 1: a pseudonym's key with the proof that
// a credential belongs to it.
type presentation struct{ nym, proof []byte }

// decode reads the message SerializedIdemixIdentity { nym_public_key = 1, ou = 2, role = 3, proof = 4, schema = 5 }.
func decode(raw []byte) (p presentation, err error) {
	if len(raw) > maxPart {
		return p, wire.Bad(what, "value", wire.ErrTooLarge)
	}
	m := wire.NewMessage(what, raw)
	p.nym = m.Bytes(1, "pseudonym")
	m.Bytes(2, "ou")
	m.Bytes(3, "role")
	p.proof = m.Bytes(4, "proof")
	if m.Done() == nil && (len(p.nym) == 0 || len(p.proof) == 0) {
		m.Fail("pseudonym or proof", wire.ErrMissing)
	}
	return p, m.Done()
}

// nymKey verifies the signatures of one pseudonym.
type nymKey struct {
	issuer issuer
	nym    bccsp.Key
}

// open checks a presentation and returns the pseudonym's key. If eidNym is not
// nil the presentation must be of the same enrolment id as that pseudonym.
func (s issuer) open(p presentation, eidNym []byte) (k nymKey, err error) {
	k.issuer = s
	if k.nym, err = s.csp.KeyImport(p.nym, &bccsp.IdemixNymPublicKeyImportOpts{Temporary: true}); err != nil {
		return k, wire.Bad(what, "pseudonym", wire.ErrMalformed)
	}
	opts := &bccsp.IdemixSignerOpts{
		Attributes: hidden,
		EidIndex:   enrollmentID, RhIndex: revocationHandle,
		VerificationType: bccsp.ExpectEidNymRhNym,
	}
	if eidNym != nil {
		opts.Metadata = &bccsp.IdemixSignerMetadata{EidNym: eidNym}
	}
	if valid, err := s.csp.Verify(s.key, p.proof, nil, opts); err != nil || !valid {
		return k, fmt.Errorf("presentation: %w", identity.ErrSignature)
	}
	return k, nil
}

// Verify implements identity.Verifier.
func (k nymKey) Verify(message identity.Message, signature []byte) error {
	if len(signature) > maxPart {
		return wire.Bad("idemix signature", "value", wire.ErrTooLarge)
	}
	return guarded(func() error {
		valid, err := k.issuer.csp.Verify(k.nym, signature, message.Bytes(), &bccsp.IdemixNymSignerOpts{IssuerPK: k.issuer.key})
		if err != nil || !valid {
			return identity.ErrSignature
		}
		return nil
	})
}

// verifier returns the verifier of an identity of type 1: under the first key
// that its presentation is right for.
func (ks *Keys) verifier(raw []byte) (identity.Verifier, error) {
	p, err := decode(raw)
	if err != nil {
		return nil, err
	}
	var k nymKey
	for _, s := range ks.issuers {
		if err = guarded(func() (err error) { k, err = s.open(p, nil); return err }); err == nil {
			return k, nil
		}
	}
	return nil, err
}

// eidNym verifies for the pseudonym of an enrolment id. Only the first key
// counts, as in the reference.
type eidNym struct {
	issuer issuer
	nym    []byte
}

func (ks *Keys) nymVerifier(raw []byte) (identity.Verifier, error) {
	if len(raw) == 0 || len(raw) > maxPart {
		return nil, wire.Bad("idemix pseudonym", "value", wire.ErrLength)
	}
	return eidNym{issuer: ks.issuers[0], nym: raw}, nil
}

// Verify implements identity.Verifier: the signature is
// SEQUENCE { creator OCTET STRING, signature OCTET STRING }.
func (v eidNym) Verify(message identity.Message, signature []byte) error {
	const what = "idemix pseudonym signature"
	s := cryptobyte.String(signature)
	var outer, creator, inner cryptobyte.String
	switch {
	case !s.ReadASN1(&outer, asn1.SEQUENCE) || !outer.ReadASN1(&creator, asn1.OCTET_STRING) || !outer.ReadASN1(&inner, asn1.OCTET_STRING):
		return wire.Bad(what, "value", wire.ErrMalformed)
	case !outer.Empty() || !s.Empty():
		return wire.Bad(what, "value", wire.ErrTrailing)
	}
	p, err := decode(creator)
	if err != nil {
		return err
	}
	var k nymKey
	if err := guarded(func() (err error) { k, err = v.issuer.open(p, v.nym); return err }); err != nil {
		return err
	}
	return k.Verify(message, inner)
}
