package result

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/pin"
)

// scripted returns a binary of package p that is a shell script.
func scripted(t *testing.T, text string) Binary {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	name := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(name, []byte("#!/bin/sh\n"+text), 0o700))
	return Binary{Package: "p", Dir: t.TempDir(), Path: name}
}

// keysOf are cases of package p.
func keysOf(names ...string) (keys []Key) {
	for _, n := range names {
		keys = append(keys, Key{"p", n})
	}
	return keys
}

// sinkOf keeps lines, up to a number of calls; then it fails.
type sinkOf struct {
	lines []string
	calls int
}

var errSink = errors.New("no space left")

func (s *sinkOf) Append(lines ...string) error {
	if s.calls--; s.calls < 0 {
		return errSink
	}
	s.lines = append(s.lines, lines...)
	return nil
}

// TestProcessExactly: a process runs in its folder with its arguments and variables; its
// lines of the format are emitted.
func TestProcessExactly(t *testing.T) {
	b := scripted(t, "echo pkg: p; echo \"BenchmarkX 5 100 ns/op\"; pwd >&2; echo args: \"$@\"; echo env: $A $B; exit ${STATUS:-0}\n")
	b.Env, b.Unknown = []string{"A=1", "B=2"}, []string{"-x"}
	var lines []printed
	keep := func(l printed) { lines = append(lines, l) }
	_, err := b.process(t.Context(), Flags{Run: []string{"-test.cpu=1", "-x=3"}}, "^X$", keep)
	require.NoError(t, err)
	require.Equal(t, []printed{{Text: "pkg: p"}, {"BenchmarkX 5 100 ns/op", "X"}, {Text: "args: -test.run=^$ -test.bench=^X$ -test.cpu=1"}, {Text: "env: 1 2"}}, lines)
	b.Env = append(b.Env, "STATUS=3")
	took, err := b.process(t.Context(), Flags{}, "^X$", keep)
	require.Zero(t, took)
	dir, linkErr := filepath.EvalSymlinks(b.Dir)
	require.NoError(t, linkErr)
	require.EqualError(t, err, "p: exit status 3: "+dir)
	b.Path += "x"
	_, err = b.process(t.Context(), Flags{}, "^X$", keep)
	require.ErrorIs(t, err, ErrTool)
	require.ErrorContains(t, err, "needs "+b.Path+": ")

	other := scripted(t, "echo BAD 1; echo PASS; echo BAD 2; echo complaint >&2; exit 1\n")
	_, err = other.process(t.Context(), Flags{}, "", keep)
	require.EqualError(t, err, "p: exit status 1: complaint; BAD 1; BAD 2")
}

// TestKilledProcesses: a process that a signal ended may have had the same ^C as this one,
// so the cause is awaited for a moment.
func TestKilledProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := scripted(t, "kill -KILL $$\n")
		begun := time.Now()
		_, err := b.process(t.Context(), Flags{}, "", func(printed) {})
		require.EqualError(t, err, "p: signal: killed")
		require.Equal(t, grace, time.Since(begun))
		ctx, cancel := context.WithTimeout(t.Context(), grace/2)
		defer cancel()
		begun = time.Now()
		_, err = b.process(ctx, Flags{}, "", func(printed) {})
		require.Equal(t, context.DeadlineExceeded, err)
		require.Equal(t, grace/2, time.Since(begun))
		fails := scripted(t, "exit 1\n")
		begun = time.Now()
		_, err = fails.process(t.Context(), Flags{}, "", func(printed) {})
		require.EqualError(t, err, "p: exit status 1")
		require.Zero(t, time.Since(begun))
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := scripted(t, "exit 0\n").process(ctx, Flags{}, "", func(printed) {})
	require.Error(t, err)
}

// TestClassify: lines of the format are results, Unit lines and configuration.
func TestClassify(t *testing.T) {
	for text, want := range map[string]string{
		"BenchmarkX-2 5 100 ns/op": "X-2", "Unit size-B assume=exact": "", "goos: linux": "", "pkg: p": "",
		"PASS": "no", "ok p 1s": "no", "": "no", "BenchmarkX": "no", "BenchmarkX 5 five ns/op": "no", "--- FAIL: X": "no", "Goos: linux": "no",
	} {
		line, ok := classify(text)
		require.Equal(t, want != "no", ok, text)
		if ok {
			require.Equal(t, printed{text, want}, line)
		}
	}
}

// TestCasesOnce: each case is found once, in order, by one iteration.
func TestCasesOnce(t *testing.T) {
	b := scripted(t, "case \"$*\" in *-test.cpu=1\\ -test.benchtime=1x) ;; *) exit 9;; esac\nfor n in B A B A C; do echo Benchmark$n 1 5 ns/op; done\n")
	f := Flags{Bench: "x", Run: append(make([]string, 0, 5), "-test.cpu=1")}
	keys, err := b.Cases(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, keysOf("B", "A", "C"), keys)
	require.Empty(t, f.Run[:2][1], "the flags stay as they are")
	_, err = b.Cases(t.Context(), Flags{})
	require.ErrorContains(t, err, "exit status 9")
}

// TestProbe: unknown flags are found one after the other; another fault is returned, and
// so is a flag that is unknown although it was left out.
func TestProbe(t *testing.T) {
	b := scripted(t, "for a in \"$@\"; do case $a in -x*|-y) echo \"flag provided but not defined: ${a%%=*}\" >&2; exit 2;; esac; done; [ \"$2\" = '-test.bench=^$' ]\n")
	require.NoError(t, b.Probe(t.Context(), Flags{Run: []string{"-x=1", "-a", "-y", "2"}}))
	require.Equal(t, []string{"-x", "-y"}, b.Unknown)
	require.NoError(t, b.Probe(t.Context(), Flags{}))
	require.Len(t, b.Unknown, 2)
	b = scripted(t, "echo 'flag provided but not defined: -z' >&2; exit 2\n")
	require.EqualError(t, b.Probe(t.Context(), Flags{}), "p: exit status 2: flag provided but not defined: -z")
	require.Equal(t, []string{"-z"}, b.Unknown)
	b = scripted(t, "exit 7\n")
	require.EqualError(t, b.Probe(t.Context(), Flags{}), "p: exit status 7")
	require.Empty(t, b.Unknown)
}

// TestWithout: the named flags leave with their values, however they are written.
func TestWithout(t *testing.T) {
	for _, c := range []struct{ args, names, want string }{
		{"-a 1 -b 2 -c", "-b", "-a 1 -c"}, {"-a=1 -b=2 -c", "-a", "-b=2 -c"}, {"-a=1 2 -b", "-a", "2 -b"}, {"--a 1 -b", "-a", "-b"},
		{"-a -b", "-a", "-b"}, {"-b -a", "-a", "-b"}, {"-a 1", "-a", ""}, {"1 2 -a", "-b", "1 2 -a"}, {"-a 1 -b 2 3", "-a -b", "3"}, {"", "-a", ""},
		{"x -a 1", "-a", "x"}, {"a b c d -z 1 e f g h i", "-z", "a b c d e f g h i"},
	} {
		require.Equal(t, c.want, strings.Join(without(strings.Fields(c.args), strings.Fields(c.names)), " "), c.args)
	}
}

