package bulletproof_test

import (
	"crypto/sha256"
	"encoding/asn1"
	"encoding/binary"
	"testing"

	math "github.com/IBM/mathlib"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// This file states the verification equations once more (specification,
// sections 7.2 and 7.3), with mathlib and encoding/asn1 alone and with folded
// generators, where the engine never folds one.

type restated struct {
	t          *testing.T
	c          *math.Curve
	n          int
	g1, h      *math.G1
	p, q       *math.G1
	left       []*math.G1
	right      []*math.G1
	one, order *math.Zr
}

func restate(t *testing.T, pr prover) restated {
	t.Helper()
	c := math.Curves[min(pr.Group.ID(), int(math.BLS12_381_BBS_GURVY))]
	point := func(p group.Point) *math.G1 {
		v, err := c.NewG1FromBytes(pr.Group.AppendPoint(nil, p))
		require.NoError(t, err)
		return v
	}
	r := restated{t: t, c: c, n: pr.c.Bits, one: c.NewZrFromInt(1), order: c.GroupOrder}
	r.g1, r.h, r.p, r.q = point(pr.c.G1), point(pr.c.H), point(pr.c.P), point(pr.c.Q)
	for i := range pr.c.Left {
		r.left, r.right = append(r.left, point(pr.c.Left[i])), append(r.right, point(pr.c.Right[i]))
	}
	return r
}

func (r restated) mul(a ...*math.Zr) *math.Zr {
	v := r.one
	for _, x := range a {
		v = r.c.ModMul(v, x, r.order)
	}
	return v
}

func (r restated) add(a, b *math.Zr) *math.Zr { return r.c.ModAdd(a, b, r.order) }
func (r restated) sub(a, b *math.Zr) *math.Zr { return r.c.ModSub(a, b, r.order) }

func (r restated) inv(a *math.Zr) *math.Zr {
	v := a.Copy()
	v.InvModP(r.order)
	return v
}

func (r restated) hash(b []byte) *math.Zr {
	sum := sha256.Sum256(b)
	z := r.c.NewZrFromBytes(sum[:])
	z.Mod(r.order)
	return z
}

func lp(points ...*math.G1) (out []byte) {
	for _, p := range points {
		b := p.Bytes()
		out = binary.LittleEndian.AppendUint32(out, uint32(len(b)))
		out = append(out, b...)
	}
	return out
}

func (r restated) members(b []byte) [][]byte {
	var v struct{ Values [][]byte }
	rest, err := asn1.Unmarshal(b, &v)
	require.NoError(r.t, err)
	require.Empty(r.t, rest)
	return v.Values
}

func (r restated) element(b []byte) []byte {
	var v struct {
		Curve int
		Raw   []byte
	}
	rest, err := asn1.Unmarshal(b, &v)
	require.NoError(r.t, err)
	require.Empty(r.t, rest)
	return v.Raw
}

func (r restated) point(b []byte) *math.G1 {
	p, err := r.c.NewG1FromBytes(b)
	require.NoError(r.t, err)
	return p
}

func (r restated) accepts(commitment, proof []byte) bool {
	parts := r.members(proof)
	outer, inner := r.members(parts[0]), r.members(parts[1])
	point := func(i int) *math.G1 { return r.point(r.element(outer[i])) }
	scalar := func(list [][]byte, i int) *math.Zr { return r.c.NewZrFromBytes(r.element(list[i])) }
	t1, t2, tau, c, d := point(0), point(1), scalar(outer, 2), point(3), point(4)
	delta, that := scalar(outer, 5), scalar(outer, 6)
	v := r.point(commitment)

	y := r.hash(lp(c, d, v))
	z := r.hash(y.Bytes())
	x := r.hash(lp(t1, t2))
	z2, x2 := r.mul(z, z), r.mul(x, x)

	// t̂·g₁ + τ·h - x·T₁ - x²·T₂ = z²·V + p·g₁
	p, yi, two := r.c.NewZrFromInt(0), r.one, r.c.NewZrFromInt(2)
	k := c.Copy()
	k.Add(d.Mul(x))
	var primed []*math.G1
	power := r.one
	for i := range r.n {
		p = r.add(p, r.sub(r.mul(r.sub(z, z2), yi), r.mul(z2, z, power)))
		hi := r.right[i].Mul(r.inv(yi))
		primed = append(primed, hi)
		k.Sub(r.left[i].Mul(z))
		k.Add(hi.Mul(r.add(r.mul(z, yi), r.mul(z2, power))))
		yi, power = r.mul(yi, y), r.mul(power, two)
	}
	k.Sub(r.p.Mul(delta))
	lhs := r.g1.Mul(that)
	lhs.Add(r.h.Mul(tau))
	lhs.Sub(t1.Mul(x))
	lhs.Sub(t2.Mul(x2))
	rhs := v.Mul(z2)
	rhs.Add(r.g1.Mul(p))
	return lhs.Equals(rhs) && r.acceptsInner(inner, k, that, primed)
}

// acceptsInner folds the generators round by round.
func (r restated) acceptsInner(inner [][]byte, k *math.G1, that *math.Zr, right []*math.G1) bool {
	ls, rs := r.members(r.element(inner[2])), r.members(r.element(inner[3]))
	a, b := r.c.NewZrFromBytes(r.element(inner[0])), r.c.NewZrFromBytes(r.element(inner[1]))
	if 1<<len(ls) != r.n || len(rs) != len(ls) {
		return false
	}
	points := append(append(append([]*math.G1(nil), right...), r.left...), r.q, k)
	m, err := asn1.Marshal([][]byte{lp(points...), []byte("||"), that.Bytes()})
	require.NoError(r.t, err)
	u := r.q.Mul(r.hash(m))
	acc := k.Copy()
	acc.Add(u.Mul(that))
	left := append([]*math.G1(nil), r.left...)
	for j := range ls {
		l, rr := r.point(ls[j]), r.point(rs[j])
		x := r.hash(lp(l, rr))
		xi := r.inv(x)
		acc.Add(l.Mul(r.mul(x, x)))
		acc.Add(rr.Mul(r.mul(xi, xi)))
		w := len(left) / 2
		for i := range w {
			left[i] = left[i].Mul2(xi, left[w+i], x)
			right[i] = right[i].Mul2(x, right[w+i], xi)
		}
		left, right = left[:w], right[:w]
	}
	end := left[0].Mul(a)
	end.Add(right[0].Mul(b))
	end.Add(u.Mul(r.mul(a, b)))
	return acc.Equals(end)
}

func TestOurProofsSatisfyTheRestatedEquations(t *testing.T) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY", "BLS12_381_BBS_GURVY_FAST_RNG",
		"BLS12_381_BBS", "FP256BN_AMCL", "FP256BN_AMCL_MIRACL"} {
		t.Run("curve="+curve, func(t *testing.T) {
			p := newProver(t, curve, 8)
			r := restate(t, p)
			it := p.Prove(t, 200)
			v := p.Group.AppendPoint(nil, it.V)
			require.True(t, r.accepts(v, it.Proof.Append(nil)))
			other := p.Group.AppendPoint(nil, p.Group.AddPoints(it.V, p.c.G1))
			require.False(t, r.accepts(other, it.Proof.Append(nil)))
		})
	}
	for _, bits := range []int{32, 64} {
		p := newProver(t, "BN254", bits)
		it := p.Prove(t, 1<<bits-1)
		require.True(t, restate(t, p).accepts(p.Group.AppendPoint(nil, it.V), it.Proof.Append(nil)))
	}
}
