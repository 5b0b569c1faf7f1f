package main

import (
	"bytes"
	"os"
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
	require.NoError(t, os.WriteFile(filepath.Join(repository, "go.mod"), []byte("module example.com/m\n"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(repository, "nested"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(repository, "nested", "a.go"), []byte("package nested\n"), 0o600))
	for _, line := range []string{"init -q -b main", "config user.email a@example.com", "config user.name A", "add .", "commit -q -m 1"} {
		git := exec.Command("git", strings.Fields(line)...)
		git.Dir = repository
		out, err := git.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	require.NoError(t, checkCommit(t.Context(), repository, "main", ".", "./...", "./nested", "./nes...", "./nested/...", "./nested/nopkg...", "...", "fmt", "std", "example.com/...",
		"example.com/m", "example.com/m/...", "example.com/m/nested", "example.com/m/nes...", "example.com/ms/nopkg"))
	for _, name := range []string{"./nopkg", "./nopkg/...", "example.com/m/nopkg", "example.com/m/nopkg/...", "../nopkg"} {
		require.EqualError(t, checkCommit(t.Context(), repository, "main", name), "there is no folder "+name)
		require.Error(t, checkCommit(t.Context(), repository, "main", "./...", name))
	}
	state := "-dir=" + filepath.Join(t.TempDir(), "state")
	const pattern = " is not a regular expression, or several with slashes between them"
	const times = " is not a time or a number of iterations above 0, such as 2s or 100x"
	for _, c := range []struct {
		line, want string
	}{
		{"run . -- -bench=(", `run: -bench: "("` + pattern},
		{"run . -- -bench=a/*b", `run: -bench: "a/*b"` + pattern},
		{"run . -- -skip=a|b/c)", `run: -skip: "a|b/c)"` + pattern},
		{"run . -- -cpu=1,0", `run: -cpu: "0" is not a number of at least 1`},
		{"run . -- -cpu=1,,2", `run: -cpu: "" is not a number of at least 1`},
		{"run . -- -timeout 10", `run: -timeout: "10" is not a time such as 10m, or 0 for none`},
		{"run . -- -parallel=0", `run: -parallel: "0" is not a number of at least 1`},
		{"run . -- -benchmem=maybe", `run: -benchmem: "maybe" is not true or false`},
		{"run . -- -short=", `run: -short: "" is not true or false`},
		{"gate . . . -goexperiment=strange,simd", "gate: go list: exit status 2: go: unknown GOEXPERIMENT strange"},
		{"compare . . . -pgo=off,/none/x", "compare: -pgo: stat /none/x: no such file or directory"},
		{"compare none.txt refused_test.go .", `compare: "none.txt" is a revision (no file has this name) and "refused_test.go" a file of results: results can be compared with results only`},
		{"load -diagnose=refused_test.go -- true", `load: -diagnose: "refused_test.go" is not a folder, or a name for one`},
		{"run -cost=none . ", "run: -cost: open none: no such file or directory"},
		{"score . -before=none", "score: -before: open none: no such file or directory"},
		{"gate -rules=none . . .", "gate: -rules: open none: no such file or directory"},
		{"watch -rules=none .", "watch: -rules: open none: no such file or directory"},
		{"compare R@main R@main ./nopkg", "compare: R@main: there is no folder ./nopkg"},
		{"gate R@main . ./... example.com/m/nopkg", "gate: R@main: there is no folder example.com/m/nopkg"},
		{"run . -- -benchtime=-1s", `run: -benchtime: "-1s"` + times},
		{"run . -- -benchtime 0x", `run: -benchtime: "0x"` + times},
		{"run . -- -test.benchtime=x", `run: -benchtime: "x"` + times},
		{"compare . . . -- -benchtime=100", `compare: -benchtime: "100"` + times},
		{"gate . . . -- -bench=[", `gate: -bench: "["` + pattern},
		{"score . -- -benchtime=0s", `score: -benchtime: "0s"` + times},
		{"watch -once -repository=R D . -- -bench=(", `watch: -bench: "("` + pattern},
		{"watch -once -repository=R D ./nopkg", "watch: there is no folder ./nopkg on branch main of R"},
		{"watch -once -repository=R D ./... ./none/...", "watch: there is no folder ./none/... on branch main of R"},
		{"watch -once -repository=R D -harness=none ./...", "watch: there is no folder ./none on branch main of R"},
		{"watch -once -repository=R D -fetch=none ./...", `watch: -fetch: "none" is not a remote of R`},
	} {
		args := strings.Fields(strings.NewReplacer("=R", "="+repository, " R@main", " "+repository+"@main", " D ", " "+state+" ").Replace(c.line))
		var out, complaints bytes.Buffer
		status := run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &complaints})
		require.Equal(t, "zkatbench: "+strings.NewReplacer(" of R", " of "+repository, " R@", " "+repository+"@").Replace(c.want)+"\n", complaints.String(), c.line)
		require.Equal(t, failed, status, c.line)
		require.Empty(t, out.String())
		require.NoDirExists(t, strings.TrimPrefix(state, "-dir="))
	}
}
