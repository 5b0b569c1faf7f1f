package report_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/report"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/schedule"
	"github.com/zkatbench/zkatbench/text"
)

var (
	ofStyles = regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>`)
	ofData   = regexp.MustCompile(`base64,[^"]*"`)
	ofRuns   = regexp.MustCompile(`(?s)(<figure id="runs-\d+".*?<table).*?</table>`)
)

// golden compares the elements of a page, one a line, with a file, or writes it with
// -update. It leaves out styles, scripts, data behind links, and the text reports of runs.
func golden(t *testing.T, name string, in report.Input) {
	t.Helper()
	page := ofStyles.ReplaceAllString(draw(t, in), "")
	page = ofRuns.ReplaceAllString(ofData.ReplaceAllString(page, `base64,"`), "$1>")
	page = strings.ReplaceAll(strings.ReplaceAll(page, "</td><td>", " | "), "><", ">\n<") + "\n"
	name = filepath.Join("testdata", "golden", name+".html")
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(page), 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	require.True(t, string(want) == page, "the page differs from %s; review it, and accept it with -update", name)
}

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

const described = "governor: performance\ngoos: linux\ngoarch: amd64\ncpu: Some Processor\nhost: here\ncommand: zkatbench run <x>\nzother: z\naother: a\n"

// TestPageOfAComparison: each verdict in units of each kind, cases of one side, outliers,
// values that are no numbers, and ten findings about the machine.
func TestPageOfAComparison(t *testing.T) {
	var base, head results
	for i, side := range []*results{&base, &head} {
		side.WriteString("Unit size-B assume=exact better=lower\nUnit rate better=higher\n" + described + fmt.Sprintf("pkg: e.com/p\nrevision: r%d\n", i))
		for n, case_ := range []struct {
			name  string
			share float64
			by    float64 // factor of HEAD
		}{
			{"worse", 0.01, 1.2}, {"much", 0.01, 40}, {"better", 0.01, 0.8}, {"same", 0.01, 1}, {"wide", 0.4, 1.05}, {"near", 0.01, 1.03}, {"some", 0.08, 1.1}, {"less", 0.01, 0.95},
		} {
			by := math.Pow(case_.by, float64(i))
			side.add(8, case_.share, "V/case="+case_.name, 1000*float64(n+1)*by, "ns/op", 900*float64(n+1)*by, "cpu-ns/op")
			side.add(2, 0, "V/case="+case_.name, 1000*float64(n+1)*by, "ns/op", 900*float64(n+1)*by, "cpu-ns/op", 500+10*float64(n)*by, "size-B", 5*by, "rate")
		}
		side.add(6, 0.02, "Zero/n=1", float64(i), "x")
		side.add(3, 0.02, "Zero/n=2", 5.0, "x")
		side.add(5, 0.02, "Zero/n=3", 5+float64(i), "x")
		for n := range 2 {
			side.add(6, 0.02, fmt.Sprintf("Null/n=%d", n), 5*float64(i), "x")
		}
		for n := range 10 {
			side.add(1, 0, fmt.Sprintf("%s/n=%d", []string{"Gone", "New"}[i], n), 7.0, "x")
		}
		side.WriteString("BenchmarkZero/n=4 1 NaN x\nBenchmarkZero/n=4 1 +Inf x\nBenchmarkZero/n=4 1 3 x\nBenchmarkZero/n=4 1 4 x\n")
	}
	for i := range 10 {
		fmt.Fprintf(&head, "noise: load %d\nhost: h%d\npkg: q%d\nBenchmarkZero/n=2 1 5 x\n", i, i, i%2)
	}
	head.WriteString("interrupted: 3 of 5 results\nnoise-after: the hypervisor\ngo: 1\nBenchmarkZero/n=2 1 5 x\ngo: 2\nBenchmarkZero/n=2 1 5 x\n")
	golden(t, "comparison", read(t, write(t, "base.txt", base.String()), write(t, "head.txt", head.String())))

	var quiet results
	quiet.WriteString(described)
	quiet.add(10, 0.01, "A", 100.0, "ns/op")
	quiet.add(10, 0.01, "B", 100.0, "ns/op")
	faster := strings.ReplaceAll(quiet.String(), " ns/op", " ns/op 1 x")
	var better results
	better.WriteString(described)
	better.add(10, 0.01, "A", 50.0, "ns/op")
	better.add(10, 0.01, "B", 100.0, "ns/op")
	golden(t, "better", read(t, write(t, "base.txt", quiet.String()), write(t, "head.txt", better.String())))
	golden(t, "worse", read(t, write(t, "base.txt", better.String()), write(t, "head.txt", quiet.String())))
	golden(t, "same", read(t, write(t, "base.txt", quiet.String()), write(t, "head.txt", faster)))
}

// TestCountsOfResults: a case has as many results as its unit with most of them.
func TestCountsOfResults(t *testing.T) {
	var r results
	for i := range 20 {
		r.add(10, 0, fmt.Sprintf("A/n=%d", i), 5.0, "u")
		r.add(2, 0, fmt.Sprintf("A/n=%d", i), 5.0, "v", 6.0, "w", 7.0, "y")
	}
	require.Contains(t, headline(t, draw(t, read(t, write(t, "r.txt", r.String())))), "20 cases of A, at least 10 results each.")
	r.add(4, 0, "A/n=20", 5.0, "u")
	require.Contains(t, headline(t, draw(t, read(t, write(t, "r.txt", r.String())))), "21 cases of A, at least 4 results each.")
}

// TestIntervalsAroundZero: half the width of an interval has no ratio to a median of 0, and
// another case is the one that scatters.
func TestIntervalsAroundZero(t *testing.T) {
	text := described
	for i := range 13 {
		text += fmt.Sprintf("BenchmarkZero 1 %d x\n", i-6)
	}
	page := headline(t, draw(t, read(t, write(t, "r.txt", text))))
	require.NotContains(t, page, "BenchmarkZero")
	for i := range 13 {
		text += fmt.Sprintf("BenchmarkWide 1 %d x\n", 100+5*i)
	}
	page = headline(t, draw(t, read(t, write(t, "r.txt", text))))
	require.Contains(t, page, "BenchmarkWide")
	require.NotContains(t, page, "BenchmarkZero")
}

// TestPageOfResults: names of each kind, axes with ten values, counts of ten parts, bars,
// lines and bands, and scaling of benchmarks.
func TestPageOfResults(t *testing.T) {
	var r results
	for i := range 10 {
		fmt.Fprintf(&r, "Unit op%d/op assume=exact\n", i)
	}
	r.WriteString("Unit B/op assume=exact\nUnit in-B/op assume=exact\nUnit loose/op assume=nothing\nUnit total assume=exact\n" + described + "pkg: e.com/p\nrevision: abc\n")
	for i, n := range []int{1000, 1, 2, 5, 10, 20, 50, 100, 200, 500} {
		for k, kind := range []string{"b", "a"} {
			r.add(7, 0.04, fmt.Sprintf("Grow/n=%d/kind=%s/fixed=1", n, kind), 100*float64(n)*(1+float64(k)), "ns/op", float64(64*n), "B/op")
		}
		r.add(1, 0, fmt.Sprintf("One/n=%d", i%2), 5.0, "op0/op")
		r.add(1, 0, fmt.Sprintf("Close/n=%d", 100+i), 100+float64(i), "x")
		r.add(1, 0, fmt.Sprintf("Names/of=x%d", 9-i), 100+float64(i*i), "widgets")
		r.add(1, 0, fmt.Sprintf("Single%d/k%d=1-8", i, i), 5.0+float64(i), "ns/op")
		r.add(1, 0, fmt.Sprintf("Par/kind=x/workers=%d", []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32}[i]), 1000/float64(min(1+i, 6)), "ns/op")
		for _, size := range []string{"1", "2"} {
			figures := []any{}
			for u := range 10 {
				figures = append(figures, float64((i+1)*(u+1))*map[string]float64{"1": 1, "2": 3}[size], fmt.Sprintf("op%d/op", u))
			}
			r.add(1, 0, "Count/n="+size+fmt.Sprintf("/phase=p%d", i), figures[:6]...)
			r.add(1, 0, fmt.Sprintf("Units/n=%d/size=%s", i, size), append(figures, 5.0, "loose/op", 7.0, "total")...)
		}
	}
	for _, a := range []string{"x", "y", "z"} {
		for b := 3; b >= 1; b-- {
			for c := 2; c >= 1; c-- {
				for d := 2; d >= 1; d-- {
					r.add(1, 0, fmt.Sprintf("Grid/a=%s/b=%d/c=%d/d=%d", a, b, c, d), float64(b*c*d)*10, "ns/op")
				}
			}
		}
	}
	r.WriteString("BenchmarkRead/small/fast 1 5 ns/op\nBenchmarkRead/large/fast 1 7 ns/op\nBenchmarkTwice/k=1/k=2 1 5 x\nBenchmarkTwice/k=1/k=3 1 6 x\nBenchmarkHash/h=0x1f 1 5 x\nBenchmarkHash/h=1_0 1 5 x\n" +
		"BenchmarkBig/n=1e14 1 5 x\nBenchmarkBig/n=1e15 1 6 x\nBenchmarkOut/n=1 1 5 x\nBenchmarkOut/n=2 1 6 x\nBenchmarkOut/n=3 1 7 x\nBenchmarkOut/n=4 1 90000 x\nBenchmarkNeg/n=1 1 -5 x\nBenchmarkNeg/n=2 1 0 x\nBenchmarkNeg/n=3 1 12.5 x\n")
	in := read(t, write(t, "r.txt", r.String()))
	in.Files = append(in.Files, "other <file>")
	golden(t, "results", in)

	var several results
	several.WriteString("pkg: a\n")
	several.add(2, 0.1, "A/n=1", 5.0, "ns/op")
	several.add(7, 0.1, "A/n=2", 6.0, "ns/op")
	several.WriteString("pkg: b\nrevision: x\n")
	several.add(7, 0.5, "A/n=1", 7.0, "ns/op")
	several.WriteString("revision: y\n")
	several.add(7, 0.07, "B", 8.0, "sec")
	for i := range 4 {
		several.add(7, 0.06, fmt.Sprint("C", i), 8.0, "p99-sec/op", 2048.0, "max-B", 3000.0, "bytes", 1e6+0.5, "u", 1e16, "v")
	}
	golden(t, "packages", read(t, write(t, "r.txt", several.String())))
}

