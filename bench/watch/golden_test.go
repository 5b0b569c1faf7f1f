package watch

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
)

var update = flag.Bool("update", false, "rewrite golden files")

// many is a Lab that reads the results of a commit from its file figures, and keeps the
// comparisons that it was asked for. It cannot compare a commit with the text "torn".
type many struct {
	repository string
	asked      []string
}

func (m *many) Measure(ctx context.Context, commit string, to result.Sink) error {
	text, err := result.Git(ctx, m.repository, "show", commit+":./figures")
	if err != nil {
		return fmt.Errorf("%w: no figures\nin this commit", ErrRevision)
	}
	lines := []string{"Unit proof-B assume=exact better=lower", "Unit x better=lower"}
	for range 3 {
		lines = append(lines, strings.Split(strings.TrimSpace(text), "\n")...)
	}
	if strings.Contains(text, "torn") {
		lines = append([]string{LeftOut + ": e.com/m/p1: does not build"}, lines...)
	}
	if err := to.Append(lines...); err != nil {
		return err
	}
	return to.Append(result.EndLine(strings.Count(strings.Join(lines, "\n"), "Benchmark")))
}

func (m *many) Compare(ctx context.Context, base, head string, keys []result.Key) (r gate.Report, err error) {
	asked := base + " " + head
	for _, k := range keys {
		asked += " " + k.Package + "." + k.Name
	}
	m.asked = append(m.asked, asked)
	var sides [2]*result.Data
	for i, commit := range []string{base, head} {
		text, err := result.Git(ctx, m.repository, "show", commit+":./figures")
		if err != nil || strings.Contains(text, "torn") {
			return r, fmt.Errorf("%w: torn", ErrRevision)
		}
		sides[i] = result.NewData()
		if err := sides[i].Read(strings.NewReader("Unit proof-B assume=exact better=lower\nUnit x better=lower\n"+strings.Repeat(text, 12)), commit); err != nil {
			return r, err
		}
	}
	j := gate.Judge{Once: true}
	r = j.Look(sides[0], sides[1])
	r.Comparisons = slices.DeleteFunc(r.Comparisons, func(c gate.Comparison) bool { return len(keys) > 0 && !slices.Contains(keys, c.Key) })
	return r, nil
}

// figures are the results of a commit: bytes of cases of eleven packages, the last one
// first, and a time.
func figures(bytes func(pkg int) int, x float64) string {
	var b strings.Builder
	for i := 10; i >= 0; i-- {
		fmt.Fprintf(&b, "pkg: e.com/m/p%d\n", i)
		if i%5 == 0 {
			fmt.Fprintf(&b, "BenchmarkB 1 %d proof-B\n", bytes(i))
		}
		fmt.Fprintf(&b, "BenchmarkA 1 %d proof-B\n", bytes(i))
	}
	return b.String() + fmt.Sprintf("pkg: e.com/m/q\nBenchmarkT 1 %v x\n", x)
}

