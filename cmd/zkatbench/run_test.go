package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/nightly"
)

// TestKilledRunKeepsResults kills runs at random times: the file must contain
// complete lines, and replace an older file only once the new one has begun.
func TestKilledRunKeepsResults(t *testing.T) {
	if testing.Short() {
		t.Skip("starts runs")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	kills, kept := nightly.Pick(0, 4, 8), 0
	for i := range kills {
		begun := "host: "
		if i%2 == 0 {
			begun = "\nBenchmark"
		}
		name := filepath.Join(t.TempDir(), "results.txt")
		require.NoError(t, os.WriteFile(name, []byte("pkg: old\nBenchmarkOld 1 5 ns/op\n"), 0o600))
		cmd := exec.Command("zkatbench", "run", "-f", "-count=100000", "-o="+name, ".", "--", "-bench=.",
			"-benchtime=10x")
		cmd.Dir = "../../bench/result/testdata/synthetic"
		cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool {
			b, err := os.ReadFile(name)
			return err == nil && strings.HasPrefix(string(b), "host: ") && strings.Contains(string(b), begun)
		}, 10*time.Minute, time.Millisecond)
		time.Sleep(time.Duration(rng.IntN(300)) * time.Millisecond)
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		require.True(t, strings.HasSuffix(string(b), "\n"))
		d, err := result.ReadFiles(name)
		if errors.Is(err, result.ErrNoBenchmarks) {
			continue // killed before the first result
		}
		require.NoError(t, err)
		require.NotContains(t, d.Config["pkg"], "old")
		kept++
	}
	require.GreaterOrEqual(t, kept, kills/2)
}
