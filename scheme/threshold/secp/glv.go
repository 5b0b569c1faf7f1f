package secp

import (
	"math/big"

	"github.com/zkatbench/zkatbench/scheme/threshold/secp/field"
)

// The endomorphism φ(x, y) = (βx, y) of the curve multiplies by λ (Gallant, Lambert
// and Vanstone, CRYPTO 2001). β and λ are cube roots of 1.
var (
	beta = func() (b field.Element) {
		b.SetBytes((*[32]byte)(integer("7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501ee").FillBytes(make([]byte, 32))))
		return b
	}()
	order = integer("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
	// (a1, b1) and (a2, b2) are short vectors with a + b·λ = 0 modulo the order.
	a1 = integer("3086d221a7d46bcde86c90e49284eb15")
	b1 = integer("-e4437ed6010e88286f547fa90abfe4c3")
	a2 = integer("114ca50f7a8e2f3f657c1108d9d44cfd8")
	b2 = a1
)

func integer(hexadecimal string) *big.Int {
	n, ok := new(big.Int).SetString(hexadecimal, 16)
	if !ok {
		panic("secp: a constant is not hexadecimal")
	}
	return n
}

// half is one of two scalars of about 128 bits, as signed digits from the lowest bit
// on.
type half struct {
	digits   []int8
	negative bool
}

// split returns digits of k₁ and k₂ with s = k₁ + k₂·λ and |k₁|, |k₂| < 2¹²⁹.
func split(s *Scalar, window int) [2]half {
	b := s.Bytes()
	k := new(big.Int).SetBytes(b[:])
	c1 := rounded(new(big.Int).Mul(b2, k))
	c2 := rounded(new(big.Int).Neg(new(big.Int).Mul(b1, k)))
	k1 := new(big.Int).Sub(k, new(big.Int).Mul(c1, a1))
	k1.Sub(k1, new(big.Int).Mul(c2, a2))
	k2 := new(big.Int).Mul(c1, b1)
	k2.Add(k2, new(big.Int).Mul(c2, b2)).Neg(k2)
	var halves [2]half
	for i, n := range []*big.Int{k1, k2} {
		halves[i] = half{negative: n.Sign() < 0, digits: naf(n.Abs(n), window)}
	}
	return halves
}

// rounded returns the integer next to n divided by the order.
func rounded(n *big.Int) *big.Int {
	n.Lsh(n, 1).Add(n, order)
	return n.Div(n, new(big.Int).Lsh(order, 1))
}
