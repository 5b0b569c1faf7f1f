package gate // open is private: a trial shows only that it goes on

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

// comparisonOf returns the comparison of a unit.
func comparisonOf(t *testing.T, r Report, unit string) Comparison {
	t.Helper()
	for _, c := range r.Comparisons {
		if c.Unit == unit {
			return c
		}
	}
	require.FailNow(t, "no comparison", unit)
	return Comparison{}
}

// TestFewestResults: no unit but an exact one has a verdict below six results of a side,
// constants included. Files may have four of one side; a trial looks again.
func TestFewestResults(t *testing.T) {
	values := map[string]func(n int, to float64) []float64{
		"x/op":      func(n int, to float64) []float64 { return slices.Repeat(around(to, 2), 5)[:n] },
		"allocs/op": func(n int, to float64) []float64 { return repeat(10*to, n) },
	}
	for _, c := range []struct {
		base, head int
		once       bool
		want       Verdict
	}{
		{base: 1, head: 1, once: true, want: Unknown},
		{base: 5, head: 5, once: true, want: Unknown},
		{base: 40, head: 3, once: true, want: Unknown},
		{base: 40, head: 4, once: true, want: Regression},
		{base: 4, head: 40, once: true, want: Regression},
		{base: 6, head: 6, once: true, want: Regression},
		{base: 5, head: 40, want: Unknown},
		{base: 6, head: 6, want: Regression},
	} {
		for unit, of := range values {
			t.Run(fmt.Sprintf("%s of %d and %d, once %v", unit, c.base, c.head, c.once), func(t *testing.T) {
				j := Judge{Once: c.once}
				r := j.Look(oneCase(unit, of(c.base, 1)), oneCase(unit, of(c.head, 2)))
				got := comparisonOf(t, r, unit)
				require.Equal(t, c.want, got.Verdict, got.Why)
				if c.want == Unknown {
					require.Contains(t, got.Why, "too few results: a verdict needs 6 of")
					require.Equal(t, Unclear, r.Outcome())
					require.Equal(t, []result.Key{X}, r.open())
				}
			})
		}
	}
}
