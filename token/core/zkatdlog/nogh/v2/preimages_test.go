package v2

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
	p := params(t, vectors.Curve(t, "BN254"), 16)
	bytes16, bytes32 := binary.BigEndian.AppendUint16, binary.BigEndian.AppendUint32
	for _, n := range []int{0, 1, 255, 256, maxContext - 1, maxContext} {
		for _, inputs := range []int{1, maxInputs} {
			points := slices.Repeat([]group.Point{p.group.Generator()}, inputs+1)
			st := &Statement{Kind: Transfer, PublicValue: 1 << 40, Outputs: points[:1],
				Context: make([]byte, n)}
			for _, point := range points[1:] {
				st.Inputs = append(st.Inputs, group.OnCurve(point))
			}
			want := append(slowLabel("zkatdlog-nogh-v2/statement"), p.digest[:]...)
			want = bytes16(bytes16(bytes16(append(want, byte(Transfer), 0), 16), uint16(inputs)), 1)
			want = append(binary.BigEndian.AppendUint64(want, 1<<40), make([]byte, 32)...)
			want = append(bytes32(want, uint32(n)), st.Context...)
			for _, point := range points {
				want = p.group.AppendPoint(want, point)
			}
			require.NoError(t, p.check(st))
			var tr transcript.Chain
			p.begin(&tr, st)
			require.Equal(t, sha256.Sum256(want), tr.State(), "context of %d bytes, %d inputs", n, inputs)
		}
	}
	for _, n := range []int{1, 255, 256, 257, 1 << 16, 1<<16 + 1} {
		want := bytes32(slowLabel("zkatdlog-nogh-v2/batch"), uint32(n))
		require.Equal(t, sha256.Sum256(append(want, make([]byte, 32*n)...)),
			batchSeed(slices.Repeat([]*claim{new(claim)}, n)))
	}
	weights := map[group.Scalar]bool{}
	for _, b := range []int{0, 1, 1 << 8, 1 << 16, 1 << 24} {
		main, types := new(weightedSum).weights(p.group, [32]byte{}, b)
		weights[main], weights[types] = true, true
	}
	require.Len(t, weights, 2*5)
}
