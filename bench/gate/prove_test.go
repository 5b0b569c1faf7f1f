package gate

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

// TestProofsOfAllCases: a slow-down counts as found if it is found in all cases, at each
// place of the one that misses it; a false alarm and a missed large fault are not sound.
func TestProofsOfAllCases(t *testing.T) {
	keys := []result.Key{{Name: "A"}, {Name: "B"}, {Name: "C"}}
	report := func(v Verdict, but int, other Verdict) (r Report) {
		for i, k := range keys {
			c := Comparison{Key: k, Unit: "sec/op", Verdict: v}
			if i == but {
				c.Verdict = other
			}
			r.Comparisons = append(r.Comparisons, c)
		}
		return r
	}
	nothing, slower, slow := Fault{Name: "none"}, Fault{Name: "+10 %", Slower: 0.1},
		Fault{Name: "+2 %", Slower: 0.02}
	for missing := range keys {
		var p Proof
		p.Add(nothing, report(Same, -1, Same))
		p.Add(slower, report(Regression, -1, Regression))
		require.True(t, p.Sound())
		p.Add(slow, report(Regression, missing, Unknown))
		require.True(t, p.Sound(), "a small slow-down may be missed")
		var b bytes.Buffer
		require.NoError(t, p.WriteText(&b))
		require.Contains(t, b.String(), "smallest slow-down that is found in all cases in this budget: 10")
		p.Add(slower, report(Regression, missing, Same))
		require.False(t, p.Sound())

		for _, alarm := range []Verdict{Regression, Improvement} {
			var p Proof
			p.Add(nothing, report(Same, missing, alarm))
			require.False(t, p.Sound())
			b.Reset()
			require.NoError(t, p.WriteText(&b))
			require.Contains(t, b.String(), "false alarms: 1 of 3 cases\nno slow-down")
		}
	}
	var p Proof
	p.Add(nothing, report(Same, -1, Same))
	gone := report(Regression, 2, Unknown)
	gone.Missing = []Cell{{Key: keys[2]}}
	p.Add(slower, gone)
	require.True(t, p.Sound(), "a case that ends the comparison is noticed")
}

// TestABusyMachineProvesNothing: a slow-down that the results neither show nor exclude is not
// missed; the figure is said.
func TestABusyMachineProvesNothing(t *testing.T) {
	k := result.Key{Name: "A"}
	report := func(hi float64) Report {
		c := Comparison{Key: k, Unit: "sec/op", Verdict: Unknown}
		c.Rule.Better, c.Shift.Lo, c.Shift.Hi = Lower, -0.3, hi
		return Report{Comparisons: []Comparison{c}}
	}
	for hi, want := range map[float64]string{
		0.45: "the machine was too busy to prove 1 fault: the results leave changes up to " +
			"+45 % possible\n",
		math.Inf(1): "the machine was too busy to prove 1 fault: too few results were measured in " +
			"this budget\n",
		0.05: "",
	} {
		t.Run(fmt.Sprint(hi), func(t *testing.T) {
			var p Proof
			p.Add(Fault{Name: "+10 %", Slower: 0.1}, report(hi))
			require.Equal(t, want != "", p.Busy())
			require.Equal(t, want != "", p.Sound(), "excluded, so missed")
			var b bytes.Buffer
			require.NoError(t, p.WriteText(&b))
			require.Contains(t, b.String(), want)
			require.Equal(t, want != "", strings.Contains(b.String(), "too busy"))
		})
	}

	var p Proof
	p.Add(Fault{Name: "nothing", Nothing: true}, Report{}) // not begun
	require.True(t, p.Busy())
	few := report(math.Inf(1))
	few.Comparisons = append(few.Comparisons, Comparison{Key: k, Unit: "allocs/op", Verdict: Unknown})
	p.Add(Fault{Name: "alloc", Alloc: true}, few)
	p.Add(Fault{Name: "nothing", Nothing: true}, few)
	other := Comparison{Key: result.Key{Name: "B"}, Unit: "sec/op", Verdict: Regression}
	p.Add(Fault{Name: "nothing", Nothing: true},
		Report{Comparisons: []Comparison{other}, Unmeasured: []result.Key{k}})
	require.True(t, p.Sound(), "a case that was not measured is not missed")
	few.Comparisons[1].Verdict = Same
	p.Add(Fault{Name: "alloc", Alloc: true}, few)
	require.False(t, p.Sound(), "an allocation is missed")
}
