package gate // link is private: a trial links layouts only after its first look

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

// trial compares two sides, six results each before the first look.
func trial(base, head *result.Contender, rules Rules) Trial {
	return Trial{Base: base, Head: head, Flags: result.Flags{Bench: "."}, Rules: rules, Count: 6,
		Budget: time.Hour, Show: func(result.Progress) {}}
}

// TestWhatWasNotMeasuredDoesNotPass checks that a report with unmeasured cases
// does not pass even if all others are the same.
func TestWhatWasNotMeasuredDoesNotPass(t *testing.T) {
	three := func() Trial {
		return trial(scripted(t, 3, "A", "B", "C"), scripted(t, 3, "A", "B", "C"), ruled(t, countsOnly))
	}
	tr := three()
	ctx, cancel := context.WithCancel(t.Context())
	tr.Show = func(result.Progress) {
		if len(tr.Head.Data.Cases) == 1 {
			cancel()
		}
	}
	r, err := tr.Run(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, r.Unmeasured, 2)
	require.Empty(t, r.Missing)
	require.True(t, r.Interrupted)
	r.Interrupted = false // as after a spent budget
	require.Equal(t, Unclear, r.Outcome())

	tr = three()
	// ten hours are left to find the cases
	tr.Budget, tr.Started = 100*time.Hour, time.Now().Add(-100*time.Hour)
	r, err = tr.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, Unclear, r.Outcome())
	require.Len(t, r.Unmeasured, 3)
	require.Len(t, r.Notes, 1)
	require.Regexp(t, "^the budget of 100h0m0s ended the trial: building took 100h0m0s, measuring ",
		r.Notes[0])

	tr = three()
	tr.Budget = 1
	r, err = tr.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, Unclear, r.Outcome())
	require.Equal(t, []string{"the budget of 1ns was spent before the first measurement: raise -budget"},
		r.Notes)
}

// scripted returns a contender with a program that prints a result of each of the named
// cases that the pattern matches. A case after "-" is listed, and has no result.
func scripted(t *testing.T, allocs int, names ...string) *result.Contender {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	text := "#!/bin/sh\necho pkg: p\n"
	for _, n := range names {
		name, silent := strings.CutPrefix(n, "-")
		pattern := "*=.|*Benchmark" + name + "*"
		if silent {
			pattern = "*=."
		}
		text += fmt.Sprintf("case \"$2\" in %s) echo 'Benchmark%s 5 100 ns/op %d allocs/op';; esac\n",
			pattern, name, allocs)
	}
	name := filepath.Join(t.TempDir(), "scripted")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o700))
	return result.NewContender([]result.Binary{{Package: "p", Dir: t.TempDir(), Path: name}},
		result.Stream{Writer: io.Discard})
}

// TestCaseThatEndsTheTrialIsUnmeasured: a case that head lists and does not run is not
// missing, also if base was measured before.
func TestCaseThatEndsTheTrialIsUnmeasured(t *testing.T) {
	measured := map[bool]bool{}
	for seed := range uint64(8) { // of the order of both sides
		tr := trial(scripted(t, 3, "A", "B"), scripted(t, 3, "A", "-B"), ruled(t, countsOnly))
		tr.Count, tr.Seed = 2, seed
		r, err := tr.Run(t.Context())
		require.EqualError(t, err, "BenchmarkB: no benchmark was run")
		require.Empty(t, r.Missing)
		b := result.Key{Package: "p", Name: "B"}
		require.Contains(t, r.Unmeasured, b)
		measured[tr.Base.Data.Values[b] != nil] = true
	}
	require.Len(t, measured, 2)
}

// TestLinkingIsBounded: layouts are linked while their share of the budget lasts. After it the trial goes on
// without further ones.
func TestLinkingIsBounded(t *testing.T) {
	sides := linking(t, -1)
	built := [2][]result.Binary{sides[0].Binaries, sides[1].Binaries}
	open := []result.Key{{Package: "p", Name: "A"}}
	for spent, layouts := range map[time.Duration]int{0: 2, 45 * time.Minute: 1} {
		sides[0].Binaries, sides[1].Binaries = built[0], built[1]
		var shown []string
		m := measuring{within: t.Context(), built: spent, Trial: Trial{Layouts: 1, Budget: time.Hour,
			Show: func(p result.Progress) { shown = append(shown, p.String()) }}}
		require.NoError(t, m.link(sides, open))
		require.Equal(t, []string{"linking 1 layout more of 1 open case"}, shown)
		require.Equal(t, layouts == 2, m.Layouts == 1)
		require.Len(t, sides[1].Binaries, layouts)
	}
}