// manyCommits is a module in a folder of a repository, with a step of ten packages, changed
// benchmarks, test data and harness, a commit without results, a slower level, and a torn
// one.
func manyCommits(t *testing.T) (repository string, commits []string) {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	files := map[string]string{"sub/go.mod": "module e.com/m\n", "sub/harness/inner/h.go": "package h\n", "sub/other.go": "package m\n"}
	for i := range 11 {
		files[fmt.Sprintf("sub/p%d/p_test.go", i)] = "package p\n"
	}
	bytes := make([]int, 11)
	add := func(change func(pkg int) int, x float64, more map[string]string) {
		for i := range bytes {
			bytes[i] += change(i)
		}
		all := map[string]string{"sub/figures": figures(func(i int) int { return bytes[i] }, x), "README": fmt.Sprint(len(commits))}
		for name, text := range more {
			all[name] = text
		}
		commits = append(commits, commit(t, dir, all))
	}
	none := func(int) int { return 0 }
	add(func(int) int { return 700 }, 100, files)
	add(none, 101, nil)
	add(func(i int) int { return map[bool]int{true: 10}[i != 4] }, 100, nil)
	add(none, 99, nil)
	add(func(i int) int { return map[bool]int{true: 5 + i}[i > 5] }, 101, map[string]string{
		"sub/p9/p_test.go": "package p // other\n", "sub/p10/testdata/deep/x": "1", "sub/p8/p.go": "package p\n", "p7/p_test.go": "package p\n",
	})
	commits = append(commits, commit(t, dir, map[string]string{"sub/figures": gone}))
	add(func(i int) int { return map[bool]int{true: 3}[i == 1] }, 100, map[string]string{"sub/harness/inner/h.go": "package h // other\n"})
	for range 4 {
		add(none, 140, nil)
	}
	commits = append(commits, commit(t, dir, map[string]string{"sub/figures": figures(func(int) int { return 900 }, 140) + "torn: yes\n"}))
	add(func(i int) int { return map[bool]int{true: -50}[i == 2] }, 140, nil)
	return filepath.Join(dir, "sub"), commits
}

var (
	ofCommits = regexp.MustCompile(`[0-9a-f]{40}|[0-9a-f]{12}`)
	ofTimes   = regexp.MustCompile(`"At": "[^"]*"`)
	ofTables  = regexp.MustCompile(`(?s)<tr.*?</tr>`)
	ofCells   = regexp.MustCompile(`(?s)<[^>]*>`)
)

// told is what a watch leaves: its log, the comparisons, the findings, the reasons, the
// history, and the first tables of the page. Commits are named by their numbers.
func told(t *testing.T, w *Watch, log []string, commits []string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("== log\n" + strings.Join(log, "\n") + "\n")
	if lab, is := w.Lab.(*many); is {
		b.WriteString("== asked\n" + strings.Join(lab.asked, "\n") + "\n")
	}
	var files []string
	for _, pattern := range []string{"findings/*.json", "results/*.unmeasurable"} {
		names, err := filepath.Glob(filepath.Join(w.Dir, pattern))
		require.NoError(t, err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			files = append(files, filepath.Base(name)+"\n"+string(text))
		}
	}
	store, err := history.Open(t.Context(), filepath.Join(w.Dir, "history.db"))
	require.NoError(t, err)
	runs, err := store.Runs(t.Context())
	require.NoError(t, err)
	require.NoError(t, store.Close())
	var kept []string
	for _, r := range runs {
		kept = append(kept, fmt.Sprint(r.Revision, " ", r.Cases))
	}
	page, err := os.ReadFile(filepath.Join(w.Dir, "page.html"))
	require.NoError(t, err)
	rows := ofTables.FindAllString(string(page), -1)
	number := func(name string) string {
		for i, c := range commits {
			if strings.HasPrefix(c, name) {
				return fmt.Sprintf("commit-%02d", i)
			}
		}
		return name
	}
	for _, list := range [][]string{files, kept} {
		for i := range list {
			list[i] = ofCommits.ReplaceAllStringFunc(list[i], number)
		}
		slices.Sort(list)
	}
	b.WriteString("== files\n" + strings.Join(files, "") + "== history\n" + strings.Join(kept, "\n") + "\n== page\n")
	for _, row := range rows {
		row = strings.Join(strings.Fields(html.UnescapeString(ofCells.ReplaceAllString(row, " "))), " ")
		if strings.Contains(row, "between") || strings.Contains(row, "measured") || strings.HasPrefix(row, "revision") || row == "finding" {
			b.WriteString(row + "\n")
		}
	}
	fmt.Fprintln(&b, strings.Count(string(page), "<title>Benchmarks of "+w.Branch), "title")
	return ofTimes.ReplaceAllString(ofCommits.ReplaceAllStringFunc(b.String(), number), `"At": "now"`)
}

