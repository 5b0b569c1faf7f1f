package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// TestReportsOfLoads: the whole output for runs of the load runner, with each reason for a
// missing interval, each condition that differs, and shares of failures.
func TestReportsOfLoads(t *testing.T) {
	same, again := served(t, 1, 5*time.Millisecond, 0), served(t, 2, 5*time.Millisecond, 0)
	slower, failing := served(t, 3, 5500*time.Microsecond, 0), served(t, 5, 5*time.Millisecond, 20)
	with := func(r *runner.Result, change func(*runner.Result)) *runner.Result {
		c := *r
		change(&c)
		return &c
	}
	blind := func(done, failed uint64) *runner.Result {
		return &runner.Result{Config: runner.Config{Workers: 1}, Done: done, Failed: failed, Elapsed: time.Second, Weighted: float64(done)}
	}
	early := func(end string) func(*runner.Result) {
		return func(r *runner.Result) { r.Interrupted, r.End = true, end }
	}
	planned := func(rate float64) func(*runner.Result) {
		return func(r *runner.Result) { r.Config.Plan = &schedule.Plan{Rate: rate} }
	}
	mix := func(parts ...*runner.Result) *runner.Result {
		m := with(same, func(*runner.Result) {})
		for i, p := range parts {
			m.Parts = append(m.Parts, runner.Part{Name: fmt.Sprint("op", i), Result: p})
		}
		return m
	}
	base := []Load{
		{"same", same}, {"slower", same}, {"faster", slower}, {"failing", same}, {"mended", failing}, {"failing/both", failing},
		{"workers", same}, {"plan", with(same, planned(10))}, {"plan/gone", with(same, planned(10))}, {"early", with(same, early("interrupt"))},
		{"blind", blind(10, 0)}, {"blind/head", same}, {"blind/failed", blind(5, 5)}, {"blind/more", blind(100, 1)}, {"blind/all", blind(0, 7)}, {"blind/none", blind(0, 0)},
		{"mix", mix(same, slower, same)}, {"gone/1", same}, {"gone/2", same}, {"hidden/1", same},
	}
	head := []Load{
		{"new/1", same}, {"hidden/2", same}, {"same", again}, {"slower", slower}, {"faster", same}, {"failing", failing}, {"mended", again}, {"failing/both", failing},
		{"workers", with(again, func(r *runner.Result) { r.Config.Workers = 8 })}, {"plan", with(again, planned(20))}, {"plan/gone", again},
		{"early", with(again, early("deadline"))},
		{"blind", blind(20, 0)}, {"blind/head", blind(12000, 0)}, {"blind/failed", blind(9, 1)}, {"blind/more", blind(100, 30)}, {"blind/all", blind(7, 0)}, {"blind/none", blind(3, 4)},
		{"mix", mix(again, same, failing)}, {"new/2", same},
	}
	rules, err := ParseRules(strings.NewReader("ignore .name:/hidden.*/\nignore .name:faster .unit:p95-sec/op\nignore .name:mix .unit:failed-share\nunit ops/s 1%\nunit p90-sec/op 30%\n"), "rules")
	require.NoError(t, err)
	r := CompareLoads(rules, base, head)
	r.Base, r.Head = "base", "head"
	golden(t, "loads", written(t, r, true))
	rules.Strict = true
	r = CompareLoads(rules, base[:1], head[2:3])
	golden(t, "loads-strict", written(t, r, false))
}

// profileOf writes a CPU profile with samples by their stacks, the caller first.
func profileOf(t *testing.T, name string, samples map[string]int64) {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1}
	at := map[string]*profile.Location{}
	for stack, n := range samples {
		s := &profile.Sample{Value: []int64{n, 1000 * n}}
		for _, f := range slices.Backward(strings.Split(stack, ";")) {
			if at[f] == nil {
				id := uint64(len(at) + 1)
				fn := &profile.Function{ID: id, Name: f, SystemName: f}
				at[f] = &profile.Location{ID: id, Address: 16 * id, Line: []profile.Line{{Function: fn, Line: 1}}}
				p.Function, p.Location = append(p.Function, fn), append(p.Location, at[f])
			}
			s.Location = append(s.Location, at[f])
		}
		p.Sample = append(p.Sample, s)
	}
	f, err := os.Create(name)
	require.NoError(t, err)
	require.NoError(t, p.Write(f))
	require.NoError(t, f.Close())
}

