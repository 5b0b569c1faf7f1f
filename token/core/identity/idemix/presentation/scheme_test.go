package presentation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
)

// TestSchemesOfCurves: each scheme is of the curves with its identifiers, and the zero
// value of none.
func TestSchemesOfCurves(t *testing.T) {
	of := map[int]*presentation.Scheme{
		1: presentation.BN254, 6: presentation.BLS12381, 7: presentation.BLS12381, 8: presentation.BLS12381,
	}
	for curve := -1; curve <= 10; curve++ {
		require.Same(t, of[curve], presentation.SchemeOf(curve), curve)
		for _, s := range []*presentation.Scheme{presentation.BN254, presentation.BLS12381} {
			require.Equal(t, of[curve] == s, s.IsOf(curve), curve)
			require.Equal(t, of[curve] == s, s.On(s.Group()).IsOf(curve), curve)
		}
		require.False(t, new(presentation.Scheme).IsOf(curve), curve)
	}
}
