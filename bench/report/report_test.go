package report_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/report"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/golden"
	"github.com/zkatbench/zkatbench/internal/nightly"
	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
)

// draw writes a page and checks the properties of all pages: it makes no
// requests, and its pictures are well-formed XML in colours of the style sheet.
func draw(t testing.TB, in report.Input) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, report.Write(&b, in))
	html := b.String()
	for _, attribute := range []string{`href="`, `src="`} {
		for _, to := range strings.Split(html, attribute)[1:] {
			require.True(t, to[0] == '#' || strings.HasPrefix(to, "data:"), "a link to %.100s", to)
		}
	}
	require.LessOrEqual(t, strings.Count(html, "<script>"), 2)
	require.NotContains(t, html, "@import")
	for _, picture := range strings.Split(html, "<svg ")[1:] {
		picture, _, _ = strings.Cut(picture, "</svg>")
		for _, bad := range []string{"fill:#", "stroke:#", "NaN", "Inf"} {
			require.False(t, strings.Contains(picture, bad), "%s in %.1000s", bad, picture)
		}
		d := xml.NewDecoder(strings.NewReader("<svg " + picture + "</svg>"))
		for {
			_, err := d.Token()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
		}
	}
	return html
}

func read(t testing.TB, names ...string) report.Input {
	t.Helper()
	in, err := report.Read(names...)
	require.NoError(t, err)
	return in
}

// figures returns the identifiers of the figures of a page.
func figures(html string) (ids []string) {
	for _, m := range regexp.MustCompile(`<figure id="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// data returns the downloadable table of a figure.
func data(t testing.TB, html, id string) string {
	t.Helper()
	m := regexp.MustCompile(`download="` + regexp.QuoteMeta(id) +
		`.csv" href="data:text/csv;base64,([^"]*)"`).FindStringSubmatch(html)
	require.NotNil(t, m, id)
	csv, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(m[1], "&#43;", "+"))
	require.NoError(t, err)
	return string(csv)
}

func TestMatrix(t *testing.T) {
	html := pageOf(t, full(1))
	require.Equal(t,
		[]string{"results-1", "matrix-1", "lines-1", "lines-2", "lines-3", "counts-1", "environment-1"},
		figures(html))
	require.Equal(t, 1+54*7, strings.Count(data(t, html, "matrix-1"), "\n"))
	require.Contains(t, data(t, html, "matrix-1"),
		"BenchmarkSender/bits=32/curve=BN254/inputs=1/outputs=1-2,proof-B,760,760,760,10\n")
	require.Contains(t, data(t, html, "lines-1"),
		"BenchmarkSender/bits=32/curve=BN254/inputs=1/outputs=1-2,sec/op,")
	require.Equal(t, 9+6+6, strings.Count(html, `<svg role="img"`))
	require.Equal(t, 4*54, strings.Count(html, `<svg class="strip" `),
		"points in the units that vary, and bars of counts")
	require.Contains(t, html, "procs=2")
}

// TestAnyBenchmark draws names without key=value, a single case, no time, other
// units.
func TestAnyBenchmark(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string // figures other than the environment and the matrix
	}{
		"one":            {"BenchmarkA 1 5 ns/op\n", nil},
		"plain":          {"BenchmarkA-8 1 5 ns/op\nBenchmarkB-8 1 7 ns/op\n", nil},
		"parts":          {"BenchmarkRead/small/fast 1 5 ns/op\nBenchmarkRead/large/fast 1 7 ns/op\n", nil},
		"numbers":        {"BenchmarkRead/10 1 5 ns/op\nBenchmarkRead/100 1 7 ns/op\n", []string{"lines-1"}},
		"own unit":       {"BenchmarkA/n=1 1 5 widgets\nBenchmarkA/n=2 1 7 widgets\n", []string{"lines-1"}},
		"not everywhere": {"BenchmarkA/n=1 1 5 ns/op\nBenchmarkA/n=2 1 7 widgets\n", []string{"lines-1"}},
		"negative":       {"BenchmarkA/n=1 1 -5 x\nBenchmarkA/n=2 1 0 x\n", []string{"lines-1"}},
		"huge":           {"BenchmarkA/n=1e300 1 1e308 x\nBenchmarkA/n=-1e300 1 -1e308 x\n", nil},
		"large":          {"BenchmarkA/n=1 1 1e308 x\nBenchmarkA/n=2 1 -1e308 x\n", []string{"lines-1"}},
		"close": {"BenchmarkA/n=1 1 1e17 x\nBenchmarkA/n=2 1 100000000000000016 x\n",
			[]string{"lines-1"}},
		"equal": {"BenchmarkA/n=1 1 0 ns/op\nBenchmarkA/n=2 1 0 ns/op\n", []string{"lines-1"}},
		"packages": {
			"pkg: a\nBenchmarkA/n=1 1 5 ns/op\nBenchmarkA/n=2 1 5 ns/op\npkg: b\nBenchmarkA/n=1 1 5 ns/op\n",
			[]string{"lines-1"},
		},
		"hostile": {
			"note: <script>alert(1)</script>\nBenchmarkA/x=</script><script>alert(1)</script>/n=1 1 5 " +
				"<b>\nBenchmarkA/x=\"onload=\"/n=2 1 5 <b>\n", nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			html := pageOf(t, c.text)
			ids := figures(html)
			require.Equal(t, []string{"matrix-1", "environment-1"}, []string{ids[0], ids[len(ids)-1]})
			require.Subset(t, ids, c.want)
		})
	}
}

