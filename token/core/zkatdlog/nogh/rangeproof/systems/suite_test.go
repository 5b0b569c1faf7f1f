package systems_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// lengths are bit lengths of proofs. CSP pads its witness, in all shapes here: 2, 6,
// 14, 30 and 62 bits need no padding.
var lengths = map[rangeproof.Kind][]int{
	rangeproof.Bulletproof: {1, 2, 4, 8, 16, 32, 64},
	rangeproof.CSP:         {1, 2, 3, 6, 7, 14, 20, 30, 33, 62, 64},
}

// systemsDo runs f for each range-proof system.
func systemsDo(t *testing.T, f func(t *testing.T, s rangeproof.Family)) {
	for _, s := range systems.All {
		t.Run(string(s.Kind), func(t *testing.T) { f(t, s) })
	}
}

// small makes systems with the smallest tables.
func small(s rangeproof.Family) rangetest.Maker { return rangetest.Made(s, 1) }

// prover is an honest prover of one system.
type prover struct{ rangetest.Prover }

func newProver(t testing.TB, maker rangetest.Maker, curve string, bits int) prover {
	t.Helper()
	return prover{rangetest.NewProver(t, maker, curve, bits)}
}

// g1 is the generator of values.
func (p prover) g1() group.Point { return p.Commit(p.Group.Uint64(1), group.Scalar{}) }

// items returns n proofs of different values.
func (p prover) items(t testing.TB, n int) []rangeproof.Item {
	items := make([]rangeproof.Item, n)
	for i := range items {
		items[i] = p.Prove(t, uint64(i))
	}
	return items
}

// TestSuite checks the contract of rangeproof.System.
func TestSuite(t *testing.T) {
	systemsDo(t, func(t *testing.T, s rangeproof.Family) {
		bits := lengths[s.Kind]
		if bits == nil { // of a new system
			bits = []int{16, 32, 64}
		}
		suite(t, small(s), bits)
	})
}

// suite runs the suite, with honest proofs of each bit length.
func suite(t *testing.T, maker rangetest.Maker, bits []int) {
	curves := rangetest.Curves
	for _, curve := range curves {
		t.Run("curve="+curve, func(t *testing.T) {
			t.Parallel()
			t.Run("honest proofs are accepted", func(t *testing.T) { honest(t, maker, curve, bits) })
			p := newProver(t, maker, curve, 16)
			t.Run("prover refuses openings outside the range", func(t *testing.T) { witness(t, p) })
			t.Run("lengths of sums", func(t *testing.T) { sums(t, p) })
			t.Run("proofs made together", func(t *testing.T) { madeTogether(t, p) })
			t.Run("wrong items are named", func(t *testing.T) { oneWrong(t, p) })
			t.Run("lists of proofs", func(t *testing.T) { lists(t, p) })
			t.Run("proofs of another bit length", func(t *testing.T) {
				moved(t, p, newProver(t, maker, curve, 32))
			})
		})
	}
	t.Run("proofs of another curve", func(t *testing.T) {
		moved(t, newProver(t, maker, curves[0], 16), newProver(t, maker, curves[1], 16))
	})
}

func honest(t *testing.T, maker rangetest.Maker, curve string, bits []int) {
	for i := 0; i < len(bits); i += nightly.Pick(3, 1, 1) {
		n := bits[i]
		p := newProver(t, maker, curve, n)
		require.Equal(t, n, p.System.Bits())
		most := ^uint64(0) >> (64 - n)
		var items []rangeproof.Item
		for _, value := range []uint64{0, most, most >> 1} {
			it := p.Prove(t, value)
			encoded := it.Proof.Append(nil)
			require.Len(t, encoded, p.System.ProofLen())
			decoded, err := p.Decode(encoded)
			require.NoError(t, err)
			items = append(items, it, rangeproof.Item{V: it.V, Proof: decoded})
		}
		require.NoError(t, p.Verify(items), "%d bits", n)
	}
}

