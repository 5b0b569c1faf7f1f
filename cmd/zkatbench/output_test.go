package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOutputsReplaceNothing: no output replaces an input, even with -f, nor another file
// without -f; both are said before any work.
func TestOutputsReplaceNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	const results = "pkg: p\nBenchmarkA 1 1 ns/op\nBenchmarkA 1 1 ns/op\n"
	require.NoError(t, os.Mkdir("d", 0o755))
	require.NoError(t, os.Mkdir("e", 0o755))
	for _, name := range []string{"a", "b", "old.json", "flame.svg", "d/base.txt", "e/more-time-1.svg",
		"e/cpu.pprof"} {
		require.NoError(t, os.WriteFile(name, []byte(results), 0o600))
	}
	require.NoError(t, os.Symlink("a", "link.md"))
	require.NoError(t, os.Symlink("old.json", "old.txt"))
	refuses(t, map[string]string{
		"compare a b -o link.md -f":   "compare: -o: link.md is an input of this command",
		"compare a b -o c,d":          "compare: -o: c and d: the results go to one folder",
		"compare a b -o c,old.json":   "compare: -o: old.json exists already; -f overwrites it",
		"load http://h/ -o c.md,c.md": "load: -o: c.md is named twice",
		"gate . . . -o d": "gate: -o: d/base.txt exists already; -f " +
			"overwrites it",
		"compare . . . -o e": "compare: -o: e/more-time-1.svg exists already; -f " +
			"overwrites it",
		"load -diagnose e -- true": "load: -diagnose: e/cpu.pprof exists already; -f " +
			"overwrites it",
		"gate d/base.txt b -o d -f":                "gate: -o: d/base.txt is an input of this command",
		"gate . . . -o old.json -pgo=off,old.json": "gate: -o: old.json is an input of this command",
		"report -o a a":                            "report: -o: a is an input of this command",
		"report -o b a":                            "report: -o: b exists already; -f overwrites it",
		"score a -o ./a -f":                        "score: -o: ./a is an input of this command",
		"score b -before a -o a -f":                "score: -o: a is an input of this command",
		"merge a -o b":                             "merge: -o: b exists already; -f overwrites it",
		"run . -o a -before a -f":                  "run: -o: a is an input of this command",
		"load http://127.0.0.1:1/ -o old.json": "load: -o: old.json exists already; -f " +
			"overwrites it",
		"load http://127.0.0.1:1/ -o=old.json " +
			"-body=@a": "load: -o: old.json exists already; -f overwrites it",
		"capacity -o old.txt -rate 1": "capacity: -o: old.txt exists already; -f overwrites it",
		"inside Sender -what=flame": "inside: -o: flame.svg exists already; -f " +
			"overwrites it",
		"shots Sender -o a":         "shots: -o: a exists already; -f overwrites it",
		"headroom -o a -check a -f": "headroom: -o: a is an input of this command",
		"threshold record -o a": "threshold record: -o: a exists already; -f " +
			"overwrites it",
		"threshold picture -o a": "threshold picture: -o: a exists already; -f " +
			"overwrites it",
		"run -o b -nolock . -f -- -bench=. -overlay=b": "run: -o: b is an input of this command",
	})
	for _, name := range []string{"a", "b", "old.json", "flame.svg", "d/base.txt"} {
		kept, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, results, string(kept), name)
	}
	for _, line := range []string{"score a -o old.json -f", "score a -o new", "report a -o -"} {
		_, complaints, status := try(strings.Fields(line)...)
		require.Zero(t, status, "%s: %s", line, complaints)
	}
	written, err := filepath.Glob("new*")
	require.NoError(t, err)
	require.Equal(t, []string{"new"}, written)
}