func TestPhasesAndWorkers(t *testing.T) {
	html := pageOf(t, phases)
	require.Contains(t, figures(html), "counts-1")
	require.Contains(t, data(t, html, "counts-1"), "BenchmarkCount/n=2/phase=prove,prove,add/op,150\n")
	require.Contains(t, figures(html), "scaling-1")
	require.Contains(t, data(t, html, "scaling-1"), "4,3125000,3.13,78.1 %,")
	require.Contains(t, html, "Universal Scalability Law: σ = ")
}

func TestTwoFilesAreCompared(t *testing.T) {
	base, head := write(t, "base.txt", small(1)), write(t, "head.txt", small(1.3))
	html := draw(t, read(t, base, head))
	var ratio float64
	for line := range strings.Lines(data(t, html, "results-1")) {
		if cells := strings.Split(strings.TrimSpace(line), ","); cells[1] == "sec/op" {
			var v float64
			_, err := fmt.Sscan(cells[4], &v)
			require.NoError(t, err)
			require.GreaterOrEqual(t, v, ratio, "sorted")
			require.InDelta(t, 1.3, v, 0.1)
			ratio = v
		}
	}
	require.Contains(t, html, `<td class="bad">worse</td>`)
	require.Contains(t, html, `<line class="zero"`)
	require.Regexp(t, `data-hint="[^"]*, &#43;[\d.]+ % against the base: worse"`, html)

	one, two := "BenchmarkA/n=1 1 5 ns/op\nBenchmarkA/n=2 1 5 ns/op\n",
		"BenchmarkA/n=2 1 5 ns/op\nBenchmarkA/n=3 1 0 ns/op\n"
	html = draw(t, read(t, write(t, "1", one), write(t, "2", two)))
	require.Contains(t, html, "Without results: 1 figure of the base, as of BenchmarkA/n=1.")
	require.Contains(t, html, "Not in the base: 1 figure, as BenchmarkA/n=3.")

	shards := read(t, write(t, "1", one), write(t, "2", "BenchmarkA/n=3 1 5 ns/op\n"))
	require.Nil(t, shards.Base)
	require.Len(t, shards.Results.Cases, 3)
}

func TestLoads(t *testing.T) {
	in := underLoad(t)
	require.Nil(t, in.Results)
	html := draw(t, in)
	require.Equal(t,
		[]string{"percentiles", "histogram", "progress", "over-time", "runs-1", "runs-2", "runs-3", "runs-4",
			"scaling-1", "environment-1"}, figures(html))
	require.True(t,
		strings.HasPrefix(data(t, html, "scaling-1"),
			"workers,operations/s,speed-up,efficiency,fitted operations/s\n1,"))
	counted := 0
	for line := range strings.Lines(data(t, html, "histogram")) {
		var n int
		if _, err := fmt.Sscan(line[strings.LastIndex(line, ",")+1:], &n); err == nil {
			counted += n
		}
	}
	want := uint64(0)
	for _, l := range in.Loads {
		want += l.Result.Records
	}
	require.EqualValues(t, want, counted)
	for _, part := range []string{"Real Throughput", "P99", "Std Dev", "Failed", "allocs/op", "GC", "Machine",
		"Findings", "Warm-up"} {
		require.Contains(t, data(t, html, "runs-1"), part, "of the text report of a run")
	}
}

// TestNamesWithWorkers checks that runs with the number of workers in their
// names form a scaling series, too.
func TestNamesWithWorkers(t *testing.T) {
	var names []string
	for i, name := range loads(t) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		n := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "lock-"), ".json")
		renamed := strings.Replace(string(text), `"Name":"lock"`, `"Name":"Lock/kind=mutex/workers=`+n+`"`, 1)
		require.NotEqual(t, string(text), renamed)
		names = append(names, write(t, fmt.Sprint(i), renamed))
	}
	html := draw(t, read(t, names...))
	require.Equal(t, 1+4, strings.Count(data(t, html, "scaling-1"), "\n"))
	require.Contains(t, html, "Lock/kind=mutex, 1 worker")

	in := read(t, names...)
	for i := range in.Loads {
		in.Loads[i].Name = strings.Repeat("x", 60)
	}
	html = draw(t, in)
	for _, end := range []string{", 1 worker", ", 4 workers", ", 8 workers", ", 16 workers"} {
		title := strings.Repeat("x", 16) + "…" + strings.Repeat("x", 31-len(end)) + end // 48 characters
		require.Equal(t, 3, strings.Count(html, ">"+title+"</text>"), title)
	}
}

