package oneshot_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/bench/oneshot"
)

// forkVariable has the target and the number of a process of TestShots.
const forkVariable = "ONESHOT_TEST_FORK"

// shotsOf are shots of operations that need no parameters.
func shotsOf(ops ...bench.Op) oneshot.Shots {
	s := oneshot.Shots{Forks: 2, Warmup: 1, Count: 3, Seed: 7}
	for _, op := range ops {
		s.Targets = append(s.Targets, oneshot.Target{Op: op})
	}
	return s
}

// TestShotProcess is one process of TestShots.
func TestShotProcess(t *testing.T) {
	var target, fork int
	if n, _ := fmt.Sscanf(os.Getenv(forkVariable), "%d:%d", &target, &fork); n != 2 {
		t.Skip("runs as a process of TestShots")
	}
	s := shotsOf(toy, xor)
	require.NoError(t, s.Fork(s.Targets[target], fork, os.Stdout))
	os.Exit(0) // without PASS on standard output
}

// TestShots: each process of each target makes its counted shots, targets in turns.
func TestShots(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	var started []string
	start := func(target, fork int) (*exec.Cmd, error) {
		cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestShotProcess$")
		part := fmt.Sprintf("%d:%d", target, fork)
		cmd.Env = append(os.Environ(), forkVariable+"="+part)
		started = append(started, part)
		return cmd, nil
	}
	s := shotsOf(toy, xor)
	lines, err := s.Measure(t.Context(), start, func(int, int) {})
	require.NoError(t, err)
	require.Equal(t, []string{"0:0", "1:0", "0:1", "1:1"}, started)
	require.Len(t, lines, 2*s.Forks*s.Count)
	for i, line := range lines {
		name := "Toy"
		if i >= len(lines)/2 {
			name = "Xor"
		}
		require.Regexp(t, regexp.MustCompile(`^Benchmark`+name+`/inputs= 1 \d+ ns/op`), line)
	}

	s.Count++ // the processes return fewer
	_, err = s.Measure(t.Context(), start, func(int, int) {})
	require.EqualError(t, err, "a process returned 3 samples instead of 4")
}

// TestShotsWriteProfiles: each process writes a profile with its number.
func TestShotsWriteProfiles(t *testing.T) {
	t.Chdir(t.TempDir())
	s := shotsOf(toy)
	s.Profile = true
	out, err := os.Create("times.json")
	require.NoError(t, err)
	defer out.Close()
	require.NoError(t, s.Fork(s.Targets[0], 1, out))
	written, err := os.ReadFile("times.json")
	require.NoError(t, err)
	var times []bench.ShotTime
	require.NoError(t, json.Unmarshal(written, &times))
	require.Len(t, times, s.Count)
	files, err := filepath.Glob("*.pprof")
	require.NoError(t, err)
	require.Equal(t, []string{"Toy_fork=2.cpu.pprof"}, files)
}
