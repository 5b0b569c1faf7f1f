package systems_test

import (
	"encoding/asn1"
	"fmt"
	"slices"
	"testing"

	math "github.com/IBM/mathlib"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
)

// restated is the arithmetic of second verifiers, with only mathlib and encoding/asn1. They
// fold generators round by round, which the engine never does.
type restated struct {
	t *testing.T
	c *math.Curve
	n int // the bit length
}

// restatements make the second verifiers. They report whether a proof shows that a commitment is
// in the range.
var restatements = map[rangeproof.Kind]func(restated) func(commitment, proof []byte) bool{
	rangeproof.Bulletproof: func(r restated) func(commitment, proof []byte) bool {
		return restateBulletproof(r).accepts
	},
	rangeproof.CSP: func(r restated) func(commitment, proof []byte) bool { return restateCSP(r).accepts },
}

// generator hashes a documented string.
func (r restated) generator(name string, i ...int) *math.G1 {
	for _, i := range i {
		name = fmt.Sprint(name, ".", i)
	}
	return r.c.HashToG1([]byte("lfdt-panurus.zkatdlognogh.1." + name))
}

func (r restated) mul(a ...*math.Zr) *math.Zr {
	v := r.number(1)
	for _, x := range a {
		v = r.c.ModMul(v, x, r.c.GroupOrder)
	}
	return v
}

func (r restated) add(a ...*math.Zr) *math.Zr {
	v := r.number(0)
	for _, x := range a {
		v = r.c.ModAdd(v, x, r.c.GroupOrder)
	}
	return v
}

func (r restated) sub(a, b *math.Zr) *math.Zr { return r.c.ModSub(a, b, r.c.GroupOrder) }

func (r restated) inverse(a *math.Zr) *math.Zr {
	v := a.Copy()
	v.InvModP(r.c.GroupOrder)
	return v
}

func (r restated) number(i int) *math.Zr { return r.c.NewZrFromInt(int64(i)) }

// scalar reads a scalar modulo the order.
func (r restated) scalar(b []byte) *math.Zr {
	z := r.c.NewZrFromBytes(b)
	z.Mod(r.c.GroupOrder)
	return z
}

func (r restated) point(b []byte) *math.G1 {
	p, err := r.c.NewG1FromBytes(b)
	require.NoError(r.t, err)
	return p
}

// values returns the members of a Values; lists inside a Math list are Values,
// too.
func (r restated) values(b []byte) [][]byte {
	var v struct{ Values [][]byte }
	rest, err := asn1.Unmarshal(b, &v)
	require.NoError(r.t, err)
	require.Empty(r.t, rest)
	return v.Values
}

// element returns the content of an element.
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

func TestOurProofsSatisfyTheRestatedEquations(t *testing.T) {
	for kind, restate := range restatements {
		for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY", "BLS12_381_BBS_GURVY_FAST_RNG",
			"BLS12_381_BBS", "FP256BN_AMCL", "FP256BN_AMCL_MIRACL"} {
			for _, n := range lengths[kind] {
				if n != 1 && n != 7 && n != 8 && n != 14 && (n != 64 || curve != "BN254") ||
					testing.Short() && n > 1 && (n > 8 || curve != "BN254") {
					continue
				}
				t.Run(fmt.Sprint(kind, "/curve=", curve, "/bits=", n), func(t *testing.T) {
					p := newProver(t, small(found(t, kind)), curve, n)
					g := p.Group
					id := min(math.CurveID(g.ID()), math.BLS12_381_BBS_GURVY) // 8 is 7 under another number
					accepts := restate(restated{t, math.Curves[id], n})
					it := p.Prove(t, ^uint64(0)>>(64-n))
					proof := it.Proof.Append(nil)
					require.True(t, accepts(g.AppendPoint(nil, it.V), slices.Clone(proof)))
					require.False(t, accepts(g.AppendPoint(nil, g.AddPoints(it.V, p.g1())), proof))
				})
			}
		}
	}
}