// TestFlagsExactly: values joined and apart, switches, prefixes, and the errors.
func TestFlagsExactly(t *testing.T) {
	f, err := ParseFlags([]string{"--test.bench", "X", "-race=false", "-cover", "-tags", "a,b", "-timeout=", "-own", "v", "-parallel", "-2", "-short", "--bits=8"})
	require.NoError(t, err)
	require.Equal(t, Flags{
		Bench: "X", Run: []string{"-test.timeout=", "-own", "v", "-test.parallel=-2", "-test.short", "--bits=8"}, Build: []string{"-race=false", "-cover", "-tags=a,b"},
		Stated: "--test.bench X -race=false -cover -tags a,b -timeout= -own v -parallel -2 -short --bits=8",
	}, f)
	f, err = ParseFlags(nil)
	require.NoError(t, err)
	require.Equal(t, Flags{Bench: "."}, f)
	for text, want := range map[string]string{
		"-count=3": "-count cannot be given after --: use zkatbench run -count", "-x -test.run Y": "-run cannot be given after --: only benchmarks are run",
		"-v": "-v cannot be given after --: it would break the lines of results", "-json": "-json cannot be given after --: it would break the lines of results",
		"-o=x": "-o cannot be given after --: use zkatbench run -o", "-short -bench": "-bench cannot be given after -- without a value", "-tags": "-tags cannot be given after -- without a value",
	} {
		_, err := ParseFlags(strings.Fields(text))
		require.EqualError(t, err, want)
		require.ErrorIs(t, err, ErrFlag)
	}
	for name, want := range map[string]bool{
		"bench": true, "test.bench": true, "count": true, "test.v": true, "tags": true, "overlay": true, "skip": true, "bits": false, "test.bits": false, "": false,
	} {
		require.Equal(t, want, IsTestFlag(name), name)
	}
	for _, all := range [][]string{ofTests, ofBuild} {
		for _, name := range all {
			require.True(t, IsTestFlag(name))
		}
	}
	var all, run, build []string
	for i := range 10 {
		all = append(all, fmt.Sprintf("-own%d", i), fmt.Sprint("v", i), fmt.Sprint("-cpu=", i), fmt.Sprint("-tags=", i))
		run = append(run, fmt.Sprintf("-own%d", i), fmt.Sprint("v", i), fmt.Sprint("-test.cpu=", i))
		build = append(build, fmt.Sprint("-tags=", i))
	}
	f, err = ParseFlags(all)
	require.NoError(t, err)
	require.Equal(t, Flags{Bench: ".", Run: run, Build: build, Stated: strings.Join(all, " ")}, f)
}

// TestEndingsExactly: the evidence in a file, and the reasons that it gives.
func TestEndingsExactly(t *testing.T) {
	const cut = `it was cut, or its run did not end: no line "results: N" follows the last of 2 results`
	const result = "BenchmarkX 1 5 ns/op\n"
	for text, c := range map[string]struct {
		want ending
		why  []string
	}{
		"":                 {ending{}, nil},
		"started: now\r\n": {ending{ours: true}, []string{cut}},
		"started: now\n" + result + "results: 2\r\n": {ending{ours: true, counted: 2, ended: true}, nil},
		"results: 2":                                {ending{counted: 2, ended: true}, nil},
		"results:1\nresults: 1\n":                   {ending{counted: 2, ended: true}, nil},
		"results: 3\n":                              {ending{counted: 3, ended: true}, []string{`it has 2 results, but its lines "results:" count 3`}},
		"results: 2\n" + result:                     {ending{counted: 2}, nil},
		"started: now\nresults: 2\n" + result:       {ending{ours: true, counted: 2}, []string{cut}},
		"started: now\nresults: two\n":              {ending{ours: true}, []string{cut}},
		"started: now\ninterrupted: by ^C\n":        {ending{ours: true, doubts: []string{"interrupted: by ^C"}}, []string{"interrupted: by ^C"}},
		"incomplete: so: b\nresults: 2":             {ending{counted: 2, ended: true, doubts: []string{"so: b"}}, []string{"so: b"}},
		"incomplete: a\ninterrupted: b\nresults: 9": {ending{counted: 9, ended: true, doubts: []string{"a", "interrupted: b"}}, []string{"a", "interrupted: b", `it has 2 results, but its lines "results:" count 9`}},
		"  --- FAIL: X \r\nFAIL\n":                  {ending{failed: []string{"--- FAIL: X", "FAIL"}}, nil},
	} {
		e := endingOf(text)
		require.Equal(t, c.want, e, "%q", text)
		require.Equal(t, c.why, e.partial(2), "%q", text)
		require.Equal(t, c.want, e, "the ending stays as it is")
	}
	require.Equal(t, "results: 7", EndLine(7))
}

