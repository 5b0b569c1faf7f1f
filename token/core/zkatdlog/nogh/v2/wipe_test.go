package v2

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestProversForget checks all memory of a prover after a proof: only the
// transcript, which is public, may remain.
func TestProversForget(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 64, inputs: 2, outputs: 3}, 51)
	pr := new(prover)
	pr.begin(in.p, in.st, in.w)
	require.NoError(t, group.Sample(in.p.group, newRandom(1), pr.nonces))
	_, err := proofOf(pr)
	require.NoError(t, err)
	require.NotZero(t, pr.memo[3])
	memo, digits, counts, nibbles := pr.memo, pr.digits, pr.counts, pr.nibble
	pr.wipe()
	for name, left := range map[string]any{"scalars": memo, "digits": digits, "counts": counts, "nibbles": nibbles, "points": pr.points} {
		v := reflect.ValueOf(left)
		require.NotZero(t, v.Len(), name)
		for i := range v.Len() {
			require.True(t, v.Index(i).IsZero(), "%s, %d", name, i)
		}
	}
	require.Zero(t, pr.sv)
	require.Nil(t, pr.w)
	require.Nil(t, pr.st)
	for _, row := range pr.rows[:cap(pr.rows)] {
		require.Nil(t, row.Scalars)
	}
}

// TestProversAreWipedForTheNextOne checks the memory of a prover put
// back.
func TestProversAreWipedForTheNextOne(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 16, inputs: 1, outputs: 1}, 52)
	pr := new(prover)
	pr.begin(in.p, in.st, in.w)
	memo := pr.memo
	require.NotZero(t, memo[0])
	new(spaces).putProver(pr)
	for i := range memo {
		require.Zero(t, memo[i])
	}
}
