package result_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
)

var update = flag.Bool("update", false, "rewrite golden files")

// golden compares an output with a file in testdata/golden, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", "golden", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(want), got, name)
}

var errFull = errors.New("no space left")

// filling is a writer that fails once it has been written to a number of times.
type filling struct{ left int }

func (f *filling) Write(b []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// failsAtEachPlace lets each write fail that write makes.
func failsAtEachPlace(t *testing.T, write func(io.Writer) error) {
	t.Helper()
	for n := 0; ; n++ {
		w := &filling{left: n}
		err := write(w)
		if w.left >= 0 {
			require.NoError(t, err)
			require.Positive(t, n)
			return
		}
		require.ErrorIs(t, err, errFull, "write %d", n)
	}
}

// fakeGo puts a program go into the search path that keeps its arguments. It prints the
// files of answers: of its flag for go list -e, -find and -deps, and of the last argument
// otherwise; it makes a binary for go test unless there is an answer, with which it fails.
func fakeGo(t *testing.T, answers map[string]string) (log func() string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	for name, text := range answers {
		require.NoError(t, os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, "/", "_")), []byte(text), 0o600))
	}
	script := `#!/bin/sh
echo "$(pwd) $MARK: go $*" >> ` + dir + `/log
for last; do :; done
last=$(echo "$last" | tr / _)
case "$1 $2" in
"list -e"|"list -find"|"list -deps") answer="list $2";;
list*) answer="list $last";;
*) answer="test $last"; if [ ! -e "` + dir + `/$answer" ]; then echo binary > "$4"; exit; fi; cat "` + dir + `/$answer" >&2; exit 2;;
esac
cat "` + dir + `/$answer" 2> /dev/null || { echo "no $answer" >&2; exit 1; }
`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o700))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return func() string {
		text, err := os.ReadFile(filepath.Join(dir, "log"))
		require.NoError(t, err)
		require.NoError(t, os.Remove(filepath.Join(dir, "log")))
		return strings.ReplaceAll(string(text), dir, "GO")
	}
}