// TestDataExactly: samples, units, means and configuration of a file.
func TestDataExactly(t *testing.T) {
	d := NewData()
	const text = "goos: linux\npkg: p\nUnit size-B assume=exact\nBenchmarkA 10 2000000000 ns/op 7 size-B\nBenchmarkB 1 5 size-B\n" +
		"pkg: q\nBenchmarkA 1 3 B/op\npkg: p\nBenchmarkA 20 4000000000 ns/op 8 size-B\nBenchmarkA 60 1000000000 ns/op\nresults: 5\n"
	require.NoError(t, d.Read(strings.NewReader(text), "f"))
	a, b := Key{"p", "A"}, Key{"p", "B"}
	require.Equal(t, []Key{a, b, {"q", "A"}}, d.Cases)
	require.Equal(t, []string{"sec/op", "size-B", "B/op"}, d.Units)
	require.Equal(t, map[Key]map[string][]float64{a: {"sec/op": {2, 4, 1}, "size-B": {7, 8}}, b: {"size-B": {5}}, {"q", "A"}: {"B/op": {3}}}, d.Values)
	require.InDelta(t, (20+80+60)/3., d.Spent[a], 1e-9)
	require.InDelta(t, 30, d.Iters[a], 1e-9)
	require.Len(t, d.Spent, 1)
	require.Equal(t, map[string][]string{"goos": {"linux"}, "pkg": {"p", "q"}}, d.Config)
	require.Empty(t, d.Partial)
	require.Len(t, d.Meta, 1)

	require.EqualError(t, NewData().Read(strings.NewReader("x"), "f"), "f: no benchmark was run")
	require.EqualError(t, NewData().Read(strings.NewReader("BenchmarkX 1 five ns/op\n"), "f"), "f:1: parsing measurement: invalid syntax")
	require.Error(t, NewData().Read(strings.NewReader("BenchmarkY 1 1 ns/op\nBenchmarkX 1 five ns/op\nresults: 2\nFAIL\n"), "f"))
	require.EqualError(t, NewData().Read(failing{}, "f"), "f: no space left")
	_, err := ReadFiles(filepath.Join(t.TempDir(), "absent"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// failing neither reads nor writes.
type failing struct{}

func (failing) Read([]byte) (int, error)  { return 0, errSink }
func (failing) Write([]byte) (int, error) { return 0, errSink }

// TestEnvironmentLines: all lines, and those that are left out.
func TestEnvironmentLines(t *testing.T) {
	e := Environment{
		Host: "h", Memory: "9ns", Revision: "abc", Command: "a\nb", Seed: 7, Shard: Shard{2, 3}, Started: time.Date(2026, 11, 23, 1, 2, 3, 0, time.UTC), Noise: []string{"one", "two"},
		Pin:   pin.Plan{Measured: []int{3}, Idle: []int{5}},
		State: host.State{CPUs: 4, GOMAXPROCS: 2, Governor: "performance", Turbo: "off", SMT: "on", Quota: "1.5", GOGC: "100", Go: "go1.26", Version: "v1", CPU: "c"},
	}
	want := []string{
		"host: h", "cpus: 4", "gomaxprocs: 2", "governor: performance", "turbo: off", "smt: on", "pinned: 3 (5 idle)", "quota: 1.5", "gogc: 100", "go: go1.26",
		"zkatbench: v1", "revision: abc", "command: a b", "seed: 7", "started: 2026-11-23T01:02:03Z", "memory: 9ns", "cpu: c", "noise: one; two", "shard: 2/3",
	}
	require.Equal(t, want, e.Lines())
	e.State.CPU, e.Noise, e.Shard = host.Unknown, nil, Shard{1, 1}
	require.Equal(t, want[:16], e.Lines())
	e.Shard, e.Noise = Shard{2, 2}, []string{"one"}
	require.Equal(t, append(want[:16:16], "noise: one", "shard: 2/2"), e.Lines())

	before := time.Now().UTC()
	o := Observe(t.Context(), t.TempDir(), "cmd", pin.Plan{Measured: []int{0, 1, 2}, Governor: "userspace"})
	require.Equal(t, "userspace", o.State.Governor)
	require.Equal(t, 3, o.State.GOMAXPROCS)
	require.Equal(t, "cmd", o.Command)
	require.Equal(t, host.Unknown, o.Revision)
	require.Equal(t, pin.Plan{Measured: []int{0, 1, 2}, Governor: "userspace"}, o.Pin)
	require.WithinRange(t, o.Started, before, time.Now().UTC())
	require.Equal(t, time.UTC, o.Started.Location())
	require.Equal(t, noiseBefore(o.State, os.DirFS("/"))[0], o.Noise[0], "the governor")
	name, err := os.Hostname()
	require.NoError(t, err)
	require.Equal(t, name, o.Host)
	o = Observe(t.Context(), ".", "cmd", pin.Plan{})
	require.Equal(t, runtime.GOMAXPROCS(0), o.State.GOMAXPROCS)
}

// TestNoiseBeforeExactly: each warning and its limit.
func TestNoiseBeforeExactly(t *testing.T) {
	battery := func(status ...string) fstest.MapFS {
		files := fstest.MapFS{}
		for i, s := range status {
			files[fmt.Sprintf("sys/class/power_supply/BAT%d/status", i)] = &fstest.MapFile{Data: []byte(s + "\n")}
		}
		return files
	}
	load := func(x float64) host.State { return host.State{CPUs: 4, Load: &x, Governor: host.Unknown} }
	governor := func(text string) host.State { return host.State{Governor: text} }
	const governed = "the governor of the processor is not \"performance\"; its frequency may vary (set the governor to performance, or expect noise)"
	const discharging = "on battery: the clock is lowered to save it"
	for name, c := range map[string]struct {
		s     host.State
		files fstest.MapFS
		want  []string
	}{
		"at the limit":   {load(2), nil, nil},
		"above":          {load(2.1), nil, []string{"load is 2.1 on 4 processors: other programs compete; stop them"}},
		"performance":    {governor("performance"), nil, nil},
		"not known":      {governor(host.Unknown), battery("Charging"), nil},
		"powersave":      {governor("powersave"), nil, []string{governed}},
		"turbo":          {host.State{Governor: host.Unknown, Turbo: "on"}, nil, []string{"turbo is on: the clock follows the temperature"}},
		"no turbo":       {host.State{Governor: host.Unknown, Turbo: "off"}, nil, nil},
		"one battery":    {governor(host.Unknown), battery("Discharging"), []string{discharging}},
		"the second one": {governor(host.Unknown), battery("Full", "Discharging"), []string{discharging}},
		"the first one":  {governor(host.Unknown), battery("Discharging", "Full"), []string{discharging}},
	} {
		require.Equal(t, c.want, noiseBefore(c.s, c.files), name)
	}
	busy := 9.0
	require.Equal(t, []string{
		"load is 9.0 on 4 processors: other programs compete; stop them", governed,
		"turbo is on: the clock follows the temperature", discharging,
	}, noiseBefore(host.State{CPUs: 4, Load: &busy, Governor: "powersave", Turbo: "on"}, battery("Full", "Discharging")))
	state := func(steal, throttled float64) host.State {
		return host.State{CPUs: 2, Steal: &steal, Throttled: &throttled}
	}
	took := func(share string) string {
		return "the hypervisor took " + share + " of the processor time; other virtual machines affect the figures (measure on a dedicated machine)"
	}
	const stopped = "the quota stopped the program 200 % of the time; the figures measure the quota (raise the quota, or set GOMAXPROCS below it)"
	require.Empty(t, NoiseAfter(state(0, 0), state(0.25, 0), 12500*time.Millisecond), "a hundredth")
	require.Len(t, NoiseAfter(state(0, 0), state(0.26, 0), 12500*time.Millisecond), 1)
	require.Equal(t, []string{took("50 %")}, NoiseAfter(state(0, 0), state(0.25, 0), 250*time.Millisecond))
	require.Equal(t, []string{took("50 %"), stopped}, NoiseAfter(state(1, 1), state(2, 3), time.Second))
	waited := func(seconds float64) host.State {
		return host.State{CPUs: 2, Pressure: &seconds, Governor: "powersave"}
	}
	require.Equal(t, []string{"tasks waited for a processor 10 % of the time; processors are oversubscribed (stop other programs, or use fewer workers)"},
		NoiseAfter(waited(1), waited(2), 10*time.Second), "without the governor")
}

// TestFilesThatFail: an error has the name of the file, and a file that cannot be created
// leaves an older one.
func TestFilesThatFail(t *testing.T) {
	dir := t.TempDir()
	_, err := Create(filepath.Join(dir, "absent", "f"), nil)
	require.ErrorIs(t, err, os.ErrNotExist)
	name := filepath.Join(dir, "f")
	f, err := Create(name, []string{"a: b"})
	require.NoError(t, err)
	require.NoError(t, f.Append())
	require.NoError(t, f.Append("c: d", "e: f"))
	require.NoError(t, f.Close())
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "a: b\nc: d\ne: f\n", string(text))
	require.ErrorIs(t, f.Close(), os.ErrClosed)
	err = f.Append("g: h")
	require.ErrorIs(t, err, os.ErrClosed)
	require.True(t, strings.HasPrefix(err.Error(), name+": "), err)
	require.Equal(t, 2, strings.Count(err.Error(), os.ErrClosed.Error()), "neither written nor cut: %v", err)
	reading, err := os.Open(name)
	require.NoError(t, err)
	defer reading.Close()
	require.EqualError(t, (&File{f: reading, name: "f"}).Append("x"), "f: bad file descriptor (and invalid argument)")
	require.ErrorIs(t, Stream{failing{}}.Append("a"), errSink)
	var b bytes.Buffer
	require.NoError(t, Stream{&b}.Append())
	require.NoError(t, Stream{&b}.Append("a", "b"))
	require.Equal(t, "a\nb\n", b.String())
}

// TestPagesExactly: lines that fill a page to its end stay on it; one byte more begins the
// next page, and lines longer than a page begin at once.
func TestPagesExactly(t *testing.T) {
	at := func(n int) (text string) {
		name := filepath.Join(t.TempDir(), "f")
		f, err := Create(name, []string{strings.Repeat("a", 99)})
		require.NoError(t, err)
		require.NoError(t, f.Append(strings.Repeat("b", n-1)))
		require.NoError(t, f.Close())
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		return strings.TrimPrefix(string(b), strings.Repeat("a", 99)+"\n")
	}
	b := func(n int) string { return strings.Repeat("b", n-1) + "\n" }
	blank := strings.Repeat(" ", page-101) + "\n"
	require.Equal(t, b(page-100), at(page-100))
	require.Equal(t, blank+b(page-99), at(page-99))
	require.Equal(t, blank+b(page), at(page))
	require.Equal(t, b(page+1), at(page+1))
}

// TestMergeExactly: the text of a merged file, and the faults of its writer.
func TestMergeExactly(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for i, text := range []string{
		"host: h\npkg: p\nUnit size-B assume=exact\nBenchmarkA 1 5 ns/op 7 size-B\nresults: 1\n",
		"host: h\npkg: p\nUnit size-B assume=exact\nUnit x better=higher\nBenchmarkB 2 6 x\nBenchmarkC 2 6 x\nincomplete: cut\nresults: 2\n",
	} {
		names = append(names, filepath.Join(dir, string(rune('a'+i))))
		require.NoError(t, os.WriteFile(names[i], []byte(text), 0o600))
	}
	var b bytes.Buffer
	require.EqualError(t, Merge(&b, Accept{}, names...), "results are missing (-partial accepts it): "+names[1]+": cut")
	require.NoError(t, Merge(&b, Accept{Partial: true}, names...))
	require.Equal(t, "Unit size-B assume=exact\nhost: h\npkg: p\n\nBenchmarkA 1 5 ns/op 7 size-B\nUnit x better=higher\nBenchmarkB 2 6 x\nBenchmarkC 2 6 x\nincomplete: "+names[1]+": cut\nresults: 3\n", b.String())
	require.ErrorIs(t, Merge(failing{}, Accept{Partial: true}, names...), errSink)
	require.ErrorIs(t, parts{}.write(failing{}, nil), errSink)
	require.ErrorIs(t, Merge(&b, Accept{}, names[0], filepath.Join(dir, "absent")), os.ErrNotExist)
	require.EqualError(t, Merge(&b, Accept{Partial: true}, names[1], names[1]), "results are present twice (-doubles accepts it): "+names[1]+" and "+names[1]+" have the same results")

	one, two := NewData(), NewData()
	one.configure("host", "b")
	two.configure("host", "a")
	require.EqualError(t, SameMachine(false, one, two), `results were measured on different machines: host is ["a" "b"] (-mix=host accepts them)`)
	require.NoError(t, SameMachine(true, one, two))
	one.configure("cpu", "x")
	two.configure("cpu", "y")
	require.EqualError(t, SameMachine(true, one, two), `results were measured on different machines: cpu is ["x" "y"] (-mix=any accepts them)`)
}

// TestRunsInWords: the text that names a run.
func TestRunsInWords(t *testing.T) {
	require.Equal(t, "the run that started now", run{"h", "c", "now", "base", ""}.String())
	require.Equal(t, "shard 1/2 of the run that started now", run{"h", "c", "now", "", "1/2"}.String())
}

// TestLeastProcessTime: the limits of the processor time of a process.
func TestLeastProcessTime(t *testing.T) {
	line := func(n int) []printed { return []printed{{fmt.Sprintf("BenchmarkX %d 1 ns/op", n), "X"}} }
	require.Equal(t, 3, untimed(line(3)))
	require.Zero(t, untimed(line(2)))
	require.Equal(t, 12, untimed(append([]printed{{Text: "x 99"}}, line(12)...)))
	require.Zero(t, untimed(append(line(12), line(12)...)), "several results of one process")
	require.Zero(t, untimed([]printed{{"BenchmarkX", "X"}}))
	require.Zero(t, untimed([]printed{{"BenchmarkX many 1 ns/op", "X"}}))
	require.Equal(t, 1000, enough(1000, processTime))
	require.Equal(t, 7, enough(7, -1))
	require.Equal(t, 1102, enough(1002, processTime-1))
	require.Equal(t, 55_002, enough(1002, processTime/50))
	require.Equal(t, 1000, enough(1000, processTime/50-1), "it waits")
	for arg, want := range map[string]bool{"-test.benchtime=5x": true, "-test.benchtime=5s": false, "-test.cpu=5x": false, "-x": false} {
		require.Equal(t, want, Flags{Run: []string{"-a", arg, "-b"}}.iterations(), arg)
	}
	figured := append(line(5), printed{Text: "x"})
	addFigure(figured, "7 layout")
	require.Equal(t, []printed{{"BenchmarkX 5 1 ns/op\t7 layout", "X"}, {Text: "x"}}, figured)
}

// TestFilesOfRenames: lines of two names, comments and blank lines, and their faults.
func TestFilesOfRenames(t *testing.T) {
	name := filepath.Join(t.TempDir(), "renames")
	read := func(text string) (Renames, error) {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		return ParseRenames("@" + name)
	}
	rs, err := read("# NEW OLD\n\nBenchmarkA,1 B\n  \n#x\nC BenchmarkD=2")
	require.NoError(t, err)
	require.Equal(t, Renames{{"A,1", "B"}, {"C", "D=2"}}, rs)
	for text, want := range map[string]string{"A B\n\n A B C \n": `3: "A B C"`, "A\n": `1: "A"`} {
		_, err := read(text)
		require.EqualError(t, err, name+":"+want+" is not NEW OLD")
	}
	_, err = ParseRenames("@" + name + "x")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "open "+name+"x: ")
	_, err = ParseRenames("a=b,c")
	require.EqualError(t, err, `"c" is not new=old`)

	for full, want := range map[string]bool{"A": true, "A/x": true, "A.x": true, "A-8": true, "A-": true, "A-8x": false, "Ax": false, "B": false, "A-8/x": false} {
		require.Equal(t, want, Rename{New: "A"}.begins(full), full)
	}
	rs = Renames{{"A", "B"}, {"A/x", "C"}, {"A/x", "D"}}
	require.Equal(t, []string{"B", "B/y", "C", "C/z", "E"}, []string{rs.Old("A"), rs.Old("A/y"), rs.Old("A/x"), rs.Old("A/x/z"), rs.Old("E")})
	old, err := Renames{{"A", "B"}}.Keys([]Key{{"p", "C"}, {"p", "A"}, {"q", "A"}})
	require.NoError(t, err)
	require.Equal(t, []Key{{"p", "C"}, {"p", "B"}, {"q", "B"}}, old)
	d := &Data{Cases: keysOf("A", "C"), Spent: map[Key]float64{{"p", "A"}: 1, {"p", "C"}: 2}, Values: map[Key]map[string][]float64{{"p", "A"}: {"u": {3}}}}
	require.NoError(t, d.Rename(Renames{{"A", "B"}}))
	require.Equal(t, keysOf("B", "C"), d.Cases)
	require.Equal(t, map[Key]float64{{"p", "B"}: 1, {"p", "C"}: 2}, d.Spent)
	require.Equal(t, []float64{3}, d.Values[Key{"p", "B"}]["u"])
}

// TestShardsExactly: the most expensive case goes to the shard with the least work; unknown
// costs count as the mean, or as 1.
func TestShardsExactly(t *testing.T) {
	keys := keysOf("a", "b", "c", "d", "e")
	price := estimates(keys, map[Key]float64{keys[0]: 2, keys[1]: 4, keys[2]: -1})
	require.Equal(t, map[Key]float64{keys[0]: 2, keys[1]: 4, keys[2]: 3, keys[3]: 3, keys[4]: 3}, price)
	require.Equal(t, map[Key]float64{keys[0]: 1}, estimates(keys[:1], nil))
	require.Equal(t, map[Key]float64{keys[0]: 0.5, keys[1]: 0.5}, estimates(keys[:2], map[Key]float64{keys[0]: 0.5}))
	require.Equal(t, map[Key]float64{keys[0]: 0.5, keys[1]: 2}, estimates(keys[:2], map[Key]float64{keys[0]: 0.5, keys[1]: 2}))
	// 4 → 1, 3 → 2, 3 → 3, 3 → 2 (3, 3, 4 of work), 2 → 3.
	cost := map[Key]float64{keys[0]: 2, keys[1]: 4}
	require.Equal(t, keysOf("b"), Shard{1, 3}.Select(keys, cost))
	require.Equal(t, keysOf("c", "e"), Shard{2, 3}.Select(keys, cost))
	require.Equal(t, keysOf("a", "d"), Shard{3, 3}.Select(keys, cost))
	require.Equal(t, keys, Shard{}.Select(keys, cost))
	require.Equal(t, keys, Shard{1, 1}.Select(keys, cost))
	require.Empty(t, Shard{6, 6}.Select(keys, cost))
	twins := []Key{{"q", "a"}, {"p", "b"}, {"p", "a"}}
	require.Equal(t, []Key{{"p", "b"}}, Shard{2, 3}.Select(twins, nil), "by package, then by name")
	for text, want := range map[string]string{
		"0/2": `"0/2" is not i/n with 1 ≤ i ≤ n, or auto`, "3/2": `"3/2" is not i/n with 1 ≤ i ≤ n, or auto`, "1": `"1" is not i/n with 1 ≤ i ≤ n, or auto`,
		"1/99999999999999999999": `"1/99999999999999999999" is not i/n with 1 ≤ i ≤ n, or auto`, "99999999999999999999/9223372036854775807": `"99999999999999999999/9223372036854775807" is not i/n with 1 ≤ i ≤ n, or auto`,
		"auto": `"auto": none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and STRATEGY_JOB_INDEX is set`,
	} {
		s, err := ParseShard(text, func(string) string { return "" })
		require.EqualError(t, err, want)
		require.Equal(t, Shard{}, s)
	}
	for _, text := range []string{"", "2/2", "1/1"} {
		s, err := ParseShard(text, nil)
		require.NoError(t, err)
		require.Equal(t, text != "", s.Of > 0)
	}
	_, err := ParseShard("auto", func(name string) string {
		return map[string]string{"SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_STEP": "0", "SLURM_ARRAY_TASK_COUNT": "2"}[name]
	})
	require.EqualError(t, err, `"auto" is not i/n with 1 ≤ i ≤ n, or auto`)
	require.Equal(t, []string{"3/9", "1/9", "", "", "", ""}, []string{nth("7", "1", "3", "9"), nth("1", "1", "1", "9"), nth("x", "1", "1", "9"), nth("1", "x", "1", "9"), nth("1", "1", "x", "9"), nth("6", "1", "3", "9")})
}

// TestSuiteExactly: the lines of a run of two binaries in two processes each, with progress.
func TestSuiteExactly(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	of := func(pkg, names string) Binary {
		b := scripted(t, "echo goos: linux; echo pkg: "+pkg+"; for n in "+names+"; do echo Benchmark$n 1 5 ns/op; done; echo "+pkg+" $@ >> "+log+"\n")
		b.Package = pkg
		return b
	}
	s := Suite{
		Binaries: []Binary{of("a", "X"), of("none", "N"), of("b", "Y Z")}, Flags: Flags{Bench: ".", Run: []string{"-r"}}, Count: 2, Seed: 3,
		Keys: []Key{{"a", "X"}, {"b", "Y"}, {"b", "Z"}}, Closing: func() []string { return []string{"noise: closing"} },
	}
	sink := &sinkOf{calls: 100}
	var shown []Progress
	require.NoError(t, s.Run(t.Context(), sink, func(p Progress) { shown = append(shown, p) }))
	var want []string
	rng := rand.New(rand.NewPCG(3, 0))
	last := ""
	var cases []Key
	for range 2 {
		for _, i := range rng.Perm(3) {
			if pkg := s.Binaries[i].Package; pkg != "none" {
				if pkg != last {
					want = append(want, "pkg: "+pkg)
				}
				if last == "" {
					want = append(want, "goos: linux")
				}
				for _, k := range s.Keys {
					if k.Package == pkg {
						want, cases = append(want, "Benchmark"+k.Name+" 1 5 ns/op"), append(cases, k)
					}
				}
				last = pkg
			}
		}
	}
	require.Equal(t, append(want, "noise: closing", "results: 6"), sink.lines)
	require.Len(t, shown, 6)
	for i, p := range shown {
		require.Equal(t, []any{i + 1, 6, cases[i]}, []any{p.Done, p.Of, p.Case})
		require.Equal(t, i == 5, p.Remaining == 0)
	}
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(text), "b -test.run=^$ -test.bench=^BenchmarkY$ -r\n"))
	require.Equal(t, 2, strings.Count(string(text), "b -test.run=^$ -test.bench=^BenchmarkZ$ -r\n"))
	require.Equal(t, 2, strings.Count(string(text), "a -test.run=^$ -test.bench=^BenchmarkX$ -r\n"))
	require.Equal(t, 6, strings.Count(string(text), "\n"))
}

