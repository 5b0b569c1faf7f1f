package result // process is private: a suite does not tell a signal from an interrupt

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// scripted returns a shell script as the binary of package p.
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
	bound := scripted(t, "exit 0\n")
	bound.Processors = []int{1 << 20}
	_, err = bound.process(t.Context(), Flags{}, "", func(printed) {})
	require.ErrorIs(t, err, ErrTool, "no machine has this processor")
}

// failing neither reads nor writes.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errSink }

func (failing) Write([]byte) (int, error) { return 0, errSink }

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
	require.EqualError(t, (&File{f: reading, name: "f"}).Append("x"),
		"f: bad file descriptor (and invalid argument)")
	require.ErrorIs(t, Stream{failing{}}.Append("a"), errSink)
	var b bytes.Buffer
	require.NoError(t, Stream{&b}.Append())
	require.NoError(t, Stream{&b}.Append("a", "b"))
	require.Equal(t, "a\nb\n", b.String())
}

// TestSuiteFails: the lines after the last result say why a run ended, unless the sink
// takes no more.
func TestSuiteFails(t *testing.T) {
	bad := scripted(t, "echo BenchmarkX 1 5 ns/op; echo one >&2; echo two >&2; exit 1\n")
	s := Suite{Binaries: []Binary{bad}, Count: 2, Keys: keysOf("X"), Closing: func() []string {
		return []string{"closing: yes"}
	}}
	sink := &sinkOf{calls: 9}
	quiet := func(Progress) {}
	require.EqualError(t, s.Run(t.Context(), sink, quiet), "p: exit status 1: one; two")
	require.Equal(t,
		[]string{"pkg: p", "BenchmarkX 1 5 ns/op", "incomplete: 1 of 2 results: p: exit status 1: one; two",
			"closing: yes", "results: 1"}, sink.lines)
	s.Closing = nil
	ctx, cancel := context.WithCancel(t.Context())
	sink = &sinkOf{calls: 9}
	s.Binaries = []Binary{scripted(t, "echo BenchmarkX 1 5 ns/op\n")}
	require.EqualError(t, s.Run(ctx, sink, func(Progress) { cancel() }), ErrInterrupted.Error())
	require.Equal(t, []string{"pkg: p", "BenchmarkX 1 5 ns/op", "interrupted: 1 of 2 results", "results: 1"},
		sink.lines)

	good := scripted(t, "echo BenchmarkX 1 5 ns/op; echo BenchmarkY 1 5 ns/op\n")
	s = Suite{Binaries: []Binary{good}, Count: 3, Keys: keysOf("X", "Y")}
	sink = &sinkOf{calls: 1}
	done := 0
	require.Equal(t, errSink, s.Run(t.Context(), sink, func(Progress) { done++ }))
	require.Equal(t, []string{"pkg: p", "BenchmarkX 1 5 ns/op"}, sink.lines)
	require.Equal(t, 1, done)
	sink = &sinkOf{calls: 6}
	require.ErrorIs(t, s.Run(t.Context(), sink, quiet), errSink, "the last lines")

	s.Keys = nil
	s.Flags.Bench = "."
	s.Shard = Shard{3, 3}
	require.EqualError(t, s.Run(t.Context(), sink, quiet),
		"no benchmark was run: shard 3/3 of 2 cases is empty")
	other := good
	other.Package = "q"
	keys, err := Suite{Binaries: []Binary{good, other}, Shard: Shard{2, 2}}.Find(t.Context())
	require.NoError(t, err)
	require.Equal(t, []Key{{"p", "Y"}, {"q", "Y"}}, keys)
	keys, err = Suite{Binaries: []Binary{good, other}, Shard: Shard{1, 2},
		Cost: map[Key]float64{{"p", "X"}: 9, {"p", "Y"}: 1, {"q", "X"}: 1, {"q", "Y"}: 1}}.Find(t.Context())
	require.NoError(t, err)
	require.Equal(t, keysOf("X"), keys, "as long as all others")
	_, err = Suite{Binaries: []Binary{good}}.Find(ctx)
	require.Equal(t, ErrInterrupted, err)
	_, err = Suite{Binaries: []Binary{scripted(t, "exit 0\n")}, Flags: Flags{Bench: "Q"}}.Find(t.Context())
	require.EqualError(t, err, "no benchmark was run: no name matches -bench=Q")
	synctest.Test(t, func(t *testing.T) {
		since := time.Now()
		time.Sleep(4 * time.Second)
		require.Equal(t, 12*time.Second, Remaining(since, 2, 8))
	})
}

