package history_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/nightly"
)

var (
	ctx        = context.Background()
	everything = regexp.MustCompile("")
	epoch      = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
)

// results returns the results of a revision: the given number of cases with
// three results each.
func results(revision, cases int, ns float64) *result.Data {
	var b strings.Builder
	fmt.Fprintf(&b,
		"Unit size-B assume=exact better=lower\nhost: here\ncpu: Some Processor\npkg: "+
			"example.com/p\nrevision: r%03d\nstarted: %s\n",
		revision, epoch.Add(time.Duration(revision)*time.Hour).Format(time.RFC3339))
	for i := range 3 {
		for c := range cases {
			fmt.Fprintf(&b, "BenchmarkSum/n=%d 10 %.2f ns/op 100 size-B\n", c, ns+float64(i))
		}
	}
	d := result.NewData()
	if err := d.Read(strings.NewReader(b.String()), "results"); err != nil {
		panic(err)
	}
	return d
}

func create(t testing.TB, name string) *history.Store {
	t.Helper()
	s, err := history.Create(ctx, name)
	require.NoError(t, err)
	return s
}

// checkIntegrity checks that the file can be read, and that every run is complete.
func checkIntegrity(t *testing.T, name string, cases int) (revisions map[string]bool) {
	t.Helper()
	s, err := history.Open(ctx, name)
	require.NoError(t, err)
	runs, err := s.Runs(ctx)
	require.NoError(t, err)
	revisions = map[string]bool{}
	for _, r := range runs {
		require.Equal(t, cases, r.Cases, r.Revision)
		revisions[r.Revision] = true
	}
	require.Len(t, revisions, len(runs))
	return revisions
}

func TestResultsComeBack(t *testing.T) {
	s := create(t, filepath.Join(t.TempDir(), "a file?#% of.db"))
	for i, ns := range slices.Backward([]float64{1000, 1010, 2000}) { // the last one is stored first
		require.NoError(t, s.Add(ctx, results(i, 2, ns), "", epoch))
	}
	require.NoError(t, s.Add(ctx, results(1, 2, 990), "", epoch), "a revision measured again")
	runs, err := s.Runs(ctx)
	require.NoError(t, err)
	require.Len(t, runs, 4)
	require.Equal(t, history.Run{Revision: "r000", Machine: "here, Some Processor", Started: epoch, Cases: 2},
		runs[0])

	all, err := s.Series(ctx, everything, "")
	require.NoError(t, err)
	require.Len(t, all, 4) // two cases, two units
	all, err = s.Series(ctx, regexp.MustCompile("n=0$"), "sec/op")
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, result.Key{Package: "example.com/p", Name: "Sum/n=0"}, all[0].Key)
	require.Equal(t, -1, all[0].Better)
	require.Len(t, all[0].Points, 3)
	require.InDeltaSlice(t, []float64{1010e-9, 1011e-9, 1012e-9, 990e-9, 991e-9, 992e-9},
		all[0].Points[1].Values, 1e-15)

	for _, line := range []string{"BenchmarkOne 1 1 things\n", "BenchmarkOne 1 2 things\n"} {
		one := result.NewData()
		require.NoError(t, one.Read(strings.NewReader(line), "results"))
		require.NoError(t, s.Add(ctx, one, "r003", epoch))
	}
	all, err = s.Series(ctx, everything, "things")
	require.NoError(t, err)
	require.Equal(t, []float64{1, 2}, all[0].Points[0].Values, "files of one result that differ")
	all, err = s.Series(ctx, everything, "size-B")
	require.NoError(t, err)
	require.True(t, all[0].Exact)
}

// TestTornLine: what a killed writer left at the end of the file is not a run, and the next
// run replaces it, wherever the write ended.
func TestTornLine(t *testing.T) {
	name := filepath.Join(t.TempDir(), "h.db")
	require.NoError(t, create(t, name).Add(ctx, results(1, 1, 1000), "", epoch))
	one, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, create(t, name).Add(ctx, results(2, 1, 1000), "", epoch))
	two, err := os.ReadFile(name)
	require.NoError(t, err)
	for end := range two {
		require.NoError(t, os.WriteFile(name, two[:end], 0o600))
		runs, err := create(t, name).Runs(ctx)
		require.NoError(t, err)
		require.Len(t, runs, min(end/len(one), 1), end)
		if end >= len(one) {
			require.NoError(t, create(t, name).Add(ctx, results(2, 1, 1000), "", epoch))
			again, err := os.ReadFile(name)
			require.NoError(t, err)
			require.Equal(t, string(two), string(again))
		}
	}
}

