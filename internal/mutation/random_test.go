package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const toy = `package toy

type pile struct{ n int }

func (*pile) limit(_ int, more ...int) int { return 4 + len(more) }

func largest[T int | uint](a, b T) T {
	if a > b {
		return a
	}
	return b
}

func (p *pile) add(n int) (ok bool) {
	if n > p.limit(n, 1, 2) {
		return false
	}
	p.n += n
	return true
}

func table(dst []int, n int) []int {
	for i := 0; i < n; i++ {
		dst = append(dst, i*i)
	}
	return dst
}
`

const toyTest = `package toy

import "testing"

func TestAdd(t *testing.T) {
	p := new(pile)
	if !p.add(6) || p.add(7) || p.n != 6 || largest(2, 3) != 3 || largest(3, 2) != 3 {
		t.Fatal(p.n)
	}
}
`

// toyModule is a module with a tested type and an untested function.
func toyModule(t *testing.T) {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module toy\n\ngo 1.26\n", "toy.go": toy, "toy_test.go": toyTest} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	t.Chdir(root)
	t.Setenv("GOFLAGS", "-buildvcs=false")
}

func TestMutantsAtRandom(t *testing.T) {
	toyModule(t)
	args := []string{"-random=1000", "-seed=3", "-packages=.", "-testers=.", "-journal=journal", "-equivalents=equivalent.txt"}
	out := new(bytes.Buffer)
	require.ErrorContains(t, run(context.Background(), args, out), "fewer than 95 %")
	text := out.String()
	require.Regexp(t, `(?m)^killed    toy\.go:15 compare .* TestAdd$`, text, "n ≥ limit is found")
	require.Regexp(t, `(?m)^killed    toy\.go:18 remove `, text, "a deleted statement is found")
	require.Regexp(t, `(?m)^SURVIVED  toy\.go:8 compare .*: toy\.go largest compare: > → >=$`, text, "an equivalent edit survives")
	require.Regexp(t, `(?m)^SURVIVED  toy\.go:24 append .*no test reaches it: toy\.go table append: append\(dst, i\*i\) → dst$`, text)

	// The same run goes on from its journal and plants nothing again; a listed edit
	// is not a survivor.
	list := "toy.go largest compare: > → >= # both values are equal there\n"
	require.NoError(t, os.WriteFile("equivalent.txt", []byte(list), 0o600))
	again := new(bytes.Buffer)
	require.Error(t, run(context.Background(), args, again))
	require.Equal(t, strings.Count(text, "SURVIVED")-1, strings.Count(again.String(), "SURVIVED"))
	require.Contains(t, again.String(), " 1 equivalent, ")

	require.NoError(t, os.Mkdir("faults", 0o700))
	require.NoError(t, os.WriteFile("faults/toy.txt", []byte("file toy.go\nfault f in pile.add\n- return true\n+ return false\n"), 0o600))
	listed := []string{"-list", "-packages=.", "-faults=faults", "-explained=none", "-equivalents=equivalent.txt"}
	require.NoError(t, run(context.Background(), listed, again))
	require.NoError(t, os.WriteFile("equivalent.txt", []byte("toy.go largest compare: > → < # old\n"), 0o600))
	require.ErrorContains(t, run(context.Background(), listed, again), "no operator makes the edit toy.go largest")

	require.NoError(t, os.WriteFile("equivalent.txt", []byte("toy.go largest compare: > → >=\n"), 0o600))
	require.ErrorContains(t, run(context.Background(), args, again), "no reason")
}

// TestListsAndDrawsTogether plants listed faults and drawn ones in one build.
func TestListsAndDrawsTogether(t *testing.T) {
	toyModule(t)
	require.NoError(t, os.Mkdir("faults", 0o700))
	list := "file toy.go\ntest .\nfault found in pile.add\n- return true\n+ return false\nfault lost in table\n- i++ {\n+ i += 2 {\n"
	require.NoError(t, os.WriteFile("faults/toy.txt", []byte(list), 0o600))
	out := new(bytes.Buffer)
	args := []string{"-random=5", "-run=.", "-faults=faults", "-packages=.", "-testers=.", "-explained=none"}
	require.ErrorContains(t, run(context.Background(), args, out), "no test finds, and no table explains: lost")
	require.Regexp(t, `(?m)^killed    found `, out.String())
	require.Regexp(t, `(?m)^random: found \d of 5, 0 equivalent, \d survive$`, out.String())
	require.Regexp(t, `(?m)^2 faults, 1 killed `, out.String())
}

