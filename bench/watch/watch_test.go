package watch // look and readFindings are private: they read the folder of a watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner/pin"
)

const testPackage = "example.com/m/p"

// paper is a Lab that reads the figures of a commit from files of it, instead of
// running benchmarks.
type paper struct{ repository string }

func (p paper) figures(ctx context.Context, commit string) (text string, err error) {
	if text, err = result.Git(ctx, p.repository, "show", commit+":figures"); err != nil {
		// Without figures; other failures of git are not due to the commit.
		if _, there := result.Git(ctx, p.repository, "cat-file", "-e", commit+":README"); there == nil {
			return "", fmt.Errorf("%w: %w", ErrRevision, err)
		}
		return "", err
	}
	return text, nil
}

func (p paper) Measure(ctx context.Context, commit string, to result.Sink) error {
	text, err := p.figures(ctx, commit)
	if err != nil {
		return err
	}
	lines := []string{"Unit proof-B assume=exact better=lower", "pkg: " + testPackage}
	for range 3 {
		lines = append(lines, strings.Split(strings.TrimSpace(text), "\n")...)
	}
	for _, line := range lines {
		if err := errors.Join(ctx.Err(), to.Append(line)); err != nil {
			return err
		}
	}
	return to.Append(result.EndLine(strings.Count(strings.Join(lines, "\n"), "Benchmark")))
}

func (p paper) Compare(ctx context.Context, base, head string, keys []result.Key) (r gate.Report, err error) {
	var sides [2]*result.Data
	for i, commit := range []string{base, head} {
		var text bytes.Buffer
		sides[i] = result.NewData()
		err := p.Measure(ctx, commit, result.Stream{Writer: &text})
		if err == nil {
			err = sides[i].Read(&text, commit)
		}
		if err != nil {
			return r, err
		}
	}
	j := gate.Judge{Once: true}
	return j.Look(sides[0], sides[1]), nil
}

func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git",
		append([]string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return strings.TrimSpace(string(out))
}

// gone is the content of a removed file.
const gone = "gone"

// commit writes files, commits them and returns the commit.
func commit(t testing.TB, dir string, files map[string]string) string {
	t.Helper()
	for name, text := range files {
		if text == gone {
			require.NoError(t, os.Remove(filepath.Join(dir, name)))
			continue
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "state")
	return git(t, dir, "rev-parse", "HEAD")
}

// example is a repository with eight commits: the proof grows with the fourth one,
// the benchmark and its figure change with the sixth one, the seventh one cannot be
// measured.
func example(t testing.TB) (dir string, commits []string) {
	dir = t.TempDir()
	return dir, exampleIn(t, dir)
}

func exampleIn(t testing.TB, dir string) (commits []string) {
	git(t, dir, "init", "-q", "-b", "main")
	proof := func(n int) string { return fmt.Sprintf("BenchmarkProve 1 %d proof-B\n", n) }
	var all strings.Builder // of one process of git instead of many
	for _, files := range []map[string]string{
		{"go.mod": "module example.com/m\n", "p/p_test.go": "package p\n", "figures": proof(700)},
		{"README": "2"},
		{"README": "3"},
		{"figures": proof(710)},
		{"README": "5"},
		{"figures": proof(900), "p/p_test.go": "package p // another size\n"},
		{"figures": gone},
		{"figures": proof(900)},
	} {
		fmt.Fprintf(&all, "commit refs/heads/main\ncommitter A <a@example.com> %d +0000\ndata 5\nstate\n",
			time.Now().Unix())
		for name, text := range files {
			if text == gone {
				fmt.Fprintf(&all, "D %s\n", name)
				continue
			}
			fmt.Fprintf(&all, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
		}
	}
	cmd := exec.Command("git", "-C", dir, "fast-import", "--quiet")
	cmd.Stdin = strings.NewReader(all.String())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	git(t, dir, "reset", "-q", "--hard")
	return strings.Fields(git(t, dir, "rev-list", "--reverse", "main"))
}

// unobserved takes no time to observe the machine.
func unobserved(context.Context, string, string, pin.Plan) result.Environment {
	return result.Environment{Started: time.Now()}
}

// watcher watches the last six revisions.
func watcher(repository, dir string) *Watch {
	return &Watch{Dir: dir, Repository: repository, Branch: "main", Since: "main~5", Every: 1,
		Command: "watch", Lab: paper{repository}, Log: new(lines).add, observe: unobserved}
}

// once runs a watch until there is nothing to do.
func once(t testing.TB, w *Watch) error {
	t.Helper()
	return w.Run(t.Context(), true, time.Hour)
}

// lines are the lines that a watch logs.
type lines []string

func (l *lines) add(format string, args ...any) { *l = append(*l, fmt.Sprintf(format, args...)) }

// outcome is the findings of a watch, without the parts that differ between runs.
func outcome(t testing.TB, w *Watch) string {
	t.Helper()
	s, err := w.look(context.Background())
	require.NoError(t, err)
	var text strings.Builder
	for i, commit := range s.line {
		fmt.Fprintln(&text, i, s.data[commit] != nil, s.kept[commit], s.reasons[commit].text != "")
	}
	var lines []string
	for _, f := range s.findings {
		lines = append(lines, f.lines()...)
	}
	slices.Sort(lines)
	page, err := os.Stat(filepath.Join(w.Dir, "page.html"))
	require.NoError(t, err)
	require.Positive(t, page.Size())
	left, err := filepath.Glob(filepath.Join(w.Dir, "*", ".*"))
	require.NoError(t, err)
	require.Empty(t, left, "temporary files")
	for _, folder := range []string{"results", "findings"} {
		is, err := os.Stat(filepath.Join(w.Dir, folder))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o700), is.Mode().Perm()&0o700, "open to its owner, if it is not root")
	}
	return text.String() + strings.Join(slices.Compact(lines), "\n")
}

