package executor_test

import (
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

func each(t *testing.T, f func(t *testing.T, e executor.Executor)) {
	for _, name := range executor.Names {
		e, err := executor.ByName(name)
		require.NoError(t, err)
		t.Run(name, func(t *testing.T) { f(t, e) })
	}
	t.Run("pool of one", func(t *testing.T) { f(t, executor.Pool{Workers: 1}) })
}

func TestEveryIndexRunsOnce(t *testing.T) {
	each(t, func(t *testing.T, e executor.Executor) {
		var ran [100]atomic.Int32
		require.NoError(t, e.Run(len(ran), func(i int) error { ran[i].Add(1); return nil }))
		for i := range ran {
			require.EqualValues(t, 1, ran[i].Load())
		}
		require.NoError(t, e.Run(0, func(int) error { return errors.New("must not run") }))
	})
}

func TestErrorOfTheLowestIndexIsReturned(t *testing.T) {
	low, high := errors.New("low"), errors.New("high")
	each(t, func(t *testing.T, e executor.Executor) {
		err := e.Run(20, func(i int) error { return map[int]error{7: low, 15: high}[i] })
		require.Equal(t, low, err)
	})
}

func TestPanicBecomesAnErrorWithoutItsValue(t *testing.T) {
	each(t, func(t *testing.T, e executor.Executor) {
		err := e.Run(5, func(i int) error {
			if i == 3 {
				panic("secret")
			}
			return nil
		})
		var p *executor.PanicError
		require.ErrorAs(t, err, &p)
		require.Equal(t, 3, p.Index)
		require.NotContains(t, err.Error(), "secret")
	})
}

func TestGuard(t *testing.T) {
	require.NoError(t, executor.Guard(func() error { return nil }))
	failed := errors.New("failed")
	require.Equal(t, failed, executor.Guard(func() error { return failed }))
	err := executor.Guard(func() error { panic("secret") })
	var p *executor.PanicError
	require.ErrorAs(t, err, &p)
	require.Equal(t, "secret", p.Value)
	require.NotEmpty(t, p.Stack)
	require.Equal(t, -1, p.Index, "not the number of a call")
	require.EqualError(t, err, "a function panicked")
	require.EqualError(t, &executor.PanicError{Index: 0}, "proof 0 panicked")
}

func TestUnknownNameIsAnError(t *testing.T) {
	_, err := executor.ByName("threads")
	require.EqualError(t, err, `executor "threads" is not one of serial, unbounded, pool`)
}

// TestWidths: the number of calls that run at a time.
func TestWidths(t *testing.T) {
	const procs = 2
	before := runtime.GOMAXPROCS(procs)
	defer runtime.GOMAXPROCS(before)
	for _, c := range []struct {
		e    executor.Executor
		want [4]int // of 0, 1, 3 and 1000 calls
	}{
		{executor.Serial{}, [4]int{0, 1, 1, 1}},
		{executor.Unbounded{}, [4]int{0, 1, 3, 1000}},
		{executor.Pool{Workers: 1}, [4]int{0, 1, 1, 1}},
		{executor.Pool{Workers: 2}, [4]int{0, 1, 2, 2}},
		{executor.Pool{}, [4]int{0, 1, min(3, procs), min(1000, procs)}},
		{executor.Pool{Workers: -1}, [4]int{0, 1, min(3, procs), min(1000, procs)}},
	} {
		for i, n := range []int{0, 1, 3, 1000} {
			require.Equal(t, c.want[i], c.e.Width(n), "%T of %d", c.e, n)
		}
	}
}
