package bn254 // times is private: IsTorsion multiplies by the cofactor alone

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TestProductsBySmallNumbers compares with doubling and adding, for numbers around powers
// of two, on the whole curve.
func TestProductsBySmallNumbers(t *testing.T) {
	ps := append(hashed(2), onTheCurve(t)...)
	for i := range ps {
		for _, k := range []uint64{1, 2, 3, 4, 5, 7, 8, 9, 11, 33, 1<<32 + 1, 1<<63 + 5, 1<<64 - 1,
			effectiveCofactor, effectiveCofactor + 1, effectiveCofactor + 2} {
			product := times(&ps[i], k)
			require.Equal(t, multiple(ps[i], new(big.Int).SetUint64(k)), affineOf(&product),
				"%d times point %d", k, i)
		}
		g, p := newForTest(), curvePoint(&ps[i])
		cleared := times(&ps[i], effectiveCofactor)
		require.Equal(t, cleared.Z.IsZero(), g.IsTorsion(p))
	}
	require.True(t, newForTest().IsTorsion(group.CurvePoint{}))
}