// TestSuiteFails: the lines after the last result say why a run ended, unless the sink
// takes no more.
func TestSuiteFails(t *testing.T) {
	bad := scripted(t, "echo BenchmarkX 1 5 ns/op; echo one >&2; echo two >&2; exit 1\n")
	s := Suite{Binaries: []Binary{bad}, Count: 2, Keys: keysOf("X"), Closing: func() []string { return []string{"closing: yes"} }}
	sink := &sinkOf{calls: 9}
	quiet := func(Progress) {}
	require.EqualError(t, s.Run(t.Context(), sink, quiet), "p: exit status 1: one; two")
	require.Equal(t, []string{"pkg: p", "BenchmarkX 1 5 ns/op", "incomplete: 1 of 2 results: p: exit status 1: one; two", "closing: yes", "results: 1"}, sink.lines)
	s.Closing = nil
	ctx, cancel := context.WithCancel(t.Context())
	sink = &sinkOf{calls: 9}
	s.Binaries = []Binary{scripted(t, "echo BenchmarkX 1 5 ns/op\n")}
	require.EqualError(t, s.Run(ctx, sink, func(Progress) { cancel() }), ErrInterrupted.Error())
	require.Equal(t, []string{"pkg: p", "BenchmarkX 1 5 ns/op", "interrupted: 1 of 2 results", "results: 1"}, sink.lines)

	good := scripted(t, "echo BenchmarkX 1 5 ns/op; echo BenchmarkY 1 5 ns/op\n")
	s = Suite{Binaries: []Binary{good}, Count: 3, Keys: keysOf("X", "Y")}
	sink = &sinkOf{calls: 1}
	done := 0
	require.Equal(t, errSink, s.Run(t.Context(), sink, func(Progress) { done++ }))
	require.Equal(t, []string{"pkg: p", "BenchmarkX 1 5 ns/op"}, sink.lines)
	require.Equal(t, 1, done)
	sink = &sinkOf{calls: 6}
	require.ErrorIs(t, s.Run(t.Context(), sink, quiet), errSink, "the last lines")

	const progress = "2 of 5 results"
	require.EqualError(t, s.end(NewContender(nil, &sinkOf{}), progress, errors.New("planted")), "planted\n"+errSink.Error())
	sink = &sinkOf{calls: 1}
	require.ErrorIs(t, s.end(NewContender(nil, sink), progress, fmt.Errorf("so: %w", context.Canceled)), ErrInterrupted)
	require.Equal(t, []string{"interrupted: 2 of 5 results", "results: 0"}, sink.lines)

	s.Keys = nil
	s.Flags.Bench = "Q"
	s.Shard = Shard{3, 3}
	require.EqualError(t, s.Run(t.Context(), sink, quiet), "no benchmark was run: shard 3/3 of 2 cases is empty")
	other := good
	other.Package = "q"
	keys, err := Suite{Binaries: []Binary{good, other}, Shard: Shard{2, 2}}.Find(t.Context())
	require.NoError(t, err)
	require.Equal(t, []Key{{"p", "Y"}, {"q", "Y"}}, keys)
	_, err = Suite{Binaries: []Binary{good}}.Find(ctx)
	require.Equal(t, ErrInterrupted, err)
	bad.Package = "q"
	_, err = Suite{Binaries: []Binary{good, bad}}.Find(t.Context())
	require.EqualError(t, err, "q: exit status 1: one; two")
	_, err = Suite{Binaries: []Binary{scripted(t, "exit 0\n")}, Flags: Flags{Bench: "Q"}}.Find(t.Context())
	require.EqualError(t, err, "no benchmark was run: no name matches -bench=Q")
	synctest.Test(t, func(t *testing.T) {
		since := time.Now()
		time.Sleep(4 * time.Second)
		require.Equal(t, 12*time.Second, Remaining(since, 2, 8))
	})
}