// TestTrialOfDifferentCases: cases of one side are missing or new, and all others are
// measured the planned number of times.
func TestTrialOfDifferentCases(t *testing.T) {
	of := func(name string) result.Key { return result.Key{Package: "p", Name: name} }
	base, head := scripted(t, 3, "A", "Gone", "Slow", "B", "Lost"),
		scripted(t, 3, "B", "Slow", "New", "A", "Other")
	var shown []result.Progress
	tr := trial(base, head, ruled(t, countsOnly+"\nignore .name:Slow"))
	tr.Show = func(p result.Progress) { shown = append(shown, p) }
	r, err := tr.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, r.Looks)
	require.Equal(t, []Cell{{Key: of("Gone")}, {Key: of("Lost")}}, r.Missing)
	require.Equal(t, []Cell{{Key: of("New")}, {Key: of("Other")}}, r.New)
	require.Empty(t, r.Unmeasured)
	require.Empty(t, r.Notes)
	require.False(t, r.Interrupted)
	require.Len(t, r.Comparisons, 2)
	for i, name := range []string{"A", "B"} {
		require.Equal(t, of(name), r.Comparisons[i].Key)
		require.Equal(t, Same, r.Comparisons[i].Verdict)
		require.Equal(t, Side{6, 3}, r.Comparisons[i].Base)
		require.Equal(t, Side{6, 3}, r.Comparisons[i].Head)
	}
	tr.Head = result.NewContender([]result.Binary{{Package: "p", Path: "absent"}},
		result.Stream{Writer: io.Discard})
	_, err = tr.Run(t.Context())
	require.ErrorContains(t, err, "absent")
	require.Len(t, shown, 6, "three blocks of each case")
	for i, p := range shown {
		require.Equal(t, [2]int{i + 1, 6}, [2]int{p.Done, p.Of})
		require.Equal(t, of([]string{"A", "B"}[i%2]), p.Case)
		require.GreaterOrEqual(t, p.Remaining, time.Duration(0))
		require.Equal(t, i == 5, p.Remaining == 0)
	}
}

// TestTrialOfUndecidedCases: a case without a verdict is measured again, up to the budget
// or an exact regression of another case; the counts of looks grow by NextLook.
func TestTrialOfUndecidedCases(t *testing.T) {
	of := func(head int, rules string) Trial {
		tr := trial(scripted(t, 3, "A"), scripted(t, head, "A"), ruled(t, rules))
		tr.Count = 2
		return tr
	}
	// Equal values are the same by any test, but an interval needs several of them.
	tr := of(3, countsOnly+"\nunit allocs/op noisy 3%")
	r, err := tr.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, Same, r.Comparisons[0].Verdict)
	n := r.Comparisons[0].Base.N
	require.Equal(t, n, r.Comparisons[0].Head.N)
	require.Equal(t, rank(n, n, r.Alpha) > 0, true)
	require.Greater(t, r.Looks, 1)
	sizes := []int{2}
	for len(sizes) < r.Looks {
		last := sizes[len(sizes)-1]
		sizes = append(sizes, last+2*blocks(max(2, int(1.3*float64(last)+0.5))-last))
	}
	require.Equal(t, sizes[len(sizes)-1], n)

	tr = of(3, countsOnly)
	tr.Count = 3
	r, err = tr.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, 6, r.Comparisons[0].Base.N, "at least six, in pairs")

	// An exact regression of one case ends the trial while another one is open.
	tr = of(4, "unit allocs/op exact\nunit sec/op noisy 3%")
	r, err = tr.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, r.Looks)
	require.Equal(t, 1, r.Count(Unknown))
	require.Equal(t, 1, r.Count(Regression))
}

// TestBudgets: no result begins after the budget, also within a block; a spent budget
// is noted only if a case is left.
func TestBudgets(t *testing.T) {
	for budget, want := range map[time.Duration]int{
		6 * time.Second: 6, 5500 * time.Millisecond: 6, 2400 * time.Millisecond: 3, 900 * time.Millisecond: 1,
	} {
		t.Run(budget.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				blocks, begun := 0, time.Now()
				tr := trial(scripted(t, 3, "A", "B"), scripted(t, 3, "A", "B"), ruled(t, countsOnly))
				tr.Budget = budget
				tr.Show = func(p result.Progress) {
					require.LessOrEqual(t, p.Remaining, max(0, budget-time.Since(begun)))
					blocks++
					time.Sleep(time.Second)
				}
				r, err := tr.Run(t.Context())
				require.NoError(t, err)
				require.Equal(t, want, blocks, budget)
				require.LessOrEqual(t, time.Since(begun), budget+time.Second)
				if want == 6 {
					require.Equal(t, Pass, r.Outcome(), "constants need no further results")
					require.Empty(t, r.Notes)
					return
				}
				require.Equal(t, Unclear, r.Outcome())
				require.Contains(t, strings.Join(r.Notes, "\n"), fmt.Sprintf(
					"the budget of %v ended the trial: building took 0s, measuring", budget))
				require.Equal(t, want == 1, len(r.Unmeasured) == 1)
			})
		})
	}
	// With six of ten results of each side there is a verdict.
	synctest.Test(t, func(t *testing.T) {
		tr := trial(scripted(t, 3, "A"), scripted(t, 4, "A"), Rules{})
		tr.Count, tr.Budget = 10, 3*time.Second
		tr.Show = func(result.Progress) { time.Sleep(time.Second) }
		r, err := tr.Run(t.Context())
		require.NoError(t, err)
		require.Equal(t, 6, r.Comparisons[0].Head.N)
		require.Equal(t, Regressed, r.Outcome())
	})
}
