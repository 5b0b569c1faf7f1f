package compare_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/compare"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// write makes files in a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		})
	}
}

// TestNoBinaryRuns: a revision without a working test binary cannot be a side of a
// comparison.
func TestNoBinaryRuns(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod":    "module m\n\ngo 1.24\n",
		"a_test.go": "package m\n\nimport \"os\"\n\nfunc init() { os.Exit(7) }\n",
	})
	o := compare.Options{Packages: []string{"."}, Layouts: 1, Lenient: true}
	_, err := compare.Build(t.Context(), compare.Named(dir), o, filepath.Join(t.TempDir(), "built"))
	require.EqualError(t, err, "m: exit status 7")
}

// TestCommitsHavePackages: packages that a commit lacks are refused, by folder and by import path.
func TestCommitsHavePackages(t *testing.T) {
	repository := t.TempDir()
	write(t, repository,
		map[string]string{"go.mod": "module example.com/m\n", "nested/a.go": "package nested\n"})
	for _, line := range []string{"init -q -b main", "config user.email a@example.com", "config user.name A",
		"add .", "commit -q -m 1"} {
		git := exec.Command("git", strings.Fields(line)...)
		git.Dir = repository
		out, err := git.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	check := func(names ...string) error {
		return compare.CheckCommit(t.Context(), repository, "main", names...)
	}
	require.NoError(t,
		check(".", "./...", "./nested", "./nes...", "./nested/...", "./nested/nopkg...", "...", "fmt", "std",
			"example.com/...",
			"example.com/m", "example.com/m/...", "example.com/m/nested", "example.com/m/nes...",
			"example.com/ms/nopkg"))
	for _, name := range []string{"./nopkg", "./nopkg/...", "example.com/m/nopkg", "example.com/m/nopkg/...",
		"../nopkg"} {
		require.EqualError(t, check(name), "there is no folder "+name)
		require.Error(t, check("./...", name))
	}
}
