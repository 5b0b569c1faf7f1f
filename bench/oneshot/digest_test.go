package oneshot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/oneshot"
)

// TestTheDigestCoversTheInputs: an operation that only verifies has no output, and
// still two seeds have two digests.
func TestTheDigestCoversTheInputs(t *testing.T) {
	verify := bench.Op{Name: "Verify", Setup: func(_ bench.Case, seed uint64) (bench.Instance, error) {
		return bench.Instance{
			Work:   func() ([]byte, error) { return nil, nil },
			Check:  func([]byte) error { return nil },
			Inputs: func() [][]byte { return [][]byte{{byte(seed)}} },
		}, nil
	}}
	digest := func(seed uint64) string {
		r, err := oneshot.Program{Op: verify, Records: 3, Seed: seed}.Prepare(t.Context())
		require.NoError(t, err)
		res, err := r.Work(t.Context(), nil)
		require.NoError(t, err)
		return res.Digest
	}
	require.Equal(t, digest(7), digest(7))
	require.NotEqual(t, digest(7), digest(8))
}
