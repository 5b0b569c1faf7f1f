package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
)

// asked is a Lab that keeps the cases that it compares, and finds one regression among
// them.
type asked struct {
	keys  []result.Key
	wrong int // place of the regression
}

func (*asked) Measure(context.Context, string, result.Sink) error { return ErrRevision }

func (a *asked) Compare(_ context.Context, _, _ string, keys []result.Key) (r gate.Report, err error) {
	a.keys = keys
	for i, k := range keys {
		r.Comparisons = append(r.Comparisons, gate.Comparison{Key: k, Unit: "u", Verdict: map[bool]gate.Verdict{true: gate.Regression, false: gate.Same}[i == a.wrong]})
	}
	return r, nil
}

// TestChangedBenchmarksAtEachPlace: a case is not compared if a test of its package
// changed, and none if a file of any folder of the harness did, at each place.
func TestChangedBenchmarksAtEachPlace(t *testing.T) {
	const packages = 3
	repository := t.TempDir()
	git(t, repository, "init", "-q", "-b", "main")
	files := map[string]string{"go.mod": "module example.com/m\n"}
	var keys []result.Key
	for i := range packages {
		files[fmt.Sprintf("p%d/p_test.go", i)], files[fmt.Sprintf("h%d/h.go", i)] = "package p\n", "package h\n"
		keys = append(keys, result.Key{Package: fmt.Sprint("example.com/m/p", i), Name: "A"})
	}
	base := commit(t, repository, files)
	for i := range packages {
		lab := &asked{wrong: i % (packages - 1)}
		w := watcher(repository, t.TempDir(), func(string, ...any) {})
		w.Since, w.Lab, w.Harness = "", lab, []string{"h0", "", "h1", "h2"}
		s, err := w.look(t.Context()) // makes the folders
		require.NoError(t, err)
		require.NoError(t, s.store.Close())
		head := commit(t, repository, map[string]string{fmt.Sprintf("p%d/p_test.go", i): fmt.Sprint("package p // ", i, "\n")})
		require.NoError(t, w.settle(t.Context(), finding{Base: base, Head: head, Asked: keys, Why: whyStep}))
		rest := slices.Delete(slices.Clone(keys), i, i+1)
		require.Equal(t, rest, lab.keys)
		all, err := w.readFindings()
		require.NoError(t, err)
		require.Len(t, all, 1)
		require.Equal(t, keys[i:i+1], all[0].Changed)
		require.Equal(t, rest[lab.wrong:lab.wrong+1], all[0].worse())

		lab.keys = nil
		base = commit(t, repository, map[string]string{fmt.Sprintf("h%d/h.go", i): fmt.Sprint("package h // ", i, "\n")})
		require.NoError(t, w.settle(t.Context(), finding{Base: head, Head: base, Asked: keys, Why: whyStep}))
		require.Nil(t, lab.keys)
		all, err = w.readFindings()
		require.NoError(t, err)
		require.Len(t, all, 2)
		require.True(t, slices.ContainsFunc(all, func(f finding) bool { return len(f.Changed) == packages }))
	}
}

// TestRegressionsAreHalvedAtEachPlace: a regression between distant revisions is halved
// also behind findings that need no more, and a revision without results is measured first.
func TestRegressionsAreHalvedAtEachPlace(t *testing.T) {
	s := &state{data: map[string]*result.Data{}}
	for i := range 9 {
		s.line = append(s.line, fmt.Sprint("c", i))
		s.data[s.line[i]] = result.NewData()
	}
	worse := []verdict{{Key: key("A"), Verdict: gate.Regression}}
	done := []finding{{Base: "c1", Head: "c0", Verdicts: worse}, {Base: "c8", Head: "c0"}, {Base: "gone", Head: "c0", Verdicts: worse}}
	for place := range len(done) + 1 {
		s.findings = slices.Insert(slices.Clone(done), place, finding{Base: "c7", Head: "c2", Verdicts: worse})
		half, commit := s.halve()
		require.Empty(t, commit)
		require.Equal(t, []finding{{Base: "c7", Head: "c5", Asked: keys("A"), Why: whyHalf}}, half, "place %d", place)

		delete(s.data, "c5")
		half, commit = s.halve()
		require.Nil(t, half)
		require.Equal(t, "c5", commit)
		s.data["c5"] = result.NewData()

		s.findings = append(s.findings, finding{Base: "c7", Head: "c5"}) // no regression there
		half, _ = s.halve()
		require.Equal(t, []finding{{Base: "c5", Head: "c2", Asked: keys("A"), Why: whyHalf}}, half)
		s.findings = append(s.findings, finding{Base: "c5", Head: "c2"})
		half, commit = s.halve()
		require.Nil(t, half)
		require.Empty(t, commit)
	}
}

// TestEachChangeIsComparedOnce: several changes that were not merged.
func TestEachChangeIsComparedOnce(t *testing.T) {
	repository, commits := example(t)
	var heads []string
	for i := range 3 {
		git(t, repository, "checkout", "-q", "-b", fmt.Sprint("change/", i), commits[2])
		heads = append(heads, commit(t, repository, map[string]string{"figures": fmt.Sprintf("BenchmarkProve 1 %d proof-B\n", 777+i)}))
	}
	git(t, repository, "checkout", "-q", "main")
	w := watcher(repository, t.TempDir(), func(string, ...any) {})
	w.Since, w.Changes = "", "change/*"
	for range 2 {
		require.NoError(t, w.Run(t.Context(), true, time.Hour))
		all, err := w.readFindings()
		require.NoError(t, err)
		var found []string
		for _, f := range all {
			if f.Base == commits[2] && f.regression() {
				found = append(found, f.Head)
			}
		}
		require.ElementsMatch(t, heads, found)
	}
}

// TestAStepAtEachPlace puts a regression between each pair of neighbours in a line of
// revisions: this pair, and no other, is suspected.
func TestAStepAtEachPlace(t *testing.T) {
	store, err := history.Create(t.Context(), filepath.Join(t.TempDir(), "history.db"))
	require.NoError(t, err)
	defer store.Close()
	line := []string{"e", "d", "c", "b", "a"} // the last one first
	for step := 1; step < len(line); step++ {
		s := &state{line: line, data: map[string]*result.Data{}, store: store}
		for i, commit := range line {
			bytes := map[bool]int{true: 200, false: 100}[i < step]
			name := filepath.Join(t.TempDir(), commit)
			text := "pkg: p\n" + strings.Repeat(fmt.Sprintf("BenchmarkX 1 %d proof-B\n", bytes), 4)
			require.NoError(t, os.WriteFile(name, []byte("Unit proof-B assume=exact better=lower\n"+text), 0o600))
			s.data[commit], err = result.ReadFiles(name)
			require.NoError(t, err)
		}
		found, err := (&Watch{}).suspects(t.Context(), s)
		require.NoError(t, err)
		require.Equal(t, []finding{{Base: line[step], Head: line[step-1], Asked: []result.Key{{Package: "p", Name: "X"}}, Why: whyStep}}, found)
	}
}
