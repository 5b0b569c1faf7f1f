package secp

import (
	"math/big"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"

	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
)

// windowFor returns the width w of signed digits for scalars of the given length in
// bits: each point needs 2^(w-2) odd multiples, which pay off for long scalars.
func windowFor(bits int) int {
	switch {
	case bits <= 20:
		return 3
	case bits <= 80:
		return 4
	}
	return 5
}

// Sum returns Σ sᵢ·Pᵢ with one sequence of doublings for all (Straus; digits by
// width-w NAF). A scalar above half of the order is negated together with its
// point. Interpolation coefficients of consecutive identifiers are small integers
// up to the sign, so sums in the exponent have few doublings.
func Sum(points []*Point, scalars []*Scalar) *Point {
	ops.Add(ops.MSM(len(points)), 1)
	digits := make([][]int8, len(points))
	tables := make([][]secp256k1.JacobianPoint, len(points))
	longest := 0
	for i, s := range scalars {
		p, positive := points[i], *s
		if s.IsOverHalfOrder() {
			p, positive = p.Neg(), *new(Scalar).NegateVal(s)
		}
		if p.IsIdentity() {
			continue
		}
		b := positive.Bytes()
		n := new(big.Int).SetBytes(b[:])
		window := windowFor(n.BitLen())
		digits[i], tables[i] = naf(n, window), oddMultiples(p, window)
		longest = max(longest, len(digits[i]))
	}
	sum := new(secp256k1.JacobianPoint)
	for bit := longest - 1; bit >= 0; bit-- {
		double := new(secp256k1.JacobianPoint)
		secp256k1.DoubleNonConst(sum, double)
		sum = double
		for i, d := range digits {
			if bit >= len(d) || d[bit] == 0 {
				continue
			}
			term := tables[i][max(d[bit], -d[bit])/2]
			if d[bit] < 0 {
				term.Y.Negate(1).Normalize()
			}
			next := new(secp256k1.JacobianPoint)
			secp256k1.AddNonConst(sum, &term, next)
			sum = next
		}
	}
	return &Point{*sum}
}

// oddMultiples returns P, 3·P, 5·P, …
func oddMultiples(p *Point, window int) []secp256k1.JacobianPoint {
	table := make([]secp256k1.JacobianPoint, 1<<(window-2))
	table[0] = p.j
	var double secp256k1.JacobianPoint
	secp256k1.DoubleNonConst(&p.j, &double)
	for i := 1; i < len(table); i++ {
		secp256k1.AddNonConst(&table[i-1], &double, &table[i])
	}
	for i := range table {
		table[i].Y.Normalize()
	}
	return table
}

// naf returns the signed digits of n from the lowest bit on: odd or zero, below
// 2^(window-1) in absolute value. n becomes 0.
func naf(n *big.Int, window int) (digits []int8) {
	full := int64(1) << window
	for n.Sign() > 0 {
		d := int64(0)
		if n.Bit(0) == 1 {
			d = int64(n.Bits()[0]) & (full - 1)
			if d >= full/2 {
				d -= full
			}
			n.Sub(n, big.NewInt(d))
		}
		digits = append(digits, int8(d))
		n.Rsh(n, 1)
	}
	return digits
}