// TestWatchOfMany: everything that a watch does and leaves, with all revisions.
func TestWatchOfMany(t *testing.T) {
	w := watchOfMany(t, "all", func(w *Watch) { w.Changes = "change/*" })

	// The comparison of the first and the last revision is made again after a day.
	names, err := filepath.Glob(filepath.Join(w.Dir, "findings", "*.json"))
	require.NoError(t, err)
	days := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		if strings.Contains(string(text), `"Why": "day"`) {
			days++
			text = ofTimes.ReplaceAll(text, []byte(`"At": "2026-01-01T00:00:00Z"`))
			require.NoError(t, os.WriteFile(name, regexp.MustCompile(`"Head": "[^"]*"`).ReplaceAll(text, []byte(`"Head": "another"`)), 0o600))
		}
	}
	require.Equal(t, 1, days)
	compared := 0
	w.Log = func(f string, _ ...any) {
		if strings.HasPrefix(f, "comparing ") {
			compared++
		}
	}
	require.NoError(t, w.Run(t.Context(), true, time.Hour))
	require.Equal(t, 1, compared)
}

// TestWatchOfSome: every fourth revision, and the last one.
func TestWatchOfSome(t *testing.T) {
	watchOfMany(t, "every4", func(w *Watch) { w.Every = 4 })
	watchOfMany(t, "last", func(w *Watch) { w.Since = "" })
}

func watchOfMany(t *testing.T, name string, change func(*Watch)) *Watch {
	t.Helper()
	for _, name := range []string{"GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"} { // findings are sorted by commits
		t.Setenv(name, "2026-01-01T00:00:00Z")
	}
	repository, commits := manyCommits(t)
	for i := range 9 {
		git(t, repository, "checkout", "-q", "-b", fmt.Sprint("change/", i), commits[i/5])
		commits = append(commits, commit(t, repository, map[string]string{"figures": figures(func(pkg int) int { return 700 + map[bool]int{true: 1}[pkg == i] }, 100)}))
	}
	git(t, repository, "checkout", "-q", "main")
	var log []string
	w := &Watch{
		Dir: t.TempDir(), Repository: repository, Branch: "main", Since: commits[0], Every: 1, Command: "watch this", Harness: []string{"", "harness"},
		Lab: &many{repository: repository}, Log: func(f string, args ...any) { log = append(log, fmt.Sprintf(f, args...)) },
	}
	change(w)
	require.NoError(t, w.Run(t.Context(), true, time.Hour))
	got := told(t, w, log, commits)
	path := filepath.Join("testdata", "golden", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got, name)

	if name != "last" {
		return w
	}
	page := filepath.Join(w.Dir, "page.html")
	html, err := os.ReadFile(page)
	require.NoError(t, err)
	require.NotContains(t, string(html), "A regression was confirmed", "there are no findings")
	past := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(page, past, past))
	before, err := os.Stat(page)
	require.NoError(t, err)
	log = nil
	require.NoError(t, w.Run(t.Context(), true, time.Hour))
	require.Empty(t, log)
	after, err := os.Stat(page)
	require.NoError(t, err)
	require.Equal(t, before.ModTime(), after.ModTime(), "an equal page is not written again")
	text, err := os.ReadFile(filepath.Join(w.Dir, "results", commits[12]+".txt"))
	require.NoError(t, err)
	require.Contains(t, string(text), "\ncommand: watch this\n")
	require.Contains(t, string(text), "\nrevision: "+commits[12]+"\n")
	return w
}

