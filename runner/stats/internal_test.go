package stats // incompleteBeta is private: bounds of shares reach few of its arguments

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/aclements/go-moremath/mathx"
	"github.com/stretchr/testify/require"
)

// TestIncompleteBeta compares with another implementation where that converges.
func TestIncompleteBeta(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		a, b, x := 50*random.Float64()+0.01, math.Exp(12*random.Float64()), random.Float64()
		x = math.Pow(x, 1+10*random.Float64())
		require.InDelta(t, mathx.BetaInc(x, a, b), incompleteBeta(x, a, b), 1e-9, "%v %v %v", x, a, b)
		require.InDelta(t, 1, incompleteBeta(x, a, b)+incompleteBeta(1-x, b, a), 1e-9)
	}
	require.InDelta(t, 0.25, incompleteBeta(0.5, 2, 1), 1e-12, "x² for (2, 1)")
}
