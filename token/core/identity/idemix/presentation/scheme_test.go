package presentation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity/idemix/presentation"
)

// TestSchemesOfCurves: each scheme is of the curves with its identifiers.
func TestSchemesOfCurves(t *testing.T) {
	of := map[int]*presentation.Scheme{
		1: presentation.BN254, 6: presentation.BLS12381, 7: presentation.BLS12381, 8: presentation.BLS12381,
	}
	for curve := -1; curve <= 10; curve++ {
		require.Same(t, of[curve], presentation.SchemeOf(curve), curve)
	}
}
