package secp

import (
	"github.com/decred/dcrd/dcrec/secp256k1/v4"

	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
)

// EncodeAll returns the encodings of points with one inversion for all (Montgomery,
// Math. Comp. 48). None may be the identity.
func EncodeAll(points []*Point) [][]byte {
	// prefix[i] is the product of the first i coordinates Z.
	prefix := make([]secp256k1.FieldVal, len(points)+1)
	prefix[0].SetInt(1)
	for i, p := range points {
		if p.IsIdentity() {
			panic("secp: the identity has no encoding")
		}
		prefix[i+1].Mul2(&prefix[i], &p.j.Z).Normalize()
	}
	inverse := prefix[len(points)]
	inverse.Inverse()
	encoded := make([][]byte, len(points))
	for i := len(points) - 1; i >= 0; i-- {
		p := points[i]
		var z, z2, x, y secp256k1.FieldVal
		z.Mul2(&inverse, &prefix[i])
		inverse.Mul(&p.j.Z)
		z2.SquareVal(&z)
		x.Mul2(&p.j.X, &z2).Normalize()
		y.Mul2(&p.j.Y, z2.Mul(&z)).Normalize()
		encoded[i] = secp256k1.NewPublicKey(&x, &y).SerializeCompressed()
	}
	return encoded
}

// digit is the width of the windows of Multiples in bits.
const digit = 4

// Multiples is a table of a point that is multiplied many times: j·16ⁱ·P.
type Multiples struct {
	table [256 / digit][1<<digit - 1]secp256k1.JacobianPoint
}

// NewMultiples makes the table, which costs as much as about 20 multiplications.
// Its additions are not reported: Times reports a multiplication.
func NewMultiples(p *Point) *Multiples {
	m := new(Multiples)
	base := p.j
	for i := range m.table {
		row := &m.table[i]
		row[0] = base
		for j := 1; j < len(row); j++ {
			secp256k1.AddNonConst(&row[j-1], &base, &row[j])
		}
		next := new(secp256k1.JacobianPoint)
		secp256k1.AddNonConst(&row[len(row)-1], &base, next)
		base = *next
	}
	return m
}

// Times returns s·P.
func (m *Multiples) Times(s *Scalar) *Point {
	ops.Add(ops.Mul, 1)
	b := s.Bytes()
	sum := new(secp256k1.JacobianPoint)
	for i := range m.table {
		d := b[len(b)-1-i/2] >> (digit * (i % 2)) & (1<<digit - 1)
		if d != 0 {
			next := new(secp256k1.JacobianPoint)
			secp256k1.AddNonConst(sum, &m.table[i][d-1], next)
			sum = next
		}
	}
	return &Point{*sum}
}
