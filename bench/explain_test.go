package bench_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/count"
)

// adding counts an addition at its top, and two in a round of a step.
var adding = bench.Op{
	Name: "Adding",
	Setup: func(c bench.Case, seed uint64) (bench.Instance, error) {
		return newAdding(c, seed, bench.Tools{})
	},
	On: newAdding,
}

func newAdding(_ bench.Case, _ uint64, tools bench.Tools) (bench.Instance, error) {
	return bench.Instance{
		Work: func() ([]byte, error) {
			tools.Counts.Count(count.One(count.Add), 1)
			tools.Counts.Sub("range proof").Sub("argument").Sub("round").Count(count.One(count.Add), 2)
			return nil, nil
		},
		Check: func([]byte) error { return nil },
	}, nil
}

// TestCountsInBenchmarkFormat: phases have names without blanks, and are two levels deep.
func TestCountsInBenchmarkFormat(t *testing.T) {
	s := bench.Subject{Name: "adding", Ops: []bench.Op{adding}}
	var b bytes.Buffer
	require.NoError(t, s.WriteUnits(&b))
	require.Contains(t, b.String(), "Unit point-add/op assume=exact better=lower\n")
	b.Reset()
	require.NoError(t, s.WriteCounts(&b, adding, bench.Case{}))
	for line, begin := range map[int]string{0: "phase=none 1 1", 1: "phase=range-proof.argument 1 2"} {
		require.True(t, strings.HasPrefix(strings.Split(b.String(), "\n")[line],
			"BenchmarkAdding//"+begin+" point-add/op 0 "), b.String())
	}

	unseen := bench.Op{Name: "Unseen"}
	require.EqualError(t, s.WriteCounts(&b, unseen, bench.Case{}),
		"Unseen has no operations that can be counted")
}

// TestExplain: without unit costs there is a measured time, and no predicted one.
func TestExplain(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, adding.Explain(&b, bench.Case{}, nil))
	require.True(t, strings.HasPrefix(b.String(), "Adding/\n"), b.String())
	require.Contains(t, b.String(), "measured ")
	require.Contains(t, b.String(), "first use / steady state ")
}

// TestClock: an operation in several goroutines is timed by wall time.
func TestClock(t *testing.T) {
	several := adding
	several.Concurrent = func(bench.Case) bool { return true }
	for _, op := range []bench.Op{adding, several} {
		now, done := op.Clock(bench.Case{})
		first := now()
		if op.Concurrent != nil {
			time.Sleep(time.Millisecond)
			require.GreaterOrEqual(t, now()-first, time.Millisecond)
		}
		require.GreaterOrEqual(t, now(), first)
		done()
	}
}
