package secp

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
)

// Multiples are tables of points that are multiplied many times: j·2^(w·i)·P for all
// places i of signed digits of w bits, and j from 1 to 2^(w-1).
type Multiples struct {
	width int
	rows  [][][]affine // by point, i, and j-1
}

// Widths of the digits: for about 128 multiplications of each point, and for the
// generator.
const (
	shortWidth = 6
	baseWidth  = 8
)

// NewMultiples makes the tables of points, which must not be the identity. A table
// costs about 30 of its multiplications.
func NewMultiples(points []*Point) *Multiples { return newMultiples(affines(points), shortWidth) }

func newMultiples(bases []affine, width int) *Multiples {
	m := &Multiples{width, make([][][]affine, len(bases))}
	var l lockstep
	for range places(width) {
		for k := range bases {
			row := make([]affine, 1<<(width-1))
			row[0] = bases[k]
			m.rows[k] = append(m.rows[k], row)
		}
		for range width {
			for k := range bases {
				l.double(&bases[k])
			}
			l.run()
		}
	}
	for j := 1; j < 1<<(width-1); j++ {
		for _, row := range slices.Concat(m.rows...) {
			row[j] = row[j-1]
			l.add(&row[j], &row[0])
		}
		l.run()
	}
	return m
}

// Times returns s·P for the scalars of each point.
func (m *Multiples) Times(scalars [][]*Scalar) [][]*Point {
	for _, of := range scalars {
		ops.Add(ops.Mul, len(of))
	}
	return m.times(scalars)
}

func (m *Multiples) times(scalars [][]*Scalar) [][]*Point {
	sums, digits := make([][]affine, len(scalars)), make([][][]int8, len(scalars))
	for k, of := range scalars {
		sums[k], digits[k] = make([]affine, len(of)), make([][]int8, len(of))
		for n, s := range of {
			sums[k][n].zero, digits[k][n] = true, signedDigits(s, m.width)
		}
	}
	var l lockstep
	for i := range places(m.width) {
		for k := range sums {
			row := m.rows[k][i]
			for n := range sums[k] {
				switch d := int(digits[k][n][i]); {
				case d > 0:
					l.add(&sums[k][n], &row[d-1])
				case d < 0:
					term := row[-d-1].neg()
					l.add(&sums[k][n], &term)
				}
			}
		}
		l.run()
	}
	out := make([][]*Point, len(sums))
	for k := range sums {
		out[k] = points(sums[k])
	}
	return out
}

// places is the number of digits of a scalar; the last one takes the carry.
func places(width int) int { return 256/width + 1 }

// signedDigits returns the digits of s from the lowest place on, each from -2^(w-1) to
// 2^(w-1) - 1.
func signedDigits(s *Scalar, width int) []int8 {
	b := s.Bytes()
	var words [5]uint64
	for i := range 4 {
		words[i] = binary.BigEndian.Uint64(b[24-8*i:])
	}
	digits := make([]int8, places(width))
	carry := 0
	for i := range digits {
		at, shift := i*width/64, i*width%64
		d := int(words[at] >> shift & (1<<width - 1))
		if over := shift + width - 64; over > 0 && at+1 < len(words) {
			d |= int(words[at+1] << (width - over) & (1<<width - 1))
		}
		d += carry
		carry = (d + 1<<(width-1)) >> width
		digits[i] = int8(d - carry<<width)
	}
	return digits
}

// generator returns the table of G, which is made at its first use.
var generator = sync.OnceValue(func() *Multiples { return newMultiples(affines([]*Point{Base(Int(1))}), baseWidth) })

// BaseAll returns s·G for all scalars. It is fast for hundreds of them.
func BaseAll(scalars []*Scalar) []*Point {
	ops.Add(ops.BaseMul, len(scalars))
	return generator().times([][]*Scalar{scalars})[0]
}