func TestBranchIsMeasuredAndARegressionConfirmed(t *testing.T) {
	repository, commits := example(t)
	var log lines
	w := watcher(repository, t.TempDir())
	w.Log, w.observe = log.add, nil
	require.NoError(t, once(t, w))
	got := outcome(t, w)
	require.Contains(t, got,
		fmt.Sprintf("regression: BenchmarkProve proof-B +1.43 %% between %.12s and %.12s", commits[2],
			commits[3]))
	require.Contains(t, got,
		fmt.Sprintf("the benchmark itself changed: BenchmarkProve between %.12s and %.12s", commits[4],
			commits[5]))
	require.Equal(t, 1, strings.Count(got, "regression:"), got)
	require.Contains(t, strings.Join(log, "\n"), "regression: BenchmarkProve proof-B +1.43 %")
	kept, err := result.ReadFiles(w.resultFile(commits[2]))
	require.NoError(t, err)
	require.Equal(t, []string{commits[2]}, kept.Config["revision"])
	require.Contains(t, kept.Config, "memory", "the machine was observed")
	page, err := os.ReadFile(filepath.Join(w.Dir, "page.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), "<title>Benchmarks of main</title>")
	require.Contains(t, string(page), "the benchmark itself changed")
	require.Contains(t, string(page), commits[6])

	log = nil
	pageFile := func() os.FileInfo {
		is, err := os.Stat(filepath.Join(w.Dir, "page.html"))
		require.NoError(t, err)
		return is
	}
	before := pageFile()
	require.NoError(t, once(t, w))
	require.Empty(t, log, "everything is done")
	require.True(t, os.SameFile(before, pageFile()), "the page is not written again")

	for range 3 { // tried once more after an hour, and not again
		past := time.Now().Add(-2 * retryAfter)
		require.NoError(t, os.Chtimes(w.reasonFile(commits[6]), past, past))
		require.NoError(t, once(t, w))
	}
	require.Len(t, log, 2, "one measurement that fails")

	commits = append(commits,
		commit(t, repository, map[string]string{"figures": "BenchmarkProve 1 950 proof-B\n"}))
	w.Since = ""
	require.NoError(t, once(t, w))
	require.Contains(t, outcome(t, w),
		fmt.Sprintf("regression: BenchmarkProve proof-B +5.56 %% between %.12s and %.12s", commits[7],
			commits[8]))
}

// TestWhatBelongsToABenchmark: a change of its tests, of their data or of the code that measures
// is one of the benchmark. All others are regressions.
func TestWhatBelongsToABenchmark(t *testing.T) {
	repository, commits := example(t)
	last, size, want := commits[len(commits)-1], 900, []string{}
	for file, finding := range map[string]string{
		"p/q_test.go":    "the benchmark itself changed: BenchmarkProve",
		"p/q.go":         "regression: BenchmarkProve proof-B +100 %",
		"p/testdata/a/b": "the benchmark itself changed: BenchmarkProve",
		"q/testdata/a":   "regression: BenchmarkProve proof-B +100 %",
		"h/i/x.go":       "the benchmark itself changed: BenchmarkProve",
		"h/i/x":          "regression: BenchmarkProve proof-B +100 %",
	} {
		size *= 2
		next := commit(t, repository,
			map[string]string{"figures": fmt.Sprintf("BenchmarkProve 1 %d proof-B\n", size), file: "x"})
		want = append(want, fmt.Sprintf("%s between %.12s and %.12s (step)", finding, last, next))
		last = next
	}
	w := watcher(repository, t.TempDir())
	w.Since, w.Harness = commits[len(commits)-1], strings.Split("a b c d e f g i j h", " ")
	require.NoError(t, once(t, w))
	require.Subset(t, findingLines(t, w), want)
}

// TestEachRegressionIsFound: a finding has all of a comparison.
func TestEachRegressionIsFound(t *testing.T) {
	repository, commits := example(t)
	w := watcher(repository, t.TempDir())
	w.Lab = measuring{paper{repository}, func() (r gate.Report) {
		for i := range 20 { // two units of ten cases
			r.Comparisons = append(r.Comparisons, gate.Comparison{Key: key(fmt.Sprint(i / 2)),
				Unit: fmt.Sprint(i % 2), Verdict: gate.Regression})
		}
		return r
	}}
	_, err := w.look(t.Context()) // makes the folders
	require.NoError(t, err)
	f := finding{Base: commits[0], Head: commits[1],
		Asked: []result.Key{{Package: testPackage, Name: "Prove"}}}
	require.NoError(t, w.settle(t.Context(), f))
	require.Len(t, findingLines(t, w), 20)
	all, err := w.readFindings()
	require.NoError(t, err)
	require.Equal(t, keys("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"), all[0].worse())
	folder := filepath.Join(w.Dir, "findings")
	require.NoError(t, os.RemoveAll(folder))
	require.NoError(t, os.WriteFile(folder, nil, 0o600))
	require.ErrorIs(t, w.settle(t.Context(), f), syscall.ENOTDIR, "the finding would be lost")
}

// TestRegressionBetweenDistantRevisionsIsNarrowed measures every seventh revision.
func TestRegressionBetweenDistantRevisionsIsNarrowed(t *testing.T) {
	repository, commits := example(t)
	git(t, repository, "reset", "-q", "--hard", commits[4])
	w := watcher(repository, t.TempDir())
	w.Since, w.Every = commits[0], 7
	require.NoError(t, once(t, w))
	got := outcome(t, w)
	require.Contains(t, got, fmt.Sprintf("+1.43 %% between %.12s and %.12s", commits[0], commits[4]))
	require.Contains(t, got, fmt.Sprintf("+1.43 %% between %.12s and %.12s", commits[2], commits[3]))
}

// TestChangesAreComparedWithTheBranch has a change that was not merged.
func TestChangesAreComparedWithTheBranch(t *testing.T) {
	repository, commits := example(t)
	git(t, repository, "checkout", "-q", "-b", "change/larger", commits[2])
	change := commit(t, repository, map[string]string{"figures": "BenchmarkProve 1 777 proof-B\n"})
	git(t, repository, "checkout", "-q", "--detach", commits[2])
	far := commit(t, repository, map[string]string{"figures": "BenchmarkProve 1 1400 proof-B\n"})
	git(t, repository, "update-ref", "refs/remotes/change/far", far)
	git(t, repository, "checkout", "-q", "main")
	w := watcher(repository, t.TempDir())
	w.Since, w.Changes = "", "change/*"
	require.NoError(t, once(t, w))
	got := outcome(t, w) + strings.Join(findingLines(t, w), "\n")
	for commit, says := range map[string]string{change: "+11 %% between %.12s and %.12s (change/larger)",
		far: "+100 %% between %.12s and %.12s (change/far)"} {
		require.Contains(t, got,
			fmt.Sprintf("regression: BenchmarkProve proof-B "+says, commits[2], commit))
	}
}

func findingLines(t testing.TB, w *Watch) (lines []string) {
	all, err := w.readFindings()
	require.NoError(t, err)
	for _, f := range all {
		lines = append(lines, f.lines()...)
	}
	return lines
}

// uses is a context that calls each at each of its uses: between two changes of files a
// watch uses it, since it asks git, the Lab or the history.
type uses struct {
	context.Context
	each func()
}

func (u uses) Err() error {
	u.each()
	return u.Context.Err()
}

func (u uses) Done() <-chan struct{} {
	u.each()
	return u.Context.Done()
}

// counted calls then at the n-th use of the context.
func counted(ctx context.Context, n int64, then func()) (_ context.Context, count *atomic.Int64) {
	count = new(atomic.Int64)
	return uses{ctx, func() {
		if count.Add(1) == n {
			then()
		}
	}}, count
}

// killedAt is the environment variable that turns the test binary into a watch: its
// repository, its folder, and the use of its context (a number) that kills it.
const killedAt = "ZKAT_WATCH_KILL"

func TestMain(m *testing.M) {
	if fields := strings.Split(os.Getenv(killedAt), "|"); len(fields) == 3 {
		n, _ := strconv.ParseInt(fields[2], 10, 64)
		ctx, _ := counted(context.Background(), n, func() {
			self, _ := os.FindProcess(os.Getpid())
			_ = self.Kill()
			select {}
		})
		if err := watcher(fields[0], fields[1]).Run(ctx, true, time.Hour); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	exit := m.Run()
	os.RemoveAll(whole.repository)
	os.Exit(exit)
}

// whole is a repository that tests only read, with the outcome of an uninterrupted watch
// and the number of uses of its context.
var whole struct {
	sync.Once
	repository, outcome string
	commits             []string
	uses                int64
}

// needsWhole fills whole.
func needsWhole(t *testing.T) {
	t.Helper()
	whole.Do(func() {
		dir, err := os.MkdirTemp("", "watch")
		require.NoError(t, err)
		whole.repository, whole.commits = dir, exampleIn(t, dir)
		w := watcher(dir, t.TempDir())
		ctx, count := counted(t.Context(), 0, nil)
		require.NoError(t, w.Run(ctx, true, time.Hour))
		whole.outcome, whole.uses = outcome(t, w), count.Load()
	})
	require.NotEmpty(t, whole.outcome)
}

// TestKilledWatchContinues kills a watch at uses of its context, and starts it again. The
// last ones may be missing, since their number differs between runs.
func TestKilledWatchContinues(t *testing.T) {
	needsWhole(t)
	n := whole.uses
	require.Greater(t, n, int64(100))
	for at := int64(1); at <= n; at += max(1, n/nightly.Pick(int64(2), 5, 200)) {
		dir := t.TempDir()
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(),
			killedAt+"="+strings.Join([]string{whole.repository, dir, strconv.FormatInt(at, 10)}, "|"))
		out, err := cmd.CombinedOutput()
		require.True(t, err != nil || at > n/2, "%s", out)
		w := watcher(whole.repository, dir)
		require.NoError(t, once(t, w), "killed at use %d", at)
		require.Equal(t, whole.outcome, outcome(t, w), "killed at use %d", at)
	}
}

// TestInterruptedWatchContinues ends the context of a watch at one of its uses.
func TestInterruptedWatchContinues(t *testing.T) {
	needsWhole(t)
	n := whole.uses
	for at := int64(2); at <= n; at += max(1, n/nightly.Pick(int64(2), 8, 200)) {
		ctx, cancel := context.WithCancel(t.Context())
		ctx, _ = counted(ctx, at, cancel)
		w := watcher(whole.repository, t.TempDir())
		if err := w.Run(ctx, true, time.Hour); err != nil {
			require.ErrorIs(t, err, result.ErrInterrupted, "use %d", at)
		}
		require.NoError(t, once(t, w), "ended at use %d", at)
		require.Equal(t, whole.outcome, outcome(t, w), "ended at use %d", at)
	}
}

// brim is a Lab that fails at its n-th line for lack of space.
type brim struct {
	paper
	result.Sink
	n *int
}

func (b brim) Measure(ctx context.Context, commit string, to result.Sink) error {
	b.Sink = to
	return b.paper.Measure(ctx, commit, b)
}

func (b brim) Append(lines ...string) error {
	if *b.n--; *b.n == 0 {
		return syscall.ENOSPC
	}
	return b.Sink.Append(lines...)
}

// TestFullDiskIsWaitedFor lets a line of the results fail, and puts folders where files are
// to be written.
func TestFullDiskIsWaitedFor(t *testing.T) {
	needsWhole(t)
	for _, n := range nightly.Pick([]int{24}, []int{1, 6, 24}, []int{1, 2, 5, 6, 7, 13, 24}) {
		w := watcher(whole.repository, t.TempDir())
		w.Lab = brim{paper: paper{whole.repository}, n: &n}
		require.ErrorIs(t, once(t, w), syscall.ENOSPC)
		require.NoError(t, once(t, w))
		require.Equal(t, whole.outcome, outcome(t, w))
	}
	w := watcher(whole.repository, t.TempDir())
	for _, name := range []string{"history.db", "results/" + whole.commits[6] + ".unmeasurable",
		"results/" + whole.commits[3] + ".txt", "page.html"} { // in the order of use
		require.NoError(t, os.MkdirAll(filepath.Join(w.Dir, name, "folder"), 0o755))
		require.Error(t, once(t, w), name)
		require.NoError(t, os.RemoveAll(filepath.Join(w.Dir, name)))
	}
	require.NoError(t, once(t, w))
	require.Equal(t, whole.outcome, outcome(t, w))
	for _, name := range []string{"results", "findings"} {
		w := watcher(whole.repository, t.TempDir())
		require.NoError(t, os.WriteFile(filepath.Join(w.Dir, name), nil, 0o600))
		require.Error(t, once(t, w), name)
	}
}

// TestNamesAreNoOptions: a remote or a package that begins with -- is a name.
func TestNamesAreNoOptions(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	w := &Watch{Repository: t.TempDir(), Fetch: "--upload-pack=touch " + mark}
	_, err := result.Git(t.Context(), w.Repository, "init", "--quiet")
	require.NoError(t, err)
	require.ErrorContains(t, w.fetch(t.Context()), "upload-pack", "git does not know this remote")
	require.NoFileExists(t, mark)
	require.NoError(t,
		os.WriteFile(filepath.Join(w.Repository, "go.mod"), []byte("module m\n\ngo 1.24\n"), 0o600))
	from := result.Source{Dir: w.Repository, Packages: []string{"--toolexec=touch " + mark}}
	_, err = from.Build(t.Context(), t.TempDir())
	require.ErrorContains(t, err, "toolexec")
	_, _, err = from.BuildEach(t.Context(), t.TempDir())
	require.ErrorIs(t, err, result.ErrNoTests)
	require.NoFileExists(t, mark)
}

// measuring is a Lab with given comparisons.
type measuring struct {
	paper
	compare func() gate.Report
}

func (m measuring) Compare(context.Context, string, string, []result.Key) (gate.Report, error) {
	return m.compare(), nil
}

// TestWhatWasNotMeasuredIsAskedAgain: a comparison that used up its budget before it measured a case does not
// answer the suspicion.
func TestWhatWasNotMeasuredIsAskedAgain(t *testing.T) {
	repository, commits := example(t)
	git(t, repository, "reset", "-q", "--hard", commits[3])
	var log lines
	w := watcher(repository, t.TempDir())
	w.Log = log.add
	w.Since = commits[2]
	asked := 0
	k := result.Key{Package: testPackage, Name: "Prove"}
	w.Lab = measuring{paper{repository}, func() gate.Report {
		asked++
		return gate.Report{Unmeasured: []result.Key{k}, Notes: []string{"the budget of 2m0s ended the trial"}}
	}}
	for range 2 {
		require.NoError(t, once(t, w))
		w.put = nil // a new start
	}
	require.Equal(t, 2*2, asked, "a step and a level, at both starts")
	all := strings.Join(log, "\n")
	require.Contains(t, all, "not measured, so asked again: between "+commits[2][:12])
	require.Contains(t, all, "the budget of 2m0s ended the trial")
	require.NotContains(t, all, "no regression")

	w.Lab = paper{repository}
	require.NoError(t, once(t, w))
	require.Contains(t, outcome(t, w), "regression: BenchmarkProve proof-B +1.43 %")
}

// TestSuspicionsArePutOff: each time for twice as long, at most for a day, and apart from other ones.
func TestSuspicionsArePutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log lines
		w := &Watch{pause: 5 * time.Hour, Log: log.add}
		f, other := finding{Base: "b", Head: "a", Why: whyStep}, finding{Base: "b", Head: "a", Why: whyLevel}
		ready := func() []finding { return w.ready([]finding{f, other}) }
		part := gate.Report{Comparisons: make([]gate.Comparison, 1), Unmeasured: make([]result.Key, 2),
			Notes: []string{"a", "b"}}
		for i, hours := range []time.Duration{5, 10, 20, 24, 24} {
			w.later(f, []gate.Report{{}, part}[i%2])
			time.Sleep(hours*time.Hour - 1)
			require.Equal(t, []finding{other}, ready())
			time.Sleep(time.Nanosecond)
			require.Equal(t, []finding{f, other}, ready())
		}
		const again = "not measured, so asked again: between b and a (step): "
		require.Equal(t, lines{again + "no case was measured",
			again + "2 cases of 3 were not measured (a; b)"}, log[:2])
	})
}

