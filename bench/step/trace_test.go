package step_test

import (
	"bytes"
	"errors"
	"io"
	"runtime/trace"
	"testing"

	"github.com/stretchr/testify/require"
	events "golang.org/x/exp/trace"

	"github.com/zkatbench/zkatbench/bench/step"
)

// TestStepsAreRegionsOfATrace reads a trace of nested steps.
func TestStepsAreRegionsOfATrace(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, trace.Start(&out))
	run, root := step.NewRun("prove", 0, nil)
	run.Start(root)
	outer := root.Enter("commit")
	inner := outer.Enter("table")
	inner.Leave()
	outer.Leave()
	run.Stop()
	trace.Stop()
	r, err := events.NewReader(&out)
	require.NoError(t, err)
	var began, ended []string
	for {
		e, err := r.ReadEvent()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch e.Kind() {
		case events.EventRegionBegin:
			began = append(began, e.Region().Type)
		case events.EventRegionEnd:
			ended = append(ended, e.Region().Type)
		}
	}
	require.Len(t, began, 3)
	require.Contains(t, began[1], "commit")
	require.Equal(t, []string{began[2], began[1], began[0]}, ended)
}
