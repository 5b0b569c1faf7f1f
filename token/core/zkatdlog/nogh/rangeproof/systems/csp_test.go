package systems_test

import (
	"crypto/sha256"
	"slices"

	math "github.com/IBM/mathlib"
	"github.com/stretchr/testify/require"
)

// restatedCSP is the verification of sections 2.4, 3.3, 3.5 and 8 of the specification, with
// Lagrange coefficients by their definition.
type restatedCSP struct {
	restated
	g1, h *math.G1
	e     []*math.G1 // A, B
	start []byte
	state []byte
}

func restateCSP(base restated) *restatedCSP {
	r := &restatedCSP{restated: base}
	sum := sha256.Sum256([]byte("CSP-RangeProof-v1"))
	r.state = sum[:]
	for i := range 3 {
		r.absorb(r.generator("PedersenGenerators", i).Bytes())
	}
	r.g1, r.h = r.generator("PedersenGenerators", 1), r.generator("PedersenGenerators", 2)
	for _, side := range []string{"L", "R"} {
		for i := range r.n + 1 {
			r.e = append(r.e, r.generator("CSPRangeProof."+side, i))
			r.absorb(r.e[len(r.e)-1].Bytes())
		}
	}
	r.absorb([]byte{byte(r.n)})
	r.start = r.state
	return r
}

func (r *restatedCSP) absorb(d []byte) {
	sum := sha256.Sum256(slices.Concat(r.state, d))
	r.state = sum[:]
}

func (r *restatedCSP) squeeze() *math.Zr {
	sum := sha256.Sum256(append([]byte{4, 32}, r.state...))
	z := r.scalar(sum[:])
	r.absorb(z.Bytes())
	return z
}

// lagrange returns Π (c-j)/(i-j) for j ≠ i in 0 … last.
func (r *restatedCSP) lagrange(c *math.Zr, i, last int) *math.Zr {
	above, below := r.number(1), r.number(1)
	for j := range last + 1 {
		if j != i {
			above = r.mul(above, r.sub(c, r.number(j)))
			below = r.mul(below, r.sub(r.number(i), r.number(j)))
		}
	}
	return r.mul(above, r.inverse(below))
}

func (r *restatedCSP) accepts(commitment, proof []byte) bool {
	fields := r.values(proof)
	require.Len(r.t, fields, 10)
	raw := func(i int) []byte { return r.element(fields[i]) }
	v, pc, a, sc := r.point(commitment), r.point(raw(0)), r.point(raw(1)), r.point(raw(4))
	zeta := r.values(raw(2))
	zv, zr := r.scalar(zeta[0]), r.scalar(zeta[1])
	u, sigma := r.scalar(raw(3)), r.scalar(raw(5))

	r.state = r.start
	r.absorb(v.Bytes())
	r.absorb(a.Bytes())
	e := r.squeeze()
	left := r.g1.Mul2(zv, r.h, zr)
	right := v.Mul(e)
	right.Add(a)
	if !left.Equals(right) {
		return false
	}
	r.absorb(pc.Bytes())
	eta, c := r.squeeze(), r.squeeze()
	r.absorb(u.Bytes())
	phi := r.squeeze()
	r.absorb(sc.Bytes())
	r.absorb(sigma.Bytes())
	rho := r.squeeze()

	w := pc.Copy()
	w.Add(v.Mul2(eta, sc, rho))
	phi2 := r.mul(phi, phi)
	lambda := r.add(r.mul(phi, u), r.mul(phi2, u, r.sub(u, r.number(1))), r.mul(rho, sigma))
	return r.acceptsArgument(fields[6:], w, r.form(eta, c, phi), lambda, eta)
}

// form returns f without padding.
func (r *restatedCSP) form(eta, c, phi *math.Zr) []*math.Zr {
	f := []*math.Zr{r.mul(phi, r.lagrange(c, 0, r.n))}
	power := eta
	for i := 1; i <= r.n; i++ {
		f = append(f, r.add(power, r.mul(phi, r.lagrange(c, i, r.n))))
		power = r.add(power, power)
	}
	for k := range r.n + 1 {
		node := r.n + k
		if k == 0 {
			node = 0
		}
		f = append(f, r.mul(phi, phi, r.lagrange(c, node, 2*r.n)))
	}
	return append(f, r.sub(r.number(0), eta), r.number(0))
}

// acceptsArgument folds the generators round by round.
func (r *restatedCSP) acceptsArgument(lists [][]byte, w *math.G1, f []*math.Zr, lambda, eta *math.Zr) bool {
	lc, rc := r.values(r.element(lists[0])), r.values(r.element(lists[1]))
	ls, rs := r.values(r.element(lists[2])), r.values(r.element(lists[3]))
	e := append(slices.Clone(r.e), r.g1.Mul(eta), r.h.Mul(eta))
	for len(e)&(len(e)-1) != 0 {
		e, f = append(e, r.c.GenG1), append(f, r.number(0))
	}
	r.state = r.start
	r.absorb(w.Bytes())
	for i := range f {
		r.absorb(f[i].Bytes())
	}
	r.absorb(lambda.Bytes())
	for j := range lc {
		for _, item := range [][]byte{lc[j], rc[j], ls[j], rs[j]} {
			r.absorb(item)
		}
		x := r.squeeze()
		x2 := r.mul(x, x)
		w = w.Mul2(x, r.point(rc[j]), x2)
		w.Add(r.point(lc[j]))
		lambda = r.add(r.mul(x, lambda), r.scalar(ls[j]), r.mul(x2, r.scalar(rs[j])))
		d := len(e) / 2
		for i := range d {
			folded := e[d+i].Mul(x)
			folded.Add(e[i])
			e[i], f[i] = folded, r.add(f[i], r.mul(x, f[d+i]))
		}
		e, f = e[:d], f[:d]
	}
	return len(e) == 1 && w.Mul(f[0]).Equals(e[0].Mul(lambda))
}
