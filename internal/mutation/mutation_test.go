package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
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

// toyModule is a module with the files.
func toyModule(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("GOFLAGS", "-buildvcs=false")
	require.NoError(t, os.WriteFile("go.mod", []byte("module toy.test\n\ngo 1.26\n"), 0o600))
	for name, text := range files {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
			require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		})
	}
}

// TestEveryEdit makes every edit of a module with a tested type and an untested
// function.
func TestEveryEdit(t *testing.T) {
	toyModule(t, map[string]string{"toy.go": toy, "toy_test.go": toyTest, "equivalent.txt": "",
		"nothing/doc.go": "package nothing\n"})
	args := []string{"-count=0", "-v", "-packages=.,./nothing", "-equivalents=equivalent.txt"}
	out := new(bytes.Buffer)
	require.ErrorContains(t, run(context.Background(), args, out), "fewer than 100 %")
	text := out.String()
	const equivalent = ". largest: if a ⟦> → >=⟧ b {"
	for _, want := range []string{
		"found    toy.go:15 (toy.test TestAdd) . pile.add: if n ⟦> → >=⟧ p.limit(n, 1, 2) {",
		"found    toy.go:18 (toy.test TestAdd) . pile.add: ⟦p.n += n → if false { p.n += n }⟧",
		"SURVIVES toy.go:8 (1 tests reach it) " + equivalent,
		"SURVIVES toy.go:24 (0 tests reach it) . table: dst = ⟦append(dst, i*i) → dst⟧",
	} {
		require.Contains(t, text, want+"\n")
	}

	// An edit of the list does not count as a survivor; an edit without a reason is an
	// error.
	require.NoError(t,
		os.WriteFile("equivalent.txt", []byte(equivalent+" # both values are equal there\n"), 0o600))
	again := new(bytes.Buffer)
	require.Error(t, run(context.Background(), args, again))
	require.Equal(t, strings.Count(text, "SURVIVES")-1, strings.Count(again.String(), "SURVIVES"))
	require.Contains(t, again.String(), ", 1 equivalent, ")
	require.NotContains(t, again.String(), "STALE")
	require.NoError(t, os.WriteFile("equivalent.txt", []byte(equivalent+"\n"), 0o600))
	require.ErrorContains(t, run(context.Background(), args, again), "no reason")
	require.NoError(t, os.WriteFile("equivalent.txt", nil, 0o600))
	args[2] = "-packages=./nothing"
	require.ErrorContains(t, run(context.Background(), args, again), "nothing to edit")
}

// TestStaleReasonsAreNamed: those of changed lines and of folders that are gone, but not those
// of packages that take no part.
func TestStaleReasonsAreNamed(t *testing.T) {
	toyModule(t, map[string]string{"toy.go": toy})
	require.NoError(t, os.Mkdir("other", 0o700))
	all, err := load(t.Context(), ".")
	require.NoError(t, err)
	list := map[string]string{}
	for _, name := range []string{
		". largest: if a ⟦> → >=⟧ b {", ". largest: if a ⟦< → <=⟧ b {", "gone f: g(⟦1 → 2⟧)",
		"other f: g(⟦1 → 2⟧)",
	} {
		list[name] = "reason"
	}
	require.Equal(t, []string{". largest: if a ⟦< → <=⟧ b {", "gone f: g(⟦1 → 2⟧)"}, stale(list, all))
}

// TestEachShareIsDemanded: too small a share is an error, however large the other is.
func TestEachShareIsDemanded(t *testing.T) {
	for folder, want := range map[string]int{
		"token/crypto/wire": 95, "scheme/ps18": 95, "runner": 85, "bench/gate": 85, "tokens": 85, ".": 85,
	} {
		require.Equal(t, want, least(folder), folder)
	}
	require.NoError(t, check(map[int]tally{}))
	require.NoError(t, check(map[int]tally{95: {20, 19}, 85: {20, 17}}))
	require.EqualError(t, check(map[int]tally{95: {20, 18}, 85: {2000, 2000}}),
		"mutation: tests find 18 of 20 edits, fewer than 95 %")
	require.EqualError(t, check(map[int]tally{95: {2000, 2000}, 85: {20, 16}}),
		"mutation: tests find 16 of 20 edits, fewer than 85 %")
}

// TestATestThatHangsIsEnded: after a time that follows from the runs without a mutant.
func TestATestThatHangsIsEnded(t *testing.T) {
	toyModule(t, map[string]string{"toy.go": toy, "toy_test.go": `package toy

import (
	"os"
	"testing"
	"time"
)

func TestHang(t *testing.T) {
	for largest(1, 2) == 2 && os.Getenv("HANG") != "" {
		time.Sleep(time.Second)
	}
}

func TestWait(t *testing.T) { time.Sleep(time.Duration(largest(1, 200)) * time.Millisecond) }
`})
	dir := t.TempDir()
	all, err := load(t.Context(), ".")
	require.NoError(t, err)
	_, overlay, err := draw(all, dir, options{})
	require.NoError(t, err)
	suites, err := build(t.Context(), dir, overlay, []string{"."})
	require.NoError(t, err)
	s := suites[0]
	s.measure(t.Context())
	require.Len(t, s.tests, 2)
	require.Positive(t, s.tests[0].lasted)
	require.GreaterOrEqual(t, s.tests[1].lasted, 200*time.Millisecond)
	_, used, err := s.run(t.Context(), 100*time.Millisecond, true, s.tests, "HANG=1")
	require.ErrorContains(t, err, "signal: killed")
	require.Less(t, used, time.Minute)
}

