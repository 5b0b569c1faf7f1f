package bench_test

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/drive"
	"github.com/zkatbench/zkatbench/runner/render"
)

func TestParallelGivingUp(t *testing.T) {
	if bench.Named(t.Name()) {
		var calls atomic.Int64
		suite.Load(t.Context(), t, working("GivingUp", func() ([]byte, error) {
			if calls.Add(1)%100 == 0 {
				t.FailNow() // in a worker, where it exits the goroutine
			}
			return nil, nil
		}))
	}
}

// TestFailNowInAWorkerIsAFailedOperation checks that the other workers continue
// and that the test fails.
func TestFailNowInAWorkerIsAFailedOperation(t *testing.T) {
	out, _, exit := again(t,
		counted(1000, "-test.run=TestParallelGivingUp", "-workers=2", "-setup_samples=2")...)
	require.Equal(t, 1, exit)
	require.Regexp(t, `Workers +2`, out)
	require.Contains(t, out, "operation ended its goroutine")
	require.Regexp(t, `ended by operations`, out)
}

func TestLoadHasTheFlagsOfTheRunner(t *testing.T) {
	dir := t.TempDir()
	out, complaints, exit := againIn(t, dir,
		counted(20, "-test.run=TestParallelHash", "-workers=1..3", "-repeat=2",
			"-rate=200", "-arrival=poisson", "-out=r.json,r.bench", "-diagnose=why", "-ascii")...)
	require.Zero(t, exit, out+complaints)
	require.Empty(t, complaints)
	for _, part := range []string{"200/s, poisson", "Spread between 2 runs",
		"Scaling: Hash/size=2/shape=odd\n", "Amdahl's law", "Diagnosis"} {
		require.Contains(t, out, part)
	}
	require.Equal(t, -1, strings.IndexFunc(out, func(c rune) bool { return c > 126 }), "-ascii")
	for n, file := range []string{"r.json", "r-2.json", "r-3.json", "r-4.json", "r-5.json", "r-6.json"} {
		require.Contains(t, out, "wrote "+filepath.Join(dir, file))
		f, err := os.Open(filepath.Join(dir, file))
		require.NoError(t, err)
		name, r, err := render.ReadJSON(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		require.Equal(t, 1+n/2, r.Config.Workers)
		require.Contains(t, name, "Hash/size=2/shape=odd/workers=")
	}
	text, err := os.ReadFile(filepath.Join(dir, "r.bench"))
	require.NoError(t, err)
	rs, _ := results(t, string(text))
	require.Len(t, rs, 6)
	require.Equal(t, "Hash/size=2/shape=odd/workers=3", string(rs[5].Name))
	for _, file := range []string{"cpu.pprof", "worst.trace"} {
		require.FileExists(t, filepath.Join(dir, "why", "Hash_size=2_shape=odd_workers=3", file))
	}
}

// TestMeasurementsWaitForEachOther makes a benchmark and a test under the
// runner wait for a lock that this process holds.
func TestMeasurementsWaitForEachOther(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	for _, what := range []string{"-test.bench=^BenchmarkHash$", "-test.bench=^BenchmarkParallelHash$",
		"-test.run=TestParallelHash"} {
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		unlock, err := drive.Lock(context.Background(), nil)
		require.NoError(t, err)
		cmd := exec.Command(self,
			counted(100, "-test.run=^$", what, "-size=2", "-shapes=odd", "-test.benchtime=1x",
				"-workers=1")...)
		var out bytes.Buffer
		cmd.Stdout = &out
		complaints, err := cmd.StderrPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		line, err := bufio.NewReader(complaints).ReadString('\n')
		require.NoError(t, err, what)
		require.Contains(t, line, "waiting for another measurement on this machine: ", what)
		require.Contains(t, line, "-nolock", what)
		unlock()
		require.NoError(t, cmd.Wait())
		require.Regexp(t, `ns/op|P99\.9`, out.String())
	}
}
