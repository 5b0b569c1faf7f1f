package watch // look, settle and tidy are private: a watch does not show its queue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// TestRevisionsOfAWatch checks the first revision that is measured.
func TestRevisionsOfAWatch(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	var commits []string
	for day := 1; day <= 12; day++ {
		at := fmt.Sprintf("2026-01-%02dT12:00:00Z", day)
		t.Setenv("GIT_AUTHOR_DATE", at)
		t.Setenv("GIT_COMMITTER_DATE", at)
		commits = append(commits,
			commit(t, dir,
				map[string]string{"figures": fmt.Sprintf("pkg: p\nBenchmarkX 1 %d proof-B\n", 100+day)}))
	}
	git(t, dir, "checkout", "-q", "-b", "side", commits[9])
	side := commit(t, dir, map[string]string{"side": "1"})
	git(t, dir, "checkout", "-q", "main")
	git(t, dir, "merge", "-q", "--no-ff", "-m", "merge", "side")
	merged := git(t, dir, "rev-parse", "HEAD")
	newest := append(slices.Clone(commits), merged)
	slices.Reverse(newest)
	w := watcher(dir, t.TempDir())
	look := func() (*state, error) { return w.look(t.Context()) }
	for _, c := range []struct {
		since  string
		every  int
		line   int
		queued []int // indices of line
	}{
		{"2026-01-10", 1, 4, []int{0, 1, 2, 3}}, {"2026-01-13", 1, 1, []int{0}},
		{"2026-02-01", 0, 1, []int{0}}, {"2025-12-31", 5, 13, []int{0, 2, 7, 12}},
		{commits[5], 3, 8, []int{0, 1, 4, 7}}, {"main~2", 0, 3, []int{0, 1, 2}}, {"main", -1, 1, []int{0}},
		{"", 1, 1, []int{0}}, {commits[0], 13, 13, []int{0, 12}},
		{commits[0], 12, 13, []int{0, 12}}, {commits[0], 6, 13, []int{0, 6, 12}},
	} {
		t.Run(fmt.Sprintf("%q, every %d", c.since, c.every), func(t *testing.T) {
			w.Since, w.Every = c.since, c.every
			s, err := look()
			require.NoError(t, err)
			require.Equal(t, newest[:c.line], s.line, c.since)
			var queued []string
			for _, i := range c.queued {
				queued = append(queued, newest[i])
			}
			require.Equal(t, queued, s.queued, "%q, every %d", c.since, c.every)
		})
	}
	w.Since = side
	_, err := look()
	require.EqualError(t, err, side+" is not on the branch main")
	w.Since, w.Branch = "", "absent"
	_, err = look()
	require.ErrorContains(t, err, "git rev-list: ")

	// Without a first revision, the branch begins with the oldest one in the history.
	w.Branch = "main"
	store, err := history.Create(t.Context(), filepath.Join(w.Dir, "history.db"))
	require.NoError(t, err)
	var s *state
	for _, kept := range []struct{ at, line int }{{2, 3}, {6, 7}, {4, 7}, {12, 13}} {
		d := result.NewData()
		require.NoError(t, d.Read(strings.NewReader("pkg: p\nBenchmarkX 1 1 u\n"), "f"))
		require.NoError(t, store.Add(t.Context(), d, newest[kept.at], time.Time{}))
		s, err = look()
		require.NoError(t, err)
		require.Equal(t, newest[:kept.line], s.line)
	}

	// Results that were cut off are not measured.
	for i, text := range []string{"pkg: p\nBenchmarkX 1 1 u\nresults: 1\n",
		"pkg: p\nBenchmarkX 1 1 u\nresults: 2\n", "nothing", "started: x\nBenchmarkX 1 1 u\n"} {
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
	require.NoError(t, os.Mkdir(filepath.Join(w.Dir, "findings", "x.json"), 0o755))
	_, err = look()
	require.ErrorIs(t, err, syscall.EISDIR)
}

// TestFetchedRevisions: a watch sees revisions of the remote and forgets removed refs; a
// remote that fails is logged, and the work goes on.
func TestFetchedRevisions(t *testing.T) {
	upstream, commits := example(t)
	git(t, upstream, "branch", "change/x", commits[2])
	clone := filepath.Join(t.TempDir(), "clone")
	out, err := exec.Command("git", "clone", "-q", upstream, clone).CombinedOutput()
	require.NoError(t, err, string(out))
	newest := commit(t, upstream,
		map[string]string{"figures": "BenchmarkProve 1 900 proof-B\n", "README": "new"})
	git(t, upstream, "branch", "-D", "change/x")
	var log lines
	w := watcher(clone, t.TempDir())
	w.Log = log.add
	w.Branch, w.Since, w.Fetch = "origin/main", "", "origin"
	require.NoError(t, once(t, w))
	require.Equal(t, lines{fmt.Sprintf("measuring %.12s", newest)}, log)
	require.NotContains(t, git(t, clone, "branch", "-r"), "change/x")
	log = nil
	w.Fetch = "absent"
	require.NoError(t, once(t, w))
	require.Len(t, log, 1)
	require.Contains(t, log[0], "git fetch: ")
	log = nil
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, result.ErrInterrupted, w.Run(ctx, true, time.Hour))
	require.Empty(t, log)
}

