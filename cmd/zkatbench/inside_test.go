package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// runWith runs a command line.
func runWith(t *testing.T, args ...string) (out, errors string, status int) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), args, streams{in: strings.NewReader(""), out: &o, err: &e})
	return o.String(), e.String(), status
}

func TestInstructionsWithoutValgrind(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	out, errors, status := runWith(t, "inside", "Sender", "-what=instr", "-curves=BN254")
	require.Empty(t, out)
	require.Equal(t, "zkatbench: inside: valgrind is not installed; it counts instructions, on Linux only\n",
		errors)
	require.Equal(t, 2, status)
	_, errors, status = runWith(t, "inside", "Sender", "-what=instr", "-curves=BN254", "-skip-missing")
	require.Equal(t, "zkatbench: inside: valgrind is not installed: skipped\n", errors)
	require.Zero(t, status)
}

// TestEveryOperationIsAOneShotProgram runs each operation of each subject twice
// with one seed, and once with another.
func TestEveryOperationIsAOneShotProgram(t *testing.T) {
	for _, s := range subjects {
		for _, op := range s.Ops {
			t.Run(s.Name+"/"+op.Name, func(t *testing.T) {
				t.Parallel()
				r, err := requested(op.Name, "-batch=2")
				if err != nil { // its subject has no batches
					r, err = requested(op.Name)
				}
				require.NoError(t, err)
				digest := func(seed int) string {
					line := append([]string{"inside", op.Name, "-what=run", "-count=2",
						fmt.Sprintf("-seed=%d", seed)}, r.cases(op)[0].Flags()...)
					out, errors, status := runWith(t, line...)
					require.Zero(t, status, errors)
					require.Contains(t, out,
						fmt.Sprintf("Using random seed: %d for 2 records\nPreparation complete in ", seed))
					_, after, found := strings.Cut(out, "\ndigest: ")
					require.True(t, found, out)
					return after
				}
				first := digest(7)
				require.NotEqual(t, first, digest(8))
				if strings.Contains(first, "randomness: seeded") {
					require.Equal(t, first, digest(7))
				}
			})
		}
	}
}

// TestFilesThatCannotBeWritten are refused before any work.
func TestFilesThatCannotBeWritten(t *testing.T) {
	for _, args := range [][]string{
		{"inside", "Sender", "-curves=BN254", "-what=flame", "-count=1000000", "-o=/absent/f.svg"},
		{"shots", "PS18Verify", "-curves=BN254", "-forks=1000", "-o=/absent/s.txt"},
		{"report", "absent.txt", "-o=/absent/r.html"},
		{"compare", "absent.txt", "absent.txt", "-o=/absent/c.md"},
		{"headroom", "-o=/absent/p.json"},
		{"limbs generate", "-o=/absent/g.go"},
		{"threshold record", "-o=/absent/s.json"},
	} {
		out, errors, status := runWith(t, append(strings.Fields(args[0]), args[1:]...)...)
		require.Empty(t, out)
		require.Regexp(t, "^zkatbench: "+args[0]+": -(o|md|proof): /absent/.*: no such file or directory\n$",
			errors)
		require.Equal(t, 2, status)
	}
}
