package tidy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheArchiveForReviewersIsWhole unpacks it into an empty folder and follows
// every link: to a file of the archive, or to one of the project by its address.
func TestTheArchiveForReviewersIsWhole(t *testing.T) {
	t.Chdir(root)
	project, err := os.Getwd()
	require.NoError(t, err)
	dir := t.TempDir()
	run := func(name string, args ...string) {
		out, err := exec.Command(name, args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	run("docs/review/archive", filepath.Join(dir, "a.tar.gz"))
	run("tar", "-C", dir, "-xzf", filepath.Join(dir, "a.tar.gz"))
	t.Chdir(filepath.Join(dir, "v2-review"))

	followed := 0
	require.NoError(t, filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			require.FileExists(t, filepath.Join(filepath.Dir(path), m[1]), "linked in %s", path)
			followed++
		}
		for _, rest := range strings.Split(string(text),
			"](https://github.com/zkatbench/zkatbench/blob/")[1:] {
			_, file, _ := strings.Cut(rest[:strings.IndexAny(rest, ")#")], "/")
			_, err := os.Stat(filepath.Join(project, file))
			require.NoError(t, err, "linked in %s", path)
			followed++
		}
		return nil
	}))
	require.NotZero(t, followed)

	readme, err := os.ReadFile("README.txt")
	require.NoError(t, err)
	for _, word := range strings.Fields(string(readme)) {
		if name := strings.TrimLeft(strings.TrimRight(word, `.,:;()"`), `("`); strings.ContainsAny(name,
			"/") && !strings.Contains(name, "://") {
			_, err := os.Stat(name)
			require.NoError(t, err, "named in README.txt")
		}
	}
}
