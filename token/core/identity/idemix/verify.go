package idemix

import (
	"bytes"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/credential"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// maxIdentity bounds an identity of type 1 in bytes; honest ones have at most
// 1636.
const maxIdentity = 1 << 11

// owner verifies for an identity of type 1, or for the creator of a signature
// of type 3.
type owner struct {
	keys    *Keys
	issuers []*issuer // tried in order
	raw     []byte
	eid     []byte // of type 3: the pseudonym of the enrolment identifier
}

// verifier returns the verifier of an identity of type 1; its issuer may be
// any of the keys.
func (ks *Keys) verifier(raw []byte) (identity.Verifier, error) {
	if len(raw) == 0 || len(raw) > maxIdentity {
		return nil, wire.Name("idemix identity").Bad("value", wire.ErrLength)
	}
	return owner{keys: ks, issuers: ks.issuers, raw: raw}, nil
}

// Begin implements identity.Verifier: it reads the signature and the identity except
// their points, under each key. It returns the last key's error.
func (o owner) Begin(message identity.Message, signature []byte) (identity.Task, error) {
	c, err := o.signed(message, signature)
	return o.keys.verifying(c), err
}

// signed returns the claim of a signature.
func (o owner) signed(message identity.Message, signature []byte) (*claim, error) {
	c := &claim{}
	if memo := o.keys.memo; memo != nil {
		c.digest = o.digest()
		known, found, err := memo.recall(c.digest, signature)
		if err != nil {
			return nil, err
		}
		if found {
			known.item.Message = message.Bytes()
			c.candidates = []candidate{known}
			return c, nil
		}
	}
	return o.claim(c, func(scheme *presentation.Scheme) (it credential.Item, err error) {
		it.Message = message.Bytes()
		it.Signature, err = scheme.FrameSignature(signature)
		if err == nil {
			it.Identity, err = o.frame(scheme)
		}
		return it, err
	})
}

// BeginOpen implements identity.Openable: the presentation must be right, also if the
// owner does not sign.
func (o owner) BeginOpen() (identity.Task, error) {
	c := &claim{}
	if memo := o.keys.memo; memo != nil {
		c.digest = o.digest()
		if memo.knows(c.digest) {
			return nil, nil
		}
	}
	c, err := o.claim(c, func(scheme *presentation.Scheme) (it credential.Item, err error) {
		it.Unsigned = true
		it.Identity, err = o.frame(scheme)
		return it, err
	})
	return o.keys.verifying(c), err
}

// claim sets the candidates of c, with an item for each key, which is read once for
// each scheme. It returns the last key's error.
func (o owner) claim(c *claim, item func(*presentation.Scheme) (credential.Item, error)) (*claim, error) {
	read := map[*presentation.Scheme]credential.Item{}
	var err error
	for _, s := range o.issuers {
		it, ok := read[s.Scheme()]
		if !ok {
			it, err = item(s.Scheme())
			if err != nil {
				continue
			}
			read[s.Scheme()] = it
		}
		c.candidates = append(c.candidates, candidate{s, it})
	}
	if len(c.candidates) == 0 {
		return nil, err
	}
	return c, nil
}

// frame reads the identity without points.
func (o owner) frame(scheme *presentation.Scheme) (*presentation.Identity, error) {
	id, err := scheme.FrameIdentity(o.raw)
	if err == nil && o.eid != nil && !bytes.Equal(o.eid, id.EID) {
		err = wire.Name("idemix signature").Bad("pseudonym of the enrolment identifier",
			presentation.ErrDiffers)
	}
	return id, err
}

// Cost implements identity.Costly.
func (o owner) Cost() (cost int) {
	for _, s := range o.issuers {
		cost += s.cost()
	}
	return cost
}

// Cost is the time to verify one signature of an owner of type 1 alone, in
// verifications of ECDSA on P-256. Owners of type 3 take no longer.
// Limits.Verifications of a network with Idemix owners should allow this cost for
// each input.
func (ks *Keys) Cost() int { return owner{issuers: ks.issuers}.Cost() }

// cost is the time of one verification, in verifications of ECDSA on P-256.
func (s *issuer) cost() int {
	if s.Scheme().Group().ID() == presentation.BN254.Group().ID() {
		return 10
	}
	return 25
}

// nymOwner verifies for an identity of type 3, the pseudonym of an enrolment
// identifier. Only the first key counts, as in the reference.
type nymOwner struct {
	keys *Keys
	eid  []byte
}

// nymVerifier returns the verifier of an identity of type 3.
func (ks *Keys) nymVerifier(raw []byte) (identity.Verifier, error) {
	if len(raw) != ks.issuers[0].Scheme().Group().PointLen() {
		return nil, wire.Name("idemix pseudonym").Bad("point", wire.ErrLength)
	}
	return nymOwner{keys: ks, eid: raw}, nil
}

// Begin implements identity.Verifier: the signature holds an identity of type 1
// of the same enrolment identifier, and a signature of it.
func (v nymOwner) Begin(message identity.Message, signature []byte) (identity.Task, error) {
	signed, err := presentation.DecodeSigned(signature)
	if err != nil {
		return nil, err
	}
	creator := owner{keys: v.keys, issuers: v.keys.issuers[:1], raw: signed.Creator, eid: v.eid}
	return creator.Begin(message, signed.Signature)
}

// Cost implements identity.Costly.
func (v nymOwner) Cost() int { return v.keys.issuers[0].cost() }
