package secp

import "github.com/zkatbench/zkatbench/scheme/threshold/ops"

// digitBits is the length of the digits of scalars in Multiples.
const digitBits = 4

// Multiples returns a function that multiplies P. It keeps d·16ⁱ·P for all digits d and
// places i, which cost as much as four multiplications; each multiplication then costs
// 64 additions. A base oblivious transfer multiplies one point by 128 scalars.
func Multiples(p *Point) func(*Scalar) *Point {
	var table [256 / digitBits][1 << digitBits]*Point
	for i := range table {
		row := &table[i]
		row[0] = new(Point)
		for d := 1; d < len(row); d++ {
			row[d] = row[d-1].plus(p)
		}
		p = row[len(row)-1].plus(p)
	}
	return func(s *Scalar) *Point {
		ops.Add(ops.Mul, 1)
		sum := new(Point)
		for i, b := range s.Bytes() { // from the highest byte on
			place := len(table) - 2*i - 1
			sum = sum.plus(table[place][b>>digitBits]).plus(table[place-1][b&(1<<digitBits-1)])
		}
		return sum
	}
}
