package gate

import (
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
// found to differ counts as significant, and another one not, whatever its p-value was.
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

// TestEachSideNeedsResults: a unit that varies has no verdict while one side has few.
func TestEachSideNeedsResults(t *testing.T) {
	for _, n := range [][2]int{{9, 10}, {10, 9}, {10, 10}} {
		j := Judge{Once: true, Fewest: 10}
		base, head := map[string][]float64{"x/op": around(1, 2)[:n[0]]}, map[string][]float64{"x/op": around(2, 2)[:n[1]]}
		c := comparisonOf(t, j.Look(data(t, "", base), data(t, "", head)), "x/op")
		require.Equal(t, n == [2]int{10, 10}, c.Verdict == Regression, "%v", n)
		require.Equal(t, n != [2]int{10, 10}, c.Why == "fewer than 10 results", "%v", n)
	}
}
