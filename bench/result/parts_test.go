package result_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/host"
)

// ofRun is one result of a side of a run that started at a minute.
func ofRun(side string, minute, value int) string {
	return fmt.Sprintf("host: h\ncommand: zkatbench compare\nside: %s\nstarted: "+
		"2026-11-22T06:%02d:00Z\npkg: p\nBenchmarkX 1 %d ns/op\n", side, minute, value)
}

// TestCountsOfResults: a file with more results than it counts is not whole, and
// neither is one with fewer, or with results after the last count.
func TestCountsOfResults(t *testing.T) {
	const line = "BenchmarkX 1 5 ns/op\n"
	for text, partial := range map[string]bool{
		"started: now\n" + line + line + "results: 0\n":                         true,
		"started: now\n" + line + line + "results: 1\n":                         true,
		"started: now\n" + line + line + "results: 2\n":                         false,
		"started: now\n" + line + line + "results: 3\n":                         true,
		"started: now\n" + line + "results: 1\n" + line + line + "results: 2\n": false,
		"started: now\n" + line + "results: 1\n" + line + line + "results: 1\n": true,
		"started: now\n" + line + "results: 1\n" + line:                         true,
		line + "results: 1\n" + line:                                            false, // of another program
		"started: now\n" + line:                                                 true,
		"started: now\n" + line + "results: one\n":                              true,
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			d, err := read(text)
			require.NoError(t, err)
			require.Equal(t, partial, len(d.Partial) > 0, "%q", text)
		})
	}
	d, err := read("started: now\n" + line + "interrupted: by ^C\nresults: 3\n")
	require.NoError(t, err)
	require.Equal(t, []string{"file: interrupted: by ^C",
		`file: it has 1 results, but its lines "results:" count 3`}, d.Partial)
}

// TestFailuresInFiles: lines of go test about a failure are found, each for
// itself, and lines that resemble them are not.
func TestFailuresInFiles(t *testing.T) {
	const line = "pkg: p\nBenchmarkX 1 5 ns/op\n"
	for text, failed := range map[string]bool{
		"panic: runtime error: index out of range": true,
		"--- FAIL: BenchmarkX":                     true,
		"    --- FAIL: BenchmarkX/a=1":             true,
		"\t--- FAIL: BenchmarkX/a=1":               true,
		"FAIL":                                     true,
		"FAIL\tp\t0.1s":                            true,
		"FAILED":                                   false,
		"panicked":                                 false,
		"no panic: here":                           false,
		"PASS":                                     false,
		"ok  \tp\t0.1s":                            false,
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			for _, file := range []string{line + text + "\n", text + "\n" + line, line + text,
				line + text + "\r\n"} {
				names := written(t, file)
				d, err := result.ReadFiles(names...)
				require.NoError(t, err)
				_, err = merged(strict, names...)
				if !failed {
					require.Empty(t, d.Failed)
					require.NoError(t, err)
					continue
				}
				require.Equal(t, []string{names[0] + ": " + strings.TrimSpace(text)}, d.Failed)
				require.ErrorIs(t, err, result.ErrPartial)
				_, err = merged(partial, names...)
				require.NoError(t, err)
			}
		})
	}
}

// TestMachinesDiffer: files that differ in one key of the machine, the Go release or the
// revision are not merged. Other keys may differ.
func TestMachinesDiffer(t *testing.T) {
	for key, refused := range map[string]bool{
		"host": true, "goos": true, "goarch": true, "cpu": true, "cpus": true, "gomaxprocs": true,
		"quota":    true,
		"governor": true, "go": true, "revision": true, "turbo": false, "smt": false, "seed": false,
		"command": false,
	} {
		t.Run(key, func(t *testing.T) {
			var names []string
			for i := range 2 {
				names = append(names,
					written(t, fmt.Sprintf("%s: %d\npkg: p\nBenchmarkX%d 1 5 ns/op\n", key, i, i))...)
			}
			_, err := merged(strict, names...)
			_, hosts := merged(anyHosts, names...)
			_, mixed := merged(result.Accept{Mixed: true}, names...)
			require.NoError(t, mixed)
			data, readErr := result.ReadFiles(names...)
			require.NoError(t, readErr)
			same := result.SameMachine(false, data)
			if !refused {
				require.NoError(t, err)
				require.NoError(t, same)
				return
			}
			require.ErrorIs(t, err, result.ErrMachines)
			require.ErrorContains(t, err, fmt.Sprintf(`%s is ["0" "1"]`, key))
			allowed := map[bool]string{true: "(-allow=host accepts", false: "(-allow=any accepts"}
			require.ErrorContains(t, err, allowed[key == "host"])
			require.Equal(t, key != "host", hosts != nil)
			if key == "go" || key == "revision" {
				require.NoError(t, same, "both sides may differ in it")
				return
			}
			require.ErrorIs(t, same, result.ErrMachines)
			require.Equal(t, key != "host", result.SameMachine(true, data) != nil)
		})
	}
}

// TestMachinesOfMany: the last one of ten data differs.
func TestMachinesOfMany(t *testing.T) {
	var all []*result.Data
	for i := range 10 {
		d, err := read(fmt.Sprintf("cpu: c%d\nBenchmarkX 1 5 ns/op\n", i/9))
		require.NoError(t, err)
		all = append(all, d)
	}
	require.NoError(t, result.SameMachine(false, all[:9]...))
	require.ErrorIs(t, result.SameMachine(false, all...), result.ErrMachines)
}

