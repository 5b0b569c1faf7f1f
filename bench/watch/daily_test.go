package watch // daily and halve are private: days pass between comparisons

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
)

// TestDaily: the first and the last revision are compared once a day, and a regression
// between them is halved down to the revision that made it.
func TestDaily(t *testing.T) {
	const n, guilty = 20, 7 // revisions before this index, the last one first, are slower
	s := &state{data: map[string]*result.Data{}}
	for i := range n {
		commit := fmt.Sprintf("c%02d", i)
		s.line = append(s.line, commit)
		s.data[commit] = result.NewData()
	}
	require.Len(t, s.revisionsTable().Table.Rows, n)
	index := map[string]int{}
	for i, commit := range s.line {
		index[commit] = i
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var last finding
	steps := 0
	for ; ; steps++ {
		half, commit := s.halve()
		require.Empty(t, commit, "all are measured")
		p, found := s.daily(now)
		if len(half) > 0 {
			p = half[0]
		} else if !found {
			break
		}
		require.Less(t, steps, 12)
		f := finding{Base: p.Base, Head: p.Head, Why: p.Why, At: now}
		if index[p.Base] > guilty && index[p.Head] <= guilty {
			f.Verdicts, last = []verdict{{Verdict: gate.Regression}}, p
		}
		s.findings = append(s.findings, f)
		now = now.Add(time.Minute)
	}
	require.GreaterOrEqual(t, steps, 4)
	require.Equal(t, guilty, index[last.Head])
	_, found := s.daily(now.Add(2 * day))
	require.False(t, found, "there is no newer revision")
	s.line = append([]string{"new"}, s.line...)
	s.data["new"] = result.NewData()
	_, found = s.daily(now.Add(day / 2))
	require.False(t, found, "less than a day later")
	s.findings = append(s.findings, finding{Why: whyStep, At: now.Add(day)})
	p, found := s.daily(now.Add(day))
	require.True(t, found)
	require.Equal(t, finding{Base: "c19", Head: "new", Why: whyDay}, p)
	s.line = s.line[:dayLeast-1]
	_, found = s.daily(now.Add(day))
	require.False(t, found)
}
