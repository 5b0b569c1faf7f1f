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
	pr.x = pr.m.Scalars(pr.layout.top + 1)
	pr.g.Powers(pr.x, pr.ch.x)
	to := &named{pr.layout, responseParts, pr.m.Scalars(pr.layout.scalars(responseParts))}
	pr.respondSlots(to.get("w"))
	pr.respondErrors(to.get("l"))
	pr.respondTokens(to)
	return to.all
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
	g, l, x := pr.g, pr.layout, pr.x
	top, etas := pr.layout.top, pr.nonces.get("η")
	g.FoldVec(errors, pr.errors[1:], etas[:len(errors)], x[top], x[top-1])
	s := l.separate()
	errors[s-1] = g.Add(g.Mul(x[top], pr.errors[s]), g.Mul(x[top-2], etas[s-1]))
}

// respondTokens sets z_v, z_h, [z_t], q_v, q_r.
func (pr *prover) respondTokens(to *named) {
	g, l, wt := pr.g, pr.layout, &pr.wt
	st, k := pr.st, &pr.nonces
	var zv, zh, qv, qr group.Scalar
	for a := range l.tokens() {
		u, v, r := wt.ofToken(g, l, a), pr.value(a), pr.blinding(a)
		zv, zh = g.Add(zv, g.Mul(u, v)), g.Add(zh, g.Mul(u, r))
		qv, qr = g.Add(qv, g.Mul(wt.omega[a], v)), g.Add(qr, g.Mul(wt.omega[a], r))
	}
	for i := range messages {
		m := &messages[i]
		sum := &zh
		if m.equation == typeEquation {
			sum = &qr
		}
		for j, rho := range k.get(m.blinding) {
			*sum = g.Add(*sum, g.Mul(m.coefficient(g, l, wt, pr.x, j), rho))
		}
	}
	eta, last := k.get("η"), pr.x[l.top]
	zv = g.Sub(zv, g.Mul(wt.beta, g.Uint64(st.PublicValue)))
	zv = g.Add(zv, g.Add(g.Mul(pr.x[l.top-1], eta[len(eta)-1]), g.Mul(last, pr.sv)))
	to.get("z_v")[0], to.get("z_h")[0] = zv, zh
	to.get("q_v")[0], to.get("q_r")[0] = g.Add(qv, g.Mul(last, k.get("k_v")[0])), qr
	if zt := to.get("z_t"); len(zt) > 0 {
		zt[0] = g.Add(pr.secrets[0], g.Mul(last, k.get("s_t")[0]))
	}
}
