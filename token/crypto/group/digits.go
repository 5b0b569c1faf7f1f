package group

import "github.com/zkatbench/zkatbench/token/crypto/group/internal/rep"

// DigitBase is the number of values of a digit.
const DigitBase = 16

// Digits is sums with small secret coefficients. The native backends read
// every entry that a digit could choose and keep one of them with a mask, so
// that neither addresses nor branches depend on digits.
type Digits interface {
	// NewDigitTable prepares the multiples 0 to 15 of each point. The points
	// are not the identity.
	NewDigitTable(ps []Point) DigitTable
	// AddDigits adds to each dst[k] the sum Σ rows[k][i]·P[i] over the first
	// points of t. Digits are below DigitBase.
	AddDigits(dst []Point, t DigitTable, rows [][]uint8)
}

// DigitTable is a list of points prepared by Group.NewDigitTable for that
// group. It is immutable and may be shared.
type DigitTable interface {
	Len() int
	// Bytes is the memory that the multiples take.
	Bytes() int
}

// SelectScalar returns table[digit]. It reads the whole table, so that
// addresses and branches do not depend on the digit.
func SelectScalar(table *[DigitBase]Scalar, digit uint8) (s Scalar) {
	limbs := rep.Limbs(&s)
	for i := range table {
		mask := EqualMask(uint8(i), digit)
		for k, l := range rep.Limbs(&table[i]) {
			limbs[k] |= mask & l
		}
	}
	return s
}

// EqualMask returns all ones if a = b and 0 if not, without a branch.
func EqualMask(a, b uint8) uint64 {
	return -((uint64(a^b) - 1) >> 63)
}
