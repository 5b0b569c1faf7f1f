package v2

import "github.com/zkatbench/zkatbench/token/crypto/group"

// setVectors sets the vectors of slots by their exponents of x, except the
// reciprocals, which are set already.
func (pr *prover) setVectors() {
	g, l := pr.g, pr.layout
	for j := range l.blocks {
		dst, digits := pr.vector(l.power("D", j)), pr.digits[slots*j:][:slots]
		for i, d := range digits {
			dst[i] = g.Uint64(uint64(d))
		}
		g.ScaleVec(dst, dst, pr.wt.theta[j])
	}
	multiplicities := pr.vector(l.power("M", 0))
	for value, count := range pr.counts {
		multiplicities[value] = g.Uint64(uint64(count))
	}
	copy(pr.vector(l.top), pr.nonces.get("s"))
}

// forms returns the forms b_F = μ ∘ (vector at F) + a_F in the order of decreasing F,
// K … 1, with
//
//	a_1 = -ζ·ι
//	a_(1+j),i = λᵒ·16^(i mod ν) if slot i of block j has output o, otherwise 0
//	a_(K-1-j),i = 2e·θ_j·μᵢ + ζ
func (pr *prover) forms() []group.Scalar {
	g, l, w := pr.g, pr.layout, &pr.wt
	forms := pr.m.Scalars(slots * l.top)
	form := func(exponent int) []group.Scalar { return forms[slots*(l.top-exponent):][:slots] }
	g.ScaleVec(form(1), w.iota, g.Neg(w.zeta))
	for exponent := 2; exponent <= l.top; exponent++ {
		g.MulVec(form(exponent), w.mu, pr.vector(exponent))
	}
	twice := g.Add(w.e, w.e)
	for j := range l.blocks {
		sums, products := form(l.power("R", j)), form(l.power("D", j))
		scale := g.Mul(twice, w.theta[j])
		for i := range slots {
			if o, ok := l.output(j, i); ok {
				weight := g.Mul(w.lambda[o], g.Uint64(1<<(digitBits*(i%l.perOutput))))
				sums[i] = g.Add(sums[i], weight)
			}
			products[i] = g.Add(products[i], g.Add(g.Mul(scale, w.mu[i]), w.zeta))
		}
	}
	return forms
}

// phi returns the coefficients of Φ, 0 … 2K, except the coefficient of x^K, which no
// error cancels: φ_E = Σ ⟨vector at F, b_(E-F)⟩ (step 5). Vectors are stored by increasing F
// and forms by decreasing F, so that each coefficient is one inner product.
func (pr *prover) phi() []group.Scalar {
	pr.setVectors()
	top, forms := pr.layout.top, pr.forms()
	phi := pr.m.Scalars(2*top + 1)
	for exponent := 3; exponent <= 2*top; exponent++ {
		if exponent == top {
			continue
		}
		low, high := max(2, exponent-top), min(top, exponent-1)
		vectors := pr.vectors[slots*(low-2) : slots*(high-1)]
		phi[exponent] = pr.g.Inner(vectors, forms[slots*(top-exponent+low):][:len(vectors)])
	}
	return phi
}

// setErrors sets the errors. They cancel all coefficients of Φ except the coefficient
// of x^K, each with the nonce at its exponent (step 6):
//
//	ℓ_E = -y·φ_E - η_(E+1)          E = 3 … 2K - 2 but K - 1, K
//	ℓ_(K-1) = -y·φ_(K-1) - η_(K+1)
//	ℓ_(2K-1) = -y·φ_(2K-1) + y·η_2K
//	s_v = φ_2K
func (pr *prover) setErrors() {
	g, l := pr.g, pr.layout
	y, phi := pr.wt.y, pr.phi()
	pr.errors = pr.m.Scalars(l.errors())
	for s, next := range pr.nonces.get("η") { // next is η_(E+1), past the forbidden K
		exponent := l.exponent(s)
		cancel := g.Mul(y, phi[exponent])
		if exponent == 2*l.top-1 {
			next = g.Neg(g.Mul(y, next))
		}
		pr.errors[s] = g.Neg(g.Add(cancel, next))
	}
	pr.sv = phi[2*l.top]
}