// TestPausesOfAWatch: a watch without work is silent, and looks again after each pause.
func TestPausesOfAWatch(t *testing.T) {
	repository, commits := example(t)
	var log lines
	w := watcher(repository, t.TempDir())
	w.Log = log.add
	w.Since = ""
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- w.Run(ctx, false, time.Hour) }()
		time.Sleep(90 * time.Minute)
		synctest.Wait()
		require.Len(t, log, 1)
		commits = append(commits, commit(t, repository, map[string]string{"README": "9"}))
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Len(t, log, 2)
		require.Contains(t, log[1], fmt.Sprintf("measuring %.12s", commits[len(commits)-1]))
		cancel()
		require.Equal(t, result.ErrInterrupted, <-done)
	})
}

// failing is a Lab. Its functions fail.
type failing struct{ measure, compare error }

func (f *failing) Measure(context.Context, string, result.Sink) error { return f.measure }

func (f *failing) Compare(context.Context, string, string, []result.Key) (gate.Report, error) {
	same := gate.Comparison{Key: result.Key{Package: testPackage, Name: "Prove"}, Unit: "sec/op",
		Verdict: gate.Same}
	return gate.Report{Comparisons: []gate.Comparison{same}}, f.compare
}

// TestFailuresOfALab: an error of the network or the disk is tried again after the pause,
// and only a commit that cannot be measured has a reason.
func TestFailuresOfALab(t *testing.T) {
	repository, commits := example(t)
	last := commits[len(commits)-1]
	var log []string
	w := watcher(repository, t.TempDir())
	w.Since = ""
	lab := &failing{measure: errors.New("no network")}
	w.Lab = lab
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		begun := time.Now()
		w.Log = func(f string, args ...any) {
			log = append(log, fmt.Sprintf(f, args...))
			if len(log) == 4 {
				cancel()
			}
		}
		require.Equal(t, result.ErrInterrupted, w.Run(ctx, false, time.Hour))
		require.Equal(t, time.Hour, time.Since(begun), "one pause")
	})
	measuring := fmt.Sprintf("measuring %.12s", last)
	require.Equal(t,
		[]string{measuring, "no network; trying again in 1h0m0s", measuring,
			"no network; trying again in 1h0m0s"}, log)
	for _, full := range []error{fmt.Errorf("%w: %w", ErrRevision, syscall.ENOSPC),
		fmt.Errorf("%w: link: no space left on device", ErrRevision), errors.New("x")} {
		lab.measure = full
		require.ErrorIs(t, once(t, w), full)
		require.NoFileExists(t, w.reasonFile(last))
	}
	log = nil
	lab.measure = fmt.Errorf("%w: a\nb", ErrRevision)
	require.NoError(t, once(t, w))
	require.Equal(t, []string{measuring, fmt.Sprintf("%.12s cannot be measured: a\nb", last)}, log)
	text, err := os.ReadFile(w.reasonFile(last))
	require.NoError(t, err)
	require.Equal(t, "cannot be measured: a; b\n", string(text))

	// Each answer has its own file.
	again := finding{Base: commits[0], Head: commits[1], Why: whyDay}
	lab.compare = fmt.Errorf("%w: once more", ErrRevision)
	for n := 1; n <= 3; n++ {
		require.NoError(t, w.settle(t.Context(), again))
		require.Equal(t,
			slices.Repeat([]string{
				fmt.Sprintf("not compared: cannot be measured: once more between %.12s and %.12s (day)",
					commits[0], commits[1]),
			}, n), findingLines(t, w))
	}

	// Results that are already in the history are not an error.
	s, err := w.look(t.Context())
	require.NoError(t, err)
	d := result.NewData()
	require.NoError(t, d.Read(strings.NewReader("pkg: p\nBenchmarkX 1 1 u\n"), "f"))
	s.data[last] = d
	for range 2 {
		require.NoError(t, s.keep(t.Context(), last))
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorContains(t, s.keep(cancelled, last), "history: ")
	runs, err := s.store.Runs(t.Context())
	require.NoError(t, err)
	require.Len(t, runs, 1)
	require.WithinDuration(t, time.Now(), runs[0].Started, time.Hour, "results without a time")
	lab.compare = errors.New("no network")

	// An error of each kind of comparison ends the work.
	worse := watcher(repository, t.TempDir())
	require.NoError(t, once(t, worse))
	require.NoError(t, os.RemoveAll(filepath.Join(worse.Dir, "findings")))
	worse.Lab = lab
	require.Equal(t, lab.compare, once(t, worse), "of neighbours")
	git(t, repository, "checkout", "-q", "-b", "change/x", commits[1])
	change := commit(t, repository, map[string]string{"figures": "BenchmarkProve 1 1 proof-B\n"})
	git(t, repository, "checkout", "-q", "main")
	worse.Changes, worse.Since = "change/*", "main"
	require.Equal(t, lab.compare, once(t, worse), "of a change")
	lab.compare = nil
	require.NoError(t, once(t, worse))
	require.Contains(t, findingLines(t, worse),
		fmt.Sprintf("not confirmed: no regression between %.12s and %.12s (change/x)", commits[1], change))
	git(t, repository, "checkout", "-q", "--orphan", "change/apart")
	commit(t, repository, map[string]string{"README": "apart"})
	git(t, repository, "checkout", "-q", "main")
	require.ErrorContains(t, once(t, worse), "git merge-base: ")
}

// TestTemporaryFilesGo checks that the temporary files of a killed watch are removed,
// and that a failure to remove one is an error.
func TestTemporaryFilesGo(t *testing.T) {
	w := &Watch{Dir: t.TempDir()}
	kept := []string{"a", "results/b", "results/deep/.c"}
	var temporary []string
	for i := range 10 {
		temporary = append(temporary, fmt.Sprint(".", i), fmt.Sprint("results/.", i),
			fmt.Sprintf("d%d/.x", i))
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
	require.Error(t, once(t, w))
}
