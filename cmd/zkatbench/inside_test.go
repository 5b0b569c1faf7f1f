package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
)

func TestInstructionsWithoutValgrind(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	out, errors, status := try("inside", "Sender", "-what=instr", "-curves=BN254")
	require.Empty(t, out)
	require.Equal(t, "zkatbench: inside: valgrind is not installed; it counts instructions, on Linux only\n",
		errors)
	require.Equal(t, 2, status)
	_, errors, status = try("inside", "Sender", "-what=instr", "-curves=BN254", "-skip-missing")
	require.Equal(t, "zkatbench: inside: valgrind is not installed: skipped\n", errors)
	require.Zero(t, status)
}

// TestEveryOperationIsAOneShotProgram runs each operation of each subject twice
// with one seed, and once with another; in short mode the first of each subject.
func TestEveryOperationIsAOneShotProgram(t *testing.T) {
	for _, s := range subjects {
		for _, op := range s.Ops[:nightly.Pick(1, len(s.Ops), len(s.Ops))] {
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
					out, errors, status := try(line...)
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
	const absent = ": -o: /absent/a.%[1]s: no such file or directory\n"
	cases := map[string]string{}
	for line, ending := range map[string]string{
		"inside Sender -curves=BN254 -what=flame -count=1000000": "svg",
		"shots PS18Verify -curves=BN254 -forks=1000":             "txt",
		"report absent.txt":             "html",
		"compare absent.txt absent.txt": "md",
		"headroom":                      "json",
		"limbs generate":                "go",
		"threshold record":              "json",
	} {
		command := strings.TrimRight(regexp.MustCompile(`^(limbs |threshold )?\w+`).FindString(line), " ")
		cases[line+" -o=/absent/a."+ending] = command + fmt.Sprintf(absent, ending)
	}
	refuses(t, cases)
}