func witness(t *testing.T, p prover) {
	r, one := p.Scalar(t), p.Group.Uint64(1)
	for name, c := range map[string]struct {
		v group.Point
		w rangeproof.Witness
	}{
		"value of 17 bits": {p.Commit(p.Group.Uint64(1<<16), r),
			rangeproof.Witness{Value: 1 << 16, Blinding: r}},
		"other value":    {p.Commit(one, r), rangeproof.Witness{Value: 2, Blinding: r}},
		"other blinding": {p.Commit(one, r), rangeproof.Witness{Value: 1, Blinding: one}},
		"identity":       {group.Point{}, rangeproof.Witness{Value: 1, Blinding: r}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := p.ProveFor(c.v, c.w, p.Nonces(t))
			require.ErrorIs(t, err, rangeproof.ErrWitness)
		})
	}
	_, err := p.ProveFor(p.Commit(one, r), rangeproof.Witness{Value: 1, Blinding: r}, &nonce.Fixed{})
	require.ErrorIs(t, err, group.ErrRandom)
}

// matched is a group for sums with as many scalars as points, and as many results as
// sums.
type matched struct {
	group.Group
	t *testing.T
}

func (m matched) MSMs(dst []group.Point, rows []group.Terms) {
	require.Len(m.t, dst, len(rows))
	for _, row := range rows {
		require.Len(m.t, row.Scalars, len(row.Points))
	}
	m.Group.MSMs(dst, rows)
}

// sums checks the sums of a prover and of a verifier.
func sums(t *testing.T, p prover) {
	p = prover{p.On(matched{p.Group, t})}
	require.NoError(t, p.Verify([]rangeproof.Item{p.Prove(t, 7), p.Prove(t, 8)}))
}

// lists decodes lists with a wrong number of proofs, or with proofs of another
// length; all lengths are checked before the first proof is decoded.
func lists(t *testing.T, p prover) {
	proofs := []rangeproof.Proof{p.Prove(t, 4).Proof, p.Prove(t, 5).Proof}
	raw := rangeproof.AppendList(nil, proofs)
	again, err := rangeproof.DecodeList(wire.OneByOne(p.Group), p.System, raw, 2)
	require.NoError(t, err)
	require.Equal(t, raw, rangeproof.AppendList(nil, again))
	for _, n := range []int{1, 3} {
		_, err := rangeproof.DecodeList(wire.OneByOne(p.Group), p.System, raw, n)
		require.ErrorIs(t, err, wire.ErrCount, n)
	}
	list := func(proofs ...[]byte) []byte {
		return wire.AppendContainer(nil, wire.AppendContainer(nil, proofs...))
	}
	right := proofs[0].Append(nil)
	malformed := make([]byte, len(right))
	for _, other := range [][]byte{right[1:], append(slices.Clone(right), 0), {}} {
		_, err = rangeproof.DecodeList(wire.OneByOne(p.Group), p.System, list(malformed, other), 2)
		require.ErrorIs(t, err, wire.ErrLength, "%d bytes", len(other))
	}
	_, err = rangeproof.DecodeList(wire.OneByOne(p.Group), p.System, list(right, malformed), 2)
	require.ErrorAs(t, err, new(*wire.DecodeError))
	require.NotErrorIs(t, err, wire.ErrLength)
}

// moved verifies a proof of one system with another.
func moved(t *testing.T, from, to prover) {
	it := from.Prove(t, 9)
	_, err := to.Decode(it.Proof.Append(nil))
	require.Error(t, err)
	foreign := rangeproof.Item{V: to.Commit(to.Group.Uint64(9), to.Scalar(t)), Proof: unknown{}}
	require.ErrorIs(t, to.Verify([]rangeproof.Item{foreign}), rangeproof.ErrRejected)
	if from.Group == to.Group {
		require.ErrorIs(t, to.Verify([]rangeproof.Item{it}), rangeproof.ErrRejected)
	}
}

// unknown is a proof of an unknown system.
type unknown struct{}

func (unknown) Append(dst []byte) []byte { return fmt.Append(dst, "unknown") }
