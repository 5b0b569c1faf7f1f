package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/drive"
)

// TestRefusedBeforeTheLock: while another measurement has the lock, bad command lines are
// refused with one line and do not say that they wait.
func TestRefusedBeforeTheLock(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	unlock, err := drive.Lock(t.Context(), nil)
	require.NoError(t, err)
	defer unlock()
	repository := t.TempDir()
	for _, line := range []string{"init -q -b main", "config user.email a@example.com", "config user.name A", "commit -q --allow-empty -m 1"} {
		git := exec.Command("git", strings.Fields(line)...)
		git.Dir = repository
		out, err := git.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	state := "-dir=" + filepath.Join(t.TempDir(), "state")
	const times = " is not a time or a number of iterations above 0, such as 2s or 100x"
	for _, c := range []struct {
		line, want string
	}{
		{"run . -- -bench=(", "run: -bench: error parsing regexp: missing closing ): `(`"},
		{"run . -- -benchtime=-1s", `run: -benchtime: "-1s"` + times},
		{"run . -- -benchtime 0x", `run: -benchtime: "0x"` + times},
		{"run . -- -test.benchtime=x", `run: -benchtime: "x"` + times},
		{"compare . . . -- -benchtime=100", `compare: -benchtime: "100"` + times},
		{"gate . . . -- -bench=[", "gate: -bench: error parsing regexp: missing closing ]: `[`"},
		{"score . -- -benchtime=0s", `score: -benchtime: "0s"` + times},
		{"watch -once -repository=R D . -- -bench=(", "watch: -bench: error parsing regexp: missing closing ): `(`"},
		{"watch -once -repository=R D ./nopkg", "watch: there is no folder ./nopkg on branch main of R"},
		{"watch -once -repository=R D ./... ./none/...", "watch: there is no folder ./none/... on branch main of R"},
		{"watch -once -repository=R D -harness=none ./...", "watch: there is no folder none on branch main of R"},
		{"watch -once -repository=R D -fetch=none ./...", `watch: -fetch: "none" is not a remote of R`},
	} {
		args := strings.Fields(strings.NewReplacer("=R", "="+repository, " D ", " "+state+" ").Replace(c.line))
		var out, complaints bytes.Buffer
		status := run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &complaints})
		require.Equal(t, "zkatbench: "+strings.ReplaceAll(c.want, " of R", " of "+repository)+"\n", complaints.String(), c.line)
		require.Equal(t, failed, status, c.line)
		require.Empty(t, out.String())
		require.NoDirExists(t, strings.TrimPrefix(state, "-dir="))
	}
}
