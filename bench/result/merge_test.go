package result_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

// shardFile returns the text of a file that run writes: one shard, started at a
// minute, with n results of 600; ended says that the run ended.
func shardFile(shard string, minute, n int, ended bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "host: h\ncommand: zkatbench run\nstarted: 2026-11-22T06:%02d:00Z\nshard: %s\npkg: p\n",
		minute, shard)
	for i := range n {
		fmt.Fprintf(&b, "BenchmarkX/shard=%s/i=%d 1 %d ns/op\n", shard, i, minute*1000+i)
	}
	if ended {
		fmt.Fprintf(&b, "results: %d\n", n)
	}
	return b.String()
}

// written writes texts to files a, b, … of a folder and returns their names.
func written(t *testing.T, texts ...string) (names []string) {
	t.Helper()
	dir := t.TempDir()
	for i, text := range texts {
		name := filepath.Join(dir, string(rune('a'+i)))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		names = append(names, name)
	}
	return names
}

// merged merges files, and returns the text.
func merged(accept result.Accept, names ...string) (string, error) {
	var out bytes.Buffer
	err := result.Merge(&out, accept, names...)
	return out.String(), err
}

// merges merges texts.
func merges(t *testing.T, accept result.Accept, texts ...string) error {
	t.Helper()
	_, err := merged(accept, written(t, texts...)...)
	return err
}

// The usual, and other conditions of Merge.
var (
	strict   = result.Accept{}
	partial  = result.Accept{Partial: true}
	doubles  = result.Accept{Doubles: true}
	anyHosts = result.Accept{Hosts: true}
)

// TestMergeRefusesPartsOfAWhole merges shards that are cut, missing or present
// twice. Merge must refuse each, name the cause, and write nothing; the Accept
// of the case must suffice.
func TestMergeRefusesPartsOfAWhole(t *testing.T) {
	one, two := shardFile("1/2", 1, 600, true), shardFile("2/2", 1, 600, true)
	cut := strings.Join(strings.SplitAfter(two, "\n")[:5+598], "") + "results: 600\n"
	for name, c := range map[string]struct {
		files  []string
		kind   error
		says   string
		accept result.Accept
	}{
		"killed at 98 of 600": {[]string{one, shardFile("2/2", 1, 98, false)}, result.ErrPartial,
			`b: it was cut, or its run did not end: no line "results: N" follows the last of 98 results`,
			partial},
		"two lines are lost": {[]string{one, cut}, result.ErrPartial,
			`b: it has 598 results, but its lines "results:" count 600`, partial},
		"interrupted": {[]string{one,
			shardFile("2/2", 1, 98, false) + "interrupted: 98 of 600 results\nresults: 98\n"},
			result.ErrPartial, "b: interrupted: 98 of 600 results", partial},
		"one of a billion shards": {[]string{shardFile("1/1000000000", 1, 1, true)}, result.ErrPartial,
			"no file has 999 999 989 more shards of 1000000000", partial},
		"the same file twice": {[]string{one, one}, result.ErrDouble, "a and ",
			result.Accept{Doubles: true, Partial: true}},
		"a part and its whole": {[]string{one + two, two}, result.ErrDouble,
			"both have results of shard 2/2 of the run that started 2026-11-22T06:01:00Z",
			doubles},
		"a shard of another run": {[]string{one, two, shardFile("2/2", 7, 600, true)}, result.ErrDouble,
			"shard 2/2 is in ", doubles},
		"a failed benchmark": {[]string{"pkg: p\nBenchmarkX 1 5 ns/op\n--- FAIL: BenchmarkY\nFAIL\n"},
			result.ErrPartial, "a: --- FAIL: BenchmarkY", partial},
		"equal foreign files": {[]string{"pkg: p\nBenchmarkX 1 5 ns/op\n",
			"pkg: p\nBenchmarkX 1 5 ns/op\n"}, result.ErrDouble, "have the same results",
			doubles},
	} {
		t.Run(name, func(t *testing.T) {
			names := written(t, c.files...)
			text, err := merged(strict, names...)
			require.ErrorIs(t, err, c.kind)
			require.ErrorContains(t, err, c.says)
			require.Empty(t, text)
			text, err = merged(c.accept, names...)
			require.NoError(t, err)
			if c.kind == result.ErrPartial {
				require.ErrorIs(t, merges(t, strict, text), result.ErrPartial, "the gap is recorded")
			}
		})
	}
}

// TestRunsAreToldApart: files with different results, of runs that differ in one key
// only, are not doubles.
func TestRunsAreToldApart(t *testing.T) {
	file := func(key, value string, ns int) string {
		return fmt.Sprintf("host: h\ncommand: c\nstarted: 2026-11-22T06:01:00Z\nside: old\n%s: %s\npkg: "+
			"p\nBenchmarkX 1 %d ns/op\nresults: 1\n", key, value, ns)
	}
	for key, value := range map[string]string{"host": "i", "command": "d", "started": "2026-11-22T06:01:01Z",
		"side": "new", "shard": "1/1"} {
		t.Run(key, func(t *testing.T) {
			require.NoError(t, merges(t, anyHosts, file("host", "h", 1), file(key, value, 2)))
		})
	}
	err := merges(t, strict, file("host", "h", 1), file("host", "h", 2))
	require.ErrorIs(t, err, result.ErrDouble, "one run")
}

// TestMergeAcceptsWholes merges whole shards, files of other programs and
// merged files, which must count their results.
func TestMergeAcceptsWholes(t *testing.T) {
	text, err := merged(strict, written(t, shardFile("1/2", 1, 3, true), shardFile("2/2", 2, 4, true),
		"pkg: q\nBenchmarkX 1 5 ns/op\nPASS\nok  \tq\t1.2s\n")...)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(text, "\nresults: 8\n"), text)
	again, err := merged(strict, written(t, text)...)
	require.NoError(t, err)
	require.Equal(t, text, again)

	joined := written(t, shardFile("1/2", 1, 3, true)+shardFile("2/2", 2, 4, true)) // by cat
	d, err := result.ReadFiles(joined...)
	require.NoError(t, err)
	require.Empty(t, d.Partial)
	require.Empty(t, d.Config["results"])
	again, err = merged(strict, joined...)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(again, "results:"))
}

// TestMergeInto: shards without results have no file, and a gap leaves no file.
func TestMergeInto(t *testing.T) {
	names := append(written(t, shardFile("1/2", 1, 3, true), shardFile("2/2", 2, 4, true)), "")
	to := filepath.Join(t.TempDir(), "all")
	require.ErrorIs(t, result.MergeInto(to, strict, names[1:]), result.ErrPartial)
	require.NoFileExists(t, to)
	require.NoError(t, result.MergeInto(to, strict, names))
	want, err := merged(strict, names[:2]...)
	require.NoError(t, err)
	text, err := os.ReadFile(to)
	require.NoError(t, err)
	require.Equal(t, want, string(text))
	require.Len(t, names, 3)
	require.Empty(t, names[2], "the names stay as they are")
}

// TestASideThatEndsSaysSo: by the reasons for which results are missing, and by their number.
func TestASideThatEndsSaysSo(t *testing.T) {
	var out bytes.Buffer
	c := result.NewContender(nil, result.Stream{Writer: &out})
	require.NoError(t, c.Lacks("A\nis missing"))
	require.NoError(t, c.End(true))
	require.Equal(t, "incomplete: A; is missing\ninterrupted: after 0 results\nresults: 0\n", out.String())
}