// TestBuilds: the commands of go for binaries of ten packages, their layouts, and what is
// left out.
func TestBuilds(t *testing.T) {
	from, into := t.TempDir(), t.TempDir()
	packages := func(names ...string) (list string) {
		for _, n := range names {
			list += "m/" + n + "\tm\t/src/" + n + "\n"
		}
		return list
	}
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	answers := map[string]string{
		"list ./...": packages(names...), "list ./other": "o\t\t/o\n", "list ./none": "", "list ./bad": packages("a", "bad", "c"),
		"list -e":    packages("a", "bad", "c"),
		"test m/bad": "bad.go:1: bad\n\nbad.go:2: worse\n", "list -find": "m/a\n",
		"list -deps": "/src/a.go\n/src/b.go\n\n/src/a.go\n/src/c//main.go\n/src/d.go\n",
	}
	log := fakeGo(t, answers)
	var b strings.Builder
	show := func(title string, all []result.Binary, err error) {
		fmt.Fprintf(&b, "== %s\n", title)
		for _, one := range all {
			text := ""
			if _, missing := os.Stat(one.Path); missing != nil {
				text = ", absent"
			}
			fmt.Fprintf(&b, "%s of %q in %s, layout %d, relinks %v, %v%s: %s\n", one.Package, one.Module, one.Dir, one.Layout, one.Relinks(), one.Env, text, one.Path)
		}
		if err != nil {
			fmt.Fprintf(&b, "error: %v\n", err)
		}
		b.WriteString(log())
	}
	s := result.Source{Dir: from, Packages: []string{"./..."}, Env: []string{"MARK=x", "Y=2"}}
	all, err := s.Build(t.Context(), into)
	show("plain", all, err)
	s.Flags, s.Layout = []string{"-tags=x", "-ldflags=-s", "-race"}, 5
	all, err = s.Build(t.Context(), into)
	show("with a layout", all, err)
	require.Equal(t, []string{"-tags=x", "-ldflags=-s", "-race"}, s.Flags)
	wanted := map[string]bool{"m/b": true, "m/j": true, "m/x": true, "m/c": false}
	all = append(all, result.Binary{Package: "m/b", Layout: 99}, result.Binary{Package: "m/k"})
	all, err = result.Relink(t.Context(), all, wanted, 2)
	show("two more layouts of two packages", all, err)
	all, err = result.Relink(t.Context(), all[9:], wanted, 1)
	show("one more", all, err)
	c := result.NewContender(all[:3], nil)
	require.NoError(t, c.Relink(t.Context(), []result.Key{{Package: "m/q", Name: "X"}, {Package: "m/j", Name: "X"}}, 1))
	show("of a side", c.Binaries, nil)
	s.Flags = []string{"-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h", "-i"}
	s.Packages, s.Layout = []string{"./..."}, 0
	all, err = s.Build(t.Context(), into)
	show("nine flags", all[:1], err)
	s.Layout = 1
	all, err = s.Build(t.Context(), into)
	show("nine flags and a layout", all[:1], err)
	all, err = result.Relink(t.Context(), all, nil, 1)
	show("all packages", all, err)

	plain := result.Source{Dir: from, Packages: []string{"./other"}}
	all, err = plain.Build(t.Context(), into)
	show("another module", all, err)
	for _, packages := range [][]string{{"./none"}, {"-x", "./none"}, {"./gone"}, {"./bad"}} {
		plain.Packages = packages
		all, err = plain.Build(t.Context(), into)
		show(fmt.Sprint(packages), all, err)
		require.Equal(t, packages[len(packages)-1] == "./none", errors.Is(err, result.ErrNoTests))
	}
	b.WriteString("== each\n")
	each, left, err := plain.BuildEach(t.Context(), t.TempDir())
	require.NoError(t, err)
	for i := range each {
		each[i].Path = filepath.Base(each[i].Path)
	}
	fmt.Fprintln(&b, left)
	fmt.Fprintln(&b, strings.Count(log(), "\n"), "commands")
	for _, one := range each {
		fmt.Fprintln(&b, one.Package, one.Path)
	}
	plain.Packages = []string{"./..."}
	err = plain.Check(t.Context())
	show("check", nil, err)
	files, err := s.Files(t.Context())
	show("files", nil, err)
	fmt.Fprintln(&b, files)

	log = fakeGo(t, map[string]string{"list -e": packages("bad"), "test m/bad": "no"})
	each, left, err = plain.BuildEach(t.Context(), t.TempDir())
	fmt.Fprintln(&b, "== none is left:", each, left)
	require.EqualError(t, err, "m/bad: go test: exit status 2: no\nno package has tests: ./...")
	log()
	log = fakeGo(t, nil)
	for title, f := range map[string]func() error{
		"each":  func() error { _, _, err := plain.BuildEach(t.Context(), into); return err },
		"check": func() error { return plain.Check(t.Context()) },
		"files": func() error { _, err := plain.Files(t.Context()); return err },
	} {
		require.ErrorContains(t, f(), "go list: exit status 1: no list ", title)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = plain.BuildEach(ctx, into)
	require.Equal(t, context.Canceled, err)
	golden(t, "builds", strings.NewReplacer(from, "FROM", into, "INTO").Replace(b.String()))
}

// stored is everything in Data, in a fixed order.
func stored(d *result.Data) string {
	var b strings.Builder
	for _, k := range d.Cases {
		fmt.Fprintf(&b, "%s %s: spent %.6g, iterations %.6g\n", k.Package, k.Name, d.Spent[k], d.Iters[k])
		for _, unit := range d.Units {
			if xs, there := d.Values[k][unit]; there {
				fmt.Fprintf(&b, "  %s %v, layouts %v\n", unit, xs, d.Layouts[k][unit])
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(d.Config)) {
		fmt.Fprintf(&b, "%s: %q\n", key, d.Config[key])
	}
	for _, line := range slices.Concat(d.Partial, []string{"failed:"}, d.Failed) {
		b.WriteString(line + "\n")
	}
	fmt.Fprintln(&b, len(d.Meta), "units described")
	return b.String()
}

// manyResults is a file with ten of everything.
func manyResults() string {
	var b strings.Builder
	for i := range 10 {
		fmt.Fprintf(&b, "Unit u%d assume=exact better=lower\nkey%d: %d\nhost: h\nstarted: 2026-01-0%dT00:00:00Z\nshard: 1/%d\n", i, i, i, i%9+1, i+20)
		fmt.Fprintf(&b, "pkg: p%d\nBenchmarkX/i=%d-8 %d %d ns/op %d layout %d B/op\nBenchmarkX/i=%d-8 %d %d ns/op %d u%d\n", i%3, i, 10+i, 100+i, i%4, i, i, 20+i, 200+i, i, i)
		fmt.Fprintf(&b, "--- FAIL: BenchmarkY%d \n\t--- FAIL: sub%d\nincomplete: %d more\ninterrupted: %d results\n", i, i, i, i)
	}
	return b.String()
}

// TestDataOfMany: a file with ten of everything, other names, and its merges.
func TestDataOfMany(t *testing.T) {
	name := filepath.Join(t.TempDir(), "many")
	require.NoError(t, os.WriteFile(name, []byte(manyResults()), 0o600))
	d, err := result.ReadFiles(name)
	require.NoError(t, err)
	text := stored(d)
	rs, err := result.ParseRenames("X/i=3=Y/i=4,X/i=9=Z/j=9")
	require.NoError(t, err)
	require.NoError(t, d.Rename(rs))
	text += "== renamed\n" + stored(d)
	var merged bytes.Buffer
	err = result.Merge(&merged, result.Accept{Mixed: true}, name)
	require.ErrorIs(t, err, result.ErrPartial)
	text += "== merged\n" + err.Error() + "\n"
	require.NoError(t, result.Merge(&merged, result.Accept{Partial: true, Mixed: true}, name))
	golden(t, "many", strings.ReplaceAll(text+merged.String(), name, "MANY"))
	failsAtEachPlace(t, func(w io.Writer) error { return result.Merge(w, result.Accept{Partial: true, Mixed: true}, name) })
}

// TestMergesOfMany: ten files, of ten machines, with doubles at each place.
func TestMergesOfMany(t *testing.T) {
	var texts []string
	for i := range 11 {
		texts = append(texts, fmt.Sprintf("host: h%d\ncpu: c\ncommand: run\nstarted: 2026-01-01T00:00:%02dZ\nshard: %d/22\npkg: p\nBenchmarkX/i=%d 1 5 ns/op\nresults: 1\n", i, i, 2*i+1, i))
	}
	names := written(t, texts...)
	var b strings.Builder
	try := func(title string, accept result.Accept, names ...string) {
		var out bytes.Buffer
		err := result.Merge(&out, accept, names...)
		fmt.Fprintf(&b, "== %s: %v\n%s", title, err, out.String())
	}
	try("machines", result.Accept{}, names...)
	try("hosts", result.Accept{Hosts: true}, names...)
	try("hosts and gaps", result.Accept{Hosts: true, Partial: true}, names...)
	try("twice", result.Accept{Mixed: true, Partial: true}, slices.Concat(names[:3], names[:3])...)
	try("both twice", result.Accept{Mixed: true, Partial: true, Doubles: true}, names[0], names[0])
	var whole, again []string
	for i := range 10 {
		whole = append(whole, fmt.Sprintf("host: h\nstarted: 2026-01-01T00:00:%02dZ\nshard: %d/10\npkg: p\nBenchmarkX/i=%d 1 5 ns/op\nresults: 1\n", i, i+1, i))
		again = append(again, fmt.Sprintf("host: h\nstarted: 2026-01-02T00:00:%02dZ\nshard: %d/10\npkg: p\nBenchmarkX/i=%d 1 6 ns/op\nresults: 1\n", i, i+1, i))
	}
	try("whole", result.Accept{}, written(t, whole...)...)
	try("two runs", result.Accept{}, written(t, slices.Concat(whole, again)...)...)
	try("two runs in one file", result.Accept{}, written(t, strings.Join(whole, "")+again[3]+again[9])...)
	try("one run in two files", result.Accept{}, written(t, strings.Join(whole, ""), whole[2]+whole[8]+again[0])...)
	var others []string
	for _, key := range []string{"go", "revision", "goos", "goarch", "cpu", "cpus", "gomaxprocs", "pinned", "quota", "governor"} {
		others = append(others, fmt.Sprintf("%s: 1\nBenchmarkX/key=%s 1 5 ns/op\n%s: 2\nBenchmarkX/key=%s 1 6 ns/op\n", key, key, key, key))
		try(key, result.Accept{}, written(t, others[len(others)-1])...)
	}
	try("broken", result.Accept{}, written(t, whole[0], "BenchmarkX 1 five ns/op\n", "")...)
	try("empty", result.Accept{}, written(t, whole[0], "")...)
	text := b.String()
	for i, name := range slices.Backward(names) {
		text = strings.ReplaceAll(text, name, fmt.Sprint("FILE", i))
	}
	golden(t, "merges", withoutFolders(text))
}

// withoutFolders replaces folders of a test by DIR.
func withoutFolders(text string) string {
	fields := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" :;\n", r) })
	for _, f := range fields {
		if strings.HasPrefix(f, os.TempDir()) {
			text = strings.ReplaceAll(text, f, "DIR/"+filepath.Base(f))
		}
	}
	return text
}