// TestRecordedPage compares the whole page of a small file with a reviewed one.
func TestRecordedPage(t *testing.T) {
	html := draw(t,
		report.Input{Title: "Small", Files: []string{"small.txt"},
			Results: read(t, write(t, "small.txt", phases)).Results})
	golden.Equal(t, "testdata/small.html", html)
}

func TestHistory(t *testing.T) {
	ctx := context.Background()
	h, err := history.Create(ctx, filepath.Join(t.TempDir(), "h.db"))
	require.NoError(t, err)
	for i, size := range []int{100, 100, 90} {
		d := result.NewData()
		require.NoError(t,
			d.Read(strings.NewReader(fmt.Sprintf("Unit size-B assume=exact better=lower\nBenchmarkA/n=1 1 "+
				"%d ns/op %d size-B\n", 5+i, size)), "r"))
		require.NoError(t, h.Add(ctx, d, fmt.Sprintf("r%d", i), time.Unix(int64(i), 0)))
	}
	in := report.Input{Title: "History"}
	require.NoError(t, in.AddTrends(ctx, h))
	html := draw(t, in)
	require.Equal(t, []string{"history-1"}, figures(html))
	require.Contains(t, data(t, html, "history-1"),
		"BenchmarkA/n=1,size-B,r2,1970-01-01T00:00:02Z,90,1,-10.0 %\n")
	in.Trends = []history.Series{{Key: result.Key{Name: "A"}, Unit: "size-B", Exact: true,
		Points: []history.Point{
			{Revision: strings.Repeat("a", 40), Values: []float64{2900}},
			{Revision: strings.Repeat("b", 40), Values: []float64{2920}},
		}}}
	html = draw(t, in)
	for _, want := range []string{"size-B, median 2 910", "+0.50 %", strings.Repeat("a", 10),
		strings.Repeat("b", 10)} {
		require.Contains(t, html, ">"+want+"</text>")
	}

	other := read(t, write(t, "r", "BenchmarkB 1 5 ns/op\n"))
	require.NoError(t, other.AddTrends(ctx, h))
	require.Empty(t, other.Trends)
}

func TestUndrawableInputIsAnError(t *testing.T) {
	require.ErrorIs(t, report.Write(io.Discard, report.Input{}), report.ErrEmpty)
	_, err := report.Read("absent")
	require.Error(t, err)
	_, err = report.Read(write(t, "r", "PASS\n"))
	require.ErrorIs(t, err, result.ErrNoBenchmarks)
	_, err = report.Read(write(t, "r", "{}"))
	require.ErrorContains(t, err, "there is no result")
}

func FuzzPage(f *testing.F) {
	f.Add("BenchmarkA/n=1 1 5 ns/op\nBenchmarkA/n=2 1 5 ns/op\n")
	f.Add(phases)
	f.Add("Benchmark 0 1 ns/$0")
	f.Add("Unit x/op assume=exact\nBenchmarkA/phase=/workers=0 1 -5 x/op\nBenchmarkA/phase=x/workers=1 1 " +
		"1e308 x/op\n")
	f.Fuzz(func(t *testing.T, text string) {
		d := result.NewData()
		if len(text) > 2000 || d.Read(strings.NewReader(text), "r") != nil {
			return
		}
		draw(t, report.Input{Results: d, Base: d})
	})
}

// TestPageGrowsWithItsCases checks that the page of twice as many cases is about twice
// as long, for every way in which names can differ, and that a page has a bound.
func TestPageGrowsWithItsCases(t *testing.T) {
	page := func(name string, cases int) report.Input {
		var b strings.Builder
		for i := range cases {
			b.WriteString("Benchmark" + strings.ReplaceAll(name, "#", strconv.Itoa(i)) + " 1 10 ns/op\n")
		}
		return read(t, write(t, "r.txt", b.String()))
	}
	cases := nightly.Pick(200, 500, 500)
	for _, name := range []string{"A/p=x#/q=y#", "A/p=x#/q=y#/r=#", "A/n=#", "A#", "A/p=#/q=y#"} {
		t.Run(name, func(t *testing.T) {
			small, large := len(draw(t, page(name, cases))), len(draw(t, page(name, 2*cases)))
			require.Less(t, large, 3*small)
		})
	}
	require.ErrorContains(t, report.Write(io.Discard, page("A/n=#", 20_001)),
		"the files have 20001 cases, and a page shows 20000 at most")
}
