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

// Verify implements identity.Verifier.
func (o owner) Verify(message identity.Message, signature []byte) error {
	return identity.Complete(o, message, signature)
}

// Begin implements identity.Deferred: it puts off the pairings. The sums decide
// the key. The error is that of the last key.
func (o owner) Begin(message identity.Message, signature []byte) (rests []identity.Rest, err error) {
	for _, s := range o.keys {
		if rests, err = s.begin(o, message, signature); err == nil {
			return rests, nil
		}
	}
	return nil, err
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

// begin checks a signature of o's pseudonym and the presentation under one key,
// but for the pairings.
func (s issuer) begin(o owner, message identity.Message, signature []byte) ([]identity.Rest, error) {
	scheme := s.Scheme()
	signed, err := scheme.Signature(signature)
	if err != nil {
		return nil, err
	}
	id, err := scheme.Identity(o.raw)
	if err != nil {
		return nil, err
	}
	if o.eid != nil && !bytes.Equal(o.eid, scheme.Group().AppendPoint(nil, id.EID)) {
		return nil, wire.Bad("idemix signature", "pseudonym of the enrolment identifier", presentation.ErrDiffers)
	}
	rests, err := s.Begin([]credential.Item{{Identity: id, Signature: signed, Message: message.Bytes()}})
	if err != nil {
		_, err = rejected(err)
		return nil, err
	}
	return []identity.Rest{{Batch: s, State: rests[0]}}, nil
}

// Finish implements identity.Batch.
func (s issuer) Finish(states []any) (int, error) {
	rests := make([]credential.Rest, len(states))
	for i, state := range states {
		rests[i] = state.(credential.Rest)
	}
	return rejected(s.Key.Finish(rests))
}

// rejected returns the index of a rejected item and an identity.ErrSignature that
// says why.
func rejected(err error) (int, error) {
	if r := new(credential.RejectedError); errors.As(err, &r) {
		return r.Index, fmt.Errorf("%w: %w", r.Err, identity.ErrSignature)
	}
	return 0, err
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

// Verify implements identity.Verifier.
func (v nymOwner) Verify(message identity.Message, signature []byte) error {
	return identity.Complete(v, message, signature)
}

// Begin implements identity.Deferred: the signature holds an identity of type 1
// of the same enrolment identifier, and a signature of it.
func (v nymOwner) Begin(message identity.Message, signature []byte) ([]identity.Rest, error) {
	signed, err := presentation.DecodeSigned(signature)
	if err != nil {
		return nil, err
	}
	return v.key.begin(owner{raw: signed.Creator, eid: v.eid}, message, signed.Signature)
}

// Cost implements identity.Costly.
func (v nymOwner) Cost() int { return v.key.cost() }
