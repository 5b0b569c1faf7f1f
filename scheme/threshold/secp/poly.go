package secp

import (
	"fmt"
	"io"
)

// Polynomial has its coefficients from the constant term on.
// Printing it with any verb shows no coefficient.
type Polynomial []*Scalar

// Format implements fmt.Formatter for every verb: it writes no coefficient.
func (Polynomial) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "secret polynomial") }

// NewPolynomial draws a polynomial. Its constant term is uniform, or 0.
func NewPolynomial(random io.Reader, degree int, zero bool) (Polynomial, error) {
	p := make(Polynomial, degree+1)
	for i := range p {
		if i == 0 && zero {
			p[i] = new(Scalar)
			continue
		}
		var err error
		p[i], err = Uniform(random)
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// At returns the value at an identifier.
func (p Polynomial) At(id uint32) *Scalar {
	v, x := new(Scalar), Int(id)
	for i := len(p) - 1; i >= 0; i-- {
		v.Mul(x).Add(p[i])
	}
	return v
}

// Commit returns the coefficients times G.
func (p Polynomial) Commit() []*Point {
	points := make([]*Point, len(p))
	for i, c := range p {
		points[i] = Base(c)
	}
	return points
}

// Lambda returns the interpolation coefficients at x of the given identifiers:
// Π (x-j)/(i-j) over the other identifiers j.
func Lambda(ids []uint32, x uint32) []*Scalar {
	coefficients := make([]*Scalar, len(ids))
	for i, id := range ids {
		above, below := Int(1), Int(1)
		for _, j := range ids {
			if j != id {
				above.Mul(Sub(Int(x), Int(j)))
				below.Mul(Sub(Int(id), Int(j)))
			}
		}
		coefficients[i] = above.Mul(Inv(below))
	}
	return coefficients
}

// Interpolate returns Σ λᵢ·vᵢ.
func Interpolate(lambda []*Scalar, values []*Scalar) *Scalar {
	sum := new(Scalar)
	for i, v := range values {
		sum.Add(Mul(lambda[i], v))
	}
	return sum
}

// Powers returns 1, x, x², … of an identifier.
func Powers(x uint32, n int) []*Scalar {
	powers := make([]*Scalar, n)
	for i := range powers {
		if i == 0 {
			powers[i] = Int(1)
		} else {
			powers[i] = Mul(powers[i-1], Int(x))
		}
	}
	return powers
}