// TestOrderOfBinaries: the seed decides in which order each round has them.
func TestOrderOfBinaries(t *testing.T) {
	s := Suite{Count: 4, Seed: 7}
	for _, pkg := range []string{"a", "b", "c"} {
		b := scripted(t, "echo BenchmarkX 1 5 ns/op\n")
		b.Package = pkg
		s.Binaries, s.Keys = append(s.Binaries, b), append(s.Keys, Key{pkg, "X"})
	}
	rng := rand.New(rand.NewPCG(7, 0))
	var got, want []string
	for range s.Count {
		for _, i := range rng.Perm(3) {
			want = append(want, s.Keys[i].Package)
		}
	}
	require.NoError(t, s.Run(t.Context(), Stream{io.Discard}, func(p Progress) {
		got = append(got, p.Case.Package)
	}))
	require.Equal(t, want, got)
}

// TestIterationsOfARun: the first result of a case without processor time finds the number
// of its iterations, which later ones do not find again. Two iterations are too few for a time.
func TestIterationsOfARun(t *testing.T) {
	const all = "-test.run=^$ -test.bench=^BenchmarkX$"
	for iterations, want := range map[string]string{
		"20": "\n -test.benchtime=20x\n -test.benchtime=2x\n\n\n", "2": "\n\n\n",
	} {
		t.Run(iterations, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log")
			b := scripted(t, "echo \"$*\" >>"+log+"\necho BenchmarkX "+iterations+" 100 ns/op\n")
			s := Suite{Binaries: []Binary{b}, Count: 3, Keys: keysOf("X")}
			require.NoError(t, s.Run(t.Context(), Stream{io.Discard}, func(Progress) {}))
			arguments, err := os.ReadFile(log)
			require.NoError(t, err)
			require.Equal(t, want, strings.ReplaceAll(string(arguments), all, ""))
		})
	}
}

// TestCasesOfAnotherModule: a case takes the package with the same path in the other module.
func TestCasesOfAnotherModule(t *testing.T) {
	for _, c := range [][4]string{ // module, the other one, package, as it is then
		{"new", "old", "new/a", "old/a"}, {"new", "old", "new", "old"}, {"new", "old", "newer/a", "newer/a"},
		{"new", "old", "a/new", "a/new"},
		{"", "old", "new/a", "new/a"}, {"new", "", "new/a", "new/a"}, {"new", "new", "new/a", "new/a"},
	} {
		t.Run(strings.Join(c[:3], " "), func(t *testing.T) {
			b := scripted(t, "echo BenchmarkX 1 5 ns/op\n")
			b.Module, b.Package = c[0], c[2]
			side := NewContender([]Binary{b}, nil)
			side.Module, side.Renames = c[1], Renames{{"X", "Y"}}
			keys, err := side.Cases(t.Context(), Flags{})
			require.NoError(t, err)
			require.Equal(t, []Key{{c[3], "Y"}}, keys)
			require.Equal(t, map[Key]Key{keys[0]: {c[2], "X"}}, side.original)
		})
	}
}

// TestBuildFaults: packages without tests, tests that do not compile, and programs.
func TestBuildFaults(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.20\n", "a/a.go": "package a\n", "b/b.go": "package b\n",
		"b/b_test.go": "//go:build x\n\npackage b\n\nvar _ int = true\n",
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
	require.ErrorContains(t, Source{Dir: dir, Packages: []string{"./absent"}}.Check(t.Context()), "absent")
	each, left, err := Source{Dir: dir, Packages: []string{"./a", "./absent", "./b", "./c", "./d"},
		Flags: []string{"-tags=y,x"}}.BuildEach(t.Context(), t.TempDir())
	require.NoError(t, err)
	require.Len(t, each, 1)
	require.Equal(t, []string{"example.com/m/c", "example.com/m", filepath.Join(dir, "c")},
		[]string{each[0].Package, each[0].Module, each[0].Dir})
	require.Len(t, left, 2)
	require.ErrorContains(t, left[0], "example.com/m/b: go test")
	require.ErrorContains(t, left[1], "example.com/m/d: go test")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Git(ctx, dir, "version")
	require.Equal(t, context.Canceled, err)
}
