package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocumentedCommands runs the commands of the pages about results in a
// repository of the synthetic module, with flags that shorten them. A
// comparison may find changes; errors of usage are not allowed.
func TestDocumentedCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("measures")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	t.Setenv("TMPDIR", t.TempDir()) // a lock of its own: the load of hosts has a time to start
	dir, bin := t.TempDir(), t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../bench/result/testdata/synthetic")))
	// Hosts are this machine, gzip stores, and http://node:8080/ is a server of the test.
	require.NoError(t, os.WriteFile(filepath.Join(bin, "gzip"), []byte("#!/bin/sh\nexec cat\n"), 0o755))
	require.NoError(t,
		os.WriteFile(filepath.Join(bin, "ssh"),
			[]byte("#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift 2\nexec sh -c \"$*\"\n"), 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	require.NoError(t,
		os.WriteFile(filepath.Join(dir, "hosts.txt"), []byte("here all "+t.TempDir()+"\n"), 0o600))
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	prepare := `git init -q -b main . && git add . &&
		git -c user.name=A -c user.email=a@example.com commit -qm base &&
		git remote add origin . && git fetch -q origin && git tag v1.2.0 &&
		go test -c -o base.test . && cp base.test head.test &&
		zkatbench run -count 1 -o base.txt . -- -bench=Sum -benchtime=10x &&
		cp base.txt head.txt && cp base.txt earlier.txt &&
		zkatbench run -count 1 -o part1.txt . -- -bench=Sum -benchtime=10x && cp part1.txt part2.txt &&
		echo 'unit sec/op 5%' >gate.rules && mkdir kept && cp base.txt head.txt kept`
	shell := func(line string) (string, int) {
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NotNil(t, cmd.ProcessState, err)
		return string(out), cmd.ProcessState.ExitCode()
	}
	out, exit := shell(prepare)
	require.Zero(t, exit, out)
	count := 0
	for _, page := range []string{"comparing.md", "report.md"} {
		text, err := os.ReadFile(filepath.Join("../../docs", page))
		require.NoError(t, err)
		for _, line := range documented(string(text)) {
			out, exit := shell(strings.Replace(short(line), "http://node:8080/", server.URL, 1))
			if command := strings.Fields(line)[1]; command == "compare" || command == "gate" ||
				strings.Contains(line, " history check ") {
				require.Contains(t, []int{0, 1, 3}, exit, "%s: %s\n%s", page, short(line), out)
				require.NotContains(t, out, "zkatbench: "+command+":", line)
			} else {
				require.Zero(t, exit, "%s: %s\n%s", page, short(line), out)
			}
			count++
		}
	}
	require.GreaterOrEqual(t, count, 19)
}

// TestTutorialEditCompiles makes the edit of the tutorial in a copy of its file.
func TestTutorialEditCompiles(t *testing.T) {
	text, err := os.ReadFile("../../docs/tutorial.md")
	require.NoError(t, err)
	line := regexp.MustCompile(`(?m)^sed -i\.bak ('.*') (\S+)$`).FindStringSubmatch(string(text))
	require.NotNil(t, line, "the tutorial has no edit")
	require.NotRegexp(t, `\\[nt+?|]`, line[1], "sed of BSD and macOS does not know this escape")
	source, err := filepath.Abs(filepath.Join("../..", line[2]))
	require.NoError(t, err)
	before, err := os.ReadFile(source)
	require.NoError(t, err)
	after, err := exec.Command("sh", "-c", "sed "+line[1]+" "+source).Output()
	require.NoError(t, err)
	require.NotEqual(t, string(before), string(after))
	dir := t.TempDir()
	edited, overlay := filepath.Join(dir, "edited.go"), filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(edited, after, 0o600))
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{source: edited}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(overlay, replace, 0o600))
	out, err := exec.Command("go", "build", "-overlay", overlay, filepath.Dir(source)).CombinedOutput()
	require.NoError(t, err, string(out))
}

// documented returns the commands in the blocks of a page.
func documented(page string) (lines []string) {
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(page, -1)
	for _, b := range blocks {
		for line := range strings.Lines(b[1]) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "zkatbench ") {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

var (
	behind   = regexp.MustCompile(` -- .*`)
	packages = regexp.MustCompile(`\./(token/\S*|\.\.\.)`)
	comment  = regexp.MustCompile(`\s+#.*`)
	budget   = regexp.MustCompile(` -budget \S+`)
	cases    = regexp.MustCompile(`'Sender/\S*'`)
)

// short adapts a command to the synthetic module.
func short(line string) string {
	line = cases.ReplaceAllString(comment.ReplaceAllString(line, ""), "Sum")
	measures := packages.MatchString(line) || behind.MatchString(line)
	line = packages.ReplaceAllString(budget.ReplaceAllString(behind.ReplaceAllString(line, ""), ""), "./...")
	line = strings.Replace(line, "zkatbench run", "zkatbench run -f -count 1", 1)
	line = strings.Replace(line, "zkatbench load", "zkatbench load -duration 200ms -warmup=-1s", 1)
	for _, command := range []string{"merge", "report", "score"} {
		line = strings.Replace(line, "zkatbench "+command, "zkatbench "+command+" -f", 1)
	}
	line = strings.Replace(line, "zkatbench watch", "zkatbench watch -once -count 1 -budget 10m", 1)
	for _, command := range []string{"compare", "gate"} {
		line = strings.Replace(line, "zkatbench "+command,
			"zkatbench "+command+" -f -budget 10m -count 2 -threshold 1000%", 1)
	}
	if measures {
		line += " -- -bench=Sum/.*/inputs=[12] -benchtime=10x"
	}
	return line
}
