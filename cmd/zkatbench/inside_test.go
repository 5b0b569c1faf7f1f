package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// runLine runs a command line.
func runLine(t *testing.T, args ...string) (out, errors string, status int) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), args, streams{in: strings.NewReader(""), out: &o, err: &e})
	return o.String(), e.String(), status
}

func TestInstructionsWithoutValgrind(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	out, errors, status := runLine(t, "instr", "Sender", "-curves=BN254")
	require.Empty(t, out)
	require.Equal(t, "zkatbench: instr: valgrind is not installed; it counts instructions, on Linux only\n", errors)
	require.Equal(t, 2, status)
	_, errors, status = runLine(t, "instr", "Sender", "-curves=BN254", "-skip-missing")
	require.Equal(t, "zkatbench: instr: valgrind is not installed: skipped\n", errors)
	require.Zero(t, status)
}

func TestTheLastCountOfInstructionsIsKept(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, step := range []struct {
		count float64
		want  string
	}{{1_000_000, ""}, {1_000_900, "(No change)"}, {1_010_909, "(+1.0000%)"}, {1_000_000, "(-1.0791%)"}} {
		change, err := lastChange("X/bits=32", step.count)
		require.NoError(t, err)
		require.Equal(t, step.want, change)
	}
	change, err := lastChange("Y", 5)
	require.NoError(t, err)
	require.Empty(t, change)
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(defaultCosts()), "instructions.json"), []byte("{"), 0o600))
	_, err = lastChange("X/bits=32", 1)
	require.ErrorContains(t, err, "instructions.json")
}

// TestEveryOperationIsAOneShotProgram runs each operation of each subject twice
// with one seed.
func TestEveryOperationIsAOneShotProgram(t *testing.T) {
	for _, s := range subjects {
		for _, op := range s.Ops {
			t.Run(s.Name+"/"+op.Name, func(t *testing.T) {
				t.Parallel()
				r, err := parseRequest("oneshot", nil, matrix, []string{op.Name}, io.Discard)
				require.NoError(t, err)
				line := append([]string{"oneshot", op.Name, "-n=2", "-seed=7"}, r.cases(op)[0].Flags()...)
				digest := func() string {
					out, errors, status := runLine(t, line...)
					require.Zero(t, status, errors)
					require.Contains(t, out, "Using random seed: 7 for 2 records\nPreparation complete in ")
					_, after, found := strings.Cut(out, "\ndigest: ")
					require.True(t, found, out)
					if !strings.Contains(after, "randomness: seeded") {
						return "drawn anew"
					}
					return after
				}
				require.Equal(t, digest(), digest())
			})
		}
	}
}
