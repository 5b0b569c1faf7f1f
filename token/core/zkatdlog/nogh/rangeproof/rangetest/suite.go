package rangetest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Curves are the two curves on which issue and transfer are tested.
var Curves = []string{"BN254", "BLS12_381_BBS_GURVY"}

// Run runs the suite, with honest proofs of each bit length.
func Run(t *testing.T, maker Maker, bits []int) {
	for _, curve := range Curves {
		t.Run("curve="+curve, func(t *testing.T) {
			t.Parallel()
			t.Run("honest proofs are accepted", func(t *testing.T) { honest(t, maker, curve, bits) })
			p := NewProver(t, maker, curve, 16)
			t.Run("prover refuses openings outside the range", func(t *testing.T) { witness(t, p) })
			t.Run("lengths of sums", func(t *testing.T) { lengths(t, p) })
			t.Run("proofs made together", func(t *testing.T) { madeTogether(t, p) })
			t.Run("a wrong item is named", func(t *testing.T) { namesFirst(t, p) })
			t.Run("one wrong item in large batches", func(t *testing.T) { oneWrong(t, p) })
			t.Run("lists of proofs", func(t *testing.T) { lists(t, p) })
			t.Run("proofs of another bit length", func(t *testing.T) { moved(t, p, NewProver(t, maker, curve, 32)) })
		})
	}
	t.Run("proofs of another curve", func(t *testing.T) {
		moved(t, NewProver(t, maker, Curves[0], 16), NewProver(t, maker, Curves[1], 16))
	})
}

func honest(t *testing.T, maker Maker, curve string, bits []int) {
	for _, n := range bits {
		p := NewProver(t, maker, curve, n)
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

func witness(t *testing.T, p Prover) {
	r, one := p.Scalar(t), p.Group.Uint64(1)
	for name, c := range map[string]struct {
		v group.Point
		w rangeproof.Witness
	}{
		"value of 17 bits": {p.Commit(p.Group.Uint64(1<<16), r), rangeproof.Witness{Value: 1 << 16, Blinding: r}},
		"other value":      {p.Commit(one, r), rangeproof.Witness{Value: 2, Blinding: r}},
		"other blinding":   {p.Commit(one, r), rangeproof.Witness{Value: 1, Blinding: one}},
		"identity":         {group.Point{}, rangeproof.Witness{Value: 1, Blinding: r}},
	} {
		_, err := p.ProveFor(c.v, c.w, p.Nonces(t))
		require.ErrorIs(t, err, rangeproof.ErrWitness, name)
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

// lengths checks the sums of a prover and of a verifier.
func lengths(t *testing.T, p Prover) {
	p = p.On(matched{p.Group, t})
	require.NoError(t, p.Verify([]rangeproof.Item{p.Prove(t, 7), p.Prove(t, 8)}))
}

// namesFirst corrupts two statements of a batch by opposite amounts.
func namesFirst(t *testing.T, p Prover) {
	items := p.items(t, 9)
	require.NoError(t, p.Verify(items))
	require.NoError(t, p.Verify(nil))
	last := len(items) - 1
	for wrong := range last {
		spoiled := slices.Clone(items)
		spoiled[wrong].V = p.Group.AddPoints(spoiled[wrong].V, p.g1)
		spoiled[last].V = p.Group.SubPoints(spoiled[last].V, p.g1)
		var rejected *rangeproof.RejectedError
		require.ErrorAs(t, p.Verify(spoiled), &rejected)
		require.Equal(t, wrong, rejected.Index)
	}
}

// lists decodes lists with a wrong number of proofs, or with proofs of another
// length; all lengths are checked before the first proof is decoded.
func lists(t *testing.T, p Prover) {
	proofs := []rangeproof.Proof{p.Prove(t, 4).Proof, p.Prove(t, 5).Proof}
	raw := rangeproof.AppendList(nil, proofs)
	again, err := rangeproof.DecodeList(p.Group, p.System, raw, 2)
	require.NoError(t, err)
	require.Equal(t, raw, rangeproof.AppendList(nil, again))
	for _, n := range []int{1, 3} {
		_, err := rangeproof.DecodeList(p.Group, p.System, raw, n)
		require.ErrorIs(t, err, wire.ErrCount, n)
	}
	list := func(proofs ...[]byte) []byte {
		return wire.AppendContainer(nil, wire.AppendContainer(nil, proofs...))
	}
	right := proofs[0].Append(nil)
	malformed := make([]byte, len(right))
	for _, other := range [][]byte{right[1:], append(slices.Clone(right), 0), {}} {
		_, err = rangeproof.DecodeList(p.Group, p.System, list(malformed, other), 2)
		require.ErrorIs(t, err, wire.ErrLength, "%d bytes", len(other))
	}
	_, err = rangeproof.DecodeList(p.Group, p.System, list(right, malformed), 2)
	require.ErrorAs(t, err, new(*wire.DecodeError))
	require.NotErrorIs(t, err, wire.ErrLength)
}

// moved verifies a proof of one system with another.
func moved(t *testing.T, from, to Prover) {
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
