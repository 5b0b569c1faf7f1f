package systems_test

import (
	"crypto/sha256"
	"encoding/asn1"
	"encoding/binary"
	"slices"

	math "github.com/IBM/mathlib"
	"github.com/stretchr/testify/require"
)

// restatedBulletproof is the verification of sections 7.2 and 7.3 of the specification.
type restatedBulletproof struct {
	restated
	g1, h, p, q *math.G1
	left, right []*math.G1
}

func restateBulletproof(base restated) restatedBulletproof {
	r := restatedBulletproof{restated: base, g1: base.generator("PedersenGenerators", 1),
		h: base.generator("PedersenGenerators", 2),
		p: base.generator("RangeProof.P"), q: base.generator("RangeProof.Q")}
	for i := range r.n {
		r.left = append(r.left, r.generator("RangeProof.L", i))
		r.right = append(r.right, r.generator("RangeProof.R", i))
	}
	return r
}

func (r restatedBulletproof) hash(b []byte) *math.Zr {
	sum := sha256.Sum256(b)
	return r.scalar(sum[:])
}

// framed returns points with their lengths.
func framed(points ...*math.G1) (out []byte) {
	for _, p := range points {
		b := p.Bytes()
		out = append(binary.LittleEndian.AppendUint32(out, uint32(len(b))), b...)
	}
	return out
}

func (r restatedBulletproof) accepts(commitment, proof []byte) bool {
	parts := r.values(proof)
	outer, inner := r.values(parts[0]), r.values(parts[1])
	point := func(i int) *math.G1 { return r.point(r.element(outer[i])) }
	scalar := func(list [][]byte, i int) *math.Zr { return r.scalar(r.element(list[i])) }
	t1, t2, tau, c, d := point(0), point(1), scalar(outer, 2), point(3), point(4)
	delta, that := scalar(outer, 5), scalar(outer, 6)
	v := r.point(commitment)

	y := r.hash(framed(c, d, v))
	z := r.hash(y.Bytes())
	x := r.hash(framed(t1, t2))
	z2, x2 := r.mul(z, z), r.mul(x, x)

	// t̂·g₁ + τ·h - x·T₁ - x²·T₂ = z²·V + p·g₁
	p, yi, two := r.number(0), r.number(1), r.number(2)
	k := c.Copy()
	k.Add(d.Mul(x))
	var primed []*math.G1
	power := r.number(1)
	for i := range r.n {
		p = r.add(p, r.sub(r.mul(r.sub(z, z2), yi), r.mul(z2, z, power)))
		hi := r.right[i].Mul(r.inverse(yi))
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
func (r restatedBulletproof) acceptsInner(inner [][]byte, k *math.G1, that *math.Zr, right []*math.G1) bool {
	ls, rs := r.values(r.element(inner[2])), r.values(r.element(inner[3]))
	a, b := r.scalar(r.element(inner[0])), r.scalar(r.element(inner[1]))
	if 1<<len(ls) != r.n || len(rs) != len(ls) {
		return false
	}
	points := append(slices.Concat(right, r.left), r.q, k)
	m, err := asn1.Marshal([][]byte{framed(points...), []byte("||"), that.Bytes()})
	require.NoError(r.t, err)
	u := r.q.Mul(r.hash(m))
	acc := k.Copy()
	acc.Add(u.Mul(that))
	left := slices.Clone(r.left)
	for j := range ls {
		l, rr := r.point(ls[j]), r.point(rs[j])
		x := r.hash(framed(l, rr))
		xi := r.inverse(x)
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