// merged has one tick in place of several, for smaller pictures.
func merged(t runner.Timeline, ticks int) runner.Timeline {
	all := runner.Timeline{Tick: time.Duration(ticks) * t.Tick}
	for i, c := range t.Cells {
		if i%ticks == 0 {
			all.Cells = append(all.Cells, runner.Cell{Rows: make([]uint64, hist.Rows)})
		}
		c.AddTo(&all.Cells[i/ticks])
	}
	return all
}

// replayed are runs of the load runner in virtual time: ten closed loops with more and more
// workers, and open loops with stages, requirements, failures and interruptions.
func replayed(t *testing.T) (all []report.Load) {
	t.Helper()
	add := func(name, file string, c runner.Config, ms float64, change func(*runner.Result)) {
		c.Duration = 3 * time.Second
		r, err := runner.Replay(c, func(worker int, at time.Duration) time.Duration {
			return time.Duration(ms * float64(time.Millisecond) * (1 + 0.3*float64(worker) + float64(at%(17*time.Millisecond))/float64(20*time.Millisecond)))
		})
		require.NoError(t, err)
		r.Timeline = merged(r.Timeline, map[bool]int{true: 32, false: 128}[c.Plan != nil])
		if change != nil {
			change(r)
		}
		all = append(all, report.Load{Name: name, Result: r, File: file})
	}
	for _, n := range []int{16, 1, 2, 3, 4, 5, 6, 8, 10, 12} {
		add("closed", "", runner.Config{Workers: n}, 300, nil)
	}
	for _, n := range []int{1, 2} {
		add("lone/"+strings.Repeat("long", 14), fmt.Sprintf("f%d.json", n), runner.Config{Workers: 1}, 150, nil)
	}
	plan, err := schedule.Parse(40, "constant,constant:1s,rate:100,constant:1s,ramp:20/1s")
	require.NoError(t, err)
	open := func(r *runner.Result) { r.Interrupted, r.End = true, "interrupt" }
	add("open", "", runner.Config{Workers: 4, Plan: &plan, Requirements: "p99<20ms,p50<1us,throughput>1"}, 15, nil)
	add("open/stopped", "", runner.Config{Workers: 2, Plan: &plan, Requirements: "errors<1%"}, 15, open)
	add("failing", "", runner.Config{Workers: 2}, 90, func(r *runner.Result) {
		r.Failed, r.Errors = 7, map[string]uint64{"refused": 7}
		r.Control = runner.Control{N: 50, Median: 44000, Spread: 0.3}
	})
	add("slow", "", runner.Config{Workers: 1}, 900000, nil)
	for n := range 2 {
		add("none", "", runner.Config{Workers: 1 + n}, 900000, func(r *runner.Result) {
			*r = runner.Result{Version: r.Version, Config: r.Config, Started: r.Started, Begun: r.Begun, Elapsed: r.Elapsed, End: r.End, Timeline: runner.Timeline{Tick: time.Second}}
		})
	}
	add("quick", "", runner.Config{Workers: 1}, 20, nil)
	return all
}