func TestDrawsAreRepeatable(t *testing.T) {
	toyModule(t, map[string]string{"toy.go": toy})
	drawn := func(seed uint64) (names []string) {
		all, err := load(context.Background(), ".")
		require.NoError(t, err)
		mutants, _, err := draw(all, t.TempDir(), options{count: 5, seed: seed})
		require.NoError(t, err)
		for _, e := range mutants {
			names = append(names, e.name)
		}
		require.Len(t, names, 5)
		return names
	}
	require.Equal(t, drawn(1), drawn(1))
	require.NotEqual(t, drawn(1), drawn(2))
}

// editsOf returns the edits of functions, each in a package of its own, and checks that edits without
// type errors compile.
func editsOf(t *testing.T, functions []string) (texts map[string][]string) {
	t.Helper()
	files := map[string]string{}
	for i, function := range functions {
		files[fmt.Sprintf("%d/toy.go", i)] = "package toy\n\n" + function + "\n"
	}
	toyModule(t, files)
	all, err := load(context.Background(), "./...")
	require.NoError(t, err)
	mutants, _, err := draw(all, t.TempDir(), options{})
	require.NoError(t, err)
	texts = map[string][]string{}
	for _, e := range mutants {
		i, err := strconv.Atoi(e.pkg.folder)
		require.NoError(t, err)
		_, text, ok := strings.Cut(e.name, "⟦")
		require.True(t, ok)
		text, _, _ = strings.Cut(text, "⟧")
		texts[functions[i]] = append(texts[functions[i]], text)
	}
	return texts
}

// TestWrongInTheLastPlace: faults that a test finds only with several items.
func TestWrongInTheLastPlace(t *testing.T) {
	const key = "type key struct{ id string; index int }\n\n"
	cases := map[string][]string{
		"func f(s []int) (n int) { for _, x := range s { n += x }; return }": {
			"for _, x := range s { → for zzI, x := range s { if zzI > 0 { break };",
			"for _, x := range s { → for zzI, x := range s { if zzI == len(s)-1 { break };",
			"for _, x := range s { → for zzI, x := range s { if zzI % 2 == 1 { continue };",
			"+= → =",
		},
		"func f(s []int, n int) { for i := 0; i < n; i++ { s[i] = g(s) } }\n\nfunc g(s []int) int { return " +
			"len(s) }": {
			"g(s) → zzLate(i >= 8, g(s))", "i → 0*(i)",
		},
		"func f(s []int) { g(s, 2) }\n\nfunc g(s []int, n int) { s[0] = n }": {
			"g(s, 2) → { g(s, 2); zzTail(s, 8) }",
		},
		"func f(n int) []int { var s []int; for i := range n { s = append(s, -i) }; return s }": {
			"-i → zzLate(len(s) >= 1, -i)",
			"for i := range n { → for i := range n { if i == (n)-1 { break };", " → s = zzZero(s);",
		},
		"func f(s []int) bool { left := 4; for _, x := range s { left -= x }; return left > " +
			"0 }": {" → left = 4;"},
		key +
			"func f(a, b key) bool { return a == b }": {"a == b → zzSame(0, a, b) == true",
			"a == b → zzSame(1, a, b) == true", "== → !="},
		"func f(a, b [32]byte) bool { return a != b }": {
			"a != b → zzSame(31, a, b) == false",
		},
		key +
			"func f(m map[key]int, k key) int { return m[key{id: k.id, index: k.index}] }": {
			"k.index → zzZero(k.index)", "k.id → zzZero(k.id)",
		},
		"import \"bytes\"\n\nfunc f(a, b []byte) bool { return bytes.Equal(a, b) }": {
			"bytes.Equal(a, b) → bytes.Equal(zzButLast(a), zzButLast(b))",
		},
		"func f(a, b bool) bool { return a && b }": {
			"a → (true || a)", "b → (true || b)", "&& → ||",
		},
		"func f(n int) int { switch { case n > 3: return 1 }; return 0 }": {"n > 3 → false && (n > 3)"},
		"const limit = 9\n\nfunc f(n int) bool { return n > limit }": {
			"limit → 10", "limit → 8", "limit → 0",
		},
		"const domain = \"v2/challenge\"\n\nfunc f() []byte { return " +
			"[]byte(domain) }": {"domain → (domain + \"'\")"},
		"func f(x, y int) int { return g(x, y) }\n\nfunc g(x, y int) int { return 2*x + y }": {
			"g(x, y) → x", "g(x, y) → y", "x, y → y, x", "x → zzZero(x)",
		},
		"func f(s []int, n int) []int { return s[n:len(s)] }": {
			"n → 0*(n)", "n → (n)+1", "len(s) → (len(s))-1", "len(s) → ",
		},
		"func f(x int) []int { return []int{x, 2, " +
			"x} }": {", x → "},
		"type limits struct{ n int }\n\nfunc f(l limits) { g(l.n) }\n\nfunc g(n int) { " +
			"println(n) }": {"l.n → l.n+1"},
	}
	edits := editsOf(t, slices.Collect(maps.Keys(cases)))
	for function, want := range cases {
		t.Run(function, func(t *testing.T) {
			require.Subset(t, edits[function], want, function)
		})
	}
}

