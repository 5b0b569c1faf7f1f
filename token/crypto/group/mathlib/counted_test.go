package mathlib_test

import (
	"testing"

	math "github.com/IBM/mathlib"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	counter "github.com/zkatbench/zkatbench/count/mathlib"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/mathlib"
)

// TestOurBackendOnACountedCurve compares the operations requested from this
// backend with the operations that it requests from mathlib.
func TestOurBackendOnACountedCurve(t *testing.T) {
	var rec count.Recorder
	c := math.Curves[math.BN254]
	plain, counted := mathlib.Over(c, "BN254", 1), mathlib.Over(counter.Wrap(c, rec.Bucket("")), "BN254", 1)
	for n, want := range map[int]count.Counts{
		3:  {count.One(count.ScalarMul): 3, count.One(count.Add): 2},
		10: {count.Of(count.MSM, 10): 1},
	} {
		msm := func(g group.Group) []byte {
			ps, ss := make([]group.Point, n), make([]group.Scalar, n)
			for i := range ps {
				ps[i], ss[i] = g.HashToPoint([]byte{byte(i)}), g.Uint64(uint64(i)+2)
			}
			rec.Reset()
			return g.AppendPoint(nil, group.MSM(g, ps, ss))
		}
		require.Equal(t, msm(plain), msm(counted))
		want[count.One(count.Encode)] = 1
		require.Equal(t, want, rec.Snapshot().Total(), "%d terms", n)
	}
}
