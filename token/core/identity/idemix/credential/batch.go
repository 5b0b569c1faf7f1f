package credential

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Why an item is rejected.
var (
	ErrSignature    = errors.New("signature of the pseudonym is rejected")
	ErrPresentation = errors.New("presentation is rejected")
)

// Item is an identity with a signature of its pseudonym.
type Item struct {
	Identity  *presentation.Identity
	Signature *presentation.Signature
	Message   []byte
	// Known says that the presentation was verified before under the same key:
	// only the signature is checked. Of Identity it needs the pseudonym's point.
	Known bool
	// Unsigned omits the signature: only the presentation is checked.
	Unsigned bool
}

// errEmpty says that a key was not made by New.
var errEmpty = errors.New("idemix: issuer key is empty")

// Sums checks all of the items but the pairings. Error i is nil, ErrSignature or
// ErrPresentation. The sums of all items are computed in lockstep, and each is
// checked exactly.
func (k *Key) Sums(items []Item) []error {
	if k.group == nil {
		return slices.Repeat([]error{errEmpty}, len(items))
	}
	all, first := k.sumsOf(items)
	t := all.compute()
	errs := make([]error, len(items))
	for i := range items {
		it := &items[i]
		own := t[first[i]:first[i+1]]
		if !it.Unsigned {
			if !k.signed(it, own[0]) {
				errs[i] = ErrSignature
				continue
			}
			own = own[1:]
		}
		if !it.Known && !k.proved(&it.Identity.Presentation, [5][]byte(own)) {
			errs[i] = ErrPresentation
		}
	}
	return errs
}

// sumsOf returns the sums of all items. The sums of item i begin at index first[i].
// If it is signed, the sum of its signature comes first. Five sums of its presentation
// follow, unless the presentation is known.
func (k *Key) sumsOf(items []Item) (all sums, first []int) {
	g := k.group
	differences, bars, bs := make([]group.Point, len(items)), make([]group.Point, len(items)),
		make([]group.Point, len(items))
	for i, it := range items {
		bars[i], bs[i] = it.Identity.ABar, it.Identity.B
	}
	g.SubPointVec(differences, bars, bs)
	all.key = k
	for i := range items {
		it := &items[i]
		first = append(first, len(all.fixed))
		p := &it.Identity.Presentation
		if !it.Unsigned {
			all.pseudonym(p.Nym, it.Signature.Blinding, it.Signature.SecretKey, k.signatureC(it))
		}
		if !it.Known {
			all.presentation(p, differences[i], k.presentationC(p))
		}
	}
	return all, append(first, len(all.fixed))
}

// signatureC returns ĉ of a signature: on BLS12-381 minus the hash of its
// commitment.
func (k *Key) signatureC(it *Item) group.Scalar {
	if !k.bbs {
		return it.Signature.Challenge
	}
	c := k.signatureChallenge(it.Identity.Presentation.Nym, it.Signature.Commitment, it.Signature, it.Message)
	return k.group.Neg(c)
}

// presentationC returns ĉ of a presentation.
func (k *Key) presentationC(p *presentation.Presentation) group.Scalar {
	if !k.bbs {
		return p.Challenge
	}
	return k.group.Neg(k.challengeOf(p, p.Commitments))
}

// signed checks the encoded sum t of a signature.
func (k *Key) signed(it *Item, t []byte) bool {
	if k.bbs {
		return bytes.Equal(t, it.Signature.Commitment)
	}
	return it.Signature.Challenge == k.signatureChallenge(it.Identity.Presentation.Nym, t, it.Signature,
		it.Message)
}

// proved checks the encoded sums t₁ … t₅ of a presentation.
func (k *Key) proved(p *presentation.Presentation, t [5][]byte) bool {
	if !k.bbs {
		return p.Challenge == k.challengeOf(p, t)
	}
	for i := range t {
		if !bytes.Equal(t[i], p.Commitments[i]) {
			return false
		}
	}
	return true
}

// Pairings checks the pairings of items that passed Sums under the same key, but
// for known ones. It checks all of them in one equation e(Σ ρᵢ·A′ᵢ, W) = e(Σ
// ρᵢ·Āᵢ, g₂) with weights ρᵢ of 128 bits, ρ₀ = 1, which follow from the key and
// all presentations. A batch with a wrong presentation passes with probability at
// most 2⁻¹²⁸ for each attempt.
func (k *Key) Pairings(items []Item) bool {
	g := k.group
	if g == nil {
		return false
	}
	var primes, bars []group.Point
	var proofs [][]byte
	for _, it := range items {
		switch {
		case it.Known:
			continue
		case group.IsIdentity(it.Identity.APrime):
			return false
		}
		primes, bars = append(primes, it.Identity.APrime), append(bars, it.Identity.ABar)
		proofs = append(proofs, it.Identity.Proof)
	}
	switch len(proofs) {
	case 0:
		return true
	case 1:
		return k.isOne(primes[0], bars[0])
	}
	weights := k.weights(proofs)
	var sum [2]group.Point
	g.MSMs(sum[:], []group.Terms{{Points: primes, Scalars: weights}, {Points: bars, Scalars: weights}})
	return k.isOne(sum[0], sum[1])
}

// isOne reports whether e(prime, W) = e(bar, g₂).
func (k *Key) isOne(prime, bar group.Point) bool {
	group.CountWork(k.group, group.Pairings, 2)
	return k.pairs(prime, k.group.SubPoints(group.Point{}, bar))
}

// weights returns 1 and weights of 128 bits from SHA-256 over the key and all
// presentations.
func (k *Key) weights(proofs [][]byte) []group.Scalar {
	h := sha256.New()
	h.Write([]byte("zkatbench idemix weights"))
	h.Write(k.digest[:])
	for _, proof := range proofs {
		digest := sha256.Sum256(proof)
		h.Write(digest[:])
	}
	seed := h.Sum(nil)
	weights := make([]group.Scalar, len(proofs))
	weights[0] = k.group.Uint64(1)
	for i := 1; i < len(weights); i++ {
		digest := sha256.Sum256(binary.BigEndian.AppendUint64(seed[:len(seed):len(seed)], uint64(i)))
		weights[i] = k.group.Reduce(digest[:16])
	}
	return weights
}
