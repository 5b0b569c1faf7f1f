package result_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/host"
)

func TestTurnsCancelDrift(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	begins := [2]int{}
	for range 100 {
		turns := result.Turns(rng)
		begins[turns[0]]++
		at := [2]int{}
		for i, side := range turns {
			at[side] += i
		}
		require.Equal(t, at[0], at[1])
	}
	require.Greater(t, min(begins[0], begins[1]), 30)
}

func TestBlockMeasuresBothSidesTwice(t *testing.T) {
	flags, err := result.ParseFlags([]string{"-bench=Sum", "-benchtime=10x", "-cpu=1,2"})
	require.NoError(t, err)
	var files [2]bytes.Buffer
	var sides [2]*result.Contender
	for i := range sides {
		sides[i] = result.NewContender(binaries(t), result.Stream{Writer: &files[i]})
	}
	keys, err := sides[0].Cases(t.Context(), flags)
	require.NoError(t, err)
	require.Len(t, keys, 6, "each GOMAXPROCS is a separate case")
	rng := rand.New(rand.NewPCG(1, 2))
	for _, k := range keys[:2] {
		require.NoError(t, result.Block(t.Context(), sides, flags, k, rng, func() bool { return false }))
	}
	for i, side := range sides {
		read := result.NewData()
		require.NoError(t, read.Read(&files[i], "side"))
		require.Equal(t, keys[:2], side.Data.Cases)
		require.Equal(t, side.Data.Values, read.Values)
		for _, k := range keys[:2] {
			require.Len(t, side.Data.Values[k]["sec/op"], 2)
		}
	}
	require.ErrorIs(t,
		result.Block(t.Context(), sides, flags, result.Key{Package: "absent", Name: "X"}, rng, func() bool {
			return false
		}), result.ErrNoBenchmarks)
}

func TestPrebuilt(t *testing.T) {
	built := binaries(t)[0]
	b, err := result.Prebuilt(built.Path, built.Dir)
	require.NoError(t, err)
	require.False(t, b.Relinks())
	require.Equal(t, []string{built.Package, built.Dir, built.Path, built.Module},
		[]string{b.Package, b.Dir, b.Path, b.Module})
	all, err := result.Relink(t.Context(), []result.Binary{b}, nil, 1)
	require.NoError(t, err)
	require.Equal(t, []result.Binary{b}, all)
	all, err = result.Relink(t.Context(), []result.Binary{built}, map[string]bool{"another": true}, 1)
	require.NoError(t, err)
	require.Equal(t, []result.Binary{built}, all)
	goTool, err := exec.LookPath("go")
	require.NoError(t, err)
	_, err = result.Prebuilt(goTool, ".")
	require.EqualError(t, err, goTool+": cmd/go is not a test binary; build one with go test -c")
	_, err = result.Prebuilt("turns_test.go", ".")
	require.Error(t, err)
}

func TestCheckout(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git",
			append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	below := filepath.Join(dir, "below")
	require.NoError(t, os.Mkdir(below, 0o755))
	write := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(below, "f"), []byte(text), 0o600))
	}
	require.Equal(t, host.Unknown, result.Revision(t.Context(), dir))
	git("init", "-q")
	for _, text := range []string{"1", "2"} {
		write(text)
		git("add", ".")
		git("commit", "-qm", text)
	}
	clean := result.Revision(t.Context(), dir)
	require.Len(t, clean, 40)
	write("3")
	require.Equal(t, clean+"+changes", result.Revision(t.Context(), below))
	write("2")
	for name, changes := range map[string]string{"results.txt": "", "below/new_test.go": "+changes",
		"testdata/x": "+changes"} {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, nil, 0o600))
		require.Equal(t, clean+changes, result.Revision(t.Context(), below), name)
		require.NoError(t, os.Remove(name))
	}
	write("3")

	commit, err := result.Commit(t.Context(), below, "HEAD~1")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	into := filepath.Join(t.TempDir(), "tree")
	at, remove, err := result.Checkout(ctx, below, commit, into)
	require.NoError(t, err)
	b, err := os.ReadFile(filepath.Join(at, "f"))
	require.NoError(t, err)
	require.Equal(t, "1", string(b))
	cancel()
	require.NoError(t, remove(), "also after an interrupt")
	require.NoDirExists(t, into)
	_, _, err = result.Checkout(t.Context(), below, strings.Repeat("0", 40), into)
	require.ErrorContains(t, err, "git worktree: ")
	for _, bad := range []string{"absent", "--help"} {
		_, err = result.Commit(t.Context(), below, bad)
		require.ErrorContains(t, err, "git rev-parse: ", bad)
	}
}

// TestPatterns match each case with any GOMAXPROCS, and no other one.
func TestPatterns(t *testing.T) {
	for want, names := range map[string][]string{
		"":                                {},
		"^BenchmarkA$":                    {"A"},
		"^BenchmarkA(-8)?$":               {"A-8"},
		"^BenchmarkA$/^bits=8$":           {"A/bits=8"},
		"^BenchmarkA$/^bits=8(-2)?$":      {"A/bits=8-2"},
		`^BenchmarkA$/^a\.b$/^c(-16)?$`:   {"A/a.b/c-16"},
		"^BenchmarkA$|^BenchmarkB$/^x-y$": {"A", "B/x-y"},
		"^BenchmarkA$/^1$/^2$/^3$/^4$/^5$/^6$/^7$/^8$/^9$": {"A/1/2/3/4/5/6/7/8/9"},
	} {
		t.Run(fmt.Sprintf("%q", want), func(t *testing.T) {
			keys := make([]result.Key, len(names))
			for i, name := range names {
				keys[i] = result.Key{Package: "p", Name: name}
			}
			require.Equal(t, want, result.Pattern(keys))
		})
	}
}
