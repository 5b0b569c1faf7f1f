// Package rangetest has an honest prover for tests of range-proof systems. The tests of
// package systems check the contract of rangeproof.System for all of them; properties
// of a single system are tested in its package.
package rangetest

import (
	"crypto/rand"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// Curves are the two curves on which issue and transfer are tested.
var Curves = []string{"BN254", "BLS12_381_BBS_GURVY"}

// Maker makes the System with the documented generators.
type Maker func(t testing.TB, g group.Group, bits int) rangeproof.System

// madeKey identifies a system that Made made.
type madeKey struct {
	kind             rangeproof.Kind
	group            group.Group
	bits, tableBytes int
}

var made vectors.Once[madeKey, rangeproof.System]

// Made makes systems of a family with tables of at most tableBytes. 1 gives the smallest
// tables. A system of a group is made once: its tables take longer than a proof.
func Made(f rangeproof.Family, tableBytes int) Maker {
	return func(t testing.TB, g group.Group, bits int) rangeproof.System {
		t.Helper()
		key := madeKey{kind: f.Kind, group: g, bits: bits, tableBytes: tableBytes}
		return made.Get(key, func() rangeproof.System {
			gs := Generators(f, g, bits)
			gs.TableBytes = tableBytes
			s, err := f.New(gs)
			require.NoError(t, err)
			return s
		})
	}
}

// Generators returns the generators of the documented strings.
func Generators(f rangeproof.Family, g group.Group, bits int) rangeproof.Generators {
	gs := rangeproof.Generators{Group: g, Bits: bits}
	for i := range gs.Pedersen {
		gs.Pedersen[i] = vectors.Generator(g, "PedersenGenerators."+strconv.Itoa(i))
	}
	for _, l := range f.Lists {
		points := make([]group.Point, f.ListLen(bits))
		for i := range points {
			points[i] = vectors.Generator(g, l.Domain+"."+strconv.Itoa(i))
		}
		gs.Lists = append(gs.Lists, points)
	}
	for _, p := range f.Points {
		gs.Points = append(gs.Points, vectors.Generator(g, p.Domain))
	}
	return gs
}

// Prover is an honest prover of one system.
type Prover struct {
	Group  group.Group
	System rangeproof.System
	view   group.Group // where proofs are made and verified
	g1, h  group.Point
}

// NewProver returns the prover of a curve and a bit length.
func NewProver(t testing.TB, maker Maker, curve string, bits int) Prover {
	t.Helper()
	g := vectors.Curve(t, curve)
	key := vectors.Key(g)
	return Prover{Group: g, view: g, System: maker(t, g, bits), g1: key.Base(1), h: key.Base(2)}
}

// Scalar draws a scalar.
func (p Prover) Scalar(t testing.TB) group.Scalar {
	t.Helper()
	var s [1]group.Scalar
	require.NoError(t, group.Sample(p.Group, rand.Reader, s[:]))
	return s[0]
}

// Commit returns value·g₁ + blinding·h.
func (p Prover) Commit(value, blinding group.Scalar) group.Point {
	return group.MSM(p.Group, []group.Point{p.g1, p.h}, []group.Scalar{value, blinding})
}

// Nonces returns a new source.
func (p Prover) Nonces(t testing.TB) nonce.Source {
	t.Helper()
	hedge, err := nonce.NewHedge(p.Group, rand.Reader, nil)
	require.NoError(t, err)
	return hedge.Stream("rangetest", 0)
}

// Prove returns a new proof for value with its statement.
func (p Prover) Prove(t testing.TB, value uint64) rangeproof.Item {
	t.Helper()
	w := rangeproof.Witness{Value: value, Blinding: p.Scalar(t)}
	v := p.Commit(p.Group.Uint64(value), w.Blinding)
	proof, err := p.ProveFor(v, w, p.Nonces(t))
	require.NoError(t, err)
	return rangeproof.Item{V: v, Proof: proof}
}

// On returns p with a view of its group, such as one that counts.
func (p Prover) On(g group.Group) Prover {
	p.view = g
	return p
}

// ProveFor proves one statement.
func (p Prover) ProveFor(v group.Point, w rangeproof.Witness, src nonce.Source) (rangeproof.Proof, error) {
	return rangeproof.Prove(p.view, p.System, v, w, src)
}

// Verify verifies items together.
func (p Prover) Verify(items []rangeproof.Item) error {
	return rangeproof.Verify(p.view, p.System, items)
}

// Decode reads one proof.
func (p Prover) Decode(b []byte) (rangeproof.Proof, error) {
	return rangeproof.Decode(p.view, p.System, b)
}