// timing returns a contender of cases that take ns each and have a CPU profile, and
// the file with the arguments of its processes.
func timing(t *testing.T, cases int, ns string, samples map[string]int64) (c *result.Contender, log string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	log = filepath.Join(dir, "log")
	profiled := filepath.Join(dir, "profile")
	if samples != nil {
		profileOf(t, profiled, samples)
	}
	script := "#!/bin/sh\necho \"$@\" >> " + log + "\nfor a; do case $a in -test.cpuprofile=*) [ ! -e " + profiled + " ] || cp " + profiled + " ${a#*=} || exit 1;; esac; done\necho pkg: p\n"
	for i := range cases {
		script += fmt.Sprintf("case \"$2\" in *=.|*BenchmarkC%d*) echo 'BenchmarkC%d 5 %s ns/op %s cpu-ns/op';; esac\n", i, i, ns, ns)
	}
	name := filepath.Join(dir, "scripted")
	require.NoError(t, os.WriteFile(name, []byte(script), 0o700))
	return result.NewContender([]result.Binary{{Package: "p", Dir: dir, Path: name}}, result.Stream{Writer: io.Discard}), log
}

// TestProfilesOfATrial: the functions of the first five regressions are named, from both
// profiles of each side, whose length the rest of the budget bounds.
func TestProfilesOfATrial(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	before := map[string]int64{"main;p.a": 1000, "main;p.a;p.b": 100, "main;p.b;runtime.mallocgc;internal/runtime/maps.get": 100, "main;p.c": 300, "main;p.d": 5, "main;p.e": 50}
	after := map[string]int64{"main;p.a": 1000, "main;p.a;p.b": 400, "main;p.b;runtime.mallocgc": 200, "main;p.c": 500, "main;p.d": 90, "main;p.e": 150, "main;p.f": 2, "runtime.gcBgMarkWorker": 200}
	for _, c := range []struct {
		cases      int
		base, head string
		profile    bool
		budget     time.Duration
		iterations string
	}{
		{7, "100", "150", true, time.Hour, "-test.benchtime=13333333x"},
		{mostProfiles, "100", "150", true, 4 * time.Second, "-test.benchtime=6666666x"},
		{7, "1000000000", "9000000000", true, 8 * time.Second, "-test.benchtime=1x"},
		{7, "100", "150", false, time.Hour, ""}, {7, "150", "100", true, time.Hour, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			base, baseLog := timing(t, c.cases, c.base, before)
			head, headLog := timing(t, c.cases, c.head, after)
			r, err := Trial{Base: base, Head: head, Flags: result.Flags{Bench: "."}, Count: 6, Budget: c.budget, Profile: c.profile, Show: func(result.Progress) {}}.Run(t.Context())
			require.NoError(t, err)
			r.Base, r.Head = "base", "head"
			var profiled []result.Key
			for _, p := range r.Profiles {
				profiled = append(profiled, p.Key)
				require.Equal(t, flame.Stacks{
					"main;p.a;p.b": 600, "main;p.b;runtime.mallocgc": 400, "main;p.c": 400, "main;p.d": 170, "main;p.e": 200, "main;p.f": 4, "runtime.gcBgMarkWorker": 400,
				}, p.Difference())
			}
			if c.iterations == "" {
				require.Empty(t, profiled)
				return
			}
			require.Len(t, profiled, mostProfiles)
			for _, one := range r.Comparisons {
				require.Equal(t, slices.Contains(profiled, one.Key), len(one.Grown) > 0, one.Key)
			}
			require.NotContains(t, profiled[1:], profiled[0])
			for _, log := range []string{baseLog, headLog} {
				text, err := os.ReadFile(log)
				require.NoError(t, err)
				require.Equal(t, 2*mostProfiles, strings.Count(string(text), c.iterations+" -test.cpuprofile="), string(text))
				require.Regexp(t, `-test.cpuprofile=\S*/zkatbench-profile-\d+/cpu\.pprof\n`, string(text))
			}
			if c.budget == time.Hour {
				golden(t, "profiles", written(t, r, true))
			}
		})
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "zkatbench-profile-*"))
	require.NoError(t, err)
	require.Empty(t, left, "folders of profiles")
}

