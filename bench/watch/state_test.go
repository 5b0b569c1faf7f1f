package watch // answer and levels are private: a watch shows its findings only

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
)

func key(name string) result.Key { return result.Key{Package: "p", Name: name} }

func keys(names ...string) (list []result.Key) {
	for _, n := range names {
		list = append(list, key(n))
	}
	return list
}

// TestAnswers: a finding answers the same pair if it was asked about all cases, and a
// drift also answers pairs with overlapping revisions.
func TestAnswers(t *testing.T) {
	of := func(base, head, why string, asked ...string) finding {
		return finding{Base: base, Head: head, Why: why, Asked: keys(asked...)}
	}
	for name, c := range map[string]struct {
		f, p finding
		want bool
	}{
		"of the same case":         {of("c3", "c2", "", "A"), of("c3", "c2", "", "A"), true},
		"of all cases":             {of("c3", "c2", ""), of("c3", "c2", "", "A", "B"), true},
		"of one of all cases":      {of("c3", "c2", "", "A"), of("c3", "c2", ""), false},
		"of one of two cases":      {of("c3", "c2", "", "A"), of("c3", "c2", "", "A", "B"), false},
		"of more cases":            {of("c3", "c2", "", "C", "B", "A"), of("c3", "c2", "", "A", "B"), true},
		"of another head":          {of("c3", "c2", ""), of("c3", "c1", ""), false},
		"of another base":          {of("c3", "c2", ""), of("c4", "c2", ""), false},
		"a drift that overlaps":    {of("c5", "c2", whyDrift), of("c4", "c0", whyDrift), true},
		"a drift before":           {of("c5", "c4", whyDrift), of("c4", "c0", whyDrift), false},
		"a step before a drift":    {of("c5", "c2", whyStep), of("c4", "c0", whyDrift), false},
		"a drift and later a step": {of("c5", "c2", whyDrift), of("c4", "c0", whyStep), false},
	} {
		t.Run(name, func(t *testing.T) {
			for place := range 3 { // among others
				s := &state{line: []string{"c0", "c1", "c2", "c3", "c4", "c5"}} // the last one first
				s.findings = []finding{of("c1", "c0", whyLevel), of("c1", "c0", whyLevel), of("c1", "c0", "")}
				s.findings[place] = c.f
				answer := s.answer(c.p)
				require.Equal(t, c.want, answer != nil)
				if c.want {
					require.Same(t, &s.findings[place], answer)
				}
			}
		})
	}
}

// TestUndecided: a comparison without a verdict is not called a regression, and neither is a benchmark
// that changed.
func TestUndecided(t *testing.T) {
	f := finding{Base: "c1", Head: "c0", Why: whyDay, Changed: keys("B", "C"),
		Verdicts: []verdict{{Key: key("A"), Unit: "u", Verdict: gate.Unknown, Base: 1, Head: 2}}}
	require.Equal(t, []string{"undecided: BenchmarkA u +100 % between c1 and c0 (day)",
		"the benchmark itself changed: BenchmarkB between c1 and c0 (day)",
		"the benchmark itself changed: BenchmarkC between c1 and c0 (day)"}, f.lines())
}

// TestFindingsOfLostRevisions: a branch that was written anew lacks revisions of findings.
func TestFindingsOfLostRevisions(t *testing.T) {
	worse := []verdict{{Key: key("A"), Verdict: gate.Regression}}
	for _, pair := range [][2]string{{"gone", "c0"}, {"c2", "gone"}, {"gone", "lost"}} {
		s := &state{line: []string{"c0", "c1", "c2"},
			findings: []finding{{Base: pair[0], Head: pair[1], Verdicts: worse}}}
		half, commit := s.halve()
		require.Empty(t, half, pair)
		require.Empty(t, commit, pair)
	}
}

// TestLevels: each change for the worse is a suspicion of the revision before it and the
// one that shows it.
func TestLevels(t *testing.T) {
	series := func(better int, exact bool, values ...float64) history.Series {
		s := history.Series{Key: key("A"), Unit: "u", Better: better, Exact: exact}
		for i, v := range values {
			s.Points = append(s.Points,
				history.Point{Revision: fmt.Sprint("r", i), Values: []float64{v, v, v}})
		}
		return s
	}
	found := func(s history.Series) (list []string) {
		levels(s, func(base, head, why string, k result.Key) {
			list = append(list, fmt.Sprint(base, "-", head, " ", why, " ", k.Name))
		})
		return list
	}
	steps := []float64{1, 1, 2, 2, 1, 1, 3}
	require.Equal(t, []string{"r1-r2 level A", "r5-r6 level A"}, found(series(-1, true, steps...)))
	require.Equal(t, []string{"r3-r4 level A"}, found(series(1, true, steps...)))
	require.Equal(t, []string{"r1-r2 level A", "r3-r4 level A", "r5-r6 level A"},
		found(series(0, true, steps...)))
	var level, drift []float64
	for i := range 25 {
		drift = append(drift, 3+0.002*float64(i%3))
	}
	for i := range 40 {
		level = append(level, 1+float64(i/20)*0.2+0.001*float64(i%3))
		drift = append(drift, 1+0.0008*float64(i)+0.002*float64(i%3))
	}
	s := series(-1, false, level...)
	c := s.Changes()
	require.Len(t, c, 1)
	require.Equal(t, []string{fmt.Sprintf("r%d-r%d level A", c[0].At-1, c[0].Alarm)}, found(s))
	require.Empty(t, found(series(0, false, level...)))
	s = series(-1, false, drift...)
	d, drifts := s.Drift()
	require.True(t, drifts)
	require.Positive(t, d.At)
	require.Contains(t, found(s), fmt.Sprintf("r%d-r64 drift A", d.At))
	require.NotContains(t, fmt.Sprint(found(series(1, false, drift...))), "drift")
}
