package v2 // prover is private: its memory is looked at after a proof

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestProversForget checks all memory of a prover after a proof: only the
// transcript, which is public, may remain.
func TestProversForget(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 64, inputs: 2, outputs: 3}, 51)
	pr := new(prover)
	pr.begin(in.p, in.st, in.w)
	require.NoError(t, group.Sample(in.p.group, newRandom(1), pr.nonces.all))
	_, err := proofOf(pr)
	require.NoError(t, err)
	require.NotZero(t, pr.secrets[0])
	rows := slices.Clone(pr.blindings())
	made := *pr
	pr.wipe()
	for i, row := range rows {
		require.NotEmpty(t, row.Scalars, "row %d", i)
		for _, s := range row.Scalars {
			require.Zero(t, s, "row %d", i)
		}
	}
	for name, left := range map[string]any{
		"secrets": made.secrets, "nonces": made.nonces.all, "vectors": made.vectors, "errors": made.errors,
		"digits": made.digits, "points": made.points,
	} {
		t.Run(name, func(t *testing.T) {
			v := reflect.ValueOf(left)
			require.NotZero(t, v.Len())
			for i := range v.Len() {
				require.True(t, v.Index(i).IsZero(), "%s, %d", name, i)
			}
		})
	}
	for _, digits := range pr.digitRows[:cap(pr.digitRows)] {
		require.Nil(t, digits)
	}
	pr.digitRows, pr.index, pr.tr = nil, nil, transcript.Chain{}
	require.Zero(t, *pr)
}
