package sigma_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/binary"
	"testing"

	math "github.com/IBM/mathlib"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// This file states the verification equations once more, with mathlib and
// encoding/asn1 alone, so that a mistake in the engine's algebra or codecs
// cannot hide by being made on both sides.

type element struct {
	Curve int
	Raw   []byte
}

type list struct{ Values [][]byte }

func unmarshal[T any](t *testing.T, b []byte) (v T) {
	t.Helper()
	rest, err := asn1.Unmarshal(b, &v)
	require.NoError(t, err)
	require.Empty(t, rest)
	return v
}

type restated struct {
	t *testing.T
	c *math.Curve
}

func (r restated) point(b []byte) *math.G1 {
	p, err := r.c.NewG1FromBytes(b)
	require.NoError(r.t, err)
	return p
}

func (r restated) hash(points ...*math.G1) *math.Zr {
	h := sha256.New()
	for _, p := range points {
		b := p.Bytes()
		h.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(b))))
		h.Write(b)
	}
	z := r.c.NewZrFromBytes(h.Sum(nil))
	z.Mod(r.c.GroupOrder)
	return z
}

func minus(p, q *math.G1) *math.G1 {
	d := p.Copy()
	d.Sub(q)
	return d
}

func (r restated) sum(ps ...*math.G1) *math.G1 {
	s := r.c.NewG1()
	for _, p := range ps {
		s.Add(p)
	}
	return s
}

// acceptsTypeAndSum is section 5 of the specification, "Verification".
func (r restated) acceptsTypeAndSum(key [3][]byte, inputs, outputs [][]byte, proof []byte) bool {
	members := unmarshal[list](r.t, proof).Values
	raw := func(i int) []byte { return unmarshal[element](r.t, members[i]).Raw }
	scalar := func(i int) *math.Zr { return r.c.NewZrFromBytes(raw(i)) }
	g0, g1, h := r.point(key[0]), r.point(key[1]), r.point(key[2])
	ct, zt, zb, zs, c := r.point(raw(0)), scalar(3), scalar(4), scalar(5), scalar(6)
	zr, zv := unmarshal[list](r.t, raw(1)).Values, unmarshal[list](r.t, raw(2)).Values

	var commitments, in, out []*math.G1
	s := r.c.NewG1()
	for i, b := range inputs {
		p := minus(r.point(b), ct)
		in = append(in, p)
		s.Add(p)
		a := r.sum(g1.Mul(r.c.NewZrFromBytes(zv[i])), h.Mul(r.c.NewZrFromBytes(zr[i])))
		commitments = append(commitments, minus(a, p.Mul(c)))
	}
	for _, b := range outputs {
		p := minus(r.point(b), ct)
		out = append(out, p)
		s.Sub(p)
	}
	aType := minus(r.sum(g0.Mul(zt), h.Mul(zb)), ct.Mul(c))
	aSum := minus(h.Mul(zs), s.Mul(c))
	points := append(append(append(commitments, aType, aSum), in...), out...)
	return r.hash(append(points, ct, s)...).Equals(c)
}

// acceptsSameType is section 6 of the specification, "Verification".
func (r restated) acceptsSameType(key [3][]byte, proof []byte) bool {
	members := unmarshal[list](r.t, proof).Values
	raw := func(i int) []byte { return unmarshal[element](r.t, members[i]).Raw }
	c, ct := r.c.NewZrFromBytes(raw(2)), r.point(raw(3))
	a := r.sum(r.point(key[0]).Mul(r.c.NewZrFromBytes(raw(0))),
		r.point(key[2]).Mul(r.c.NewZrFromBytes(raw(1))))
	return r.hash(ct, minus(a, ct.Mul(c))).Equals(c)
}

func encodeAll(g group.Group, ps []group.Point) (out [][]byte) {
	for _, p := range ps {
		out = append(out, g.AppendPoint(nil, p))
	}
	return out
}

func keyBytes(k *pedersen.Key) (b [3][]byte) {
	for i := range b {
		b[i] = k.Group().AppendPoint(nil, k.Base(i))
	}
	return b
}

func mathlibCurve(g group.Group) *math.Curve {
	return math.Curves[min(g.ID(), int(math.BLS12_381_BBS_GURVY))] // 8 is 7 under another number
}

func TestOurProofsSatisfyTheRestatedEquations(t *testing.T) {
	for _, name := range []string{"BN254", "BLS12_381_BBS_GURVY", "BLS12_381_BBS_GURVY_FAST_RNG",
		"BLS12_381_BBS", "FP256BN_AMCL", "FP256BN_AMCL_MIRACL"} {
		t.Run("curve="+name, func(t *testing.T) {
			k := vectors.Key(vectors.Curve(t, name))
			g, r := k.Group(), restated{t, mathlibCurve(vectors.Curve(t, name))}
			e := newExample(t, k, 2, 3)
			proof := e.prove(t).Append(nil, g)
			in, out := encodeAll(g, e.st.Inputs), encodeAll(g, e.st.Outputs)
			require.True(t, r.acceptsTypeAndSum(keyBytes(k), in, out, proof))
			out[0], out[1] = out[1], out[0]
			require.False(t, r.acceptsTypeAndSum(keyBytes(k), in, out, proof))

			same, err := sigma.ProveSameType(k,
				sigma.SameTypeWitness{Type: e.w.Type, Blinding: e.w.TypeBlinding}, e.src)
			require.NoError(t, err)
			encoded := same.Append(nil, g)
			require.True(t, r.acceptsSameType(keyBytes(k), encoded))
			flipped := bytes.Clone(encoded)
			flipped[20] ^= 1
			require.False(t, r.acceptsSameType(keyBytes(k), flipped))
		})
	}
}
