package gate

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

// TestSettledUnitsCountByTheirVerdicts: in the correction of a later look a unit that was
// found to differ counts as significant, and another unit does not, for any p-value.
func TestSettledUnitsCountByTheirVerdicts(t *testing.T) {
	base, head := shifted()
	p := pValue(base, head)
	for verdict, times := range map[Verdict]float64{Regression: 1, Improvement: 1, Same: 2, Layout: 2} {
		for _, settledP := range []float64{0, p / 2, 1} {
			j := Judge{}
			at := func(x []float64) *result.Data {
				return data(t, "", map[string][]float64{"settled/op": around(1, 2), "x/op": x})
			}
			settled := comparisonOf(t, j.Look(at(around(1, 40)), at(around(1, 40))), "settled/op")
			settled.Verdict, settled.P = verdict, settledP
			j.settled[Cell{settled.Key, settled.Unit}] = settled
			x := comparisonOf(t, j.Look(at(base), at(head)), "x/op")
			require.InDelta(t, p*times, x.Adjusted, 1e-12, "%v with p = %v", verdict, settledP)
		}
	}
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
				base, head := map[string][]float64{unit: of(c.base, 1)},
					map[string][]float64{unit: of(c.head, 2)}
				r := j.Look(data(t, "", base), data(t, "", head))
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
