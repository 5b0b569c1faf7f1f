package gate

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

// trial compares a synthetic module with itself, by allocations alone, so that
// no case is open after the first look. It runs enough operations that
// occasional allocations of the runtime do not count.
func trial(t *testing.T) Trial {
	t.Helper()
	flags, err := result.ParseFlags([]string{"-bench=Sum", "-benchtime=20000x"})
	require.NoError(t, err)
	built, err := result.Source{Dir: "../result/testdata/synthetic", Packages: []string{"."}}.Build(t.Context(), t.TempDir())
	require.NoError(t, err)
	side := func() *result.Contender { return result.NewContender(built, result.Stream{Writer: io.Discard}) }
	return Trial{
		Base: side(), Head: side(), Noise: [2]*result.Contender{side(), side()},
		Flags: flags, Rules: counts(t), Count: 4, Budget: time.Hour, Show: func(result.Progress) {},
	}
}

func TestTrial(t *testing.T) {
	tr := trial(t)
	last := result.Progress{}
	tr.Show = func(p result.Progress) { last = p }
	r, err := tr.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, Pass, r.Outcome())
	require.Equal(t, 1, r.Looks)
	require.Equal(t, 9, r.Count(Same), "size, bytes and allocations of three cases")
	require.Equal(t, 4, r.Comparisons[0].Base.N)
	require.Equal(t, result.Progress{Done: 9, Of: 9, Case: last.Case}, result.Progress{Done: last.Done, Of: last.Of, Case: last.Case})
}

// TestWhatWasNotMeasuredDoesNotPass checks that a report with unmeasured cases
// does not pass even if all others are the same.
func TestWhatWasNotMeasuredDoesNotPass(t *testing.T) {
	tr := trial(t)
	ctx, cancel := context.WithCancel(t.Context())
	tr.Show = func(result.Progress) {
		if len(tr.Head.Data.Cases) == 1 {
			cancel()
		}
	}
	r, err := tr.Run(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 3, r.Count(Same))
	require.Len(t, r.Unmeasured, 2)
	require.Empty(t, r.Missing)
	require.True(t, r.Interrupted)
	r.Interrupted = false // as after a spent budget
	require.Equal(t, Unclear, r.Outcome())

	tr = trial(t)
	tr.Budget = 1
	r, err = tr.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, Unclear, r.Outcome())
	require.Len(t, r.Unmeasured, 3)
	require.Equal(t, []string{"the budget of 1ns ended the trial"}, r.Notes)
}
