package v2

import "github.com/zkatbench/zkatbench/token/crypto/group"

// respond computes the responses to x:
//
//	w = Σ x^(1+j)·r_j + Σ θ_j·x^(K-1-j)·d_j + x^(K-1)·m + x^K·s
//	l_slot(E) = x^K·ℓ_E + x^(K-1)·η_E,   and for E = K + 1: x^K·ℓ_E + x^(K-2)·η_E
//	z_v = Σ uₐ·vₐ - β·p + x^(K-1)·η_2K + x^K·s_v
//	z_h = Σ uₐ·rₐ + Σ x^(1+j)·ρ_Rj + Σ θ_j·x^(K-1-j)·ρ_Dj + x^(K-1)·ρ_M + x^K·ρ_S
//	z_t = t + x^K·s_t,   q_v = Σ ωₐ·vₐ + x^K·k_v,   q_r = Σ ωₐ·rₐ + x^K·k_r
//
// l₀ is not sent.
func (pr *prover) respond() {
	g, l := pr.params.group, pr.layout
	x, top := pr.x, l.top
	g.Powers(x, pr.ch.x)
	w := pr.responses[:slots]
	scaled := pr.row[:slots]
	g.ScaleVec(w, pr.vector(top), x[top])
	for exponent := 2; exponent < top; exponent++ {
		g.ScaleVec(scaled, pr.vector(exponent), x[exponent])
		g.AddVec(w, w, scaled)
	}
	errors := pr.responses[slots:][:l.errors()-1]
	etas := pr.nonces[2+2*l.blocks+slots:][:len(errors)] // of slots 1, 2, …
	g.FoldVec(errors, pr.errors[1:], etas, x[top], x[top-1])
	apart := l.apart()
	errors[apart-1] = g.Add(g.Mul(x[top], pr.errors[apart]), g.Mul(x[top-2], *pr.etaOf(apart)))
	pr.respondTokens(g, pr.responses[slots+len(errors):])
}

// respondTokens sets z_v, z_h, [z_t], q_v, q_r.
func (pr *prover) respondTokens(g group.Group, z []group.Scalar) {
	l, wt, x, top := pr.layout, &pr.wt, pr.x, pr.layout.top
	var zv, zh, qv, qr group.Scalar
	for a := range l.tokens() {
		u := wt.ofToken(g, l, a)
		zv, zh = g.Add(zv, g.Mul(u, pr.value(a))), g.Add(zh, g.Mul(u, pr.blinding(a)))
		qv, qr = g.Add(qv, g.Mul(wt.omega[a], pr.value(a))), g.Add(qr, g.Mul(wt.omega[a], pr.blinding(a)))
	}
	zv = g.Sub(zv, g.Mul(wt.beta, g.Uint64(pr.st.PublicValue)))
	zv = g.Add(zv, g.Add(g.Mul(x[top-1], pr.eta(2*top)), g.Mul(x[top], pr.sv)))
	for j := range l.blocks {
		zh = g.Add(zh, g.Mul(x[2+j], *pr.rhoR(j)))
		zh = g.Add(zh, g.Mul(g.Mul(wt.theta[j], x[top-2-j]), *pr.rhoD(j)))
	}
	zh = g.Add(zh, g.Add(g.Mul(x[top-1], *pr.rhoM()), g.Mul(x[top], *pr.rhoS())))
	masks := pr.typeMasks()
	z[0], z[1], z = zv, zh, z[2:]
	if !pr.st.PublicType {
		z[0], z = g.Add(pr.secrets[0], g.Mul(x[top], masks[0])), z[1:]
	}
	z[0], z[1] = g.Add(qv, g.Mul(x[top], masks[1])), g.Add(qr, g.Mul(x[top], masks[2]))
}