// TestPageOfRuns: runs of each kind, of one name, and alone.
func TestPageOfRuns(t *testing.T) {
	all := replayed(t)
	golden(t, "runs", report.Input{Title: "Runs", Loads: all})
	golden(t, "run", report.Input{Title: "Run", Loads: all[12:13]})

	skewed, err := runner.Replay(runner.Config{Workers: 1, Duration: time.Second}, func(_ int, at time.Duration) time.Duration {
		return time.Millisecond + map[bool]time.Duration{true: 9 * time.Millisecond}[at%(100*time.Millisecond) < time.Millisecond]
	})
	require.NoError(t, err)
	skewed.Timeline = merged(skewed.Timeline, 128)
	golden(t, "run-skewed", report.Input{Title: "Run", Loads: []report.Load{{Name: "skewed", Result: skewed}}})
	broken := *all[0].Result
	broken.Weighted *= 100
	require.ErrorContains(t, report.Write(filling{}, report.Input{Loads: []report.Load{{Name: "broken", Result: &broken}}}), "breaks a law")

	// The table of a run is its text report, and then its findings.
	page := draw(t, report.Input{Loads: all})
	said := map[string]string{}
	for i, l := range all {
		want := "section,figure,value,interval or remark\n"
		parts, err := render.Parts(l.Result, render.Options{})
		require.NoError(t, err)
		row := func(cells ...string) {
			for i, c := range cells {
				if strings.ContainsAny(c, ",\"") {
					cells[i] = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
				}
			}
			want += strings.Join(cells, ",") + "\n"
		}
		for k, p := range parts {
			title := p.Title
			for n, line := range p.Lines {
				if k == 0 || n > 0 {
					title = ""
				}
				row(title, line.Name, line.Value, line.Remark)
			}
		}
		for k, f := range l.Result.Findings() {
			observed := f.Observed
			if said[f.Kind] == "" || said[f.Kind] == f.Observed {
				said[f.Kind], observed = f.Observed, "in the summary"
			}
			row(map[bool]string{true: "Findings"}[k == 0], f.Kind, "", observed)
		}
		got := data(t, page, fmt.Sprintf("runs-%d", i+1))
		require.Equal(t, want, strings.NewReplacer("\n'+", "\n+", ",'+", ",+", ",'-", ",-").Replace(got), l.Name)
	}
}

