package selftest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

// TestRequirementsAreDecided checks the promise of the table of decisions: at a
// factor of two between limit and truth, a minute decides, and decides right.
func TestRequirementsAreDecided(t *testing.T) {
	trials := nightly.Pick(20, 60, 400)
	for _, p := range []process{processes()[1], processes()[4], queue(0.5, true), queue(0.8, true),
		queue(0.8, false), overloaded()} {
		rows, err := p.decide(t.Context(), trials)
		require.NoError(t, err)
		for k, row := range rows {
			for j, v := range row {
				if limits[j] != 1 {
					require.False(t, v.fails(), "%s, %s, limit %g: %v", p.name, decidedFigures[k].name,
						limits[j], v)
				} else if p.load < 1 && p.name != "Pareto 1.5" {
					require.LessOrEqual(t, float64(v.wrong), 0.3*float64(trials), "%s, %s at the limit",
						p.name, decidedFigures[k].name)
				}
			}
		}
	}
}

// TestAWrongVerdictIsSeen plants limits that are not where the process says.
func TestAWrongVerdictIsSeen(t *testing.T) {
	p := queue(0.5, true)
	truth := p.truth
	p.truth = func(q float64) float64 { return truth(q) / 5 }
	rows, err := p.decide(t.Context(), 20)
	require.NoError(t, err)
	require.True(t, rows[0][3].fails(), "limit 2: met, it says, and every window breaks it")
}
