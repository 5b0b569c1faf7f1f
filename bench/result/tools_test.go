package result // scripted is a helper of tests inside the package, and toolFlags is private

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fakeGo replaces go by a script, which keeps its arguments: a line for each call.
func fakeGo(t *testing.T, script string) (calls func() []string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	fake := scripted(t, "echo \"$*\" >>"+log+"\n"+script)
	dir := filepath.Dir(fake.Path)
	require.NoError(t, os.Rename(fake.Path, filepath.Join(dir, "go")))
	t.Setenv("PATH", dir)
	return func() []string {
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		require.NoError(t, os.Remove(log))
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
}

// TestLayouts: each layout of a package is built with a seed two above the one before, besides
// other flags of the linker.
func TestLayouts(t *testing.T) {
	calls := fakeGo(t, "case $1 in list) printf 'm/a\\tm\\t/a\\nm/b\\tm\\t/b\\n';; esac\n")
	s := Source{Packages: []string{"./..."}, Layout: 2}
	all, err := s.Build(t.Context(), "to")
	require.NoError(t, err)
	require.Equal(t, []string{"test -c -o to/0.test-layout2 -ldflags=-randlayout=2 m/a",
		"test -c -o to/1.test-layout2 -ldflags=-randlayout=2 m/b"}, calls()[1:])
	require.True(t, all[0].Relinks())
	all, err = Relink(t.Context(), all, map[string]bool{"m/b": true}, 2)
	require.NoError(t, err)
	require.Equal(t, []string{"test -c -o to/1.test-layout4 -ldflags=-randlayout=4 m/b",
		"test -c -o to/1.test-layout6 -ldflags=-randlayout=6 m/b"}, calls())
	all, err = Relink(t.Context(), all, nil, 1)
	require.NoError(t, err)
	require.Equal(t, []string{"test -c -o to/0.test-layout4 -ldflags=-randlayout=4 m/a",
		"test -c -o to/1.test-layout8 -ldflags=-randlayout=8 m/b"}, calls())
	require.Len(t, all, 6)
	require.Equal(t, 8, all[5].Layout)

	s.Flags = []string{"-race", "-ldflags=-s"}
	all, err = s.Build(t.Context(), "to")
	require.NoError(t, err)
	require.Contains(t, calls(), "test -c -o to/0.test-layout2 -race -ldflags=-s -randlayout=2 m/a")
	require.Equal(t, []string{"-race", "-ldflags=-s"}, s.Flags)
	c := NewContender(all, Stream{io.Discard})
	require.NoError(t, c.Relink(t.Context(), []Key{{"m/c", "X"}, {"m/a", "X"}}, 1))
	require.Equal(t, []string{"test -c -o to/0.test-layout4 -race -ldflags=-s -randlayout=4 m/a"}, calls())
	require.Len(t, c.Binaries, 3)
	s.Layout = 0
	all, err = s.Build(t.Context(), "to")
	require.NoError(t, err)
	require.False(t, all[0].Relinks())

	many := slices.Repeat([]string{"-race"}, 9)
	require.Equal(t, append(many, "-ldflags=-randlayout=3"), withLayout(many, 3))

	fakeGo(t, "echo no memory >&2; exit 1\n")
	left, err := Relink(t.Context(), c.Binaries, nil, 1)
	require.ErrorContains(t, err, "go test: exit status 1: no memory")
	require.Equal(t, c.Binaries, left)
}

// TestFilesOfBinaries: each file once, without those that go test generates.
func TestFilesOfBinaries(t *testing.T) {
	fakeGo(t, "printf '/m/a.go\\n/m//gen/main.go\\n\\n/m/b.go\\n/m/a.go\\n'\n")
	files, err := Source{}.Files(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"/m/a.go", "/m/b.go"}, files)
}

// TestFlagsOfTools: go sees all flags, and the compiler and the linker see theirs.
func TestFlagsOfTools(t *testing.T) {
	calls := fakeGo(t, "case \"$*\" in tool*-bad*|*./bad) echo bad flag >&2; exit 2;; *none) ;; "+
		"*) echo p;; esac\n")
	require.NoError(t, Source{}.CheckFlags(t.Context()))
	s := Source{Dir: t.TempDir(), Packages: []string{"./a", "./b"},
		Flags: []string{"-race", "-pgo=auto", "-pgo=off", "-gcflags=all=-N -l", "-ldflags= -X 'a=b c' -s"}}
	require.NoError(t, s.Check(t.Context()))
	all := strings.Join(s.Flags, " ")
	require.Equal(t, []string{"list -find " + all + " -- unsafe", "tool compile -N -l -V",
		"tool link -X a=b c -s -V", "list -find " + all + " -- ./a",
		"list -find " + all + " -- ./b"}, calls())
	require.Equal(t, []string{"-X", "a=b c", `d"e`}, toolFlags(`-X 'a=b c' d"e`))
	require.Equal(t, []string{"a b"}, toolFlags(`all="a b"`))
	for flag, want := range map[string]string{
		"-ldflags=-bad":   "-ldflags: go tool: exit status 2: bad flag",
		"-gcflags=x=-bad": "-gcflags: go tool: exit status 2: bad flag",
		"-pgo=absent":     "-pgo: stat " + s.Dir + "/absent: no such file or directory",
		"-pgo=/absent":    "-pgo: stat /absent: no such file or directory",
	} {
		t.Run(flag, func(t *testing.T) {
			s := s
			s.Flags = []string{flag}
			require.EqualError(t, s.Check(t.Context()), want)
		})
	}
	s.Flags = nil
	for pattern, want := range map[string]string{
		"./none": "no package matches ./none", "./bad": "go list: exit status 2: bad flag",
		".//a": "no package matches .//a: two slashes have no name between them",
	} {
		t.Run(pattern, func(t *testing.T) {
			s := s
			s.Packages = []string{"./a", pattern}
			require.EqualError(t, s.Check(t.Context()), want)
		})
	}
}

