package round_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

var errWrong = errors.New("wrong")

// works are works that refuse every item below 0, in all ways to say so.
func works(calls *[]int) []*round.Work[int] {
	each := func(_ group.Group, _ executor.Executor, items []int) []error {
		*calls = append(*calls, len(items))
		errs := make([]error, len(items))
		for i, v := range items {
			if v < 0 {
				errs[i] = errWrong
			}
		}
		return errs
	}
	return []*round.Work[int]{
		{Do: each},
		{Do: func(g group.Group, e executor.Executor, items []int) []error { // up to the first wrong one
			errs := each(g, e, items)
			for i, err := range errs {
				if err != nil {
					return errs[:i+1]
				}
			}
			return nil
		}},
		{Holds: func(_ group.Group, items []int) bool {
			for _, v := range items {
				if v < 0 {
					return false
				}
			}
			return true
		}, Refusal: errWrong},
	}
}

// TestTasksInOneWait: Do returns the errors of FailFast, for every pattern of wrong items in
// sets of tasks for one work or two, also next to tasks of other kinds.
func TestTasksInOneWait(t *testing.T) {
	var calls []int
	all := works(&calls)
	const most = 4
	for of := range len(all) * len(all) {
		a, b := all[of%len(all)], all[of/len(all)]
		for pattern := range 1 << (2 * most) {
			var sets [3][]round.Task
			var plain [3][]func(round.Round) error
			for i := range sets {
				for k := range most - i {
					work, item := a, k+1
					if of%2 == 1 && k%2 == 1 {
						work = b
					}
					if pattern>>(k+i*most/2)&1 == 1 {
						item = -item
					}
					task := work.Task(item)
					if i == 2 && k == 1 {
						task = round.TaskOf(func(r round.Round) error { return work.Wait(r, item) })
					}
					sets[i] = append(sets[i], task)
					plain[i] = append(plain[i], func(r round.Round) error { return work.Wait(r, item) })
				}
			}
			for _, search := range []func(round.Round) round.Round{round.Round.SearchAll,
				round.Round.SearchEach} {
				results := func(one func(r round.Round, i int) error) (got [len(sets)]string) {
					require.NoError(t, round.Run(nil, func(r round.Round) error {
						return search(r).Each(len(sets), func(r round.Round, i int) error {
							got[i] = fmt.Sprint(one(r, i))
							return nil
						})
					}))
					return got
				}
				named := func(i int, err error) error { return fmt.Errorf("task %d: %w", i, err) }
				want := results(func(r round.Round, i int) error {
					return r.FailFast(len(plain[i]), func(r round.Round, k int) error {
						if err := plain[i][k](r); err != nil {
							return named(k, err)
						}
						return nil
					})
				})
				require.Equal(t, want,
					results(func(r round.Round, i int) error { return r.Do(sets[i], named) }), "%d %b", of,
					pattern)
			}
		}
	}
}

// TestTasksOfOneWorkTakeOneCall: of all sets together.
func TestTasksOfOneWorkTakeOneCall(t *testing.T) {
	var calls []int
	work := works(&calls)[0]
	require.NoError(t, round.Run(nil, func(r round.Round) error {
		return r.Each(3, func(r round.Round, i int) error {
			return r.Do([]round.Task{work.Task(i), work.Task(i)}, func(_ int, err error) error { return err })
		})
	}))
	require.Equal(t, []int{6}, calls)
	named := func(i int, err error) error { return fmt.Errorf("%d: %w", i, err) }
	err := (round.Round{}).Do([]round.Task{work.Task(1), work.Task(2)}, named)
	require.ErrorIs(t, err, round.ErrNotRunning)
	require.ErrorIs(t, (round.Round{}).Do([]round.Task{work.Task(1)}, named), round.ErrNotRunning)
	require.NoError(t, (round.Round{}).Do(nil, named))
}
