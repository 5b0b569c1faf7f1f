package main // a program has no exported names

import (
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// TestRun compares head with base, for numbers that select the loop: only the added files
// and the rounds of slow cases differ, and head compiles.
func TestRun(t *testing.T) {
	const compare = `cd "$1"; diff -U0 base head | grep -v '^diff\|^[-+@][-+@]'; cd head && go build .`
	for arguments, want := range map[string]string{
		"nothing 3": "Only in head: aaa_zkat1.go\nOnly in head: aaa_zkat3.go\n" +
			"Only in head: zzz_zkat2.go\nOnly in head: zzz_zkat4.go\n",
		"slow 10": "-const rounds = 10000\n+const rounds = 10500\nOnly in head: zzz_zkat1.go\n",
	} {
		t.Run(arguments, func(t *testing.T) {
			folder := t.TempDir()
			for range 2 { // the second run replaces the files of the first
				require.NoError(t, run(append(strings.Fields(arguments), folder), io.Discard))
			}
			out, err := exec.Command("sh", "-c", compare, "sh", folder).CombinedOutput()
			require.NoError(t, err)
			require.Equal(t, want, string(out))
		})
	}
	require.Error(t, run([]string{"fast", "1", "."}, io.Discard))
}