// TestPageOfHistories: ten series on two machines, with changes in each direction, of exact
// units, with outliers, and short ones.
func TestPageOfHistories(t *testing.T) {
	var all []history.Series
	add := func(machine, name, unit string, better int, exact bool, ys ...float64) {
		s := history.Series{Machine: machine, Key: result.Key{Package: "p", Name: name}, Unit: unit, Better: better, Exact: exact}
		for i, y := range ys {
			s.Points = append(s.Points, history.Point{
				Revision: fmt.Sprintf("%02d-revision-ä", i), Started: time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC), Values: []float64{y, y * 1.01, y * 0.99},
			})
		}
		all = append(all, s)
	}
	step := []float64{100, 101, 99, 100, 150, 151, 149, 150, 152}
	for i := range 3 {
		add("there", fmt.Sprint("Still/", i), "sec/op", -1, false, 1, 1.01, 0.99, 1)
	}
	add("here", "Step", "sec/op", -1, false, step...)
	add("there", "Step", "sec/op", -1, false, step...)
	add("there", "Rate", "ops/s", 1, false, step...)
	add("there", "Any", "x", 0, false, step...)
	add("there", "Size", "proof-B", -1, true, 700, 700, 690, 690, 720)
	add("there", "Zero", "x", -1, false, 0, 0, 0, 0, 5)
	add("there", "Nothing", "x", -1, false, 0, 0, 0)
	add("there", "Outlier", "x", -1, false, 5, 5, 5, 5, 5, 5, 900, 5, 5)
	add("", strings.Repeat("Unnamed", 9), "B/op", -1, false, 2000, 2100)
	all[0].Points = all[0].Points[1:]
	all[2].Points[1].Started = all[2].Points[0].Started.AddDate(0, 0, -9)
	golden(t, "history", report.Input{Title: "History", Trends: all})
	golden(t, "history-still", report.Input{Title: "History", Trends: all[2:3]})
	golden(t, "history-young", report.Input{Title: "History", Trends: all[11:]})
	add("steady", "Steady", "sec/op", -1, false, 1, 1.01, 0.99, 1, 1.01, 0.99, 1)
	golden(t, "history-steady", report.Input{Title: "History", Trends: all[len(all)-1:]})
	with := read(t, write(t, "r.txt", described+"BenchmarkA 1 5 ns/op\n"))
	with.Trends = all[1:2]
	golden(t, "history-results", with)
}