// TestCheckedValues: values that test binaries refuse are refused before the build.
func TestCheckedValues(t *testing.T) {
	for _, good := range []string{"-bench=A/B(c|d)", "-skip=A/[/]", "-benchtime=1s", "-benchtime=1x",
		"-timeout=0", "-cpu=1,8,65536", "-parallel=1", "-benchmem", "-benchmem=false", "-short=true",
		"-tags=a_1,b.c d", "-own=("} {
		t.Run(good, func(t *testing.T) {
			_, err := CheckedFlags([]string{good})
			require.NoError(t, err)
		})
	}
	for bad, want := range map[string]string{
		"-bench=(": `-bench: "(" is not a regular expression`, "-skip=A/(": `-skip: `,
		"-benchtime=0x":  `-benchtime: "0x" is not a time or a number of iterations above 0, such as 2s`,
		"-benchtime=-1s": `-benchtime: `, "-benchtime=1": `-benchtime: `,
		"-timeout=-1s": `-timeout: "-1s" is not a time such as 10m, or 0 for none`,
		"-cpu=0":       `-cpu: `, "-cpu=65537": `-cpu: `, "-cpu=1,x": `-cpu: "x" is not`,
		"-parallel=0": `-parallel: "0" is not`,
		"-benchmem=2": `-benchmem: `, "-short=no": `-short: `,
		"-tags=a,b!": `-tags: "a,b!" is not a list of build tags`,
		"-count=2":   "-count cannot be given after --",
	} {
		t.Run(bad, func(t *testing.T) {
			_, err := CheckedFlags([]string{bad})
			require.ErrorContains(t, err, want)
		})
	}
}

// TestFlagsOfABinary: a binary without a flag is asked without it, or refused.
func TestFlagsOfABinary(t *testing.T) {
	b := scripted(t, `case "$*" in *-old=*) echo flag provided but not defined: -old; exit 2;; `+
		"*-older*) echo flag provided but not defined: -older; exit 2;; esac\n")
	f := Flags{Run: []string{"-test.cpu=1", "-older", "2", "-new=3", "--old=4", "-switch", "-last"}}
	require.NoError(t, b.Probe(t.Context(), f))
	require.ElementsMatch(t, []string{"-old", "-older"}, b.Unknown)
	require.Equal(t, []string{"-test.cpu=1", "-new=3", "-switch", "-last"}, without(f.Run, b.Unknown))
	require.Equal(t, []string{"-a", "b"}, without([]string{"-a", "b", "-c"}, []string{"-c"}))
	require.Equal(t, []string{"-d"}, without([]string{"-c", "-d"}, []string{"-c"}))
	once := scripted(t, `case "$*" in *" -test.benchtime=1x") echo BenchmarkX 1 1 u; esac`+"\n")
	keys, err := once.Cases(t.Context(), Flags{Run: append(f.Run, f.Run...)})
	require.NoError(t, err)
	require.Equal(t, keysOf("X"), keys)
	err = b.CheckFlags(t.Context(), f)
	require.EqualError(t, err,
		"-old cannot be given after --: go test does not have it, and "+b.Path+" does not define it")
	require.ErrorIs(t, err, ErrFlag)
	require.NoError(t, b.CheckFlags(t.Context(), Flags{Run: []string{"-test.old=1"}}), "a flag of go test")
	broken := scripted(t, "echo broken; exit 3\n")
	require.NoError(t, broken.CheckFlags(t.Context(), f), "the measurement says why")
	require.EqualError(t, broken.Probe(t.Context(), f), "p: exit status 3: broken")
	same := scripted(t, "echo flag provided but not defined: -x; exit 2\n")
	require.ErrorContains(t, same.Probe(t.Context(), Flags{}), "not defined: -x", "although it was left out")
}

