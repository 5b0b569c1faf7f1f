package runner

import (
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

var kept []byte

func TestKnownAllocationsAreMeasured(t *testing.T) {
	m := measureMemory(func(int) error { kept = make([]byte, 4096); return nil })
	require.InEpsilon(t, 1, m.AllocsPerOp, 0.01)
	require.InEpsilon(t, 4096, m.BytesPerOp, 0.01)
}

func TestPooledOperationAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Log("under the race detector a sync.Pool drops what it likes: the figure is not held there")
		return
	}
	pool := sync.Pool{New: func() any { b := make([]byte, 1<<20); return &b }}
	m := measureMemory(func(int) error { pool.Put(pool.Get()); return nil })
	require.Zero(t, m.AllocsPerOp)
}

func TestMeasuringMemorySurvivesAnything(t *testing.T) {
	for _, op := range []Operation{
		func(int) error { return errors.New("no") },
		func(int) error { panic("no") },
		func(int) error { runtime.Goexit(); return nil },
	} {
		require.Zero(t, measureMemory(op))
	}
}
