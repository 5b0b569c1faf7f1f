package rangetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// ProversForget proves, and checks that the scratch memory for the next proof
// contains no scalars.
func ProversForget(t *testing.T, maker Maker, scratch func(s rangeproof.System) []group.Scalar) {
	p := NewProver(t, maker, "BN254", 16)
	p.Prove(t, 12345)
	left := scratch(p.System)
	require.NotEmpty(t, left)
	for i := range left {
		require.Zero(t, left[i], "scalar %d", i)
	}
}
