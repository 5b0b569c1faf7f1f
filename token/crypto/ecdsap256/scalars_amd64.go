//go:build !purego

//lint:file-ignore SA1019 The coordinates of a public key are read, not changed.

package ecdsap256

import (
	"bytes"
	"crypto/elliptic"
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/secp256r1/fp"
	"github.com/consensys/gnark-crypto/ecc/secp256r1/fr"
)

// digestLen is the length of digests in bytes that are not left to crypto/ecdsa.
const digestLen = fr.Bytes

// claim is a signature with numbers in range, under a key on
// the curve.
type claim struct {
	index  int   // in the list
	key    point // encoded
	x, y   fp.Element
	r, s   fr.Element
	u1, u2 fr.Element
	table  []entry // of a known key
	once   bool    // the key is not remembered
}

// claimOf reads a signature. It returns false for signatures that crypto/ecdsa must
// decide.
func claimOf(s *Signature) (c claim, ok bool) {
	k := s.Key
	if k == nil || k.Curve != elliptic.P256() || len(s.Digest) != digestLen || k.X == nil || k.Y == nil {
		return c, false
	}
	if !setNumber(&c.r, s.R) || !setNumber(&c.s, s.S) || !fill(c.key[:fp.Bytes], k.X) ||
		!fill(c.key[fp.Bytes:], k.Y) {
		return c, false
	}
	if c.x.SetBytesCanonical(c.key[:fp.Bytes]) != nil || c.y.SetBytesCanonical(c.key[fp.Bytes:]) != nil {
		return c, false
	}
	c.once = s.Once
	return c, true
}

// setNumber sets e to a big-endian number. It returns false unless 0 < e < n.
func setNumber(e *fr.Element, number []byte) bool {
	var b [fr.Bytes]byte
	number = bytes.TrimLeft(number, "\x00")
	copy(b[max(0, len(b)-len(number)):], number)
	return len(number) <= len(b) && e.SetBytesCanonical(b[:]) == nil && !e.IsZero()
}

// fill writes v, big-endian, to b. It returns false if v does not fit.
func fill(b []byte, v *big.Int) bool {
	if v.Sign() < 0 || v.BitLen() > 8*len(b) {
		return false
	}
	v.FillBytes(b)
	return true
}

// curveB is b of y² = x³ - 3x + b.
var curveB = func() (b fp.Element) {
	b.SetBigInt(elliptic.P256().Params().B)
	return b
}()

// onCurve reports whether the key is a point of the curve.
func (c *claim) onCurve() bool {
	var left fp.Element
	right := onCurve(&c.x)
	return left.Square(&c.y).Equal(&right)
}

// onCurve returns the square of y of the points with this x.
func onCurve(x *fp.Element) (square fp.Element) {
	var three fp.Element
	square.Square(x)
	square.Sub(&square, three.SetUint64(3))
	square.Mul(&square, x).Add(&square, &curveB)
	return square
}

// multipliers sets u₁ = e/s and u₂ = r/s of all claims with one inversion.
func multipliers(claims []claim, list []Signature) {
	var product fr.Element
	product.SetOne()
	for i := range claims {
		c := &claims[i]
		c.u1 = product // of all s before
		product.Mul(&product, &c.s)
	}
	inverse := wide(product).inverse(&order)
	product.Mul((*fr.Element)(&inverse), &inverseOfWords)
	for i := len(claims) - 1; i >= 0; i-- {
		c := &claims[i]
		var inverse, e fr.Element
		inverse.Mul(&product, &c.u1)
		product.Mul(&product, &c.s)
		e.SetBytes(list[c.index].Digest)
		c.u1.Mul(&e, &inverse)
		c.u2.Mul(&c.r, &inverse)
	}
}

// inverseOfWords is 2⁵¹²: the words of an element are e·2²⁵⁶, with the inverse 2²⁵⁶/e.
var inverseOfWords = func() (e fr.Element) {
	e.SetBigInt(new(big.Int).Lsh(big.NewInt(1), 2*64*fr.Limbs))
	return e
}()

// order is n.
var order = wordsOf(fr.Modulus())

// signed is an odd number k with |k| < 2^b, modulo its sign:
//
//	±k = Σ dᵢ·2^(wi) with odd |dᵢ| < 2^w,  dᵢ = 2eᵢ - (2^w - 1)
//
// for the digits eᵢ of (k + 2^b - 1)/2 in base 2^w.
type signed struct {
	e        [fr.Limbs]uint64
	negative uint32 // 1 if the sum is -k
}

// signedOf returns k = u or, if u is even, n - u with b = 256.
func signedOf(u *fr.Element) signed {
	k := wide(u.Bits())
	if k[0]&1 == 1 {
		return signedOdd(k, 256)
	}
	odd := order
	odd.minus(&k)
	s := signedOdd(odd, 256)
	s.negative = 1
	return s
}

// signedOdd returns an odd k < 2^b.
func signedOdd(k wide, b int) (s signed) {
	for i := range k {
		s.e[i] = k[i] >> 1
		if i < len(k)-1 {
			s.e[i] |= k[i+1] << 63
		}
	}
	s.e[(b-1)/64] |= 1 << ((b - 1) % 64)
	return s
}

// ref returns the reference to dᵢ of width w, which divides 64: twice the number of
// the odd multiple |dᵢ|, and 1 if it is subtracted.
func (s *signed) ref(i, w int) uint32 {
	e := uint32(s.e[i*w/64]>>(i*w%64)) & (1<<w - 1)
	e -= 1 << (w - 1)
	below := uint32(int32(e) >> 31) // all bits, if dᵢ < 0; a branch would often be mispredicted
	return (e^below)<<1 | below&1 ^ s.negative
}
