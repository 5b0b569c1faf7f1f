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
func (pr *prover) respond() []group.Scalar {
	l, m, st, ch := pr.layout, pr.m, pr.st, &pr.ch
	pr.x = m.Scalars(l.top + 1)
	pr.g.Powers(pr.x, ch.x)
	responses := m.Scalars(l.responses(st.PublicType))
	tokens := slots + l.errors() - 1
	pr.respondSlots(responses[:slots])
	pr.respondErrors(responses[slots:tokens])
	pr.respondTokens(responses[tokens:])
	return responses
}

// respondSlots sets w.
func (pr *prover) respondSlots(w []group.Scalar) {
	g, x, top := pr.g, pr.x, pr.layout.top
	scaled := pr.m.Scalars(slots)
	g.ScaleVec(w, pr.vector(top), x[top])
	for exponent := 2; exponent < top; exponent++ {
		g.ScaleVec(scaled, pr.vector(exponent), x[exponent])
		g.AddVec(w, w, scaled)
	}
}

// respondErrors sets l of the slots 1, 2, ….
func (pr *prover) respondErrors(errors []group.Scalar) {
	g, l, x, top, etas := pr.g, pr.layout, pr.x, pr.layout.top, pr.nonces.etas()
	g.FoldVec(errors, pr.errors[1:], etas[:len(errors)], x[top], x[top-1])
	apart := l.apart()
	errors[apart-1] = g.Add(g.Mul(x[top], pr.errors[apart]), g.Mul(x[top-2], etas[apart-1]))
}

// respondTokens sets z_v, z_h, [z_t], q_v, q_r.
func (pr *prover) respondTokens(z []group.Scalar) {
	g, l, wt, st := pr.g, pr.layout, &pr.wt, pr.st
	var zv, zh, qv, qr group.Scalar
	for a := range l.tokens() {
		u, v, r := wt.ofToken(g, l, a), pr.value(a), pr.blinding(a)
		zv, zh = g.Add(zv, g.Mul(u, v)), g.Add(zh, g.Mul(u, r))
		qv, qr = g.Add(qv, g.Mul(wt.omega[a], v)), g.Add(qr, g.Mul(wt.omega[a], r))
	}
	zv = g.Sub(zv, g.Mul(wt.beta, g.Uint64(st.PublicValue)))
	z[0], z[1] = pr.blind(zv, zh)
	pr.respondType(z[2:], qv, qr)
}

// blind adds nonces to z_v and z_h.
func (pr *prover) blind(zv, zh group.Scalar) (_, _ group.Scalar) {
	g, l, x, top, k, wt := pr.g, pr.layout, pr.x, pr.layout.top, pr.nonces, &pr.wt
	zv = g.Add(zv, g.Add(g.Mul(x[top-1], k.eta(2*top)), g.Mul(x[top], pr.sv)))
	for j := range l.blocks {
		zh = g.Add(zh, g.Mul(x[2+j], k.rhoR(j)))
		zh = g.Add(zh, g.Mul(g.Mul(wt.theta[j], x[top-2-j]), k.rhoD(j)))
	}
	return zv, g.Add(zh, g.Add(g.Mul(x[top-1], k.rhoM()), g.Mul(x[top], k.rhoS())))
}

// respondType sets [z_t], q_v, q_r, with the sums over values and blinding factors.
func (pr *prover) respondType(z []group.Scalar, qv, qr group.Scalar) {
	g, last, stmt := pr.g, pr.x[pr.layout.top], pr.st
	st, kv, kr := pr.nonces.ofType()
	if !stmt.PublicType {
		z[0], z = g.Add(pr.secrets[0], g.Mul(last, st)), z[1:]
	}
	z[0], z[1] = g.Add(qv, g.Mul(last, kv)), g.Add(qr, g.Mul(last, kr))
}
