package gate_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
)

// TestProofsOfAllCases: a slow-down counts as found if it is found in all cases, at each
// place of the one that misses it; a false alarm and a missed large fault are not sound.
func TestProofsOfAllCases(t *testing.T) {
	keys := []result.Key{{Name: "A"}, {Name: "B"}, {Name: "C"}}
	report := func(v gate.Verdict, but int, other gate.Verdict) (r gate.Report) {
		for i, k := range keys {
			c := gate.Comparison{Key: k, Unit: "sec/op", Verdict: v}
			if i == but {
				c.Verdict = other
			}
			r.Comparisons = append(r.Comparisons, c)
		}
		return r
	}
	nothing, slower := gate.Fault{Name: "none"}, gate.Fault{Name: "+10 %", Slower: 0.1}
	slow := gate.Fault{Name: "+2 %", Slower: 0.02}
	for missing := range keys {
		var p gate.Proof
		p.Add(nothing, report(gate.Same, -1, gate.Same))
		p.Add(slower, report(gate.Regression, -1, gate.Regression))
		require.True(t, p.Sound())
		p.Add(slow, report(gate.Regression, missing, gate.Unknown))
		require.True(t, p.Sound(), "a small slow-down may be missed")
		var b bytes.Buffer
		require.NoError(t, p.WriteText(&b))
		require.Contains(t, b.String(), "smallest slow-down that is found in all cases in this budget: 10")
		p.Add(slower, report(gate.Regression, missing, gate.Same))
		require.False(t, p.Sound())

		for _, alarm := range []gate.Verdict{gate.Regression, gate.Improvement} {
			var p gate.Proof
			p.Add(nothing, report(gate.Same, missing, alarm))
			require.False(t, p.Sound())
			b.Reset()
			require.NoError(t, p.WriteText(&b))
			require.Contains(t, b.String(), "false alarms: 1 of 3 cases\nno slow-down")
		}
	}
	var p gate.Proof
	p.Add(nothing, report(gate.Same, -1, gate.Same))
	gone := report(gate.Regression, 2, gate.Unknown)
	gone.Missing = []gate.Cell{{Key: keys[2]}}
	p.Add(slower, gone)
	require.True(t, p.Sound(), "a case that ends the comparison is noticed")
}

// TestABusyMachineProvesNothing: a slow-down that the results neither show nor exclude is not
// missed; the figure is said.
func TestABusyMachineProvesNothing(t *testing.T) {
	k := result.Key{Name: "A"}
	report := func(hi float64) gate.Report {
		c := gate.Comparison{Key: k, Unit: "sec/op", Verdict: gate.Unknown}
		c.Rule.Better, c.Shift.Lo, c.Shift.Hi = gate.Lower, -0.3, hi
		return gate.Report{Comparisons: []gate.Comparison{c}}
	}
	for hi, want := range map[float64]string{
		0.45: "the machine was too busy to prove 1 fault: the results leave changes up to " +
			"+45 % possible\n",
		math.Inf(1): "the machine was too busy to prove 1 fault: too few results were measured in " +
			"this budget\n",
		0.05: "",
	} {
		t.Run(fmt.Sprint(hi), func(t *testing.T) {
			var p gate.Proof
			p.Add(gate.Fault{Name: "+10 %", Slower: 0.1}, report(hi))
			require.Equal(t, want != "", p.Busy())
			require.Equal(t, want != "", p.Sound(), "excluded, so missed")
			var b bytes.Buffer
			require.NoError(t, p.WriteText(&b))
			require.Contains(t, b.String(), want)
			table, conclusion, _ := strings.Cut(b.String(), "\n\n")
			require.Equal(t, want != "", strings.Contains(table, "too busy"))
			require.Equal(t, want != "", strings.Contains(conclusion, "too busy"))
		})
	}

	var p gate.Proof
	p.Add(gate.Fault{Name: "nothing", Nothing: true}, gate.Report{}) // not begun
	require.True(t, p.Busy())
	var late gate.Proof
	late.Add(gate.Fault{Name: "none"}, report(0))
	late.Add(gate.Fault{Name: "nothing", Nothing: true}, gate.Report{Unmeasured: []result.Key{k}})
	var b bytes.Buffer
	require.NoError(t, late.WriteText(&b))
	require.Contains(t, b.String(), "too busy to prove 1 fault: too few results")
	few := report(math.Inf(1))
	few.Comparisons = append(few.Comparisons,
		gate.Comparison{Key: k, Unit: "allocs/op", Verdict: gate.Unknown})
	p.Add(gate.Fault{Name: "alloc", Alloc: true}, few)
	p.Add(gate.Fault{Name: "nothing", Nothing: true}, few)
	other := gate.Comparison{Key: result.Key{Name: "B"}, Unit: "sec/op", Verdict: gate.Regression}
	p.Add(gate.Fault{Name: "nothing", Nothing: true}, gate.
		Report{Comparisons: []gate.Comparison{other}, Unmeasured: []result.Key{k}})
	require.True(t, p.Sound(), "a case that was not measured is not missed")
	few.Comparisons[1].Verdict = gate.Same
	p.Add(gate.Fault{Name: "alloc", Alloc: true}, few)
	require.False(t, p.Sound(), "an allocation is missed")
}