// TestWriterExactly: a line of configuration is written before the next result, unless it
// was written with the same value.
func TestWriterExactly(t *testing.T) {
	sink := &sinkOf{calls: 5}
	w := newResultWriter(sink)
	w.begin(Binary{Package: "a"})
	w.add(printed{Text: "cpu: x"})
	w.add(printed{Text: "Unit u:v assume=exact"})
	require.Empty(t, sink.lines)
	w.begin(Binary{Package: "b"}) // a had no result
	w.add(printed{"BenchmarkX 1 1 u:v", "X"})
	w.add(printed{"BenchmarkX 1 2 u:v", "X"})
	w.begin(Binary{Package: "b"})
	w.add(printed{Text: "cpu: x"})
	w.add(printed{Text: "Unit u:v assume=exact"})
	w.add(printed{Text: "Unit u:w assume=exact"})
	w.add(printed{"BenchmarkX 1 3 u:v", "X"})
	w.add(printed{Text: "Unit u:v assume=exact"})
	w.add(printed{Text: "cpu: y"})
	w.add(printed{"BenchmarkX 1 4 u:v", "X"})
	w.add(printed{Text: "no configuration"})
	w.add(printed{Text: "no configuration"})
	w.add(printed{"BenchmarkX 1 5 u:v", "X"})
	require.Equal(t, []string{
		"pkg: a", "cpu: x", "Unit u:v assume=exact", "pkg: b", "BenchmarkX 1 1 u:v", "BenchmarkX 1 2 u:v", "Unit u:w assume=exact", "BenchmarkX 1 3 u:v",
		"cpu: y", "BenchmarkX 1 4 u:v", "no configuration", "BenchmarkX 1 5 u:v",
	}, sink.lines)
	require.Equal(t, 5, w.n)
	w.add(printed{"BenchmarkX 1 6 u:v", "X"})
	require.Equal(t, errSink, w.err)
	sink.calls = 9
	w.add(printed{"BenchmarkX 1 7 u:v", "X"})
	require.Equal(t, 5, w.n)
}

