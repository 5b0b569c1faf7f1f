package csp

import (
	"crypto/sha256"
	"encoding/asn1"
	"strconv"
	"testing"

	math "github.com/IBM/mathlib"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
)

// This file implements the verification a second time (specification, sections
// 2.4, 3.3, 3.5 and 8), with only mathlib and encoding/asn1: a separate
// transcript, Lagrange coefficients by their definition, and generators folded
// round by round, which the engine never does.

type restated struct {
	t     *testing.T
	c     *math.Curve
	n     int
	g1, h *math.G1
	e     []*math.G1 // A, B
	start []byte
	state []byte
}

func restate(t *testing.T, id math.CurveID, n int) *restated {
	r := &restated{t: t, c: math.Curves[id], n: n}
	hash := func(name string) *math.G1 {
		return r.c.HashToG1([]byte("lfdt-panurus.zkatdlognogh.1." + name))
	}
	sum := sha256.Sum256([]byte("CSP-RangeProof-v1"))
	r.state = sum[:]
	for i := range 3 {
		r.absorb(hash("PedersenGenerators." + strconv.Itoa(i)).Bytes())
	}
	r.g1, r.h = hash("PedersenGenerators.1"), hash("PedersenGenerators.2")
	for _, side := range []string{"L.", "R."} {
		for i := range n + 1 {
			r.e = append(r.e, hash("CSPRangeProof."+side+strconv.Itoa(i)))
			r.absorb(r.e[len(r.e)-1].Bytes())
		}
	}
	r.absorb([]byte{byte(n)})
	r.start = r.state
	return r
}

func (r *restated) absorb(d []byte) {
	sum := sha256.Sum256(append(append([]byte(nil), r.state...), d...))
	r.state = sum[:]
}

func (r *restated) squeeze() *math.Zr {
	sum := sha256.Sum256(append([]byte{4, 32}, r.state...))
	z := r.c.NewZrFromBytes(sum[:])
	z.Mod(r.c.GroupOrder)
	r.absorb(z.Bytes())
	return z
}

func (r *restated) mul(a ...*math.Zr) *math.Zr {
	v := r.c.NewZrFromInt(1)
	for _, x := range a {
		v = r.c.ModMul(v, x, r.c.GroupOrder)
	}
	return v
}

func (r *restated) add(a ...*math.Zr) *math.Zr {
	v := r.c.NewZrFromInt(0)
	for _, x := range a {
		v = r.c.ModAdd(v, x, r.c.GroupOrder)
	}
	return v
}

func (r *restated) sub(a, b *math.Zr) *math.Zr { return r.c.ModSub(a, b, r.c.GroupOrder) }

func (r *restated) number(i int) *math.Zr { return r.c.NewZrFromInt(int64(i)) }

// lagrange returns Π (c-j)/(i-j) for j ≠ i in 0 … last.
func (r *restated) lagrange(c *math.Zr, i, last int) *math.Zr {
	above, below := r.number(1), r.number(1)
	for j := range last + 1 {
		if j != i {
			above = r.mul(above, r.sub(c, r.number(j)))
			below = r.mul(below, r.sub(r.number(i), r.number(j)))
		}
	}
	below.InvModP(r.c.GroupOrder)
	return r.mul(above, below)
}

// values returns the members of a Values; lists inside a Math list are Values,
// too.
func (r *restated) values(b []byte) [][]byte {
	var v struct{ Values [][]byte }
	rest, err := asn1.Unmarshal(b, &v)
	require.NoError(r.t, err)
	require.Empty(r.t, rest)
	return v.Values
}

func (r *restated) element(b []byte) []byte {
	var v struct {
		Curve int
		Raw   []byte
	}
	rest, err := asn1.Unmarshal(b, &v)
	require.NoError(r.t, err)
	require.Empty(r.t, rest)
	return v.Raw
}

func (r *restated) point(b []byte) *math.G1 {
	p, err := r.c.NewG1FromBytes(b)
	require.NoError(r.t, err)
	return p
}

func (r *restated) accepts(commitment, proof []byte) bool {
	fields := r.values(proof)
	require.Len(r.t, fields, 10)
	raw := func(i int) []byte { return r.element(fields[i]) }
	v, pc, a, sc := r.point(commitment), r.point(raw(0)), r.point(raw(1)), r.point(raw(4))
	zeta := r.values(raw(2))
	zv, zr := r.c.NewZrFromBytes(zeta[0]), r.c.NewZrFromBytes(zeta[1])
	u, sigma := r.c.NewZrFromBytes(raw(3)), r.c.NewZrFromBytes(raw(5))

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
func (r *restated) form(eta, c, phi *math.Zr) []*math.Zr {
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
func (r *restated) acceptsArgument(lists [][]byte, w *math.G1, f []*math.Zr, lambda, eta *math.Zr) bool {
	lc, rc := r.values(r.element(lists[0])), r.values(r.element(lists[1]))
	ls, rs := r.values(r.element(lists[2])), r.values(r.element(lists[3]))
	e := append(append([]*math.G1(nil), r.e...), r.g1.Mul(eta), r.h.Mul(eta))
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
		lambda = r.add(r.mul(x, lambda), r.c.NewZrFromBytes(ls[j]), r.mul(x2, r.c.NewZrFromBytes(rs[j])))
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

func TestOurProofsSatisfyTheRestatedEquations(t *testing.T) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY", "BLS12_381_BBS_GURVY_FAST_RNG",
		"BLS12_381_BBS", "FP256BN_AMCL", "FP256BN_AMCL_MIRACL"} {
		for _, n := range []int{1, 7, 14} {
			t.Run("bits="+strconv.Itoa(n)+"/curve="+curve, func(t *testing.T) {
				p := rangetest.NewProver(t, maker, curve, n)
				g := p.Group
				r := restate(t, min(math.CurveID(g.ID()), math.BLS12_381_BBS_GURVY), n)
				it := p.Prove(t, 1)
				proof := it.Proof.Append(nil)
				require.True(t, r.accepts(g.AppendPoint(nil, it.V), proof))
				other := g.AddPoints(it.V, config(g, n).G1)
				require.False(t, r.accepts(g.AppendPoint(nil, other), proof))
			})
		}
	}
	for _, n := range []int{32, 64} {
		p := rangetest.NewProver(t, maker, "BN254", n)
		it := p.Prove(t, 1<<n-1)
		require.True(t,
			restate(t, math.BN254, n).accepts(p.Group.AppendPoint(nil, it.V), it.Proof.Append(nil)))
	}
}