// TestProfilesThatFail: a program that writes none, or no profile; the report so far is
// returned.
func TestProfilesThatFail(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	run := func(written bool) (Report, error) {
		base, _ := timing(t, 7, "100", nil)
		head, _ := timing(t, 7, "150", nil)
		for _, side := range []*result.Contender{base, head} {
			if !written {
				continue
			}
			require.NoError(t, os.WriteFile(filepath.Join(side.Binaries[0].Dir, "profile"), []byte("no profile"), 0o600))
		}
		return Trial{Base: base, Head: head, Flags: result.Flags{Bench: "."}, Count: 6, Budget: time.Hour, Profile: true, Show: func(result.Progress) {}}.Run(t.Context())
	}
	_, err := run(false)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NotContains(t, err.Error(), "profile of")
	r, err := run(true)
	require.ErrorContains(t, err, "profile of BenchmarkC0: ")
	require.Equal(t, 7, r.Count(Regression))
	require.Empty(t, r.Profiles)
	failing, _ := timing(t, 7, "1", nil)
	require.NoError(t, os.Mkdir(filepath.Join(failing.Binaries[0].Dir, "profile"), 0o755))
	_, err = stacksOf(t.Context(), failing, result.Flags{}, result.Key{Package: "p", Name: "C0"}, 1)
	require.ErrorContains(t, err, "exit status 1")
	t.Setenv("TMPDIR", filepath.Join(os.TempDir(), "absent"))
	_, err = stacksOf(t.Context(), nil, result.Flags{}, X, 1)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// linking returns two sides whose binaries a program go makes, of which the linking of the
// layout bad fails. In both the case A takes 100 ns, and B takes 100 and 140 ns; each layout
// adds some.
func linking(t *testing.T, bad int) (sides [2]*result.Contender) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	tool := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in list*) printf 'p\\tm\\t%s\\n';; *randlayout=%d*) exit 1;; *) cp \"$(dirname \"$4\")/program\" \"$4\";; esac\n", dir, bad)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte(tool), 0o700))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for i, ns := range []int{100, 140} {
		program := "#!/bin/sh\nn=${0##*-layout}\n"
		for _, c := range []struct {
			name string
			ns   int
		}{{"A", 100}, {"B", ns}} {
			program += fmt.Sprintf("case \"$2\" in *=.|*Benchmark%s*) echo \"Benchmark%s 1000000 $((%d + n / 2)) ns/op 5 cpu-ns/op\";; esac\n", c.name, c.name, c.ns)
		}
		into := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(into, "program"), []byte(program), 0o700))
		built, err := result.Source{Dir: dir, Packages: []string{"."}, Layout: 1 + i}.Build(t.Context(), into)
		require.NoError(t, err)
		sides[i] = result.NewContender(built, result.Stream{Writer: io.Discard})
	}
	return sides
}

// TestLayoutsOfATrial: after the first look, both sides of the open cases get further
// layouts, once, and as many results.
func TestLayoutsOfATrial(t *testing.T) {
	rules, err := ParseRules(strings.NewReader("ignore .unit:cpu-sec/op"), "rules")
	require.NoError(t, err)
	run := func(sides [2]*result.Contender, show func(result.Progress)) (Report, error) {
		return Trial{Base: sides[0], Head: sides[1], Flags: result.Flags{Bench: "."}, Rules: rules, Count: 4, Layouts: 2, Budget: time.Hour, Show: show}.Run(t.Context())
	}
	sides, blocks := linking(t, -1), 0
	r, err := run(sides, func(p result.Progress) { blocks = max(blocks, p.Of) })
	require.NoError(t, err)
	r.Base, r.Head = "base", "head"
	var text strings.Builder
	for _, side := range sides {
		for _, b := range side.Binaries {
			fmt.Fprintln(&text, b.Package, b.Layout, filepath.Base(b.Path))
		}
		for _, k := range side.Data.Cases {
			layouts := slices.Clone(side.Data.Layouts[k]["sec/op"])
			slices.Sort(layouts)
			fmt.Fprintln(&text, k, layouts)
		}
	}
	golden(t, "layouts", text.String()+fmt.Sprintln(blocks, "blocks, looks:", r.Looks)+written(t, r, false))
	// A change of several layouts is confirmed by further ones.
	sides = linking(t, -1)
	for _, side := range sides {
		require.NoError(t, side.Relink(t.Context(), []result.Key{{Package: "p", Name: "A"}}, 2))
	}
	r, err = Trial{Base: sides[0], Head: sides[1], Flags: result.Flags{Bench: "."}, Rules: rules, Count: 6, Layouts: 2, Budget: time.Hour, Show: func(result.Progress) {}}.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, r.Looks)
	require.Equal(t, 1, r.Count(Regression))
	require.Len(t, sides[0].Binaries, 5)
	for _, bad := range []int{3, 4} {
		r, err := run(linking(t, bad), func(result.Progress) {})
		require.ErrorContains(t, err, "go test: exit status 1")
		require.Len(t, r.Comparisons, 2)
	}
}

