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
			result.Accept{Partial: true}},
		"two lines are lost": {[]string{one, cut}, result.ErrPartial,
			`b: it has 598 results, but its lines "results:" count 600`, result.Accept{Partial: true}},
		"interrupted": {[]string{one,
			shardFile("2/2", 1, 98, false) + "interrupted: 98 of 600 results\nresults: 98\n"},
			result.ErrPartial, "b: interrupted: 98 of 600 results", result.Accept{Partial: true}},
		"one of two shards": {[]string{one}, result.ErrPartial, "no file has shard 2/2",
			result.Accept{Partial: true}},
		"one of a billion shards": {[]string{shardFile("1/1000000000", 1, 1, true)}, result.ErrPartial,
			"no file has 999 999 989 more shards of 1000000000", result.Accept{Partial: true}},
		"the same file twice": {[]string{one, one}, result.ErrDouble, "a and ",
			result.Accept{Doubles: true, Partial: true}},
		"a part and its whole": {[]string{one + two, two}, result.ErrDouble,
			"both have results of shard 2/2 of the run that started 2026-11-22T06:01:00Z",
			result.Accept{Doubles: true}},
		"a shard of another run": {[]string{one, two, shardFile("2/2", 7, 600, true)}, result.ErrDouble,
			"shard 2/2 is in ", result.Accept{Doubles: true}},
		"a failed benchmark": {[]string{"pkg: p\nBenchmarkX 1 5 ns/op\n--- FAIL: BenchmarkY\nFAIL\n"},
			result.ErrPartial, "a: --- FAIL: BenchmarkY", result.Accept{Partial: true}},
		"equal foreign files": {[]string{"pkg: p\nBenchmarkX 1 5 ns/op\n",
			"pkg: p\nBenchmarkX 1 5 ns/op\n"}, result.ErrDouble, "have the same results",
			result.Accept{Doubles: true}},
	} {
		t.Run(name, func(t *testing.T) {
			names := written(t, c.files...)
			var out bytes.Buffer
			err := result.Merge(&out, result.Accept{}, names...)
			require.ErrorIs(t, err, c.kind)
			require.ErrorContains(t, err, c.says)
			require.Empty(t, out.String())
			require.NoError(t, result.Merge(&out, c.accept, names...))

			whole := written(t, out.String())
			if c.kind == result.ErrPartial {
				require.ErrorIs(t, result.Merge(&bytes.Buffer{}, result.Accept{}, whole...),
					result.ErrPartial, "the gap is recorded")
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
		err := result.Merge(&bytes.Buffer{}, result.Accept{Hosts: true},
			written(t, file("host", "h", 1), file(key, value, 2))...)
		require.NoError(t, err, key)
	}
	err := result.Merge(&bytes.Buffer{}, result.Accept{},
		written(t, file("host", "h", 1), file("host", "h", 2))...)
	require.ErrorIs(t, err, result.ErrDouble, "one run")
}

// TestMergeAcceptsWholes merges whole shards, files of other programs and
// merged files, which must count their results.
func TestMergeAcceptsWholes(t *testing.T) {
	names := written(t, shardFile("1/2", 1, 3, true), shardFile("2/2", 2, 4, true),
		"pkg: q\nBenchmarkX 1 5 ns/op\nPASS\nok  \tq\t1.2s\n")
	var out, again bytes.Buffer
	require.NoError(t, result.Merge(&out, result.Accept{}, names...))
	require.True(t, strings.HasSuffix(out.String(), "\nresults: 8\n"), out.String())
	require.NoError(t, result.Merge(&again, result.Accept{}, written(t, out.String())...))
	require.Equal(t, out.String(), again.String())

	joined := written(t, shardFile("1/2", 1, 3, true)+shardFile("2/2", 2, 4, true)) // by cat
	d, err := result.ReadFiles(joined...)
	require.NoError(t, err)
	require.Empty(t, d.Partial)
	require.Empty(t, d.Config["results"])
	again.Reset()
	require.NoError(t, result.Merge(&again, result.Accept{}, joined...))
	require.Equal(t, 1, strings.Count(again.String(), "results:"))
}

func TestEveryWriterCountsItsResults(t *testing.T) {
	d, err := result.ReadFiles(run(t, 2, result.Shard{}))
	require.NoError(t, err)
	require.Empty(t, d.Partial)
	text, err := os.ReadFile(run(t, 2, result.Shard{}))
	require.NoError(t, err)
	require.True(t, bytes.HasSuffix(text, []byte("\nresults: 8\n")))

	var out bytes.Buffer
	c := result.NewContender(nil, result.Stream{Writer: &out})
	require.NoError(t, c.End(true))
	require.Equal(t, "interrupted: after 0 results\nresults: 0\n", out.String())
}
