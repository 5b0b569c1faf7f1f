package csp

import (
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// challenges are the challenges of the outer transcript.
type challenges struct{ e, eta, c, phi, rho group.Scalar }

// form fills f with the linear form and returns λ, its value at an honest
// witness (a₀ … aₙ, b₀ … bₙ, v, γ):
//
//	f₀ = φ·μ₀,  fᵢ = η·2^(i-1) + φ·μᵢ,  f₍ₙ₊₁₊ₖ₎ = φ²·νₖ,  then -η, 0, and padding 0
//	λ = φ·u + φ²·u·(u-1)
//
// The coefficient of η states Σ 2^(i-1)·aᵢ = v, the coefficient of φ states
// a(c) = u, and the coefficient of φ² states b(c) = u(u-1), where b = a·(a-1)
// vanishes at 1 … n if and only if all aᵢ are bits.
func (s *scheme) form(g group.Field, f []group.Scalar, l *lagrange, ch challenges,
	u group.Scalar) group.Scalar {
	n, phi2 := s.N, g.Mul(ch.phi, ch.phi)
	clear(f)
	g.ScaleVec(f[:n+1], l.mu, ch.phi)
	scaled := f[n+1 : 2*n+1] // until its own elements come
	g.ScaleVec(scaled, s.Pow2, ch.eta)
	g.AddVec(f[1:n+1], f[1:n+1], scaled)
	g.ScaleVec(f[n+1:2*n+2], l.nu, phi2)
	f[s.atG1()] = g.Neg(ch.eta)
	return g.Add(g.Mul(ch.phi, u), g.Mul(phi2, product(g, u)))
}

// product returns x(x-1), which is 0 if and only if x is a bit.
func product(g group.Field, x group.Scalar) group.Scalar {
	return g.Sub(g.Mul(x, x), x)
}

// fold sets low to low + c·high and overwrites high, of the same length.
func fold(g group.Field, low, high []group.Scalar, c group.Scalar) {
	g.ScaleVec(high, high, c)
	g.AddVec(low, low, high)
}
