package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
	line := []string{"c0", "c1", "c2", "c3", "c4", "c5"} // the last one first
	for _, c := range []struct {
		f    finding
		p    finding
		want bool
	}{
		{finding{Base: "c3", Head: "c2", Asked: keys("A")}, finding{Base: "c3", Head: "c2", Asked: keys("A")},
			true},
		{finding{Base: "c3", Head: "c2"}, finding{Base: "c3", Head: "c2", Asked: keys("A", "B")}, true},
		{finding{Base: "c3", Head: "c2", Asked: keys("A")}, finding{Base: "c3", Head: "c2"}, false},
		{finding{Base: "c3", Head: "c2", Asked: keys("A")},
			finding{Base: "c3", Head: "c2", Asked: keys("A", "B")}, false},
		{finding{Base: "c3", Head: "c2", Asked: keys("C", "B", "A")},
			finding{Base: "c3", Head: "c2", Asked: keys("A", "B")}, true},
		{finding{Base: "c3", Head: "c2"}, finding{Base: "c3", Head: "c1"}, false},
		{finding{Base: "c3", Head: "c2"}, finding{Base: "c4", Head: "c2"}, false},
		{finding{Base: "c5", Head: "c2", Why: whyDrift}, finding{Base: "c4", Head: "c0", Why: whyDrift},
			true},
		{finding{Base: "c5", Head: "c4", Why: whyDrift}, finding{Base: "c4", Head: "c0", Why: whyDrift},
			false},
		{finding{Base: "c5", Head: "c2", Why: whyStep}, finding{Base: "c4", Head: "c0", Why: whyDrift},
			false},
		{finding{Base: "c5", Head: "c2", Why: whyDrift}, finding{Base: "c4", Head: "c0", Why: whyStep},
			false},
	} {
		for place := range 3 { // among others
			s := &state{line: line,
				findings: []finding{{Base: "c1", Head: "c0", Why: whyLevel},
					{Base: "c1", Head: "c0", Why: whyLevel}, {Base: "c1", Head: "c0"}}}
			s.findings[place] = c.f
			answer := s.answer(c.p)
			require.Equal(t, c.want, answer != nil, "%+v answers %+v", c.f, c.p)
			if c.want {
				require.Same(t, &s.findings[place], answer)
			}
		}
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

// TestReasonsAreTriedOnceMore: an hour after the first attempt, and not after the second.
func TestReasonsAreTriedOnceMore(t *testing.T) {
	w := &Watch{Dir: t.TempDir()}
	require.NoError(t, os.MkdirAll(filepath.Join(w.Dir, "results"), 0o755))
	for attempt := 1; attempt <= 3; attempt++ {
		require.NoError(t, w.cannot("c", fmt.Errorf("first\nand second line")))
		r, err := w.reasonOf("c")
		require.NoError(t, err)
		require.False(t, r.again, "at once")
		past := time.Now().Add(-2 * retryAfter)
		require.NoError(t, os.Chtimes(w.reasonFile("c"), past, past))
		r, err = w.reasonOf("c")
		require.NoError(t, err)
		require.Equal(t, attempt == 1, r.again, "attempt %d", attempt)
	}
	r, err := w.reasonOf("other")
	require.NoError(t, err)
	require.Equal(t, reason{}, r)
}