// TestHistoriesOfResults: the series that a page has for its cases.
func TestHistoriesOfResults(t *testing.T) {
	h, err := history.Create(t.Context(), filepath.Join(t.TempDir(), "h.db"))
	require.NoError(t, err)
	for i := range 3 {
		text := "Unit size assume=exact\nUnit kept assume=exact\n"
		for n := range 10 {
			text += fmt.Sprintf("BenchmarkA%d 1 5 ns/op 7 cpu-ns/op %d size 3 kept\n", n, i)
		}
		if i == 2 {
			text += "BenchmarkYoung 1 5 ns/op\n"
		}
		d := result.NewData()
		require.NoError(t, d.Read(strings.NewReader(text), "r"))
		require.NoError(t, h.Add(t.Context(), d, fmt.Sprint("r", i), time.Unix(int64(i), 0)))
	}
	shown := func(results string) (list []string) {
		in := report.Input{}
		if results != "" {
			in = read(t, write(t, "r.txt", results))
		}
		require.NoError(t, in.AddTrends(t.Context(), h))
		for _, s := range in.Trends {
			list = append(list, s.Key.Name+" "+s.Unit)
		}
		return list
	}
	var all []string
	for n := range 10 {
		all = append(all, fmt.Sprintf("A%d sec/op", n), fmt.Sprintf("A%d size", n))
	}
	require.Equal(t, all, shown(""))
	require.Equal(t, []string{"A3 kept", "A3 size"}, shown("BenchmarkA3 1 5 kept\nBenchmarkYoung 1 5 kept\n"))
	require.Equal(t, []string{"A9 sec/op", "A9 size"}, shown("BenchmarkA9 1 5 kept 6 ns/op\n"))
	require.NoError(t, h.Close())
	in := report.Input{}
	require.Error(t, in.AddTrends(context.Background(), h))
}

