// Package ecdsap256 verifies lists of ECDSA signatures over P-256. Verdicts equal the verdicts
// of crypto/ecdsa.
//
// On AVX-512 IFMA a Verifier computes u₁G + u₂Q with u₁ = e/s and u₂ = r/s for eight
// signatures at a time, or with half the doublings for up to four. Keys that were seen often
// have tables of their multiples. Without these instructions all signatures are left to
// crypto/ecdsa.
//
// A signature (r, s) of the digest e under the key Q is right if 1 ≤ r, s < n, Q is
// a point of the curve and not the identity, and R = u₁G + u₂Q is not the identity
// and has x(R) mod n = r (FIPS 186-5, section 6.4.2). All inputs are public: the
// time depends on them.
//
// The group operations ignore the cases of equal and opposite points. If an
// addition has one, the result has Z = 0, and crypto/ecdsa decides. No honest
// signature gets there.
package ecdsap256

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"math/big"
)

// Signature is a signature (R, S) of a digest under a key. R and S are numbers, big-endian.
type Signature struct {
	Key          *ecdsa.PublicKey
	Digest, R, S []byte
	// Once says that the key is not expected again: it is not remembered.
	Once bool
}

// Multipliers returns u₁ and u₂ of a signature with a digest of 32 bytes, for
// counting. They are 0 if S is 0.
func (s *Signature) Multipliers() (u1, u2 *big.Int) {
	n := elliptic.P256().Params().N
	u1, u2 = new(big.Int), new(big.Int)
	if inverse := u1.ModInverse(number(s.S), n); inverse != nil {
		u2.Mul(number(s.R), inverse).Mod(u2, n)
		u1.Mul(number(s.Digest), inverse).Mod(u1, n)
	}
	return u1, u2
}

func number(b []byte) *big.Int { return new(big.Int).SetBytes(b) }

// Verifier verifies signatures. It is safe for concurrent use.
type Verifier struct {
	keys *keys // nil if crypto/ecdsa verifies all signatures
}

// New returns a Verifier that keeps tables of multiples of at most most keys, each
// of tableBytes: of the keys that signed last among the repeated signers. A
// signature under such a key takes a third of the time. On processors without
// AVX-512 IFMA it is Portable.
func New(most int) *Verifier {
	if !hasLanes {
		return Portable()
	}
	return &Verifier{keys: newKeys(most)}
}

// Portable returns a Verifier that calls crypto/ecdsa for each signature.
func Portable() *Verifier { return &Verifier{} }

// Verify reports which signatures of the list are right, as ecdsa.Verify does for
// each. It does not change the list.
func (v *Verifier) Verify(list []Signature) []bool {
	verdicts := make([]bool, len(list))
	for first := 0; first < len(list); first += batch {
		end := min(first+batch, len(list))
		v.verify(list[first:end], verdicts[first:end])
	}
	return verdicts
}

// batch is the largest number of signatures that are computed together.
const batch = 128

// verify sets the verdicts of at most batch signatures.
func (v *Verifier) verify(list []Signature, verdicts []bool) {
	decided := make([]bool, len(list))
	if v.keys != nil {
		decided = v.keys.inLanes(list, verdicts)
	}
	for i := range list {
		if !decided[i] {
			verdicts[i] = list[i].verify()
		}
	}
}

// verify is the verdict of crypto/ecdsa.
func (s *Signature) verify() bool { return ecdsa.Verify(s.Key, s.Digest, number(s.R), number(s.S)) }