// fakeGo puts a program go first into the search path: it prints the text for go list,
// after the arguments that it was given, and fails without one.
func fakeGo(t *testing.T, text string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\nprintf '" + text + "'\n"
	if text == "" {
		script = "#!/bin/sh\necho no module >&2; exit 1\n"
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o700))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// loops has each kind of loop, timed and not.
const loops = `// Package p is no benchmark.
package p // comment

import "testing"

func BenchmarkA(b *testing.B) {
	for b.Loop() {
		work()
	}
	for i := 0; i < b.N; i++ { work() }
	for range b.N {}
	for i := range b.N { for other.Loop() { work(i) } }
	for c.M.Loop() { work() }
	for i := 0; i <= b.N; i++ { work() }
	for i := 0; b.N < i; i++ { work() }
	for b.Loop(1) { work() }
	for Loop() { work() }
	for b.Next() { work() }
	for range b.M { work() }
	for range N { work() }
	for { break }
	for !b.Loop() { work() }
	b.RunParallel(func(pb *testing.PB) { for pb.Next() { work() } })
	for range b.N { work(1) }
	for range b.N { work(2) }
	for range b.N { work(3) }
	for range b.N { work(4) }
	for range b.N { work(5) }
}
`

// TestOverlays: the planted copies of all files with loops, for each fault.
func TestOverlays(t *testing.T) {
	from := t.TempDir()
	texts := []string{
		loops, "package p\n\nfunc f() {}\n", "package p\n\nfunc f(b B) { for b.Loop() { f(b) } }", "package p // a.N, no loop\n", "broken for b.N b.Loop()\n",
		"package p\n\nfunc g(b B) { for range b.N { g(b) } }",
	}
	var names []string
	for i, text := range texts {
		names = append(names, filepath.Join(from, fmt.Sprintf("f%d_test.go", i)))
		require.NoError(t, os.WriteFile(names[i], []byte(text), 0o600))
	}
	source := result.Source{Dir: from, Packages: []string{"./..."}}
	fakeGo(t, strings.Join(names, "\\n")+"\\n")
	var b strings.Builder
	for _, f := range Faults {
		dir := t.TempDir()
		name, err := f.Overlay(t.Context(), source, dir)
		require.NoError(t, err)
		if f.Name == "none" {
			require.Empty(t, name)
			continue
		}
		require.Equal(t, filepath.Join(dir, "overlay.json"), name)
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.True(t, json.Valid(text))
		fmt.Fprintf(&b, "== %s\n%s\n", f.Name, strings.NewReplacer(from, "FROM", dir, "INTO").Replace(string(text)))
		written, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, name := range written {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			fmt.Fprintf(&b, "-- %s\n%s", filepath.Base(name), text)
		}
	}
	golden(t, "overlays", b.String())

	slow := Faults[3]
	_, err := slow.Overlay(t.Context(), source, filepath.Join(from, "absent"))
	require.ErrorIs(t, err, os.ErrNotExist)
	fakeGo(t, names[0]+"\\n"+filepath.Join(from, "gone.go")+"\\n")
	_, err = slow.Overlay(t.Context(), source, t.TempDir())
	require.ErrorIs(t, err, os.ErrNotExist)
	fakeGo(t, names[1]+"\\n"+names[3]+"\\n")
	_, err = slow.Overlay(t.Context(), source, t.TempDir())
	require.EqualError(t, err, "-prove: no loop over b.N or b.Loop is found in the packages")
	fakeGo(t, "")
	_, err = slow.Overlay(t.Context(), source, t.TempDir())
	require.EqualError(t, err, "go list: exit status 1: no module")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, f := range []Fault{{Name: "x", Slower: 1}, {Name: "x", Alloc: true}, {Name: "x", Nothing: true}} {
		_, err = f.Overlay(ctx, source, t.TempDir())
		require.ErrorIs(t, err, context.Canceled)
	}
}