// TestLayoutsTakeTurns: the layout with the fewest results gives the next one, with its number. A
// profile is of the binary that has the case under an older name.
func TestLayoutsTakeTurns(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	two := scripted(t, "echo BenchmarkX 1 2 u\n")
	four := scripted(t, "echo \"$*\" >"+log+"\necho BenchmarkX 1 4 u\n")
	two.Layout, four.Layout = 2, 4
	sink := &sinkOf{calls: 9}
	c := NewContender([]Binary{two, four}, sink)
	c.Renames = Renames{{"X", "Y"}}
	keys, err := c.Cases(t.Context(), Flags{})
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, c.once(t.Context(), Flags{}, keys[0], 0))
	}
	require.Equal(t, []float64{2, 4, 2}, c.Data.Values[Key{"p", "Y"}]["u"])
	require.Equal(t, c.Data.Values, map[Key]map[string][]float64{{"p", "Y"}: c.Data.Layouts[Key{"p", "Y"}]})
	require.Equal(t, []string{"pkg: p", "BenchmarkX 1 2 u\t2 layout", "BenchmarkX 1 4 u\t4 layout",
		"BenchmarkX 1 2 u\t2 layout"}, sink.lines)
	require.NoError(t, c.Profile(t.Context(), Flags{Run: []string{"-a"}}, keys[0], 7, "to"))
	arguments, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, "-test.run=^$ -test.bench=^BenchmarkX$ -a -test.benchtime=7x -test.cpuprofile=to\n",
		string(arguments))
	require.ErrorIs(t, c.Profile(t.Context(), Flags{}, Key{"q", "X"}, 7, "to"), ErrNoBenchmarks)
}

// brimming is a writer that fails at the write with number left, and says that it did.
type brimming struct{ left int }

func (b *brimming) Write(text []byte) (int, error) {
	if b.left--; b.left < 0 {
		return 0, errSink
	}
	return len(text), nil
}

// TestFailuresOfWriters: each write of a text can fail, and is then the last.
func TestFailuresOfWriters(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	const text = "Unit u assume=exact\npkg: p\nBenchmarkX/n=1 1 1 ns/op 1 u\nBenchmarkX/n=2 1 1 ns/op\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	s, before := Scores{Data: NewData(), Mode: Average, Clock: Wall, Forks: 1}, NewData()
	require.NoError(t, s.Read(strings.NewReader(text), "f"))
	const other = "BenchmarkX/n=1 1 1 ns/op\nBenchmarkZ 1 1 ns/op\n"
	require.NoError(t, before.Read(strings.NewReader(other), "f"))
	for name, write := range map[string]func(io.Writer) error{
		"scores":  s.Write,
		"JSON":    s.WriteJSON,
		"changes": func(w io.Writer) error { return s.WriteChanges(w, before) },
		"merge":   func(w io.Writer) error { return Merge(w, Accept{Partial: true}, file) },
	} {
		t.Run(name, func(t *testing.T) {
			for n := 0; ; n++ {
				w := &brimming{n}
				err := write(w)
				if err == nil {
					require.Positive(t, n)
					break
				}
				require.Equal(t, errSink, err)
				require.Equal(t, -1, w.left, "no write after the failure")
			}
		})
	}
}

// TestLooks: results before a look are told from those after it.
func TestLooks(t *testing.T) {
	d := NewData()
	const text = "pkg: p\nBenchmarkX 1 1 u\nlook: more=true\nBenchmarkX 1 2 u\nBenchmarkX 1 3 u\n" +
		"look: more=false\nlook: bad\nBenchmarkX 1 4 u\n"
	require.NoError(t, d.Read(strings.NewReader(text), "f"))
	require.Equal(t, []Look{{More: true}, {}}, d.Looks)
	require.NotContains(t, d.Config, "look")
	for look, want := range [][]float64{{1}, {1, 2, 3}, {1, 2, 3, 4}} {
		part := d.Until(look)
		require.Equal(t, want, part.Values[Key{"p", "X"}]["u"])
		require.Equal(t, d.Config, part.Config)
	}
	sink := &sinkOf{calls: 2}
	c := NewContender(nil, sink)
	for range 3 {
		err := c.Judged(Look{More: true})
		require.Equal(t, len(sink.lines) == 2 && sink.calls < 0, errors.Is(err, errSink))
	}
	require.Equal(t, []string{"look: more=true", "look: more=true"}, sink.lines)
}

// TestOpen: results go to a file, or without a name to a writer.
func TestOpen(t *testing.T) {
	var out strings.Builder
	sink, err := Open("", &out, []string{"a: b"})
	require.NoError(t, err)
	require.NoError(t, sink.Append("c: d"))
	require.Equal(t, "a: b\nc: d\n", out.String())
	name := filepath.Join(t.TempDir(), "f")
	sink, err = Open(name, &out, []string{"a: b"})
	require.NoError(t, err)
	require.NoError(t, NewContender(nil, sink).End(false))
	require.ErrorIs(t, sink.Append("c: d"), os.ErrClosed)
	_, err = Open(filepath.Join(name, "f"), &out, nil)
	require.Error(t, err)
}

// TestProgress: a step, or the case with the time that is left.
func TestProgress(t *testing.T) {
	require.Equal(t, "building", Progress{Step: "building", Done: 1}.String())
	require.Equal(t, "2 of 8, 3s left, X/n=1",
		Progress{Done: 2, Of: 8, Remaining: 2600 * time.Millisecond, Case: Key{"p", "X/n=1"}}.String())
}
