package curve

import (
	"math/big"

	"github.com/consensys/gnark-crypto/ecc"
)

// integer reads a constant.
func integer(decimal string) *big.Int {
	n, ok := new(big.Int).SetString(decimal, 0)
	if !ok {
		panic("curve: " + decimal + " is not a number")
	}
	return n
}

// linear returns a·x + b.
func linear(a int64, x *big.Int, b int64) big.Int {
	n := new(big.Int).Mul(big.NewInt(a), x)
	return *n.Add(n, big.NewInt(b))
}

// twoWay splits scalars for an endomorphism that multiplies by lambda modulo q.
// Scalars of half the length stay whole.
func twoWay(q, lambda *big.Int) func(*big.Int) []big.Int {
	var l ecc.Lattice
	ecc.PrecomputeLattice(q, lambda, &l)
	half := (q.BitLen() + 1) / 2
	return func(k *big.Int) []big.Int {
		if k.BitLen() <= half+1 {
			return []big.Int{*k}
		}
		parts := ecc.SplitScalar(k, &l)
		return parts[:]
	}
}

// fourWay splits scalars for an endomorphism ψ that multiplies by λ, by a basis of
// the lattice of all v with v₀ + v₁λ + v₂λ² + v₃λ³ = 0 mod q.
func fourWay(basis [4][4]big.Int) func(*big.Int) []big.Int {
	l := ecc.Lattice4{V: basis}
	ecc.PrecomputeLattice4(&l)
	return func(k *big.Int) []big.Int {
		parts := ecc.SplitScalarFour(k, &l)
		return parts[:]
	}
}

// fraction returns (p-1)/n, which must be whole.
func fraction(p *big.Int, n int64) *big.Int {
	e := new(big.Int).Sub(p, big.NewInt(1))
	e, rest := e.QuoRem(e, big.NewInt(n), new(big.Int))
	if rest.Sign() != 0 {
		panic("curve: an exponent is not whole")
	}
	return e
}