// TestRevisionsOfAWatch: from which revision on a branch is measured.
func TestRevisionsOfAWatch(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	var commits []string
	for day := 1; day <= 12; day++ {
		at := fmt.Sprintf("2026-01-%02dT12:00:00Z", day)
		t.Setenv("GIT_AUTHOR_DATE", at)
		t.Setenv("GIT_COMMITTER_DATE", at)
		commits = append(commits, commit(t, dir, map[string]string{"figures": fmt.Sprintf("pkg: p\nBenchmarkX 1 %d proof-B\n", 100+day)}))
	}
	git(t, dir, "checkout", "-q", "-b", "side", commits[9])
	side := commit(t, dir, map[string]string{"side": "1"})
	git(t, dir, "checkout", "-q", "main")
	git(t, dir, "-c", "user.name=A", "-c", "user.email=a@e.com", "merge", "-q", "--no-ff", "-m", "merge", "side")
	merged := git(t, dir, "rev-parse", "HEAD")
	newest := append([]string{merged}, func() []string { all := slices.Clone(commits); slices.Reverse(all); return all }()...)
	w := &Watch{Dir: t.TempDir(), Repository: dir, Branch: "main", Log: func(string, ...any) {}}
	look := func() (*state, error) {
		s, err := w.look(t.Context())
		if err == nil {
			require.NoError(t, s.store.Close())
		}
		return s, err
	}
	for _, c := range []struct {
		since  string
		every  int
		line   int
		queued []int // indices of line
	}{
		{"2026-01-10", 1, 4, []int{0, 1, 2, 3}}, {"2026-01-13", 1, 1, []int{0}}, {"2026-02-01", 0, 1, []int{0}}, {"2025-12-31", 5, 13, []int{0, 2, 7, 12}},
		{commits[5], 3, 8, []int{0, 1, 4, 7}}, {"main~2", 0, 3, []int{0, 1, 2}}, {"main", -1, 1, []int{0}}, {"", 1, 1, []int{0}}, {commits[0], 13, 13, []int{0, 12}},
		{commits[0], 12, 13, []int{0, 12}}, {commits[0], 6, 13, []int{0, 6, 12}},
	} {
		w.Since, w.Every = c.since, c.every
		s, err := look()
		require.NoError(t, err)
		require.Equal(t, newest[:c.line], s.line, c.since)
		var queued []string
		for _, i := range c.queued {
			queued = append(queued, newest[i])
		}
		require.Equal(t, queued, s.queued, "%q, every %d", c.since, c.every)
	}
	w.Since = side
	_, err := look()
	require.EqualError(t, err, side+" is not on the branch main")
	w.Since = "absent"
	_, err = look()
	require.ErrorContains(t, err, `"absent" is neither a revision nor a date such as 2026-01-31: git rev-parse: `)
	w.Since, w.Branch = "", "absent"
	_, err = look()
	require.ErrorContains(t, err, "git rev-list: ")

	// Without a first revision, the branch begins with the oldest one in the history.
	w.Branch = "main"
	store, err := history.Create(t.Context(), filepath.Join(w.Dir, "history.db"))
	require.NoError(t, err)
	for _, at := range []int{2, 6, 4} {
		d := result.NewData()
		require.NoError(t, d.Read(strings.NewReader("pkg: p\nBenchmarkX 1 1 u\n"), "f"))
		require.NoError(t, store.Add(t.Context(), d, newest[at], time.Time{}))
	}
	require.NoError(t, store.Close())
	s, err := look()
	require.NoError(t, err)
	require.Equal(t, newest[:7], s.line)

	// A reason that cannot be read is an error at each place, and cut results are none.
	for _, at := range []int{0, 3, 6} {
		require.NoError(t, os.Mkdir(w.reasonFile(newest[at]), 0o755))
		_, err = look()
		require.Error(t, err, at)
		require.NoError(t, os.Remove(w.reasonFile(newest[at])))
	}
	for i, text := range []string{"pkg: p\nBenchmarkX 1 1 u\nresults: 1\n", "pkg: p\nBenchmarkX 1 1 u\nresults: 2\n", "nothing", "started: x\nBenchmarkX 1 1 u\n"} {
		require.NoError(t, os.WriteFile(w.resultFile(newest[i]), []byte(text), 0o600))
	}
	s, err = look()
	require.NoError(t, err)
	require.Equal(t, newest[:1], s.measured())
	for _, text := range []string{"{", "[]"} {
		name := filepath.Join(w.Dir, "findings", "x.json")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		_, err = look()
		require.ErrorContains(t, err, name+": ")
		require.NoError(t, os.Remove(name))
	}
	require.NoError(t, os.Remove(filepath.Join(w.Dir, "history.db")))
	require.NoError(t, os.WriteFile(filepath.Join(w.Dir, "history.db"), []byte(strings.Repeat("no database ", 100)), 0o600))
	_, err = look()
	require.ErrorIs(t, err, history.ErrStore)
	w.Dir = filepath.Join(w.Dir, "history.db", "x")
	_, err = look()
	require.Error(t, err)
}