// TestCasesOfAnotherModule: a case takes the package with the same path in the other module.
func TestCasesOfAnotherModule(t *testing.T) {
	for _, c := range [][4]string{ // module, the other one, package, as it is then
		{"new", "old", "new/a", "old/a"}, {"new", "old", "new", "old"}, {"new", "old", "newer/a", "newer/a"}, {"new", "old", "a/new", "a/new"},
		{"", "old", "new/a", "new/a"}, {"new", "", "new/a", "new/a"}, {"new", "new", "new/a", "new/a"},
	} {
		b := scripted(t, "echo BenchmarkX 1 5 ns/op\n")
		b.Module, b.Package = c[0], c[2]
		side := NewContender([]Binary{b}, nil)
		side.Module, side.Renames = c[1], Renames{{"X", "Y"}}
		keys, err := side.Cases(t.Context(), Flags{})
		require.NoError(t, err)
		require.Equal(t, []Key{{c[3], "Y"}}, keys)
		require.Equal(t, map[Key]Key{keys[0]: {c[2], "X"}}, side.original)
	}
}

// TestTurnsOnce: a case is measured in its own process, and a second one for the start; the
// first result of a side finds the number of iterations.
func TestTurnsOnce(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	b := scripted(t, "echo \"$@\" >> "+log+"; echo pkg: p; echo \"BenchmarkX 20 100 ns/op\"; echo \"BenchmarkX-2 20 100 ns/op\"; case \"$2\" in *Fail*) exit 1;; esac\n")
	var sinks [2]*sinkOf
	var sides [2]*Contender
	for i := range sides {
		sinks[i] = &sinkOf{calls: 3}
		sides[i] = NewContender([]Binary{{Package: "other"}, b}, sinks[i])
	}
	f, k, rng := Flags{Run: []string{"-test.benchtime=20x"}}, Key{"p", "X"}, rand.New(rand.NewPCG(1, 2))
	require.NoError(t, Block(t.Context(), sides, f, k, rng, func() bool { return false }))
	for i, side := range sides {
		require.Equal(t, []Key{k}, side.Data.Cases)
		require.InDeltaSlice(t, []float64{1e-7, 1e-7}, side.Data.Values[k]["sec/op"], 1e-15)
		require.Equal(t, -1, side.iterations[k], "it takes no time")
		require.Equal(t, []string{"pkg: p", "BenchmarkX 20 100 ns/op", "BenchmarkX 20 100 ns/op"}, sinks[i].lines)
		require.NoError(t, side.End(i == 0))
		require.Equal(t, 2, side.results.n)
		require.Equal(t, [][]string{{"interrupted: after 2 results", "results: 2"}, {"results: 2"}}[i], sinks[i].lines[3:])
	}
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	const all = "-test.run=^$ -test.bench=^BenchmarkX$ -test.benchtime=20x"
	first := all + "\n" + all + " -test.benchtime=20x\n" + all + " -test.benchtime=2x\n"
	require.Equal(t, first+first+all+"\n"+all+"\n", string(text))
	require.Equal(t, []string{"-test.benchtime=20x"}, f.Run)

	few := scripted(t, "echo BenchmarkX 2 1 ns/op\n")
	short := NewContender([]Binary{few}, &sinkOf{calls: 1})
	require.NoError(t, short.once(t.Context(), f, k, 0))
	require.Zero(t, short.iterations[k], "too few")

	moved := NewContender([]Binary{b}, &sinkOf{calls: 1})
	moved.original = map[Key]Key{{"q", "X"}: k}
	require.NoError(t, moved.once(t.Context(), f, Key{"q", "X"}, 0))
	require.Equal(t, []Key{{"q", "X"}}, moved.Data.Cases)
	for i := range sides {
		sides = [2]*Contender{NewContender([]Binary{b}, &sinkOf{calls: 9}), NewContender([]Binary{b}, &sinkOf{calls: 9})}
		sides[i].iterations[k], sides[1-i].iterations[k] = 1e9, 5e8
		require.NoError(t, os.Remove(log))
		require.NoError(t, Block(t.Context(), sides, f, k, rng, func() bool { return false }))
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		require.Contains(t, strings.Split(string(text), "\n")[0], " -test.benchtime=1000000000x", "the more iterations of both sides")
		sides[0].results.sink = &sinkOf{}
	}

	sides = [2]*Contender{NewContender([]Binary{b}, &sinkOf{calls: 9}), NewContender([]Binary{b}, &sinkOf{calls: 9})}
	sides[0].iterations[k], sides[1].iterations[k] = 1000, 10
	require.NoError(t, os.Remove(log))
	require.NoError(t, Block(t.Context(), sides, f, k, rng, func() bool { return false }))
	text, err = os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(text), " -test.benchtime=1000x"))
	require.Equal(t, 2, strings.Count(string(text), " -test.benchtime=40x"), "much slower: four times its own")
	sides[0].results.sink = &sinkOf{}

	require.EqualError(t, sides[0].once(t.Context(), f, Key{"q", "X"}, 0), "no benchmark was run: q has no binary")
	require.ErrorContains(t, sides[0].once(t.Context(), f, Key{"p", "Fail"}, 0), "exit status 1")
	require.ErrorContains(t, Block(t.Context(), sides, f, Key{"p", "Fail"}, rng, func() bool { return false }), "exit status 1")
	require.ErrorIs(t, sides[0].once(t.Context(), f, k, 0), errSink)
	sides[0].original = map[Key]Key{k: {"p", "Fail"}}
	require.ErrorContains(t, sides[0].once(t.Context(), f, k, 0), "exit status 1", "by its own name")
	starting := scripted(t, "echo BenchmarkX 20 1 ns/op; case \"$*\" in *=2x) exit 1;; esac\n")
	_, _, err = sides[0].lines(t.Context(), starting, f, k, 30)
	require.ErrorContains(t, err, "exit status 1")
	got, cpu, err := sides[0].lines(t.Context(), starting, f, k, 0)
	require.NoError(t, err)
	require.Zero(t, cpu)
	require.Equal(t, []printed{{"BenchmarkX 20 1 ns/op", "X"}}, got)
}

