package tidy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInterfaceIsCompared runs .ci/api in a module that adds a name after a tag,
// removes one, and announces the removal.
func TestInterfaceIsCompared(t *testing.T) {
	t.Chdir(root)
	if testing.Short() {
		t.Skip("builds apidiff")
	}
	dir := t.TempDir()
	for _, name := range []string{".ci/api", ".ci/api.announced"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		write(t, dir, map[string]string{name: string(text)})
	}
	require.NoError(t, os.Chmod(filepath.Join(dir, ".ci/api"), 0o755))
	commit := func(files map[string]string) {
		write(t, dir, files)
		git(t, dir, "add", "-A")
		git(t, dir, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "-m", "state")
	}
	check := func() (string, error) {
		cmd := exec.CommandContext(t.Context(), filepath.Join(dir, ".ci/api"))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	git(t, dir, "init", "-q", "-b", "main")
	commit(map[string]string{"go.mod": "module example.com/api\n\ngo 1.24\n", "api.go": "package api\n\nfunc Old() {}\n"})
	out, err := check()
	require.NoError(t, err, out)
	require.Contains(t, out, "no version is tagged")

	git(t, dir, "tag", "v0.1.0")
	commit(map[string]string{"api.go": "package api\n\nfunc Old() {}\n\nfunc New() {}\n"})
	out, err = check()
	require.NoError(t, err, out)
	require.Contains(t, out, "compatible with v0.1.0")

	commit(map[string]string{"api.go": "package api\n\nfunc New() {}\n"})
	out, err = check()
	require.Error(t, err, out)
	require.Contains(t, out, "\n- Old: removed")

	commit(map[string]string{".ci/api.announced": "- Old: removed\n"})
	out, err = check()
	require.NoError(t, err, out)
}