// TestFetchedRevisions: a watch sees revisions of the remote and forgets removed refs; a
// remote that fails is logged, and the work goes on.
func TestFetchedRevisions(t *testing.T) {
	upstream, commits := example(t)
	git(t, upstream, "branch", "change/x", commits[2])
	clone := filepath.Join(t.TempDir(), "clone")
	out, err := exec.Command("git", "clone", "-q", upstream, clone).CombinedOutput()
	require.NoError(t, err, string(out))
	newest := commit(t, upstream, map[string]string{"figures": "BenchmarkProve 1 900 proof-B\n", "README": "new"})
	git(t, upstream, "branch", "-D", "change/x")
	var log []string
	w := watcher(clone, t.TempDir(), func(f string, args ...any) { log = append(log, fmt.Sprintf(f, args...)) })
	w.Branch, w.Since, w.Fetch = "origin/main", "", "origin"
	require.NoError(t, w.Run(t.Context(), true, time.Hour))
	require.Equal(t, []string{fmt.Sprintf("measuring %.12s", newest)}, log)
	require.NotContains(t, git(t, clone, "branch", "-r"), "change/x")
	log = nil
	w.Fetch = "absent"
	require.NoError(t, w.Run(t.Context(), true, time.Hour))
	require.Len(t, log, 1)
	require.Contains(t, log[0], "git fetch: ")
	log = nil
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, result.ErrInterrupted, w.Run(ctx, true, time.Hour))
	require.Empty(t, log)
}

// TestPausesOfAWatch: without work a watch says nothing, and looks again after each pause.
func TestPausesOfAWatch(t *testing.T) {
	repository, commits := example(t)
	var log []string
	w := watcher(repository, t.TempDir(), func(f string, args ...any) { log = append(log, fmt.Sprintf(f, args...)) })
	w.Since = ""
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- w.Run(ctx, false, time.Hour) }()
		time.Sleep(90 * time.Minute)
		require.Len(t, log, 1)
		commits = append(commits, commit(t, repository, map[string]string{"README": "9"}))
		time.Sleep(time.Hour)
		require.Len(t, log, 2)
		require.Contains(t, log[1], fmt.Sprintf("measuring %.12s", commits[len(commits)-1]))
		cancel()
		require.Equal(t, result.ErrInterrupted, <-done)
	})
}

// failing is a Lab whose functions fail.
type failing struct{ measure, compare error }

func (f *failing) Measure(context.Context, string, result.Sink) error { return f.measure }
func (f *failing) Compare(context.Context, string, string, []result.Key) (gate.Report, error) {
	return gate.Report{}, f.compare
}