// TestNoEffectIsNotEdited: room for more elements, hints, pools, texts of errors and
// the values that a function returns anyway.
func TestNoEffectIsNotEdited(t *testing.T) {
	cases := map[string][]string{
		"import \"slices\"\n\nfunc f(s []int) []int { s = slices.Grow(s, 5); return " +
			"s }": {"s → zzZero(s)"},
		"func prefetch(s []int) { s[0] = 1 }": nil,
		"import \"math\"\n\nfunc least() float64 { return " +
			"math.Inf(-1) }": {"math.Inf(-1) → zzZero(math.Inf(-1))"},
		"type pool struct{}\n\nfunc (*pool) Put(int) {}\n\nfunc f(p *pool) { " +
			"p.Put(1) }": nil,
		"import \"errors\"\n\nfunc f() error { return " +
			"errors.New(\"too-long\") }": {"errors.New(\"too-long\") → zzZero(errors.New(\"too-long\"))"},
		"func none() (int, error) { return 0, " +
			"nil }": {"0 → 1"},
		"import \"errors\"\n\ntype point struct{ x int }\n\nfunc f(p point) (point, error) { return p, " +
			"errors.New(\"\") }": {"errors.New(\"\") → zzZero(errors.New(\"\"))"},
		"import \"errors\"\n\nvar ErrOrder = errors.New(\"\")\n\nfunc f(n int) (int, error) { return n, " +
			"ErrOrder }": {"n → zzZero(n)", "ErrOrder → zzZero(ErrOrder)"},
		"import \"errors\"\n\nfunc f(a, b error) error { return errors.Join(a, b) }": {
			"errors.Join(a, b) → zzZero(errors.Join(a, b))", "errors.Join(a, b) → a", "errors.Join(a, b) → b",
			"a → zzZero(a)", "b → zzZero(b)",
		},
		"func f(x [8]int) { for range x { g() } }\n\nfunc g() {}": {
			"for range x { → for zzI := range x { if zzI > 0 { break };",
			"for range x { → for zzI := range x { if zzI == len(x)-1 { break };",
			"for range x { → for zzI := range x { if zzI % 2 == 1 { continue };", "g() → if false { g() }",
		},
		"func f() []int { return append(g(2)[:0], 1) }\n\nfunc g(n int) []int { return make([]int, n) }": {
			"0 → ", "0 → 1", "append(g(2)[:0], 1) → zzZero(append(g(2)[:0], 1))",
			"append(g(2)[:0], 1) → g(2)[:0]",
			"1 → 2", "1 → 0", "make([]int, n) → zzZero(make([]int, n))",
		},
		"func never() bool { return false }": nil,
		"func empty() {}":                    nil,
	}
	edits := editsOf(t, slices.Collect(maps.Keys(cases)))
	for function, want := range cases {
		t.Run(function, func(t *testing.T) {
			require.ElementsMatch(t, want, edits[function], function)
		})
	}
}

// TestEqualLinesHaveNamesOfTheirOwn: a reason excuses one of two equal lines.
func TestEqualLinesHaveNamesOfTheirOwn(t *testing.T) {
	toyModule(t,
		map[string]string{
			"toy.go": "package toy\n\nfunc f(n int) {\n\tg(1)\n\tif n > 2 {\n\t\tg(n)\n\t}\n\tg(3)\n\tif n " +
				"> 2 {\n\t\tg(4)\n\t}\n}\n\nfunc g(int) {}\n",
		})
	all, err := load(context.Background(), ".")
	require.NoError(t, err)
	names := map[string]bool{}
	for _, e := range all[0].edits {
		require.False(t, names[e.name], e.name)
		names[e.name] = true
	}
	require.True(t, names[". f: g(1) if n ⟦> → >=⟧ 2 {"])
	require.True(t, names[". f: g(3) if n ⟦> → >=⟧ 2 {"])
}

// TestTreeIsParsed holds the operators to real code, and the list of equivalent edits
// to its form.
func TestTreeIsParsed(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	all, err := load(context.Background(), "./token/core/zkatdlog/nogh/v2", "./token/crypto/wire")
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, p := range all {
		require.Greater(t, len(p.edits), 1000, p.folder)
	}
	known, err := reasons("internal/mutation/equivalent.txt")
	require.NoError(t, err)
	require.NotEmpty(t, known)
}
