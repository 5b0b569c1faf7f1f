package v2

import (
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// weights are the values derived from the challenges before x (section 4):
//
//	μᵢ = χⁱ   θ_j = χ^(16(j-1))   σ_o = λᵒ·θ_j(o)   β = λ^(m+1), 0 for an issue
//	ωₐ = ωᵃ   Λ = Σ σ_o + β(n - m)   Ω = Σ ωₐ   ιᵢ = 1/(e+i)   κ = 2·Σ χᵘ
//
// Slices start with index 0 for the first element: theta[j-1], lambda[o-1],
// sigma[o-1], omega[a-1].
type weights struct {
	e, zeta, y        group.Scalar
	beta              group.Scalar
	lambdaSum         group.Scalar // Λ
	omegaSum          group.Scalar // Ω
	kappa             group.Scalar
	mu, iota          []group.Scalar // 16
	theta             []group.Scalar // k
	lambda, sigma     []group.Scalar // m
	omega             []group.Scalar // n + m
	poles, powersOfCh []group.Scalar // e + i; scratch
}

// cutVectors takes memory for the vectors.
func (w *weights) cutVectors(m *round.Memory, l layout) {
	w.mu, w.iota, w.poles = m.Scalars(slots), m.Scalars(slots), m.Scalars(slots)
	w.powersOfCh, w.theta = m.Scalars(slots*l.blocks), m.Scalars(l.blocks)
	w.lambda, w.sigma, w.omega = m.Scalars(l.outputs), m.Scalars(l.outputs), m.Scalars(l.tokens())
}

// reciprocals sets ι from e. It is part of the prover's second step.
func (w *weights) reciprocals(g group.Group, e group.Scalar) {
	w.setPoles(g, e)
	g.InvVec(w.iota, w.poles)
}

func (w *weights) setPoles(g group.Group, e group.Scalar) {
	w.e = e
	one := g.Uint64(1)
	for i := range w.poles {
		w.poles[i] = e
		e = g.Add(e, one)
	}
}

// set computes the others.
func (w *weights) set(g group.Group, l layout, kind Kind, c *challenges) {
	w.zeta, w.y = c.zeta, c.y
	w.setChi(g, c.chi)
	w.setLambda(g, l, kind, c.lambda)
	g.Powers(w.omega, c.omega)
	g.ScaleVec(w.omega, w.omega, c.omega)
	w.omegaSum = sum(g, w.omega)
}

// setChi sets μ, θ and κ.
func (w *weights) setChi(g group.Group, chi group.Scalar) {
	g.Powers(w.powersOfCh, chi)
	copy(w.mu, w.powersOfCh)
	for j := range w.theta {
		w.theta[j] = w.powersOfCh[slots*j]
	}
	w.kappa = sum(g, w.powersOfCh)
	w.kappa = g.Add(w.kappa, w.kappa)
}

// setLambda sets λᵒ, σ, β and Λ.
func (w *weights) setLambda(g group.Group, l layout, kind Kind, lambda group.Scalar) {
	power := group.Scalar{}
	w.lambdaSum = power
	for o := range w.lambda {
		power = lambda
		if o > 0 {
			power = g.Mul(w.lambda[o-1], lambda)
		}
		w.lambda[o] = power
		w.sigma[o] = g.Mul(power, w.theta[l.block(o)])
		w.lambdaSum = g.Add(w.lambdaSum, w.sigma[o])
	}
	w.beta = group.Scalar{}
	if kind == Transfer {
		w.beta = g.Mul(power, lambda)
		inputs, outputs := g.Uint64(uint64(l.inputs)), g.Uint64(uint64(l.outputs))
		w.lambdaSum = g.Add(w.lambdaSum, g.Mul(w.beta, g.Sub(inputs, outputs)))
	}
}

// ofToken returns uₐ for index a - 1: the coefficient of a token in U.
func (w *weights) ofToken(g group.Group, l layout, token int) group.Scalar {
	if token < l.inputs {
		return w.beta
	}
	return g.Sub(w.sigma[token-l.inputs], w.beta)
}

func sum(g group.Group, s []group.Scalar) (total group.Scalar) {
	for i := range s {
		total = g.Add(total, s[i])
	}
	return total
}