// TestFailuresOfALab: an error of the network or the disk is tried again after the pause,
// and only a commit that cannot be measured has a reason.
func TestFailuresOfALab(t *testing.T) {
	repository, commits := example(t)
	last := commits[len(commits)-1]
	var log []string
	w := watcher(repository, t.TempDir(), nil)
	w.Since = ""
	lab := &failing{measure: errors.New("no network")}
	w.Lab = lab
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		begun := time.Now()
		w.Log = func(f string, args ...any) {
			if log = append(log, fmt.Sprintf(f, args...)); len(log) == 4 {
				cancel()
			}
		}
		require.Equal(t, result.ErrInterrupted, w.Run(ctx, false, time.Hour))
		require.Equal(t, time.Hour, time.Since(begun), "one pause")
	})
	measuring := fmt.Sprintf("measuring %.12s", last)
	require.Equal(t, []string{measuring, "no network; trying again in 1h0m0s", measuring, "no network; trying again in 1h0m0s"}, log)
	for _, full := range []error{fmt.Errorf("%w: %w", ErrRevision, syscall.ENOSPC), fmt.Errorf("%w: link: no space left on device", ErrRevision), errors.New("x")} {
		lab.measure = full
		require.ErrorIs(t, w.Run(t.Context(), true, time.Hour), full)
		require.NoFileExists(t, w.reasonFile(last))
	}
	log = nil
	lab.measure = fmt.Errorf("%w: a\nb", ErrRevision)
	require.NoError(t, w.Run(t.Context(), true, time.Hour))
	require.Equal(t, []string{measuring, fmt.Sprintf("%.12s cannot be measured: a\nb", last)}, log)
	text, err := os.ReadFile(w.reasonFile(last))
	require.NoError(t, err)
	require.Equal(t, "cannot be measured: a; b\n", string(text))

	p := finding{Base: commits[0], Head: commits[1], Why: whyDay}
	lab.compare = errors.New("no network")
	require.Equal(t, lab.compare, w.settle(t.Context(), p))
	cancelled, stop := context.WithCancel(t.Context())
	stop()
	require.Equal(t, context.Canceled, w.settle(cancelled, p))
	p.Asked = []result.Key{{Package: testPackage, Name: "A"}}
	require.Error(t, w.settle(cancelled, p))
	all, err := w.readFindings()
	require.NoError(t, err)
	require.Empty(t, all)
	p.Head = strings.Repeat("0", 40)
	require.ErrorContains(t, w.settle(t.Context(), p), "git diff: ")
	p.Base = p.Head
	require.ErrorContains(t, w.settle(t.Context(), p), "git show: ")

	// Each answer has a file of its own.
	again := p
	again.Base, again.Head, again.Asked = commits[0], commits[1], nil
	lab.compare = fmt.Errorf("%w: once more", ErrRevision)
	for n := 1; n <= 3; n++ {
		require.NoError(t, w.settle(t.Context(), again))
		require.Equal(t, slices.Repeat([]string{fmt.Sprintf("not compared: cannot be measured: once more between %.12s and %.12s (day)", commits[0], commits[1])}, n), findingLines(t, w))
	}
	lab.compare = errors.New("no network")

	// Results that are in the history already are no error.
	s, err := w.look(t.Context())
	require.NoError(t, err)
	defer s.store.Close()
	d := result.NewData()
	require.NoError(t, d.Read(strings.NewReader("pkg: p\nBenchmarkX 1 1 u\n"), "f"))
	s.data[last] = d
	before := time.Now()
	require.NoError(t, s.keep(t.Context(), last))
	require.NoError(t, s.keep(t.Context(), last))
	runs, err := s.store.Runs(t.Context())
	require.NoError(t, err)
	require.Len(t, runs, 1)
	require.WithinRange(t, runs[0].Started, before.Truncate(time.Second), time.Now(), "results without a time")
	closed := filepath.Join(w.Dir, "history.db") + ": context canceled"
	require.ErrorContains(t, s.keep(cancelled, last), "history: "+closed)
	_, err = s.series(cancelled)
	require.EqualError(t, err, closed)
	_, err = w.suspects(cancelled, s)
	require.EqualError(t, err, closed)
	require.EqualError(t, w.writePage(cancelled, s), closed)

	// An error of each kind of comparison ends the work.
	worse := watcher(repository, t.TempDir(), func(string, ...any) {})
	require.NoError(t, worse.Run(t.Context(), true, time.Hour))
	require.NoError(t, os.RemoveAll(filepath.Join(worse.Dir, "findings")))
	worse.Lab = lab
	require.Equal(t, lab.compare, worse.Run(t.Context(), true, time.Hour), "of neighbours")
	git(t, repository, "checkout", "-q", "-b", "change/x", commits[1])
	change := commit(t, repository, map[string]string{"figures": "BenchmarkProve 1 1 proof-B\n"})
	git(t, repository, "checkout", "-q", "main")
	worse.Changes, worse.Since = "change/*", "main"
	require.Equal(t, lab.compare, worse.Run(t.Context(), true, time.Hour), "of a change")
	lab.compare = nil
	require.NoError(t, worse.Run(t.Context(), true, time.Hour))
	require.Contains(t, findingLines(t, worse), fmt.Sprintf("not confirmed: no regression between %.12s and %.12s (change/x)", commits[1], change))
	empty := &state{store: s.store}
	require.NoError(t, empty.store.Close())
	empty.store, err = history.Create(t.Context(), filepath.Join(t.TempDir(), "h.db"))
	require.NoError(t, err)
	defer empty.store.Close()
	page := filepath.Join(worse.Dir, "page.html")
	require.NoError(t, os.Remove(page))
	require.NoError(t, worse.writePage(t.Context(), empty), "there is nothing to draw")
	require.NoFileExists(t, page)
	git(t, repository, "checkout", "-q", "--orphan", "change/apart")
	commit(t, repository, map[string]string{"README": "apart"})
	git(t, repository, "checkout", "-q", "main")
	require.ErrorContains(t, worse.Run(t.Context(), true, time.Hour), "git merge-base: ")
	git(t, repository, "branch", "-q", "-D", "change/apart")
	absent := *worse
	absent.Branch = "absent"
	_, err = absent.changes(t.Context(), empty)
	require.ErrorContains(t, err, "git for-each-ref: ")
	worse.Changes = "change/*["
	require.NoError(t, worse.Run(t.Context(), true, time.Hour))
}

