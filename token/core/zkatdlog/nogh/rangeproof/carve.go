package rangeproof

import "github.com/zkatbench/zkatbench/token/crypto/group"

// Vector is a vector of scratch memory with the length that it gets.
type Vector struct {
	of *[]group.Scalar
	n  int
}

// Sized returns the Vector *of with n scalars.
func Sized(of *[]group.Scalar, n int) Vector { return Vector{of, n} }

// Carve cuts all vectors out of one piece of memory and returns it, so that
// wiping cannot forget one.
func Carve(vectors ...Vector) []group.Scalar {
	total := 0
	for _, v := range vectors {
		total += v.n
	}
	whole := make([]group.Scalar, total)
	rest := whole
	for _, v := range vectors {
		*v.of, rest = rest[:v.n:v.n], rest[v.n:]
	}
	return whole
}
