package bench_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
)

// planted returns an operation with a fault: work gets the input, which is one
// byte, and the number of the use, counted from 1.
func planted(name string, work func(input []byte, use int) error) bench.Op {
	return bench.Op{Name: name, Setup: func(bench.Case, uint64) (bench.Instance, error) {
		input, uses := []byte{1}, 0
		var err error
		return bench.Instance{
			Work:   func() ([]byte, error) { uses++; err = work(input, uses); return nil, nil },
			Check:  func([]byte) error { return err },
			Inputs: func() [][]byte { return [][]byte{input} },
		}, nil
	}}
}

var faults = map[string]bench.Op{
	"Overwrites": planted("Overwrites", func(input []byte, _ int) error { input[0]++; return nil }),
	"LeftOver": planted("LeftOver", func(_ []byte, use int) error {
		if use == 1 {
			time.Sleep(2 * time.Millisecond)
		}
		return nil
	}),
	"WrongWhenReused": planted("WrongWhenReused", func(_ []byte, use int) error {
		if use > 1 {
			return errWrong
		}
		return nil
	}),
}

func BenchmarkOverwrites(b *testing.B)         { suite.Serial(b, faults["Overwrites"]) }
func BenchmarkParallelOverwrites(b *testing.B) { suite.Parallel(b, faults["Overwrites"]) }
func BenchmarkLeftOver(b *testing.B)           { suite.Serial(b, faults["LeftOver"]) }
func BenchmarkParallelLeftOver(b *testing.B)   { suite.Parallel(b, faults["LeftOver"]) }
func BenchmarkWrongWhenReused(b *testing.B)    { suite.Serial(b, faults["WrongWhenReused"]) }

func TestParallelLeftOver(t *testing.T) {
	if bench.Named(t.Name()) {
		suite.Load(t.Context(), t, faults["LeftOver"])
	}
}

// TestNoBenchmarkTimesAnOperationThatChangesItsInputs checks that such an
// operation is refused with and without the purity check.
func TestNoBenchmarkTimesAnOperationThatChangesItsInputs(t *testing.T) {
	for _, name := range []string{"Overwrites", "ParallelOverwrites"} {
		out, _, exit := again(t, "-test.bench=^Benchmark"+name+"$")
		require.Equal(t, 1, exit, name)
		require.Contains(t, out,
			"Overwrites: operation changes its inputs: input 1 of 1 has another encoding", name)
		require.NotContains(t, out, "ns/op", name)
	}
}

func TestPurityReportsWhatIsDoubtful(t *testing.T) {
	for _, name := range []string{"LeftOver", "ParallelLeftOver"} {
		args := []string{"-test.bench=^Benchmark" + name + "$", "-workers=1", "-test.count=3"}
		out, complaints, exit := again(t, append(args, "-purity")...)
		require.Zero(t, exit, out+complaints)
		require.Equal(t, 1, strings.Count(out, "doubtful: first use costs more"), "logged once:\n%s", out)
		rs, _ := results(t, out)
		require.Len(t, rs, 3, out)
		for _, r := range rs {
			ratio, found := r.Value("first/steady")
			require.True(t, found, out)
			require.Greater(t, ratio, 2.0, out)
		}

		out, _, _ = again(t, args...)
		require.NotContains(t, out, "first/steady", "without -purity")
	}
	out, _, exit := again(t, counted(10, "-test.run=TestParallelLeftOver", "-workers=1", "-purity")...)
	require.Zero(t, exit, out)
	require.Contains(t, out, "doubtful: first use costs more")
}

// TestPurityChecksLaterUses uses an operation that succeeds the first time
// only.
func TestPurityChecksLaterUses(t *testing.T) {
	out, _, exit := again(t, "-test.bench=^BenchmarkWrongWhenReused$", "-purity")
	require.Equal(t, 1, exit)
	require.Contains(t, out, "WrongWhenReused: operation fails: wrong result of use 6: planted")
	require.NotContains(t, out, "ns/op")
}