func TestInvalidInputIsRefused(t *testing.T) {
	name := filepath.Join(t.TempDir(), "h.db")
	_, err := history.Open(ctx, name)
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = history.Create(ctx, filepath.Join(name, "absent", "h.db"))
	require.Error(t, err)
	s := create(t, name)
	require.NoFileExists(t, name, "the first results create it")
	d := results(1, 1, 1000)
	require.NoError(t, s.Add(ctx, d, "", epoch))
	require.ErrorIs(t, s.Add(ctx, d, "", epoch), history.ErrKnown)
	require.NoError(t, s.Add(ctx, d, "another", epoch))
	delete(d.Config, "revision")
	require.ErrorIs(t, s.Add(ctx, d, "", epoch), history.ErrRevision)

	const first = "zkatbench history 1\n"
	for text, want := range map[string]string{
		"BenchmarkSum 1 1 ns/op\n": "is not a history that this program reads",
		"zkatbench history 2\n":    "is not a history that this program reads",
		first +
			"{}\n[]\n": "is not a history that this program reads: line 3: json: cannot unmarshal",
		first + `{"started":"then"}` + "\n": "line 2: parsing time",
		"SQLite format 3\x00" +
			"\x10 and more": "an SQLite database of release 0.5 or earlier; docs/comparing.md#history",
	} {
		t.Run(want, func(t *testing.T) {
			other := filepath.Join(t.TempDir(), "other")
			earlier := create(t, other)
			require.NoError(t, os.WriteFile(other, []byte(text), 0o600))
			_, err = history.Create(ctx, other)
			require.ErrorIs(t, err, history.ErrStore)
			require.ErrorContains(t, err, other+": ")
			require.ErrorContains(t, err, want)
			require.ErrorContains(t, earlier.Add(ctx, results(1, 1, 1000), "", epoch), want)
			kept, err := os.ReadFile(other)
			require.NoError(t, err)
			require.Equal(t, text, string(kept))
		})
	}
}

// writerOf is the environment variable that turns the test binary into a
// writer. It names a file and the number of the first revision; the writer
// prints each committed revision.
const writerOf = "ZKAT_HISTORY_WRITER"

func TestMain(m *testing.M) {
	if name, from, is := strings.Cut(os.Getenv(writerOf), "|"); is {
		if err := errors.Join(limitFiles(), writeMany(name, from)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const casesEach = 20

func writeMany(name, numbers string) error {
	var from, to int
	if _, err := fmt.Sscanf(numbers, "%d-%d", &from, &to); err != nil {
		return err
	}
	for i := from; i < to; i++ {
		s, err := history.Create(ctx, name)
		if err != nil {
			return err
		}
		if err := s.Add(ctx, results(i, casesEach, 1000), "", epoch); err != nil {
			return err
		}
		fmt.Printf("r%03d\n", i)
	}
	return nil
}

func writer(name string, from, to int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%d-%d", writerOf, name, from, to))
	cmd.Stderr = os.Stderr
	return cmd
}

func TestConcurrentWritersLoseNothing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "h.db")
	const writers = 6
	each := nightly.Pick(5, 10, 10)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			out, err := writer(name, w*each, (w+1)*each).Output()
			require.NoError(t, err)
			require.Equal(t, each, strings.Count(string(out), "\n"))
		})
	}
	wg.Wait()
	require.Len(t, checkIntegrity(t, name, casesEach), writers*each)
}

// TestManyProcessesCreateOneFile starts processes that create the same file at
// the same time, again and again.
func TestManyProcessesCreateOneFile(t *testing.T) {
	for range nightly.Pick(1, 4, 200) {
		name := filepath.Join(t.TempDir(), "h.db")
		const processes = 16
		var wg sync.WaitGroup
		for p := range processes {
			wg.Go(func() { assert.NoError(t, writer(name, p, p+1).Run()) })
		}
		wg.Wait()
		require.Len(t, checkIntegrity(t, name, casesEach), processes)
	}
}

// TestKilledWriterLosesNothing kills a writer at random times, repeatedly. All
// revisions that it reported as committed must be there, and all revisions in
// the file must be complete.
func TestKilledWriterLosesNothing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "h.db")
	committed := map[string]bool{}
	for k := range nightly.Pick(5, 10, 100) {
		cmd := writer(name, 1000*k, 1000*(k+1))
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for range 1 + k%3 {
			require.True(t, lines.Scan())
			committed[lines.Text()] = true
		}
		time.Sleep(time.Duration(k*7%23) * time.Millisecond / 2)
		require.NoError(t, cmd.Process.Kill())
		for lines.Scan() {
			committed[lines.Text()] = true
		}
		_ = cmd.Wait()
		there := checkIntegrity(t, name, casesEach)
		for revision := range committed {
			require.True(t, there[revision], revision)
		}
	}
}