// TestScoresOfMany: tables, JSON and changes of ten rows with many parameters.
func TestScoresOfMany(t *testing.T) {
	line := func(name string, ns float64) string {
		return fmt.Sprintf("Benchmark%s 1 %v ns/op %v cpu-ns/op\n", name, ns, ns/2)
	}
	var before, after strings.Builder
	for i := range 10 {
		for n := range 6 {
			x := float64(1000*(i+1) + 10*n)
			before.WriteString(line(fmt.Sprintf("Sign/a=%d/b=x-8", i), x*50) + line(fmt.Sprintf("Verify/only/c%d=1/d=%d", i, i%2), x*1e6))
			after.WriteString(line(fmt.Sprintf("Sign/a=%d/b=x-8", i), x*(50+float64(i))) + line(fmt.Sprintf("Verify/only/c%d=2/d=%d", i, i%2), x*1e6))
		}
	}
	for _, name := range []string{"One", "Two/a=1/b=2", "Two/a=2/b=1", "Two/a=2/b=2", "Two/b=1/a=2", "Two/a=1", "Small/x=1", "Small/x=2", "Long/a=1/b=2/c=3/d=4/e=5/f=6/g=7/h=8/i=9/j=10"} {
		before.WriteString(line(name, 7e6))
		after.WriteString(line(name, 8e6) + line(name, 8.5e6))
	}
	before.WriteString("BenchmarkTiny 1 0.00123 ns/op\nBenchmarkTenth 1 100000 ns/op\nBenchmarkZero/x=1 1 0 ns/op\nBenchmarkZero/x=2 1 0 ns/op\nBenchmarkNone 1 5 u\n")
	for range 3 {
		after.WriteString("BenchmarkTenth 1 100000 ns/op\nBenchmarkTenth 1 99000 ns/op\nBenchmarkNew/a=1 1 7000000 ns/op\n")
	}
	var b strings.Builder
	for _, mode := range []string{result.Average, result.Throughput, result.SingleShot} {
		s := scores(t, after.String(), mode, result.Wall)
		s.Forks, s.Warmup = 3, 2
		fmt.Fprintf(&b, "== %s\n", mode)
		require.NoError(t, s.Write(&b))
		failsAtEachPlace(t, s.Write)
		if mode == result.Throughput {
			require.NoError(t, s.WriteJSON(&b))
			failsAtEachPlace(t, s.WriteJSON)
		}
		older := scores(t, before.String(), mode, result.Wall)
		require.NoError(t, s.WriteChanges(&b, older.Data))
		failsAtEachPlace(t, func(w io.Writer) error { return s.WriteChanges(w, older.Data) })
		require.NoError(t, older.WriteChanges(&b, s.Data))
		require.NoError(t, older.Write(&b))
	}
	s := scores(t, after.String(), result.Average, result.Wall)
	require.ErrorIs(t, s.WriteChanges(io.Discard, scores(t, "BenchmarkA 1 1 u\n", "", "").Data), result.ErrNoBenchmarks)
	s.Clock = result.CPU
	require.EqualError(t, s.Write(io.Discard), "Tenth has no processor time of one thread")
	golden(t, "scores", b.String())
}

