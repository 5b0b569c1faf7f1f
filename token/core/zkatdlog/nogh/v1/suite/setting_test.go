package suite // networkOf is private: shared networks change time alone

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/benchtest"
)

// TestNetworksAreSharedOnlyIfEqual: cases that differ in an axis that shapes a network
// have two networks, all others share one. A new axis needs a line here.
func TestNetworksAreSharedOnlyIfEqual(t *testing.T) {
	axes := map[string]struct {
		values string
		shapes bool
	}{
		"bits":          {"16,32", true},
		"curves":        {"BN254,BLS12_381_BBS_GURVY", true},
		"num_inputs":    {"1,2", false},
		"num_outputs":   {"1,2", false},
		"proof_type":    {"csp,bulletproof", true},
		"protocol":      {"v1,v2", true},
		"owner":         {"x509,idemix", true},
		"presentations": {"fresh,same", true},
		"executor":      {"serial,unbounded", false},
		"backend":       {"native,mathlib", true},
		"table-mb":      {"0,1", true},
		"batch":         {"2,3", false},
	}
	require.Len(t, axes, len(Subject.Axes))
	for flag, axis := range axes {
		t.Run(flag, func(t *testing.T) {
			args := []string{"-bits=16", "-curves=BN254", "-num_inputs=1", "-num_outputs=1",
				"-proof_type=csp", "-table-mb=1",
				"-owner=idemix", "-" + flag + "=" + axis.values}
			cases := benchtest.Select(t, Subject, args...).Cases(bench.Serial)
			require.Len(t, cases, 2, flag)
			a, err := networkOf(cases[0])
			require.NoError(t, err)
			again, err := networkOf(cases[0])
			require.NoError(t, err)
			require.Same(t, a, again, flag)
			b, err := networkOf(cases[1])
			require.NoError(t, err)
			if axis.shapes {
				require.NotSame(t, a, b, flag)
			} else {
				require.Same(t, a, b, flag)
			}
		})
	}
}