// TestInfiniteChangesAreKept: the first allocation of a benchmark is a change of no finite share.
func TestInfiniteChangesAreKept(t *testing.T) {
	repository, _ := example(t)
	before := commit(t, repository, map[string]string{"figures": "BenchmarkProve 1 0 proof-B\n"})
	commit(t, repository, map[string]string{"figures": "BenchmarkProve 1 8 proof-B\n"})
	w := watcher(repository, t.TempDir())
	w.Since = before
	require.NoError(t, once(t, w))
	require.Regexp(t, `regression: BenchmarkProve proof-B \S*(∞|new)`, outcome(t, w))
	require.NoError(t, once(t, w), "the finding is read again")

	w = watcher(repository, t.TempDir())
	infinite := gate.Comparison{Verdict: gate.Regression}
	infinite.Base.Median = math.Inf(1)
	w.Lab = measuring{paper{repository}, func() gate.Report {
		return gate.Report{Comparisons: []gate.Comparison{infinite}}
	}}
	require.NoError(t, once(t, w))
	require.Contains(t, outcome(t, w), "not compared: json: unsupported value: +Inf between "+before[:12])
}

// TestFirstRevisionsThatCannotBe are refused at once.
func TestFirstRevisionsThatCannotBe(t *testing.T) {
	repository, commits := example(t)
	w := watcher(repository, t.TempDir())
	for since, want := range map[string]string{
		"tomorrow": `-since: "tomorrow" is neither a revision nor a date such as 2026-01-31: ` +
			"git rev-parse: ",
		"2999-01-01": "-since: 2999-01-01 is not past",
		"main":       "", commits[2]: "", "2020-02-02": "", "": "",
	} {
		t.Run(since, func(t *testing.T) {
			w.Since = since
			if err := w.Check(t.Context()); want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, want)
			}
		})
	}
}
