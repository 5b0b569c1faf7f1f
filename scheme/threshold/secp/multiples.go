package secp

import "github.com/zkatbench/zkatbench/scheme/threshold/ops"

// digitBits is the length of the digits of Multiples.
const digitBits = 4

// Multiples holds d·16ⁱ·P of a point for all digits d and places i. A base oblivious
// transfer multiplies one point by 128 scalars, and each costs 60 additions with it.
type Multiples [256 / digitBits][1 << digitBits]*Point

// NewMultiples returns the multiples of a point; they cost as much as four
// multiplications.
func NewMultiples(p *Point) *Multiples {
	m := new(Multiples)
	for i := range m {
		m[i][0] = new(Point)
		for d := 1; d < len(m[i]); d++ {
			m[i][d] = m[i][d-1].plus(p)
		}
		p = m[i][len(m[i])-1].plus(p)
	}
	return m
}

// Times returns s·P.
func (m *Multiples) Times(s *Scalar) *Point {
	ops.Add(ops.Mul, 1)
	sum := new(Point)
	for i, b := range s.Bytes() { // from the highest byte on
		place := len(m) - 2*i - 1
		sum = sum.plus(m[place][b>>digitBits]).plus(m[place-1][b&(1<<digitBits-1)])
	}
	return sum
}