// TestCommandLinesOfMany: each character that a shell knows, also behind others.
func TestCommandLinesOfMany(t *testing.T) {
	var args, want []string
	for _, c := range " \t\n\"'`$&|;<>()[]{}*?!#~\\" {
		args = append(args, "a"+string(c), "plain", "")
		quoted := "'a" + string(c) + "'"
		if c == '\'' {
			quoted = `'a'\'''`
		}
		want = append(want, quoted, "plain", "''")
	}
	require.Equal(t, strings.Join(want, " "), result.CommandLine(args))
}

// printing is a binary of package pkg that prints lines for the cases that it is asked
// for, and keeps its arguments.
func printing(t *testing.T, pkg, script string) (b result.Binary, log func() string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "script")
	require.NoError(t, os.WriteFile(name, []byte("#!/bin/sh\necho \"$*\" >> "+dir+"/log\n"+script+"\n"), 0o700))
	return result.Binary{Package: pkg, Dir: dir, Path: name}, func() string {
		text, err := os.ReadFile(filepath.Join(dir, "log"))
		require.NoError(t, err)
		return string(text)
	}
}

// TestRunsOfMany: the whole output of a run of ten cases in three rounds, the order of its
// binaries and the time that remains.
func TestRunsOfMany(t *testing.T) {
	var binaries []result.Binary
	var keys []result.Key
	for i := range 10 {
		pkg := fmt.Sprint("p", i)
		b, _ := printing(t, pkg, fmt.Sprintf("echo goos: linux; echo pkg: %s; echo Unit u%d assume=exact; echo 'BenchmarkX%d-4 5 %d ns/op 1 cpu-ns/op'; echo PASS", pkg, i, i, 100+i))
		binaries, keys = append(binaries, b), append(keys, result.Key{Package: pkg, Name: fmt.Sprintf("X%d-4", i)})
	}
	var b strings.Builder
	synctest.Test(t, func(t *testing.T) {
		s := result.Suite{Binaries: binaries, Flags: result.Flags{Bench: "."}, Count: 3, Seed: 7, Closing: func() []string { return []string{"noise: one", "noise: two"} }}
		found, err := s.Find(t.Context())
		require.NoError(t, err)
		require.Equal(t, keys, found)
		var out bytes.Buffer
		require.NoError(t, s.Run(t.Context(), result.Stream{Writer: &out}, func(p result.Progress) {
			fmt.Fprintln(&b, p.Done, p.Of, p.Case.Package, p.Case, p.Remaining)
			time.Sleep(time.Second)
		}))
		b.WriteString(out.String())
	})
	golden(t, "runs", b.String())
}

