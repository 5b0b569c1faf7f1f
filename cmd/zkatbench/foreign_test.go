package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// TestFilesShowForeignText: results have control characters in the name of a package, a
// case and a unit, in a key and in its value. Files for people must not contain them.
func TestFilesShowForeignText(t *testing.T) {
	dir := t.TempDir()
	name := func(n string) string { return filepath.Join(dir, n) }
	lines := []string{"machine: a\x1b[31mb\u202ec", "pkg: p\x1b]0;x\x07", "note\u200b: d\x7fe"}
	for range 10 {
		lines = append(lines, "BenchmarkA\x1b[2J/x=\u202eb 1 100 ns/op 5 un\x1bits/op")
	}
	require.NoError(t, os.WriteFile(name("a.txt"), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	other := strings.ReplaceAll(strings.Join(lines, "\n"), " 100 ns", " 200 ns")
	require.NoError(t, os.WriteFile(name("b.txt"), []byte(other+"\n"), 0o600))
	for _, args := range [][]string{

		{"compare", "-o=" + name("compare.md") + "," + name("compare.json"), name("a.txt"),
			name("b.txt")},
		{"report", "-o=" + name("report.html"), name("a.txt"), name("b.txt")},
		{"score", "-o=" + name("scores.txt"), name("b.txt")},
		{"score", "-o=" + name("score.md"), "-before=" + name("a.txt"), name("b.txt")},
	} {
		_, errors, status := try(args...)
		require.Zero(t, status, "%s: %s", args[0], errors)
	}
	for file, hidden := range map[string]func(c rune) bool{
		"compare.md": unseen, "report.html": unseen, "score.md": unseen, "scores.txt": unseen,
		"compare.json": func(c rune) bool { return c < ' ' }, // for programs, which need the names
	} {
		t.Run(file, func(t *testing.T) {
			raw, err := os.ReadFile(name(file))
			require.NoError(t, err)
			require.NotEmpty(t, raw, file)
			for _, c := range string(raw) {
				require.False(t, c != '\n' && c != '\t' && hidden(c), "%s has %U", file, c)
			}
		})
	}
}

// unseen reports whether a terminal obeys c instead of printing it.
func unseen(c rune) bool {
	return unicode.IsControl(c) || unicode.In(c, unicode.Cf, unicode.Zl, unicode.Zp)
}