// TestPageOfCharts: ten charts with ten series, tables, marks and notes; and flame graphs.
func TestPageOfCharts(t *testing.T) {
	var group chart.Group
	for i := range 10 {
		c := chart.Chart{Title: fmt.Sprint("chart ", i), Note: fmt.Sprint("note ", i), X: chart.Axis{Name: "x"}, Y: chart.Axis{Name: "y", Log: i == 3}}
		for k := range map[bool]int{true: 10, false: 1}[i == 0] {
			s := chart.Series{Name: fmt.Sprint("series ", k), Ink: k}
			for n := range 10 {
				y := float64(1 + n*(k+1))
				s.Points = append(s.Points, chart.Point{X: float64(n), Y: y, Low: y / 2, High: y * 2, Bounded: (n+k)%2 == 0})
			}
			c.Series = append(c.Series, s)
			c.Marks = append(c.Marks, chart.Mark{X: float64(k), Y: 5, Text: fmt.Sprint("mark ", k)})
		}
		group.Charts = append(group.Charts, c)
		group.Table.Rows = append(group.Table.Rows, []string{fmt.Sprint("row ", i), "<b>"})
	}
	group.Title, group.Notes, group.Table.Head = "Charts", []string{"lead"}, []string{"one", "two"}
	large := chart.Group{Title: "Large", Charts: []chart.Chart{{Title: "large", Series: []chart.Series{{Points: []chart.Point{{X: -1e308, Y: -1e308}, {X: 1e308, Y: 1e308}}}}}}}
	flames := map[string]flame.Stacks{"b.folded": {}, "a.folded": {}, "c.folded": {"main": 1}}
	for i := range 35 {
		flames["a.folded"][fmt.Sprintf("main;f%d;g%d", i%4, i)] = int64(100 + 7*(i%30))
		flames["b.folded"][fmt.Sprintf("main;f%d", i%12)] = 5
	}
	golden(t, "charts", report.Input{Title: "Charts & more", Charts: []chart.Group{group, large, {Title: "Table", Table: text.Table{Head: []string{"a"}, Rows: [][]string{{"b"}}}}, {Title: "Empty"}}, Flames: flames})
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
	fn := &profile.Function{ID: 1, Name: "x.Work"}
	at := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}}, Function: []*profile.Function{fn}, Location: []*profile.Location{at},
		Sample: []*profile.Sample{{Location: []*profile.Location{at}, Value: []int64{20}}, {Location: []*profile.Location{at}, Value: []int64{4}, Label: map[string][]string{"step": {"verify"}}}},
	}
	var packed strings.Builder
	require.NoError(t, p.Write(&packed))
	lock := contents(t, "testdata/lock-4.json")
	names := []string{
		file("z.json", lock), file("r1.txt", "BenchmarkA 1 5 ns/op\n"), file("a.json", strings.ReplaceAll(lock, `"Name":"lock"`, `"Name":"a/workers=4/b"`)), file("p.pprof", packed.String()),
		file("f.folded", "step: op;z.G 15\n"), file("r2.txt", "BenchmarkB 1 5 ns/op\n"), file("y.json", lock), file("x.json", contents(t, "testdata/lock-1.json")),
		file("none.json", strings.ReplaceAll(lock, `"Name":"lock"`, `"Name":""`)), file("r3.txt", "BenchmarkA 1 8 ns/op\n"),
	}
	in := read(t, names...)
	require.Equal(t, "Benchmark report", in.Title)
	require.Equal(t, []string{"z.json", "r1.txt", "a.json", "p.pprof", "f.folded", "r2.txt", "y.json", "x.json", "none.json", "r3.txt"}, in.Files)
	var loads []string
	for _, l := range in.Loads {
		loads = append(loads, fmt.Sprint(l.Name, " ", l.Result.Config.Workers, " ", l.File))
	}
	require.Equal(t, []string{"a/b 4 ", "lock 1 ", "lock 4 z.json", "lock 4 y.json", "none.json 4 "}, loads)
	require.Equal(t, map[string]flame.Stacks{"p.pprof": {"x.Work": 20, "step: verify;x.Work": 4}, "f.folded": {"step: op;z.G": 15}}, in.Flames)
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
		file("bad.json", "{ nothing"), file("bad.pprof", "\x1f\x8bnothing"), file("bad.folded", "step: op;x\n"), file("bad.txt", "BenchmarkA 1 five ns/op\n"), filepath.Join(dir, "absent"), dir,
	} {
		for _, list := range [][]string{{bad}, {names[0], bad}, {names[1], bad}, {bad, names[1]}, {names[1], names[5], bad}} {
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
