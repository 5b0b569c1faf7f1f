package v2

import "github.com/zkatbench/zkatbench/token/crypto/group"

// setVectors sets the vectors of slots by their exponents of x, except the
// reciprocals, which are set already.
func (pr *prover) setVectors() {
	g, l := pr.params.group, pr.layout
	for j := range l.blocks {
		dst, digits := pr.vector(l.top-2-j), pr.digits[slots*j:][:slots]
		for i, d := range digits {
			dst[i] = g.Uint64(uint64(d))
		}
		g.ScaleVec(dst, dst, pr.wt.theta[j])
	}
	multiplicities := pr.vector(l.top - 1)
	for value, count := range pr.counts {
		multiplicities[value] = g.Uint64(uint64(count))
	}
	copy(pr.vector(l.top), pr.mask())
}

// form returns b_F; forms are stored in the order of decreasing F.
func (pr *prover) form(exponent int) []group.Scalar {
	return pr.forms[slots*(pr.layout.top-exponent):][:slots]
}

// setForms sets b_F = μ ∘ (vector at F) + a_F with
//
//	a_1 = -ζ·ι
//	a_(1+j),i = λᵒ·16^(i mod ν) if slot i of block j has output o, otherwise 0
//	a_(K-1-j),i = 2e·θ_j·μᵢ + ζ
func (pr *prover) setForms() {
	g, l, w := pr.params.group, pr.layout, &pr.wt
	g.ScaleVec(pr.form(1), w.iota, g.Neg(w.zeta))
	for exponent := 2; exponent <= l.top; exponent++ {
		g.MulVec(pr.form(exponent), w.mu, pr.vector(exponent))
	}
	twice := g.Add(w.e, w.e)
	for j := range l.blocks {
		sums, products := pr.form(2+j), pr.form(l.top-2-j)
		scale := g.Mul(twice, w.theta[j])
		for i := range slots {
			if o, ok := l.output(j, i); ok {
				weight := g.Mul(w.lambda[o], g.Uint64(1<<(digitBits*(i%l.perOutput))))
				sums[i] = g.Add(sums[i], weight)
			}
			products[i] = g.Add(products[i], g.Add(g.Mul(scale, w.mu[i]), w.zeta))
		}
	}
}

// setPhi sets the coefficients of Φ except that of x^K, which no error cancels:
// φ_E = Σ ⟨vector at F, b_(E-F)⟩. Vectors are stored by increasing F and forms
// by decreasing F, so that each coefficient is one inner product.
func (pr *prover) setPhi() {
	g, top := pr.params.group, pr.layout.top
	clear(pr.phi)
	for exponent := 3; exponent <= 2*top; exponent++ {
		if exponent == top {
			continue
		}
		low, high := max(2, exponent-top), min(top, exponent-1)
		vectors := pr.vectors[slots*(low-2) : slots*(high-1)]
		forms := pr.forms[slots*(top-exponent+low):][:len(vectors)]
		pr.phi[exponent] = g.Inner(vectors, forms)
	}
}

// setErrors computes Φ and the errors. The errors cancel all coefficients
// except that of x^K, each with the nonce at its exponent:
//
//	ℓ_E = -y·φ_E - η_(E+1)          E = 3 … 2K - 2 but K - 1, K
//	ℓ_(K-1) = -y·φ_(K-1) - η_(K+1)
//	ℓ_(2K-1) = -y·φ_(2K-1) + y·η_2K
//	s_v = φ_2K
func (pr *prover) setErrors() {
	g, l, y := pr.params.group, pr.layout, pr.wt.y
	pr.setVectors()
	pr.setForms()
	pr.setPhi()
	for s := range pr.errors {
		exponent := l.exponent(s)
		cancel := g.Mul(y, pr.phi[exponent])
		next := *pr.etaOf(s + 1) // η_(E+1), past the forbidden K
		if exponent == 2*l.top-1 {
			next = g.Neg(g.Mul(y, next))
		}
		pr.errors[s] = g.Neg(g.Add(cancel, next))
	}
	pr.sv = pr.phi[2*l.top]
}