// TestContenders: the cases of all binaries, by their older names; and the last lines.
func TestContenders(t *testing.T) {
	of := func(pkg, text string) Binary {
		b := scripted(t, text)
		b.Package = pkg
		return b
	}
	sink := &sinkOf{calls: 2}
	c := NewContender([]Binary{of("a", "echo BenchmarkX 1 1 ns/op; echo BenchmarkY 1 1 ns/op\n"), of("b", "echo BenchmarkX 1 1 ns/op\n")}, sink)
	c.Renames = Renames{{"X", "Old"}}
	keys, err := c.Cases(t.Context(), Flags{})
	require.NoError(t, err)
	require.Equal(t, []Key{{"a", "Old"}, {"a", "Y"}, {"b", "Old"}}, keys)
	require.Equal(t, map[Key]Key{{"a", "Old"}: {"a", "X"}, {"a", "Y"}: {"a", "Y"}, {"b", "Old"}: {"b", "X"}}, c.original)
	require.NoError(t, c.once(t.Context(), Flags{}, keys[0], 0))
	require.Equal(t, []Key{{"a", "Old"}}, c.Data.Cases)
	require.Equal(t, []string{"pkg: a", "BenchmarkX 1 1 ns/op"}, sink.lines)
	require.NoError(t, c.End(true))
	require.Equal(t, []string{"interrupted: after 1 results", "results: 1"}, sink.lines[2:])
	require.Equal(t, errSink, c.End(false))
	file, err := Create(filepath.Join(t.TempDir(), "f"), nil)
	require.NoError(t, err)
	require.NoError(t, NewContender(nil, file).End(false))
	require.ErrorIs(t, file.Append("x"), os.ErrClosed)
	require.ErrorIs(t, NewContender(nil, file).End(false), os.ErrClosed)
	c.Renames = Renames{{"Z", "Old"}}
	_, err = c.Cases(t.Context(), Flags{})
	require.EqualError(t, err, "rename: no benchmark is called Z")
	c.Binaries = append(c.Binaries, of("c", "exit 1\n"))
	_, err = c.Cases(t.Context(), Flags{})
	require.EqualError(t, err, "c: exit status 1")
}