// TestTurnsOfMany: both sides of several layouts, whose binaries take turns, under older
// names and packages of another module; then a profile.
func TestTurnsOfMany(t *testing.T) {
	var logs []func() string
	side := func(module string, first int) *result.Contender {
		var all []result.Binary
		for layout := first; layout < first+6; layout += 2 {
			for _, pkg := range []string{"a", "b"} {
				names := ""
				for i := range 10 {
					names += fmt.Sprintf("case \"$2\" in *=.|*New%d*) echo 'BenchmarkNew%d 5 %d ns/op 1 cpu-ns/op';; esac\n", i, i, 100+i)
				}
				b, log := printing(t, module+"/"+pkg, "echo pkg: "+module+"/"+pkg+"\n"+names)
				b.Layout, b.Module = layout, module
				all, logs = append(all, b), append(logs, log)
			}
		}
		return result.NewContender(all, nil)
	}
	var b strings.Builder
	var sides [2]*result.Contender
	var out [2]bytes.Buffer
	for i, module := range []string{"old", "new"} {
		c := side(module, i+1)
		sides[i] = result.NewContender(c.Binaries, result.Stream{Writer: &out[i]})
		var err error
		sides[i].Renames, err = result.ParseRenames("New9=Old9,New0=Old0")
		require.NoError(t, err)
	}
	f := result.Flags{Bench: ".", Run: []string{"-r"}}
	var keys [2][]result.Key
	sides[1].Module = "old"
	for i, c := range sides {
		var err error
		keys[i], err = c.Cases(t.Context(), f)
		require.NoError(t, err)
	}
	adopted := keys[1]
	require.Equal(t, keys[0], adopted)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2 {
		for _, k := range []result.Key{adopted[0], adopted[9], adopted[15]} {
			require.NoError(t, result.Block(t.Context(), sides, f, k, rng, func() bool { return false }))
		}
	}
	profile := filepath.Join(t.TempDir(), "profile")
	require.NoError(t, sides[1].Profile(t.Context(), f, adopted[9], 17, profile))
	require.Equal(t, []string{"-r"}, f.Run)
	require.EqualError(t, sides[1].Profile(t.Context(), f, result.Key{Package: "x", Name: "Y"}, 17, profile), "no benchmark was run: x has no binary")
	for i, c := range sides {
		require.NoError(t, c.End(i == 1))
		fmt.Fprintf(&b, "== side %d\n%s-- data\n%s", i, out[i].String(), stored(c.Data))
	}
	for i, log := range logs {
		fmt.Fprintf(&b, "== binary %d\n%s", i, log())
	}
	golden(t, "turns", strings.ReplaceAll(b.String(), profile, "PROFILE"))

	// A case whose program prints none is an error, and so is a line that is no result.
	silent, _ := printing(t, "p", "case \"$2\" in *=.) echo 'BenchmarkX 5 1 ns/op';; esac")
	c := result.NewContender([]result.Binary{silent}, result.Stream{Writer: io.Discard})
	err := result.Block(t.Context(), [2]*result.Contender{c, c}, f, result.Key{Package: "p", Name: "X"}, rng, func() bool { return false })
	require.EqualError(t, err, "BenchmarkX: no benchmark was run")
}

