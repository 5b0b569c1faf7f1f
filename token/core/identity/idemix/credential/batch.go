package credential

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

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
}

// RejectedError names the first rejected item of a batch.
type RejectedError struct {
	Index int
	Err   error // ErrSignature or ErrPresentation
}

func (e *RejectedError) Error() string { return fmt.Sprintf("item %d: %v", e.Index, e.Err) }

func (e *RejectedError) Unwrap() error { return e.Err }

// Rest is the last step of the verification of an item: its pairings. Everything
// else was checked.
type Rest struct {
	key          *Key
	aPrime, aBar group.Point
	digest       [sha256.Size]byte // of the presentation
}

// errEmpty says that a key was not made by New.
var errEmpty = errors.New("idemix: issuer key is empty")

// Begin checks all of the items but the pairings. If an item is rejected it
// returns a *RejectedError for the first one.
func (k *Key) Begin(items []Item) ([]Rest, error) {
	if k.group == nil {
		return nil, errEmpty
	}
	g := k.group
	signatures := sums{key: k}
	for _, it := range items {
		s := it.Signature
		signatures.pseudonym(it.Identity.Presentation.Nym, s.Blinding, s.SecretKey, k.signatureC(&it))
	}
	presentations := sums{key: k}
	differences := make([]group.Point, len(items))
	bars, bs := make([]group.Point, len(items)), make([]group.Point, len(items))
	for i, it := range items {
		bars[i], bs[i] = it.Identity.ABar, it.Identity.B
	}
	g.SubPointVec(differences, bars, bs)
	for i, it := range items {
		p := &it.Identity.Presentation
		presentations.presentation(p, differences[i], k.presentationC(p))
	}
	all := sums{key: k, fixed: append(signatures.fixed, presentations.fixed...), variable: append(signatures.variable, presentations.variable...)}
	t := all.compute()
	ofSignatures, ofPresentations := t[:len(items)], t[len(items):]
	rests := make([]Rest, len(items))
	for i := range items {
		it := &items[i]
		if !k.signed(it, ofSignatures[i]) {
			return nil, &RejectedError{i, ErrSignature}
		}
		if !k.proved(&it.Identity.Presentation, ofPresentations[5*i:5*i+5]) {
			return nil, &RejectedError{i, ErrPresentation}
		}
		rests[i] = Rest{key: k, aPrime: it.Identity.APrime, aBar: it.Identity.ABar, digest: sha256.Sum256(it.Identity.Proof)}
	}
	return rests, nil
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
	return k.group.Neg(k.challengeOf(p, p.Commitments[:]))
}

// signed checks the sum t of a signature.
func (k *Key) signed(it *Item, t group.Point) bool {
	if k.bbs {
		return k.group.Equal(t, it.Signature.Commitment)
	}
	return it.Signature.Challenge == k.signatureChallenge(it.Identity.Presentation.Nym, t, it.Signature, it.Message)
}

// proved checks the sums t₁ … t₅ of a presentation.
func (k *Key) proved(p *presentation.Presentation, t []group.Point) bool {
	if !k.bbs {
		return p.Challenge == k.challengeOf(p, t)
	}
	for i := range t {
		if !k.group.Equal(t[i], p.Commitments[i]) {
			return false
		}
	}
	return true
}

// Finish checks the pairings of rests of one key. The error is a *RejectedError
// for the first presentation without a credential.
//
// All are checked in one equation e(Σ ρᵢ·A′ᵢ, W) = e(Σ ρᵢ·Āᵢ, g₂) with weights ρᵢ
// of 128 bits, ρ₀ = 1, which follow from the key and all presentations. A batch
// with a wrong one passes with probability at most 2⁻¹²⁸ for each attempt. If the
// equation fails, each presentation is checked alone.
func (k *Key) Finish(rests []Rest) error {
	if len(rests) == 0 || k.holds(rests) {
		return nil
	}
	for i := range rests {
		if !k.holds(rests[i : i+1]) {
			return &RejectedError{i, ErrPresentation}
		}
	}
	return &RejectedError{0, ErrPresentation} // not reached but with probability 2⁻¹²⁸
}

// holds checks the equation of a batch.
func (k *Key) holds(rests []Rest) bool {
	g := k.group
	weights := k.weights(rests)
	primes, bars := make([]group.Point, len(rests)), make([]group.Point, len(rests))
	for i, r := range rests {
		if r.key != k || g.IsIdentity(r.aPrime) {
			return false
		}
		primes[i], bars[i] = r.aPrime, r.aBar
	}
	if len(rests) == 1 {
		return k.pairs(primes[0], g.SubPoints(group.Point{}, bars[0]))
	}
	var sum [2]group.Point
	g.MSMs(sum[:], []group.Terms{{Points: primes, Scalars: weights}, {Points: bars, Scalars: weights}})
	return k.pairs(sum[0], g.SubPoints(group.Point{}, sum[1]))
}

// weights returns 1 and weights of 128 bits from SHA-256 over the key and all
// presentations.
func (k *Key) weights(rests []Rest) []group.Scalar {
	h := sha256.New()
	h.Write([]byte("zkatbench idemix weights"))
	h.Write(k.digest[:])
	for _, r := range rests {
		h.Write(r.digest[:])
	}
	seed := h.Sum(nil)
	weights := make([]group.Scalar, len(rests))
	weights[0] = k.group.Uint64(1)
	for i := 1; i < len(weights); i++ {
		digest := sha256.Sum256(binary.BigEndian.AppendUint64(seed[:len(seed):len(seed)], uint64(i)))
		weights[i] = k.group.Reduce(digest[:16])
	}
	return weights
}

// Verify is Begin and Finish.
func (k *Key) Verify(items []Item) error {
	rests, err := k.Begin(items)
	if err != nil {
		return err
	}
	return k.Finish(rests)
}
