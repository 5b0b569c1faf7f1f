package result // scan, enough and withOutput are private: a suite starts processes

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestProcessTime(t *testing.T) {
	foreign := []printed{{Text: "goos: linux"}, {"BenchmarkX-2   100   1234 ns/op", "X-2"}}
	ours := []printed{{"BenchmarkX-2   100   1234 ns/op   1200 cpu-ns/op", "X-2"}}
	few := []printed{{"BenchmarkX-2   2   1234 ns/op", "X-2"}}
	require.Equal(t, 100, untimed(foreign))
	require.Zero(t, untimed(ours), "it records its own")
	require.Zero(t, untimed(few))
	require.Equal(t, 100, enough(100, 0), "not known")
	require.Equal(t, 100, enough(100, time.Second))
	require.Equal(t, 2202, enough(102, processTime/20))
	require.Equal(t, 100, enough(100, time.Nanosecond))
	addFigure(foreign, "2000000.0 process-cpu-ns/op")
	require.Equal(t, "BenchmarkX-2   100   1234 ns/op\t2000000.0 process-cpu-ns/op", foreign[1].Text)
	require.Zero(t, untimed(append(foreign, foreign...)), "several results of one process")
	for arg, want := range map[string]bool{"-test.benchtime=5x": true, "-test.benchtime=5s": false,
		"-test.cpu=5x": false} {
		t.Run(arg, func(t *testing.T) {
			require.Equal(t, want, Flags{Run: []string{"-a", arg, "-b"}}.iterations(), arg)
		})
	}
	_, ok := classify(foreign[1].Text)
	require.True(t, ok)
}

// TestScanKeepsTheLastLines: lines of the format are emitted, and of the others the
// last 20 are returned, without PASS and an unfinished line.
func TestScanKeepsTheLastLines(t *testing.T) {
	for _, n := range []int{0, 1, 19, 20, 21, 45} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var text strings.Builder
			var want []string
			for i := range n {
				fmt.Fprintf(&text, "other %d\nBenchmarkX 1 %d ns/op\nPASS\n", i, i+1)
				want = append(want, fmt.Sprint("other ", i))
			}
			text.WriteString("unfinished")
			emitted := 0
			other := scan(strings.NewReader(text.String()), func(l printed) {
				emitted++
				require.Equal(t, fmt.Sprintf("BenchmarkX 1 %d ns/op", emitted), l.Text)
			})
			require.Equal(t, n, emitted)
			require.Equal(t, want[max(0, n-20):], other)
		})
	}
}

// TestOutputIsOneLine, without the usage of flags.
func TestOutputIsOneLine(t *testing.T) {
	failure := errors.New("exit status 1")
	for want, output := range map[string]string{
		"exit status 1":                  " \n",
		"exit status 1: a":               "a\n",
		"exit status 1: a; b":            "\na\nb\n",
		"exit status 1: unknown flag -x": "unknown flag -x\nUsage of test:\n  -v\n",
	} {
		t.Run(want, func(t *testing.T) {
			err := withOutput(failure, output)
			require.EqualError(t, err, want)
			require.ErrorIs(t, err, failure)
		})
	}
}
