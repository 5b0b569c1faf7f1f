package idemix

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/credential"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// maxIdentity bounds an identity of type 1 in bytes; honest ones have at most
// 1636.
const maxIdentity = 1 << 11

// owner verifies for an identity of type 1, or for the creator of a signature
// of type 3. Its signature is read before the identity.
type owner struct {
	keys []issuer // tried in order
	raw  []byte
	eid  []byte // of type 3: the pseudonym of the enrolment identifier
}

// verifier returns the verifier of an identity of type 1, whose issuer may be
// any of the keys.
func (ks *Keys) verifier(raw []byte) (identity.Verifier, error) {
	if len(raw) == 0 || len(raw) > maxIdentity {
		return nil, wire.Bad("idemix identity", "value", wire.ErrLength)
	}
	return owner{keys: ks.issuers, raw: raw}, nil
}

// Verify implements identity.Verifier. The error is that of the last key.
func (o owner) Verify(message identity.Message, signature []byte) (err error) {
	for _, s := range o.keys {
		if err = s.verify(o, message, signature); err == nil {
			return nil
		}
	}
	return err
}

// Cost implements identity.Costly.
func (o owner) Cost() (cost int) {
	for _, s := range o.keys {
		cost += s.cost()
	}
	return cost
}

// Cost is the time to verify a signature of an owner of type 1, in verifications
// of ECDSA on P-256. Owners of type 3 take no longer. Limits.Verifications of a
// network with Idemix owners should allow this cost for each input.
func (ks *Keys) Cost() int { return owner{keys: ks.issuers}.Cost() }

// verify checks a signature of o's pseudonym and the presentation under one key,
// the cheapest check first: the bytes of signature and identity, then the
// signature, then the presentation.
func (s issuer) verify(o owner, message identity.Message, signature []byte) error {
	scheme := s.Scheme()
	signed, err := scheme.Signature(signature)
	if err != nil {
		return err
	}
	id, err := scheme.Identity(o.raw)
	if err != nil {
		return err
	}
	if o.eid != nil && !bytes.Equal(o.eid, scheme.Group().AppendPoint(nil, id.EID)) {
		return wire.Bad("idemix signature", "pseudonym of the enrolment identifier", presentation.ErrDiffers)
	}
	err = s.Verify([]credential.Item{{Identity: id, Signature: signed, Message: message.Bytes()}})
	if rejected := new(credential.RejectedError); errors.As(err, &rejected) {
		return fmt.Errorf("%w: %w", rejected.Err, identity.ErrSignature)
	}
	return err
}

// cost is the time of one verification, in verifications of ECDSA on P-256.
func (s issuer) cost() int {
	if s.Scheme() == presentation.BN254 {
		return 10
	}
	return 25
}

// nymOwner verifies for an identity of type 3, the pseudonym of an enrolment
// identifier. Only the first key counts, as in the reference.
type nymOwner struct {
	key issuer
	eid []byte
}

// nymVerifier returns the verifier of an identity of type 3.
func (ks *Keys) nymVerifier(raw []byte) (identity.Verifier, error) {
	key := ks.issuers[0]
	if len(raw) != key.Scheme().Group().PointLen() {
		return nil, wire.Bad("idemix pseudonym", "point", wire.ErrLength)
	}
	return nymOwner{key: key, eid: raw}, nil
}

// Verify implements identity.Verifier: the signature holds an identity of type
// 1 of the same enrolment identifier, and a signature of it.
func (v nymOwner) Verify(message identity.Message, signature []byte) error {
	signed, err := presentation.DecodeSigned(signature)
	if err != nil {
		return err
	}
	return v.key.verify(owner{raw: signed.Creator, eid: v.eid}, message, signed.Signature)
}

// Cost implements identity.Costly.
func (v nymOwner) Cost() int { return v.key.cost() }