// TestSoundFiles: a number at each place that is none, and a negative time.
func TestSoundFiles(t *testing.T) {
	var good strings.Builder
	for i := range 10 {
		fmt.Fprintf(&good, "BenchmarkX/i=%d 1 5 ns/op -7 u\n", i)
	}
	for text, want := range map[string]string{
		"BenchmarkY 1 5 u NaN v\n": "a result of BenchmarkY in v is not a number", "BenchmarkY 1 +Inf u\n": "a result of BenchmarkY in u is not a number",
		"BenchmarkY 1 -5 ns/op\n": "a result of BenchmarkY in sec/op is negative", "BenchmarkY 1 -5 cpu-ns/op\n": "a result of BenchmarkY in cpu-sec/op is negative",
		"BenchmarkX/i=9 1 5 ns/op 3 u\nBenchmarkX/i=9 1 -1 ns/op\n": "a result of BenchmarkX/i=9 in sec/op is negative", "BenchmarkY 1 0 ns/op\n": "",
	} {
		names := written(t, good.String(), good.String()+text)
		d, err := result.ReadSound(names...)
		if want == "" {
			require.NoError(t, err)
			require.Len(t, d.Cases, 11)
			continue
		}
		require.EqualError(t, err, names[1]+": "+want)
		_, err = result.ReadFiles(names...)
		require.NoError(t, err)
	}
	_, err := result.ReadSound(filepath.Join(t.TempDir(), "absent"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestMachinesOfMany: the last one of ten data differs.
func TestMachinesOfMany(t *testing.T) {
	var all []*result.Data
	for i := range 10 {
		d := result.NewData()
		require.NoError(t, d.Read(strings.NewReader(fmt.Sprintf("cpu: c%d\nBenchmarkX 1 5 ns/op\n", i/9)), "f"))
		all = append(all, d)
	}
	require.NoError(t, result.SameMachine(false, all[:9]...))
	require.ErrorIs(t, result.SameMachine(false, all...), result.ErrMachines)
}

// TestIterationsOfARun: the first result of a case without processor time finds the number
// of its iterations, which later ones do not find again.
func TestIterationsOfARun(t *testing.T) {
	b, log := printing(t, "p", "echo 'BenchmarkX 20 100 ns/op'")
	s := result.Suite{Binaries: []result.Binary{b}, Flags: result.Flags{Bench: "."}, Count: 3, Keys: []result.Key{{Package: "p", Name: "X"}}}
	require.NoError(t, s.Run(t.Context(), result.Stream{Writer: io.Discard}, func(result.Progress) {}))
	const all = "-test.run=^$ -test.bench=^BenchmarkX$"
	require.Equal(t, all+"\n"+all+" -test.benchtime=20x\n"+all+" -test.benchtime=2x\n"+all+"\n"+all+"\n", log())
}