// TestProofs: the table and the conclusion for proofs with each kind of gap.
func TestProofs(t *testing.T) {
	var names []string
	for i := range 10 {
		names = append(names, fmt.Sprintf("Case/%d", i))
	}
	names = append(names, "Bad\x1bname")
	report := func(v Verdict, unit string, kind Kind, shift float64, others map[int]Verdict) (r Report) {
		for i, name := range names {
			c := Comparison{Key: result.Key{Package: "p", Name: name}, Unit: unit, Rule: Rule{Kind: kind}, Verdict: v, Shift: Shift{Value: shift}}
			if other, differs := others[i]; differs {
				c.Verdict = other
			}
			r.Comparisons = append(r.Comparisons, c)
		}
		twin := r.Comparisons[0] // of another package
		if twin.Key.Package = "q"; len(others) > 0 {
			twin.Verdict = v
		}
		r.Comparisons = append(r.Comparisons, twin)
		return r
	}
	all := func(f Fault, others map[int]Verdict) Report {
		if f == (Fault{Name: f.Name}) {
			return report(Same, "sec/op", noisy, -0.004, others)
		} else if f.Alloc {
			return report(Regression, "allocs/op", bounded, 1, others)
		}
		return report(Regression, "sec/op", noisy, f.Slower, others)
	}
	var b bytes.Buffer
	for _, c := range []struct {
		name   string
		change func(f Fault) Report
	}{
		{"everything is found", func(f Fault) Report { return all(f, nil) }},
		{"2 % is not found", func(f Fault) Report { return all(f, map[bool]map[int]Verdict{true: {10: Unknown}}[f.Slower == 0.02]) }},
		{"5 % and 2 % are not found", func(f Fault) Report {
			return all(f, map[bool]map[int]Verdict{true: {0: Unknown, 5: Same}}[f.Slower > 0 && f.Slower < 0.1])
		}},
		{"no slow-down is found", func(f Fault) Report {
			return all(f, map[bool]map[int]Verdict{true: {1: Unknown, 9: Improvement, 10: Same}}[f.Slower > 0])
		}},
		{"nothing and alloc are not found", func(f Fault) Report {
			return all(f, map[bool]map[int]Verdict{true: {9: Unknown}}[f.Nothing || f.Alloc])
		}},
		{"an allocation in another unit", func(f Fault) Report {
			r := all(f, nil)
			if f.Alloc {
				r.Comparisons[3].Unit = "B/op"
			}
			return r
		}},
		{"false alarms", func(f Fault) Report {
			return all(f, map[bool]map[int]Verdict{true: {2: Regression, 8: Improvement, 10: Regression}}[f.Name == "none"])
		}},
		{"differences of a case from itself", func(f Fault) Report {
			r := all(f, nil)
			if f.Name == "none" {
				r.Comparisons[4].Shift.Value, r.Comparisons[9].Shift.Value = 0.031, -0.05
				r.Comparisons[1].Shift.Value, r.Comparisons[1].Verdict = 0.5, Layout
				r.Comparisons[2].Shift.Value, r.Comparisons[2].Rule.Kind = 0.6, bounded
			}
			return r
		}},
		{"cases that end", func(f Fault) Report {
			r := all(f, map[bool]map[int]Verdict{true: {3: Unknown, 10: Unknown}}[f.Nothing])
			if f.Nothing {
				r.Missing = []Cell{{Key: r.Comparisons[3].Key}, {Key: r.Comparisons[10].Key, Unit: "sec/op"}}
			}
			return r
		}},
		{"no case", func(Fault) Report { return Report{} }},
	} {
		var p Proof
		for _, f := range slices.Backward(Faults) {
			if f.Slower == 0 {
				p.Add(f, c.change(f))
			}
		}
		for _, f := range Faults {
			if f.Slower > 0 {
				p.Add(f, c.change(f))
			}
		}
		fmt.Fprintf(&b, "== %s: sound %v\n", c.name, p.Sound())
		require.NoError(t, p.WriteText(&b))
	}
	golden(t, "proofs", b.String())
	require.ErrorIs(t, new(Proof).WriteText(full{}), errFull)
}
