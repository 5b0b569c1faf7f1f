package diagnose_test

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/diagnose"
	"github.com/zkatbench/zkatbench/runner/judge"
)

// burn is the function that the processor profile should find. It takes some
// milliseconds of processor time, regardless of the load of the machine.
//
//go:noinline
func burn() (n uint64) {
	for i := range uint64(3_000_000) {
		n = n*6364136223846793005 + i
	}
	return n
}

// TestDiagnosisFindsTheCulprits has an operation that computes, holds a lock and is once slow: the
// report names it for each.
func TestDiagnosisFindsTheCulprits(t *testing.T) {
	var lock sync.Mutex
	calls := 0
	op := runner.Func(func(context.Context) error {
		lock.Lock()
		defer lock.Unlock()
		calls++
		runtime.KeepAlive(burn())
		if calls == 30 {
			time.Sleep(time.Second) // long enough that other programs cannot take all processor time
			runtime.GC()
		}
		return nil
	})
	r, err := diagnose.Run(context.Background(), runner.Config{Workers: 2, Ops: 100, WarmUp: -1}, op,
		t.TempDir())
	require.NoError(t, err)
	require.NoError(t, judge.Check(r.Result))
	require.Len(t, r.Files, 5)
	for _, f := range r.Files {
		info, err := os.Stat(f)
		require.NoError(t, err)
		require.Positive(t, info.Size(), f)
	}
	var b bytes.Buffer
	require.NoError(t, r.Text(&b))
	text := b.String()
	require.Contains(t, text, "diagnose_test.burn", text)
	require.Contains(t, text, "< diagnose_test.TestDiagnosisFindsTheCulprits.func", "callers of burn: %s",
		text)
	require.NotContains(t, text, "runner.(*phase)", "the run waits for the operation")
	require.Contains(t, text, "Time that others waited for locks", text)
	require.Contains(t, text, "diagnose_test.TestDiagnosisFindsTheCulprits.func", text)
	require.Greater(t, r.Slow.Latency, time.Second)
	require.Contains(t, text, "worst.trace ends with it")
}

var sink []byte

//go:noinline
func allocate() { sink = make([]byte, 1<<20) }

// TestDiagnosisIsOfItsPass lets the same operation wait and allocate before the
// pass, and in an earlier diagnosis. Neither may be in the report.
func TestDiagnosisIsOfItsPass(t *testing.T) {
	op := func(work func()) runner.Operation {
		return runner.Func(func(context.Context) error { work(); return nil })
	}
	for range 50 {
		allocate()
	}
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 4 << 10 // sample every allocation of a megabyte, so the figure is exact
	c := runner.Config{Workers: 1, Ops: 20, WarmUp: -1}
	first, err := diagnose.Run(context.Background(), c, op(allocate), t.TempDir())
	require.NoError(t, err)
	require.Equal(t, "heap", first.Hot[3].Measure)
	require.Contains(t, first.Hot[3].Top[0].Name, "diagnose_test.allocate")
	require.EqualValues(t, 20<<20, first.Hot[3].Top[0].Value)
	second, err := diagnose.Run(context.Background(), c, op(func() {}), t.TempDir())
	require.NoError(t, err)
	for _, f := range second.Hot[3].Top {
		require.NotContains(t, f.Name, "diagnose_test.allocate")
	}
}
