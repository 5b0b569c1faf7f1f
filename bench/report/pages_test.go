package report_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/report"
)

// results writes files with n results of each case, spread by a share, and reads them.
type results struct{ strings.Builder }

func (r *results) add(n int, share float64, name string, figures ...any) {
	for i := range n {
		at := 1.0
		if n > 1 {
			at += share * (float64(2*(i*7%n))/float64(n-1) - 1)
		}
		fmt.Fprintf(r, "Benchmark%s %d", name, 100+i)
		for k := 0; k < len(figures); k += 2 {
			fmt.Fprintf(r, " %.10g %s", at*figures[k].(float64), figures[k+1])
		}
		r.WriteString("\n")
	}
}

const described = "governor: performance\ngoos: linux\ngoarch: amd64\ncpu: Some Processor\nhost: " +
	"here\ncommand: zkatbench run <x>\nzother: z\naother: a\n"

// TestCountsOfResults: a case has as many results as its unit with most of them.
func TestCountsOfResults(t *testing.T) {
	var r results
	for i := range 20 {
		r.add(10, 0, fmt.Sprintf("A/n=%d", i), 5.0, "u")
		r.add(2, 0, fmt.Sprintf("A/n=%d", i), 5.0, "v", 6.0, "w", 7.0, "y")
	}
	require.Contains(t, headline(t, pageOf(t, r.String())),
		"20 cases of A, at least 10 results each.")
	r.add(4, 0, "A/n=20", 5.0, "u")
	require.Contains(t, headline(t, pageOf(t, r.String())),
		"21 cases of A, at least 4 results each.")
}

// TestIntervalsAroundZero: the half-width of an interval cannot be divided by a median of
// 0, so the page names another case as scattered.
func TestIntervalsAroundZero(t *testing.T) {
	text := described
	for i := range 13 {
		text += fmt.Sprintf("BenchmarkZero 1 %d x\n", i-6)
	}
	page := headline(t, pageOf(t, text))
	require.NotContains(t, page, "BenchmarkZero")
	for i := range 13 {
		text += fmt.Sprintf("BenchmarkWide 1 %d x\n", 100+5*i)
	}
	page = headline(t, pageOf(t, text))
	require.Contains(t, page, "BenchmarkWide")
	require.NotContains(t, page, "BenchmarkZero")
}

// TestFilesOfAPage: files of each kind in any order, the names of runs, and errors with the
// names of files.
func TestFilesOfAPage(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	lock := contents(t, "testdata/lock-4.json")
	names := []string{
		file("z.json", lock), file("r1.txt", "BenchmarkA 1 5 ns/op\n"),
		file("a.json", strings.ReplaceAll(lock, `"Name":"lock"`, `"Name":"a/workers=4/b"`)),
		file("p.pprof", packed(t, "x.Work")),
		file("f.folded", "step: op;z.G 15\n"), file("r2.txt", "BenchmarkB 1 5 ns/op\n"), file("y.json", lock),
		file("x.json", contents(t, "testdata/lock-1.json")),
		file("none.json", strings.ReplaceAll(lock, `"Name":"lock"`, `"Name":""`)),
		file("r3.txt", "BenchmarkA 1 8 ns/op\n"),
	}
	in := read(t, names...)
	require.Equal(t, "Benchmark report", in.Title)
	require.Equal(t,
		[]string{"z.json", "r1.txt", "a.json", "p.pprof", "f.folded", "r2.txt", "y.json", "x.json",
			"none.json", "r3.txt"}, in.Files)
	var loads []string
	for _, l := range in.Loads {
		loads = append(loads, fmt.Sprint(l.Name, " ", l.Result.Config.Workers, " ", l.File))
	}
	require.Equal(t, []string{"a/b 4 ", "lock 1 ", "lock 4 z.json", "lock 4 y.json", "none.json 4 "}, loads)
	require.Equal(t,
		map[string]flame.Stacks{"p.pprof": {"x.Work": 20, "step: verify;x.Work": 4},
			"f.folded": {"step: op;z.G": 15}}, in.Flames)
	require.Nil(t, in.Base)
	require.Len(t, in.Results.Cases, 2)
	require.Equal(t, []float64{5e-9, 8e-9}, in.Results.Values[in.Results.Cases[0]]["sec/op"])
	two := read(t, names[1], names[9])
	require.NotNil(t, two.Base)
	require.Equal(t, []float64{5e-9}, two.Base.Values[two.Base.Cases[0]]["sec/op"])
	require.Equal(t, []float64{8e-9}, two.Results.Values[two.Base.Cases[0]]["sec/op"])
	apart := read(t, names[1], names[5])
	require.Nil(t, apart.Base)
	require.Len(t, apart.Results.Cases, 2)
	for _, bad := range []string{
		file("bad.json", "{ nothing"), file("bad.pprof", "\x1f\x8bnothing"),
		file("bad.folded", "step: op;x\n"), file("bad.txt", "BenchmarkA 1 five ns/op\n"),
		filepath.Join(dir, "absent"), dir,
	} {
		for _, list := range [][]string{{bad}, {names[0], bad}, {names[1], bad}, {bad, names[1]},
			{names[1], names[5], bad}} {
			_, err := report.Read(list...)
			require.ErrorContains(t, err, filepath.Base(bad))
			require.Equal(t, 1, strings.Count(err.Error(), filepath.Base(bad)), err.Error())
		}
	}
	_, err := report.Read(file("bad.json", "{ nothing"))
	require.ErrorContains(t, err, "bad.json: JSON, but neither a run of the load runner nor a heap profile: ")
	require.ErrorIs(t, report.Write(filling{}, in), errFull)
}

var errFull = errors.New("no space left")

// filling takes no bytes.
type filling struct{}

func (filling) Write([]byte) (int, error) { return 0, errFull }
