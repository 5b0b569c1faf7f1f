package round // batch and task are private: memory that is kept for later runs does not show in results

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/grouptest"
)

// TestRequestsAreForgotten: a released batch keeps its memory and clears it.
func TestRequestsAreForgotten(t *testing.T) {
	u := newRun()
	b := sums.batch(u, terms{g: grouptest.Toy(199)})
	b.items, b.asks, b.dst = make([]group.Terms, 2), []ask[group.Point]{{count: 1}, {count: 2}},
		[]group.Point{grouptest.Toy(199).Generator()}
	b.items[1].Points = b.dst
	b.items, b.asks, b.dst = b.items[:1], b.asks[:1], b.dst[:0]
	b.release()
	require.Empty(t, b.terms)
	require.Nil(t, b.run)
	require.Equal(t, make([]group.Terms, 2), b.items[:2])
	require.Equal(t, make([]ask[group.Point], 2), b.asks[:2])
	require.Equal(t, make([]group.Point, 1), b.dst[:1])
	kept := u.batches
	u.end()
	require.Nil(t, kept[0])
}

// TestEndedTasksKeepNothing: tasks that ended keep no result and no error, also tasks that
// failed, panicked or were stopped.
func TestEndedTasksKeepNothing(t *testing.T) {
	g := grouptest.Toy(199)
	work := Work[int]{Refusal: errNoResult, Holds: func(_ group.Group, items []int) bool {
		return len(items) == 0
	}}
	for _, panics := range []bool{false, true} {
		var u *run
		do := func() error {
			return Run(g, func(r Round) error {
				u = r.run
				u.phase(g, "a")
				r.Sums(group.Terms{Plus: []group.Point{g.Generator()}})
				return r.Each(5, func(r Round, i int) error {
					r.Sums(group.Terms{Plus: []group.Point{g.Generator()}})
					r.Inverses(g.Uint64(2))
					if !panics {
						return work.Wait(r, i)
					}
					if i == 3 {
						panic("task")
					}
					return nil
				})
			})
		}
		if panics {
			require.Panics(t, func() { _ = do() })
		} else {
			require.ErrorIs(t, do(), errNoResult)
		}
		require.GreaterOrEqual(t, len(u.spare), 4)
		require.Nil(t, u.executor)
		require.Nil(t, u.phases)
		for _, ended := range append(u.spare, &u.main) {
			kept := *ended
			kept.body = nil
			require.Equal(t, task{run: u}, kept)
		}
	}
}

// TestStoppedRequestsCauseNoWork: a batch is empty if its tasks were all stopped.
func TestStoppedRequestsCauseNoWork(t *testing.T) {
	k := kind[int, int]{do: func(b *batch[int, int]) []error {
		t.Errorf("work for %d items", len(b.items))
		return nil
	}}
	b := k.batch(newRun(), terms{})
	b.items, b.asks = []int{1, 2}, []ask[int]{{task: &task{done: true}, count: 2}}
	b.compute()
	require.False(t, b.pending())
}

// TestTasksThatWaitForNothing would never go on.
func TestTasksThatWaitForNothing(t *testing.T) {
	require.PanicsWithValue(t, "round: tasks wait for nothing", newRun().compute)
}