func TestDrawsAreRepeatable(t *testing.T) {
	toyModule(t)
	drawn := func(seed uint64) (names []string) {
		mutants, err := draw(context.Background(), ".", t.TempDir(), options{random: 5, seed: seed, packages: "."})
		require.NoError(t, err)
		require.Len(t, mutants, 5)
		for _, m := range mutants {
			names = append(names, m.String())
		}
		return names
	}
	require.Equal(t, drawn(1), drawn(1))
	require.NotEqual(t, drawn(1), drawn(2))
}

// TestNoEffectIsNotEdited: room for more elements, hints, pools and the values that a
// function returns anyway.
func TestNoEffectIsNotEdited(t *testing.T) {
	root := t.TempDir()
	for text, want := range map[string][]string{
		"f(n int) []int { return slices.Grow(make([]int, 2, n-7), 5) }": {" return *new([]int)", "[]int, 2 2, []int", "2 3", "2 1", "2 0"},
		"grow() { s = slices.Grow(s, 5); s = slices.Grow(r, 5) }":       {" return ", "s = slices.Grow(r, 5) if false { s = slices.Grow(r, 5) }"},
		"prefetch(s []int) { load(s[0]) }":                              nil,
		"table() { hugepages.Advise(entries[1:]) }":                     {" return "},
		"least() float64 { return math.Inf(-1) }":                       {" return *new(float64)", "-1 1"},
		"(p *pool) put(x int) { p.Put(x); p.Put(x, 1) }":                {" return ", "p.Put(x, 1) if false { p.Put(x, 1) }", "x, 1 1, x", "1 2", "1 0"},
		"none() (int, error) { return 0, nil }":                         {"0 1"},
		"never() bool { return false }":                                 {" return true"},
		"empty() {}":                                                    nil,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, "toy.go"), []byte("package toy\n\nfunc "+text+"\n"), 0o600))
		s, err := parseFile(root, "toy.go")
		require.NoError(t, err)
		var edits []string
		for _, e := range s.edits() {
			edits = append(edits, e.old+" "+strings.TrimSuffix(strings.TrimPrefix(e.text, " if true { "), " };"))
		}
		require.Equal(t, want, edits, text)
	}
}

// TestEachEditHasOneName: an edit that a function offers twice is numbered, so that
// a reason excuses one of them. Equal operands do not change places.
func TestEachEditHasOneName(t *testing.T) {
	root := t.TempDir()
	text := "package toy\n\nfunc f(n int) { g(n - 1); g(n / 2); g(n - n); g(n - 1) }\n\nfunc h(n int) { g(n - 1) }\n"
	require.NoError(t, os.WriteFile(filepath.Join(root, "toy.go"), []byte(text), 0o600))
	s, err := parseFile(root, "toy.go")
	require.NoError(t, err)
	var swaps []string
	for _, e := range s.edits() {
		if e.operator == "swap" {
			swaps = append(swaps, e.String())
		}
	}
	require.Equal(t, []string{
		"toy.go f swap: n - 1 → (1) - (n) (1 of 2)", "toy.go f swap: n / 2 → (2) / (n)",
		"toy.go f swap: n - 1 → (1) - (n) (2 of 2)", "toy.go h swap: n - 1 → (1) - (n)",
	}, swaps)
}

// TestTreeIsParsed holds the operators to real code: every package offers edits.
func TestTreeIsParsed(t *testing.T) {
	t.Chdir("../..")
	all, err := candidates(context.Background(), ".", checked)
	require.NoError(t, err)
	operators := map[string]int{}
	for _, e := range all {
		operators[e.operator]++
	}
	for _, name := range []string{"negate", "never", "always", "compare", "swap", "sign", "constant", "remove", "append", "arguments", "return", "branch"} {
		require.NotZero(t, operators[name], name)
	}
}