// TestEachShardIsNeeded: the first shard, a middle one or the last one is missing.
func TestEachShardIsNeeded(t *testing.T) {
	for missing := 1; missing <= 3; missing++ {
		var texts []string
		for i := 1; i <= 3; i++ {
			if i != missing {
				texts = append(texts, shardFile(fmt.Sprintf("%d/3", i), 1, 2, true))
			}
		}
		err := merges(t, strict, texts...)
		require.ErrorIs(t, err, result.ErrPartial)
		require.ErrorContains(t, err, fmt.Sprintf("no file has shard %d/3", missing))
		require.NotContains(t, err.Error(), ";", "one gap")
		err = merges(t, strict, strings.Join(texts, ""))
		require.ErrorContains(t, err, fmt.Sprintf("no file has shard %d/3", missing), "in one file")
	}
	text, err := merged(partial, written(t, shardFile("1/3", 1, 1, true))...)
	require.NoError(t, err)
	require.Contains(t, text, "\nincomplete: no file has shard 2/3\nincomplete: no file has shard 3/3\n")
	err = merges(t, strict, shardFile("12/12", 1, 1, true))
	require.Equal(t, 10, strings.Count(err.Error(), "no file has shard"))
	require.ErrorContains(t, err, "no file has 1 more shard of 12")
	err = merges(t, strict, shardFile("11/11", 1, 1, true))
	require.Equal(t, 10, strings.Count(err.Error(), "no file has shard"))
	require.NotContains(t, err.Error(), "more shards")
}

// TestRunsInOneFile: a file may hold both sides of a run, and several runs. Each of them
// is found again in another file.
func TestRunsInOneFile(t *testing.T) {
	base, head, later := ofRun("base", 1, 5)+"results: 1\n", ofRun("head", 1, 6)+"results: 1\n",
		ofRun("base", 2, 7)+"results: 1\n"
	merge := func(texts ...string) error { return merges(t, strict, texts...) }
	require.NoError(t, merge(base+head))
	require.NoError(t, merge(base, head, later))
	require.NoError(t, merge(base+head+later))
	require.NoError(t, merge(base+later, head))
	other := ofRun("base", 1, 9) + "results: 1\n" // other results of the run
	for name, texts := range map[string][]string{
		"the first side":  {base + head, other},
		"the second side": {head + base, other},
		"the first run":   {base + later, other},
		"the second run":  {later + base, other},
		"the third file":  {head, later, base, other},
	} {
		t.Run(name, func(t *testing.T) {
			for range 2 {
				err := merge(texts...)
				require.ErrorIs(t, err, result.ErrDouble)
				require.ErrorContains(t, err,
					"both have results of the run that started 2026-11-22T06:01:00Z")
				texts[0], texts[len(texts)-1] = texts[len(texts)-1], texts[0]
			}
		})
	}
	err := merge(shardFile("1/2", 1, 1, true)+shardFile("1/2", 2, 2, true), shardFile("2/2", 1, 1, true))
	require.ErrorIs(t, err, result.ErrDouble)
	require.ErrorContains(t, err, "has shard 1/2 of two runs")
	require.ErrorContains(t, merge(head, base, base), "have the same results")
}

// TestNoiseExactly: the steal time of a processor counts from a hundredth of the time of
// all on, and a stop by the quota always.
func TestNoiseExactly(t *testing.T) {
	state := func(steal, throttled float64) host.State {
		return host.State{CPUs: 2, Steal: &steal, Throttled: &throttled}
	}
	for _, c := range []struct {
		steal, throttled float64
		want             []string
	}{
		{0, 0, nil}, {0.19, 0, nil},
		{0.5, 0,
			[]string{
				"the hypervisor took 2.50 % of the processor time; other virtual machines affect the " +
					"figures (measure on a dedicated machine)",
			}},
		{0, 0.3,
			[]string{
				"the quota stopped the program 3.00 % of the time; the figures measure the quota (raise " +
					"the quota, or set GOMAXPROCS below it)",
			}}, {-1, -1, nil},
	} {
		t.Run(fmt.Sprintf("steal %v, throttled %v", c.steal, c.throttled), func(t *testing.T) {
			require.Equal(t, c.want,
				result.NoiseAfter(state(1, 1), state(1+c.steal, 1+c.throttled), 10*time.Second))
		})
	}
	require.Empty(t, result.NoiseAfter(host.State{}, state(9, 9), 10*time.Second), "unknown before")
	require.Empty(t, result.NoiseAfter(state(1, 1), host.State{CPUs: 2}, 10*time.Second), "unknown after")
	require.Empty(t, result.NoiseAfter(state(1, 1), state(9, 1), 0), "no time")
}

// TestVacant: a file with content is named, and an empty one is not.
func TestVacant(t *testing.T) {
	names := written(t, "x", "")
	require.EqualError(t, result.Vacant(names[0]), names[0]+" exists already; -f overwrites it")
	require.ErrorIs(t, result.Vacant(names[0]), result.ErrExists)
	require.NoError(t, result.Vacant(names[1]))
	require.NoError(t, result.Vacant(names[1]+"x"))
	require.NoError(t, result.Vacant(t.TempDir()))
}
