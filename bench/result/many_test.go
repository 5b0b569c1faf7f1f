package result_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

// printing is a binary of package pkg that prints lines for the cases that it is asked
// for, and keeps its arguments.
func printing(t *testing.T, pkg, script string) (b result.Binary, log func() string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "script")
	require.NoError(t,
		os.WriteFile(name, []byte("#!/bin/sh\necho \"$*\" >> "+dir+"/log\n"+script+"\n"), 0o700))
	return result.Binary{Package: pkg, Dir: dir, Path: name}, func() string {
		text, err := os.ReadFile(filepath.Join(dir, "log"))
		require.NoError(t, err)
		return string(text)
	}
}

// TestMachinesOfMany: the last one of ten data differs.
func TestMachinesOfMany(t *testing.T) {
	var all []*result.Data
	for i := range 10 {
		d, err := read(fmt.Sprintf("cpu: c%d\nBenchmarkX 1 5 ns/op\n", i/9))
		require.NoError(t, err)
		all = append(all, d)
	}
	require.NoError(t, result.SameMachine(false, all[:9]...))
	require.ErrorIs(t, result.SameMachine(false, all...), result.ErrMachines)
}

// TestIterationsOfARun: the first result of a case without processor time finds the number
// of its iterations, which later ones do not find again.
func TestIterationsOfARun(t *testing.T) {
	b, log := printing(t, "p", "echo 'BenchmarkX 20 100 ns/op'")
	s := result.Suite{Binaries: []result.Binary{b}, Flags: result.Flags{Bench: "."}, Count: 3,
		Keys: []result.Key{{Package: "p", Name: "X"}}}
	require.NoError(t, s.Run(t.Context(), result.Stream{Writer: io.Discard}, func(result.Progress) {}))
	const all = "-test.run=^$ -test.bench=^BenchmarkX$"
	require.Equal(t, all+"\n"+all+" -test.benchtime=20x\n"+all+" -test.benchtime=2x\n"+all+"\n"+all+"\n",
		log())
}
