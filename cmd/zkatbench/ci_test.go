package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// needs skips a test of a script where the shell or a program is missing.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skip("needs " + p)
		}
	}
}

// TestCompareTakesNoOptions: .ci/compare refuses names that begin with -.
func TestCompareTakesNoOptions(t *testing.T) {
	needs(t, "bash", "git")
	mark := filepath.Join(t.TempDir(), "mark")
	bad := "--upload-pack=touch " + mark
	for _, args := range [][]string{{bad, "HEAD"}, {"HEAD", bad}} {
		out, err := exec.Command("../../.ci/compare", append(args, t.TempDir())...).CombinedOutput()
		require.EqualError(t, err, "exit status 2")
		require.Contains(t, string(out), "does not begin with -")
	}
	require.NoFileExists(t, mark)
}

// TestComment: the first run writes a comment, and later ones replace it. The program
// gh is a script here that records its arguments.
func TestComment(t *testing.T) {
	needs(t, "bash")
	dir := t.TempDir()
	const gh = "#!/bin/bash\necho \"$@\" >>asked\nif [[ $* != *--method* ]]; then cat id 2>/dev/null || " +
		"true; fi\n" +
		"if [[ -e fails && $* == *$(cat fails)* ]]; then exit 1; fi\n" +
		"for a in \"$@\"; do if [[ $a == body=@* ]]; then cat \"${a#body=@}\" >body; fi; done\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "gh"), []byte(gh), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "summary.md"), []byte("`$(touch mark)`\n"), 0o600))
	script, err := filepath.Abs("../../.ci/comment")
	require.NoError(t, err)
	var printed string
	run := func(number string) string {
		_ = os.Remove(filepath.Join(dir, "asked"))
		c := exec.Command(script, "summary.md")
		c.Dir = dir
		c.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "GITHUB_REPOSITORY=a/b",
			"PULL_REQUEST="+number)
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
		printed = string(out)
		asked, _ := os.ReadFile(filepath.Join(dir, "asked"))
		return string(asked)
	}
	require.Contains(t, run("7"), "--method POST repos/a/b/issues/7/comments ")
	body, err := os.ReadFile(filepath.Join(dir, "body"))
	require.NoError(t, err)
	require.Equal(t, "<!-- zkatbench -->\n`$(touch mark)`\n", string(body))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "id"), []byte("42\n"), 0o600))
	require.Contains(t, run("7"), "--method PATCH repos/a/b/issues/comments/42 ")
	require.Empty(t, printed)
	for _, call := range []string{"--paginate", "--method"} { // as with the token of a fork
		require.NoError(t, os.WriteFile(filepath.Join(dir, "fails"), []byte(call), 0o600))
		require.Contains(t, run("7"), call)
		require.Regexp(t, `^::warning .*no comment`, printed)
	}
	require.Empty(t, run(""), "no pull request")
	require.Empty(t, run("7; touch mark"))
	require.NoFileExists(t, filepath.Join(dir, "mark"))
}