// TestBuildFaults: packages without tests, tests that do not compile, and programs.
func TestBuildFaults(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.20\n", "a/a.go": "package a\n", "b/b.go": "package b\n", "b/b_test.go": "//go:build x\n\npackage b\n\nvar _ int = true\n",
		"c/c_test.go": "//go:build y\n\npackage c\n", "d/d_test.go": "no package\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	s := Source{Dir: dir, Packages: []string{"./a", "./b"}}
	_, err := s.Build(t.Context(), t.TempDir())
	require.EqualError(t, err, "no package has tests: ./a ./b")
	require.ErrorIs(t, err, ErrNoTests)
	s.Flags = []string{"-tags=x"}
	_, err = s.Build(t.Context(), t.TempDir())
	require.ErrorContains(t, err, "go test: exit status 1: ")
	require.ErrorContains(t, err, "b_test.go:5:13")
	s.Flags, s.Env = nil, []string{"GOFLAGS=-tags=x"}
	_, err = s.Build(t.Context(), t.TempDir())
	require.ErrorContains(t, err, "b_test.go:5:13", "by a variable")
	require.NoError(t, s.Check(t.Context()))
	require.ErrorContains(t, Source{Dir: dir, Packages: []string{"./absent"}}.Check(t.Context()), "absent")
	require.ErrorContains(t, Source{Dir: t.TempDir(), Packages: []string{"./a"}}.Check(t.Context()), "go.mod")
	each, left, err := Source{Dir: dir, Packages: []string{"./a", "./absent", "./b", "./c", "./d"}, Flags: []string{"-tags=y,x"}}.BuildEach(t.Context(), t.TempDir())
	require.NoError(t, err)
	require.Len(t, each, 1)
	require.Equal(t, "example.com/m/c", each[0].Package)
	require.Len(t, left, 2)
	require.ErrorContains(t, left[0], "example.com/m/b: go test")
	require.ErrorContains(t, left[1], "example.com/m/d: go test")

	built, err := Source{Dir: dir, Packages: []string{"./a", "./c"}, Flags: []string{"-tags=y"}}.Build(t.Context(), t.TempDir())
	require.NoError(t, err)
	require.Len(t, built, 1)
	require.Equal(t, []string{"example.com/m/c", "example.com/m", filepath.Join(dir, "c")}, []string{built[0].Package, built[0].Module, built[0].Dir})

	_, err = Git(t.Context(), dir, "rev-parse", "HEAD")
	require.ErrorContains(t, err, "git rev-parse: exit status 128: ")
	version, err := Git(t.Context(), dir, "version")
	require.NoError(t, err)
	require.Contains(t, version, "git version ")
	_, _, err = Checkout(t.Context(), dir, "HEAD", filepath.Join(dir, "tree"))
	require.ErrorContains(t, err, "git rev-parse: ")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Git(ctx, dir, "version")
	require.Equal(t, context.Canceled, err)
	_, err = tool(t.Context(), nil, dir, "absent-program")
	require.ErrorContains(t, err, "needs absent-program: ")
}

// TestPrebuiltExactly: this test binary, and a program that is none.
func TestPrebuiltExactly(t *testing.T) {
	b, err := Prebuilt(os.Args[0], "dir")
	require.NoError(t, err)
	path, err := filepath.Abs(os.Args[0])
	require.NoError(t, err)
	const module = "github.com/zkatbench/zkatbench"
	require.Equal(t, Binary{Package: module + "/bench/result", Dir: "dir", Path: path, Module: module}, b)
	program, err := exec.LookPath("go")
	require.NoError(t, err)
	_, err = Prebuilt(program, ".")
	require.EqualError(t, err, program+": cmd/go is not a test binary; build one with go test -c")
	b, err = Prebuilt("exact_test.go", ".")
	require.Error(t, err)
	require.Equal(t, Binary{}, b)
}

// TestDoublesInWords: each pair of equal files, and each repeated run of a shard.
func TestDoublesInWords(t *testing.T) {
	of := func(name string, text int, runs ...run) part {
		return part{name: name, runs: runs, text: strconv.Itoa(text)}
	}
	run := func(started, shard string) run { return run{started: started, shard: shard} }
	for name, c := range map[string]struct {
		of   parts
		want []string
	}{
		"equal files": {
			parts{of("a", 1), of("b", 1), of("c", 1)},
			[]string{"a and b have the same results", "a and c have the same results", "b and c have the same results"},
		},
		"runs": {
			parts{of("a", 1, run("1", ""), run("2", "")), of("b", 2, run("1", ""), run("2", ""))},
			[]string{"a and b both have results of the run that started 1", "a and b both have results of the run that started 2"},
		},
		"shards": {
			parts{of("a", 1, run("1", "1/2")), of("b", 2, run("2", "1/2"))}, []string{"shard 1/2 is in a and in b"},
		},
		"one is enough": {
			parts{of("a", 1, run("1", "1/2")), of("b", 1, run("2", "1/2"))}, []string{"a and b have the same results"},
		},
	} {
		require.Equal(t, c.want, c.of.doubles(), name)
	}
	require.Equal(t, []string{"no file has shard 2/2"}, parts{of("a", 1, run("1", "1/2"), run("1", "1/1"))}.missing())
	gaps := parts{of("a", 1, run("1", "1/13"))}.missing()
	require.Len(t, gaps, 11)
	require.Equal(t, "no file has 2 more shards of 13", gaps[10])
	require.Empty(t, parts{of("a", 1, run("1", ""))}.missing())
	gaps = parts{of("a", 1, run("1", "1/12"))}.missing()
	require.Equal(t, "no file has 1 more shard of 12", gaps[10])
}
