package v2 // begin and batchSeed are private: hashed bytes do not show in a verdict

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestPreimagesAtTheBorders: the statement and the seed of a batch are hashed as sections
// 5 and 9 write them, also with the longest context and long batches. All bytes of the number
// of a proof change its weights.
func TestPreimagesAtTheBorders(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	hashed := func(bits, context, inputs int, public bool) {
		p, st := params(t, g, bits), &Statement{Kind: Issue, PublicType: public,
			Outputs: []group.Point{g.Generator()}, Context: make([]byte, context)}
		if inputs > 0 {
			st.Kind, st.PublicValue = Transfer, 1<<40
			st.Inputs = slices.Repeat([]group.CurvePoint{group.OnCurve(g.Generator())}, inputs)
		}
		if public {
			st.Type = g.Uint64(9)
		}
		require.NoError(t, p.check(st))
		var tr transcript.Chain
		p.begin(&tr, st)
		s := &slowProof{slow: slow{slowCurve: slowCurves[g.Name()]}}
		s.statement(p, st)
		state := tr.State()
		require.Equal(t, s.state, state[:], "context of %d bytes, %d inputs", context, inputs)
	}
	for _, context := range []int{0, 1, 255, 256, maxContext - 1, maxContext} {
		for i, inputs := range []int{0, 1, maxInputs} {
			hashed(16<<i, context, inputs, false)
			hashed(16<<i, context, inputs, true)
		}
	}
	some := make([]*claim, 300)
	for i := range some {
		some[i] = new(claim)
		some[i].state[i%len(some[i].state)] = byte(1 + i/len(some[i].state))
	}
	for _, n := range []int{1, 255, 256, 257, 1 << 16, 1<<16 + 1} {
		batch := slices.Repeat(some, 1+n/len(some))[:n]
		want := binary.BigEndian.AppendUint32(slowLabel("zkatdlog-nogh-v2/batch"), uint32(n))
		for _, c := range batch {
			want = append(want, c.state[:]...)
		}
		require.Equal(t, sha256.Sum256(want), batchSeed(batch), "%d proofs", n)
	}
	weights := map[group.Scalar]bool{}
	for _, b := range []int{0, 1, 1 << 8, 1 << 16, 1 << 24} {
		main, types := new(weightedSum).weights(g, [32]byte{}, b)
		weights[main], weights[types] = true, true
	}
	require.Len(t, weights, 2*5)
}
