package v2

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestIssuesHaveNoInput: not one either.
func TestIssuesHaveNoInput(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 32, inputs: 1, outputs: 1}, 32)
	in.st.Kind = Issue
	require.ErrorIs(t, in.p.check(in.st), ErrStatement)
}

// TestParametersSayWhatTheyAre: curve, bits, digest, generators and memory.
func TestParametersSayWhatTheyAre(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	small, err := New(g, 16, 1)
	require.NoError(t, err)
	p := params(t, g, 32)
	require.Equal(t, g, p.Group())
	require.Equal(t, 16, small.Bits())
	require.Equal(t, uint64(1<<16-1), small.maxValue())
	require.Equal(t, digest(g, 16, derive(g)), small.Digest())
	require.Equal(t, small.common.Bytes()+small.generators.Bytes()+small.digits.Bytes(), small.TableBytes())
	large, err := New(g, 16, 4<<20)
	require.NoError(t, err)
	require.Less(t, small.TableBytes(), large.TableBytes())
	require.Less(t, large.TableBytes(), 5<<20)
	for i, want := range derive(g)[:3] {
		require.True(t, g.Equal(want, p.TokenGenerators()[i]), "generator %d", i)
	}
}

// TestEachClaimOfNoParametersHasAnError: of claims without a verifier.
func TestEachClaimOfNoParametersHasAnError(t *testing.T) {
	require.NoError(t, round.Run(vectors.Curve(t, "BN254"), func(r round.Round) error {
		errs := new(Params).VerifyClaims(r, make([]Claim, 3))
		require.Len(t, errs, 3)
		for _, err := range errs {
			require.ErrorIs(t, err, ErrParams)
		}
		return nil
	}))
}

// TestStatementsAreRead: room behind the inputs of a statement belongs to the caller.
func TestStatementsAreRead(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 16, inputs: 2, outputs: 1}, 35)
	inputs := append(slices.Clone(in.st.Inputs), make([]group.CurvePoint, 9)...)
	in.st.Inputs = inputs[:2]
	require.NoError(t, in.p.Verify(in.st, in.prove(t)))
	require.Equal(t, make([]group.CurvePoint, 9), inputs[2:])
}
