package capacity_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/capacity"
)

// TestVerdictsOfAVerification: by the figures with an allowed difference, on a quiet machine only.
func TestVerdictsOfAVerification(t *testing.T) {
	near := capacity.Compared{Name: "near", Predicted: 11, Measured: 10, Allowed: 0.125}
	far := capacity.Compared{Name: "far", Predicted: 8, Measured: 10, Allowed: 0.125}
	shown := capacity.Compared{Name: "shown", Predicted: 90, Measured: 10}
	for want, v := range map[string]capacity.Verification{
		"The prediction holds.":         {Figures: []capacity.Compared{near, shown}},
		"The prediction does not hold.": {Figures: []capacity.Compared{shown, near, far}},
		"No verdict: the machine disturbed the run: steal; quota": {Machine: []string{"steal", "quota"},
			Figures: []capacity.Compared{near}},
	} {
		t.Run(want, func(t *testing.T) {
			var b strings.Builder
			require.NoError(t, v.Text(&b, 0))
			require.Contains(t, b.String(), want)
			require.Contains(t, strings.Join(strings.Fields(b.String()), " "), "near 11 10 +10.0 % ± 12.5 %")
		})
	}
}