// TestTemporaryFilesGo: those of a killed watch; one that cannot go is an error.
func TestTemporaryFilesGo(t *testing.T) {
	w := &Watch{Dir: t.TempDir()}
	kept := []string{"a", "results/b", "results/deep/.c"}
	var temporary []string
	for i := range 10 {
		temporary = append(temporary, fmt.Sprint(".", i), fmt.Sprint("results/.", i), fmt.Sprintf("d%d/.x", i))
	}
	for _, name := range slices.Concat(kept, temporary) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(w.Dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(w.Dir, name), nil, 0o600))
	}
	require.NoError(t, w.tidy())
	for _, name := range kept {
		require.FileExists(t, filepath.Join(w.Dir, name))
	}
	for _, name := range temporary {
		require.NoFileExists(t, filepath.Join(w.Dir, name))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(w.Dir, ".d", "x"), 0o755))
	require.Error(t, w.tidy())
	require.Error(t, w.Run(t.Context(), true, time.Hour))
}

// TestHourAfterAReason: more than an hour.
func TestHourAfterAReason(t *testing.T) {
	w := &Watch{Dir: t.TempDir()}
	require.NoError(t, os.MkdirAll(filepath.Join(w.Dir, "results"), 0o755))
	require.NoError(t, os.WriteFile(w.reasonFile("c"), []byte("why\n"), 0o600))
	synctest.Test(t, func(t *testing.T) {
		for ago, want := range map[time.Duration]bool{time.Hour: false, time.Hour + time.Nanosecond: true} {
			at := time.Now().Add(-ago)
			require.NoError(t, os.Chtimes(w.reasonFile("c"), at, at))
			r, err := w.reasonOf("c")
			require.NoError(t, err)
			require.Equal(t, reason{"why\n", want}, r)
		}
	})
}
