package report // sections, figures and their charts are private: a page has them drawn

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/flame"
	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/heap"
	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/judge"
	load "github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// replays are runs with 9 to 1 workers, in simulated time.
var replays = sync.OnceValues(func() (all []Load, err error) {
	for workers := 9; workers >= 1; workers-- {
		r, err := runner.Replay(runner.Config{Workers: workers, Duration: 2100 * time.Millisecond},
			func(i int, _ time.Duration) time.Duration {
				return time.Duration(20+i%7+workers*workers) * time.Millisecond
			})
		if err != nil {
			return nil, err
		}
		all = append(all, Load{Name: "wait", Result: r})
	}
	return all, nil
})

// nine returns replays.
func nine(t *testing.T) []Load {
	t.Helper()
	all, err := replays()
	require.NoError(t, err)
	return slices.Clone(all)
}

// value is a cell of a table as a number, which it must be.
func value(t *testing.T, cell string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(cell, 64)
	require.NoError(t, err)
	return v
}

// titles are the titles of figures.
func titles(s section) (all []string) {
	for _, f := range s.Figures {
		all = append(all, f.Title)
	}
	return all
}

// column is a column of a table.
func column(t table, i int) (all []string) {
	for _, row := range t.Rows {
		all = append(all, row[i])
	}
	return all
}

// TestPicturesOfRunsHaveTheirTables: each row of a table is drawn with its values, in the panel of
// its run, and the rows have the latencies and the ticks of the runs.
func TestPicturesOfRunsHaveTheirTables(t *testing.T) {
	loads := nine(t)
	slices.Reverse(loads) // the fastest first
	s := latencies(loads)
	curves, bars, rates, heat := s.Figures[0], s.Figures[1], s.Figures[2], s.Figures[3]
	rows := func(f *figure) []string { // the next one
		row := f.Table.Rows[0]
		require.Len(t, f.Table.Head, len(row))
		f.Table.Rows = f.Table.Rows[1:]
		return row
	}
	most, last := 0.0, 0.0
	for _, l := range loads {
		last = max(last, float64(len(l.Result.Timeline.Cells))*l.Result.Timeline.Tick.Seconds())
		for _, tick := range l.Result.Timeline.Cells {
			most = max(most, math.Log1p(float64(slices.Max(slices.Concat(tick.Rows, []uint64{0})))))
		}
	}
	for i, l := range loads {
		curve := curves.Panels[0].chart.Series[i]
		require.Equal(t, i, curve.Ink)
		require.Equal(t, l.label(), curves.Legend[i].Text)
		for _, p := range curve.Points {
			row := rows(&curves)
			require.Equal(t, l.label(), row[0])
			share, ns := value(t, row[1])/100, value(t, row[2])
			require.InEpsilon(t, 1/(1-share), p.X, 1e-4)
			require.InEpsilon(t, ns, p.Y, 1e-8)
			require.InEpsilon(t, l.Result.Latency.Quantile(share), ns, 1e-8)
			hint := fmt.Sprintf("%s: %.6g %% below %s", row[0], 100*share, text.Duration(p.Y))
			require.Equal(t, hint, p.Hint)
		}
		deepest := curve.Points[len(curve.Points)-1].X
		require.Less(t, float64(l.Result.Records), 1.0001*deepest*math.Pow(10, 1./perDecade))
		var counted float64
		for _, c := range bars.Panels[i].chart.Cells {
			row := rows(&bars)
			require.Equal(t, []string{l.label(), plain(c.Left), plain(c.Right), plain(c.High)}, row)
			require.Equal(t, text.Duration(c.Left)+" – "+text.Duration(c.Right)+": "+row[3], c.Hint)
			require.InDelta(t, 1./16, c.Right/c.Left-1, 0.033, "a sixteenth of a doubling")
			require.Equal(t, i, c.Ink)
			var n uint64
			l.Result.Latency.Values(func(ns float64, count uint64) {
				if c.Left <= ns && ns < c.Right {
					n += count
				}
			})
			require.EqualValues(t, n, c.High)
			counted += c.High
		}
		require.EqualValues(t, l.Result.Records, counted)
		line, mean := rates.Panels[i].chart.Series[0].Points, heat.Panels[i].chart.Series[0].Points
		cells := heat.Panels[i].chart.Cells
		for k, tick := range l.Result.Timeline.Cells {
			whole := l.Result.Timeline.Tick.Seconds()
			from := float64(k) * whole
			if length := min(whole, l.Result.Elapsed.Seconds()-from); length >= whole/10 {
				row, latency := rows(&rates), ""
				if tick.N > 0 {
					latency = plain(tick.Sum / float64(tick.N))
					require.Equal(t, text.Number(from)+" s: "+text.Duration(mean[k].Y), mean[k].Hint)
					require.Equal(t, latency, plain(mean[k].Y))
				}
				require.Equal(t, []string{l.label(), plain(from), plain(tick.Ops / length), latency}, row)
				require.Equal(t, row[1:3], []string{plain(line[k].X), plain(line[k].Y)})
				require.Equal(t, row[1], plain(mean[k].X))
				require.Less(t, line[k].Y, rates.Panels[i].chart.Y.High)
				hint := text.Number(from) + " s: " + text.Number(line[k].Y) + " operations/s"
				require.Equal(t, hint, line[k].Hint)
			}
			for at, n := range tick.Rows {
				if n == 0 {
					continue
				}
				low, high := rowBounds(at)
				require.LessOrEqual(t, heat.Panels[i].chart.Y.Low, low)
				require.GreaterOrEqual(t, heat.Panels[i].chart.Y.High, high)
				require.Equal(t, chart.Cell{Left: from, Right: from + whole, Low: low, High: high,
					Heat: math.Log1p(float64(n)) / most}, cells[0])
				require.Equal(t, []string{l.label(), plain(from), plain(low), fmt.Sprint(n)}, rows(&heat))
				cells = cells[1:]
			}
		}
		require.Empty(t, cells)
	}
	require.InEpsilon(t, bars.Panels[0].chart.Cells[0].Left/1.1, bars.Panels[0].chart.X.Low, 1e-9)
	for i := range loads {
		require.Equal(t, bars.Panels[0].chart.X.High, bars.Panels[i].chart.X.High)
		require.Equal(t, bars.Panels[0].chart.Y.High, bars.Panels[i].chart.Y.High)
		require.Equal(t, rates.Panels[0].chart.Y.High, rates.Panels[i].chart.Y.High)
		require.Equal(t, heat.Panels[0].chart.Y.High, heat.Panels[i].chart.Y.High)
		require.Equal(t, last, rates.Panels[i].chart.X.High)
		require.Equal(t, last, heat.Panels[i].chart.X.High)
	}
	for _, f := range []figure{curves, bars, rates, heat} {
		require.Empty(t, f.Table.Rows, f.Title)
	}
}

// TestRunsWithoutLatencies: an axis is finite.
func TestRunsWithoutLatencies(t *testing.T) {
	c := percentileCurve([]Load{{Result: &load.Result{Latency: hist.New()}}}).Panels[0].chart
	require.True(t, stats.Finite(c.Y.Low) && stats.Finite(c.Y.High))
}

// TestLaddersOfRuns: a figure for each name has each of its runs, by workers.
func TestLaddersOfRuns(t *testing.T) {
	loads := nine(t)
	for i := range loads {
		loads = append(loads, Load{Name: fmt.Sprint("other", i), Result: loads[i].Result},
			Load{Name: fmt.Sprint("other", i), Result: loads[(i+1)%9].Result})
	}
	stopped := *loads[3].Result
	stopped.Interrupted, stopped.End = true, "^C"
	s := scaling(nil, nil,
		append(loads, Load{Name: "wait", Result: &load.Result{}}, Load{Name: "wait", Result: &stopped}))
	require.Equal(t, append([]string{"wait"}, strings.Fields(
		"other0 other1 other2 other3 other4 other5 other6 other7 other8")...), titles(s))
	f := s.Figures[0]
	require.Equal(t, strings.Fields("1 2 3 4 5 6 7 8 9"), column(f.Table, 0))
	var points []stats.Point
	measured := f.Panels[0].chart.Series[2].Points
	one := loads[8].Result.Throughput()
	require.Equal(t, "wait, 6 workers (interrupted: ^C) (f)", Load{"wait", &stopped, "f"}.label())
	for i, row := range f.Table.Rows {
		n, rate := float64(i+1), loads[8-i].Result.Throughput()
		points = append(points, stats.Point{Workers: n, Throughput: rate})
		gain := rate / one
		require.Equal(t, []string{plain(rate), text.Number(gain), text.Percent(gain / n)}, row[1:4])
		require.Equal(t, chart.Point{X: n, Y: rate, Hint: measured[i].Hint}, measured[i])
		require.Contains(t, measured[i].Hint, text.Plural(i+1, "worker")+": ")
	}
	law, err := stats.FitUSL(points)
	require.NoError(t, err)
	for i, row := range f.Table.Rows {
		require.Equal(t, plain(law.Throughput(float64(i+1))), row[4])
	}
	for _, p := range f.Panels[0].chart.Series[0].Points {
		require.InEpsilon(t, one*p.X, p.Y, 1e-12, "perfect")
	}
	for _, p := range f.Panels[0].chart.Series[1].Points {
		require.InEpsilon(t, law.Throughput(p.X), p.Y, 1e-12, "fitted")
	}
}

// TestEachObservationIsShown: steps, heaps and flame graphs by the names of their files.
func TestEachObservationIsShown(t *testing.T) {
	in := Input{Steps: map[string][][]string{}, Heaps: map[string]*heap.Result{},
		Flames: map[string]flame.Stacks{}}
	var want [3][]string
	for i := range 9 {
		name := fmt.Sprint("f", i)
		in.Steps[name] = [][]string{{"Step", "Calls", "Time_ns"}, {"op", "1", "10"}, {"op/prove", "2", "90"}}
		in.Heaps[name] = &heap.Result{Frames: []string{"[root]", "0x1: x.small", "0x2: x.large"},
			Live: []heap.Look{{0, 0}, {1_500_000, 2048}},
			Places: []heap.Place{{TotalBytes: 9, TotalBlocks: 1, PeakBytes: 5, EndBytes: 3, Frames: []int{1}},
				{TotalBytes: 7, PeakBytes: 6, Frames: []int{1, 2}},
				{TotalBytes: 8, TotalBlocks: 2, PeakBytes: 6, EndBytes: 4, Frames: []int{2, 1}}}}
		in.Flames[name] = flame.Stacks{}
		for k := range maxFunctions + 1 {
			in.Flames[name][fmt.Sprint("root;x", k)] = int64(100 - k)
		}
		for k, kind := range []string{"Steps: ", "Live memory: ", "Flame graph: "} {
			want[k] = append(want[k], kind+name)
		}
	}
	s := inside(in)
	require.Equal(t, append(append(want[0], want[1]...), want[2]...), titles(s))
	require.Equal(t, []string{"Calls", "Time_ns"}, s.Units)
	steps, live, flames := s.Figures[8], s.Figures[17], s.Figures[26]
	require.Equal(t, table{Head: []string{"Step", "Calls", "Time_ns"},
		Rows: [][]string{{"op", "1", "10"}, {"op/prove", "2", "90"}}}, steps.Table)
	require.Equal(t, "op/prove", steps.Grids[1].Rows[1].Label)
	require.Equal(t, "90", steps.Grids[1].Rows[1].Cells[0].Text)
	require.Equal(t, [][]string{{"x.large", "8", "2", "6", "4"},
		{"x.small", "7", "0", "6", "0"}, {"x.small", "9", "1", "5", "3"}},
		live.Table.Rows, "the largest at the peak first")
	require.Equal(t, []chart.Point{{Hint: text.Bytes(0)}, {X: 1.5, Y: 2048, Hint: text.Bytes(2048)}},
		live.Panels[0].chart.Series[0].Points)
	require.Len(t, flames.Table.Rows, maxFunctions)
	share := text.Percent(71. / (31 * 85))
	require.Equal(t, []string{"x29", "71", share}, flames.Table.Rows[maxFunctions-1])
}

// TestTrendsAreOrdered: by machine, then those with changes first, then as they came.
func TestTrendsAreOrdered(t *testing.T) {
	var all []history.Series
	for i, c := range []struct {
		machine string
		last    float64
	}{{"n", 1}, {"m", 1}, {"n", 2}, {"m", 2}, {"m", 3}, {"m", 1}, {"m", 1}, {"m", 1}, {"m", 1}} {
		s := history.Series{Key: result.Key{Name: fmt.Sprint(i)}, Machine: c.machine, Exact: true, Better: -1}
		for k, v := range []float64{1, 1, c.last} {
			s.Points = append(s.Points, history.Point{Revision: fmt.Sprint("r", k), Values: []float64{v}})
		}
		all = append(all, s)
	}
	s := trends(all)
	require.Equal(t, []string{"On m", "On n"}, titles(s))
	for i, want := range []string{"3 4 1 5 6 7 8", "2 0"} {
		var names []string
		for _, p := range s.Figures[i].Panels {
			names = append(names, strings.TrimPrefix(p.Name, "Benchmark"))
		}
		require.Equal(t, want, strings.Join(names, " "))
	}
	require.Equal(t, "n", all[0].Machine, "the series of the caller stay")
	for i, c := range []struct {
		better int
		colour string
	}{{-1, "bad"}, {1, "good"}, {0, "text"}} {
		one := all[2]
		one.Better = c.better
		rules := trends([]history.Series{one}).Figures[0].Panels[0].chart.Rules
		require.Equal(t, []chart.Rule{{X: 1.5, Colour: c.colour}}, rules, i)
	}
	const words = "Cases and units over the revisions: %d judged, %d worse, 0 with too few revisions."
	require.Equal(t, statement{"bad", "Worse", []string{fmt.Sprintf(words, 7, 3)}},
		changed(Input{Trends: all[2:]}, changes{}))
	require.Equal(t, statement{"faint", "No change for the worse", []string{fmt.Sprintf(words, 2, 0)}},
		changed(Input{Trends: all[:2]}, changes{}))
	relative, middle := level(history.Series{Points: []history.Point{{Values: []float64{-1, 0, 3}}}})
	require.Equal(t, []float64{0, 3}, []float64{middle, relative(3)}, "a level of 0 has no share")
	relative, _ = level(history.Series{Points: []history.Point{{Values: []float64{0}}, {Values: []float64{0}},
		{Values: []float64{4}}}})
	require.Equal(t, 1.0, relative(4), "relative to the largest one")
}

// dataOf reads results in Go benchmark format.
func dataOf(t *testing.T, text string) *result.Data {
	t.Helper()
	d := result.NewData()
	require.NoError(t, d.Read(strings.NewReader(text), "file"))
	return d
}

// TestEachResultIsShown: of cases with one result and with more, in both files or in one.
func TestEachResultIsShown(t *testing.T) {
	base := dataOf(t, "BenchmarkA/n=1 1 4 x\n"+
		"BenchmarkA/n=2 1 3 x\nBenchmarkA/n=2 1 5 x\nBenchmarkA/n=2 1 4 x\n")
	head := dataOf(t, "BenchmarkA/n=2 1 9 x\nBenchmarkA/n=2 1 7 x\nBenchmarkA/n=1 1 5 x\n"+
		"BenchmarkA/n=3 1 1 x\nBenchmarkA/n=3 1 3 x\n")
	show := func(base *result.Data) (rows, cells []string, shown [][2]int) {
		found := changesOf(Input{Base: base, Results: head})
		heads := "n,median,spread,"
		if base != nil {
			heads = "n,base,results,change,verdict,"
		}
		s := results(base, head, benchmarks(head.Cases), found)
		require.Len(t, s.Figures, 1)
		var texts []string
		for _, c := range s.Figures[0].Grids[0].Head {
			texts = append(texts, c.Text)
		}
		require.Equal(t, heads, strings.Join(texts, ","))
		of := map[bool]string{true: "the median of the case.", false: "the median of the base."}
		require.Contains(t, s.Lead, of[base == nil])
		for i, row := range s.Figures[0].Table.Rows {
			rows = append(rows, strings.Join(append(row[:5], row[7:]...), ","))
			var texts []string
			drawn := s.Figures[0].Grids[0].Rows[i]
			for _, c := range drawn.Cells {
				texts = append(texts, c.Text+c.Hint)
			}
			cells = append(cells, drawn.Label+": "+strings.Join(texts, ","))
			picture := string(drawn.Cells[len(drawn.Cells)-1].Picture)
			shown = append(shown,
				[2]int{strings.Count(picture, `"point faint"`), strings.Count(picture, `"point"`)})
		}
		return rows, cells, shown
	}
	rows, cells, shown := show(base)
	require.Equal(t, []string{"BenchmarkA/n=3,x,,2,,,,1 3", "BenchmarkA/n=1,x,4,5,1.25,~,4,5",
		"BenchmarkA/n=2,x,4,8,2.025,~,3 5 4,9 7"}, rows, "by their changes")
	require.Equal(t, []string{"3: ,2,,,BenchmarkA/n=3: 2 results around 2",
		"1: 4,5,+25 %,undecided,BenchmarkA/n=1: 1 result around 5, +25 % against 4",
		"2: 4,8,+102 %,undecided,BenchmarkA/n=2: 2 results around 8, +102 % against 4"}, cells)
	require.Equal(t, [][2]int{{0, 2}, {1, 1}, {3, 2}}, shown)
	rows, cells, shown = show(nil)
	require.Equal(t, []string{"BenchmarkA/n=2,x,,8,,,,9 7", "BenchmarkA/n=1,x,,5,,,,5",
		"BenchmarkA/n=3,x,,2,,,,1 3"}, rows)
	require.Equal(t, []string{"2: 8,±12.5 %,BenchmarkA/n=2: 2 results around 8",
		"1: 5,±0 %,BenchmarkA/n=1: 1 result around 5",
		"3: 2,±50 %,BenchmarkA/n=3: 2 results around 2"}, cells)
	require.Equal(t, [][2]int{{0, 2}, {0, 1}, {0, 2}}, shown)
}

// TestUnitsOfResults: all that vary, and colours are verdicts if one case is compared.
func TestUnitsOfResults(t *testing.T) {
	var first, second strings.Builder
	for i := range 9 {
		fmt.Fprintf(&first, " 1 u%d", i)
		fmt.Fprintf(&second, " 2 u%d", i)
	}
	d := dataOf(t, "BenchmarkA 1"+first.String()+" 7 same\nBenchmarkA 1"+second.String()+" 7 same\n")
	require.Equal(t, d.Units[:9], varying(d, changes{}))
	for _, g := range matrix(d, benchmarks(d.Cases), changes{}).Figures[0].Grids {
		require.Len(t, g.Rows, 1, g.Unit)
	}
	require.Empty(t, changes{}.summary(gate.Regression))
	for i, e := range legend("", strings.Fields("a b c d e f g h i j")...) {
		require.Equal(t, fmt.Sprint("ink-", i%chart.Colours), e.Class)
	}
	d = dataOf(t, "BenchmarkA 1 5 x\n")
	require.Contains(t, matrix(d, nil, changesOf(Input{Base: d, Results: d})).Lead, "Colours are verdicts")
	require.Contains(t, matrix(d, nil, changes{}).Lead, "Colours deepen")
}

// TestAxesOfNumbersAscend: numbers by their values, and names as they appear.
func TestAxesOfNumbersAscend(t *testing.T) {
	var cases []result.Key
	for i, n := range strings.Fields("9 10 1e2 -1 0 2.5 1 8 12 11 7") {
		cases = append(cases, result.Key{Name: fmt.Sprintf("A/n=%s/x=%c", n, 'z'-i)})
	}
	axes := benchmarks(cases)[0].Axes
	require.Equal(t, strings.Fields("-1 0 1 2.5 7 8 9 10 11 12 1e2"), axes[0].Values)
	require.Equal(t, strings.Fields("z y x w v u t s r q p"), axes[1].Values)
	require.Equal(t, []float64{-1, 0, 1, 2.5, 7, 8, 9, 10, 11, 12, 100}, axes[0].numbers())
	for i, v := range axes[0].Values {
		require.Equal(t, i, axes[0].place[v])
	}
	var apart []string
	for _, b := range benchmarks([]result.Key{{Name: "A/n=1"}, {Name: "A/k=1"}, {Name: "A/n=2"},
		{Name: "A/k=2"}}) {
		apart = append(apart, names(b.Axes))
	}
	require.Equal(t, []string{"n", "k"}, apart, "names with other keys are another benchmark")
}

// TestAxesOfMagnitudes: logarithmic for positive values one of which would flatten the others.
func TestAxesOfMagnitudes(t *testing.T) {
	for _, c := range []struct {
		log    bool
		values []float64
	}{{true, []float64{100, 101, 102, 200}}, {false, []float64{100, 101, 102, 105}}, {true, []float64{1, 31}},
		{false, []float64{1, 30}}, {false, []float64{0, 100}}, {false, []float64{-1, 100}}, {false, nil}} {
		var all []span
		for _, v := range c.values {
			all = append(all, span{v, v})
		}
		require.Equal(t, c.log, magnitudes(all, "x").Log, c.values)
	}
	shown, whole := within([]span{{1, 1}, {1.1, 1.1}, {100, 100}})
	require.Equal(t, []span{{1, 1.1}, {1, 100}}, []span{shown, whole})
	require.Equal(t, span{-3, -2}, hull([]span{{-3, -3}, {-2, -2}}))
	require.Positive(t, magnitudes([]span{{0, 0}}, "x").High)
	far := magnitudes([]span{{10, 10}, {11_000, 11_000}}, "x")
	require.InDeltaSlice(t, []float64{9.0909, 12_100}, []float64{far.Low, far.High}, 1e-3)
	for last, log := range map[string]bool{"30": false, "31": true} {
		require.Equal(t, log, axis{Values: []string{"1", "7", last}}.scale().Log)
	}
	require.False(t, axis{Values: []string{"0", "100"}}.scale().Log)
}

// TestLinesGoFromLeftToRight: cases in any order, a line for each curve and a panel for each size.
func TestLinesGoFromLeftToRight(t *testing.T) {
	var text strings.Builder
	for _, size := range []string{"small", "large"} {
		for i, n := range []int{7, 1, 9, 3} {
			for _, curve := range []int{i % 2, 1 - i%2} {
				fmt.Fprintf(&text, "BenchmarkA/curve=c%d/n=%d/size=%s 1 %d x\n", curve, n, size, text.Len())
			}
			fmt.Fprintf(&text, "BenchmarkA/curve=c0/n=5/size=%s 1 2 other\n", size)
		}
	}
	d := dataOf(t, text.String())
	s := lines(d, benchmarks(d.Cases), changes{})
	require.Equal(t, []string{"A against n"}, titles(s))
	f := s.Figures[0]
	require.Len(t, f.Table.Rows, 16)
	require.Equal(t, legend("", "c0", "c1"), f.Legend)
	for i, p := range f.Panels {
		require.Equal(t, []string{"size=small", "size=large"}[i], p.chart.Title)
		require.Len(t, p.chart.Series, 2)
		for ink, line := range p.chart.Series {
			require.Equal(t, ink, line.Ink)
			for k, n := range []int{1, 3, 7, 9} {
				name := fmt.Sprintf("A/curve=c%d/n=%d/%s", ink, n, p.chart.Title)
				v := d.Values[result.Key{Name: name}]["x"][0]
				require.Equal(t, chart.Point{X: float64(n), Y: v, Low: v, High: v,
					Hint: "Benchmark" + name + ": " + show(v, "x")}, line.Points[k])
			}
		}
	}
}

// TestEachCountIsShown: nine units, by phase and without.
func TestEachCountIsShown(t *testing.T) {
	var text strings.Builder
	for i := range 9 {
		fmt.Fprintf(&text, "Unit u%d/op assume=exact\n", i)
	}
	for _, name := range []string{"A/phase=p", "A/phase=q", "B/n=1", "B/n=2"} {
		text.WriteString("Benchmark" + name + " 1")
		for i := range 9 {
			fmt.Fprintf(&text, " %d u%d/op", 10*len(text.String())+i, i)
		}
		text.WriteString("\n")
	}
	d := dataOf(t, text.String())
	s := counts(d, benchmarks(d.Cases))
	require.Equal(t, d.Units, s.Units)
	require.Len(t, s.Units, 9)
	for i, f := range s.Figures {
		require.Len(t, f.Table.Rows, 18)
		require.Len(t, f.Grids, []int{9, 1}[i])
		parts := strings.Count(string(f.Grids[0].Rows[0].Cells[1].Picture), "<rect")
		require.Equal(t, []int{2, 9}[i], parts)
		for _, row := range f.Table.Rows {
			counted := d.Values[result.Key{Name: strings.TrimPrefix(row[0], "Benchmark")}][row[2]]
			require.Equal(t, plain(counted[0]), row[3])
		}
	}
}

// TestPanelsOfLines: a line for each value of the first axis of names, or of numbers without one.
func TestPanelsOfLines(t *testing.T) {
	a, b := axis{Name: "a", Numeric: true}, axis{Name: "b", Numeric: true}
	c, n := axis{Name: "c", Numeric: true}, axis{Name: "n"}
	for want, axes := range map[string][]axis{"": {a}, "_": {a, b}, "c": {a, b, c}, "b": {a, b, n},
		"b · c": {a, n, b, c}} {
		require.Equal(t, strings.Trim(want, "_"), names(panelAxes(axes, a)))
	}
	for panels, shown := range map[int]int{maxPanels: 1, maxPanels + 1: 0} {
		var text strings.Builder
		for i := range panels {
			fmt.Fprintf(&text, "BenchmarkA/n=%d/p=x%[1]d/q=y%[1]d 1 5 x\n", i)
		}
		d := dataOf(t, text.String())
		require.Len(t, lines(d, benchmarks(d.Cases), changes{}).Figures, shown)
	}
}

// TestEachCaseIsInTheMatrix: in the row and column of its values, with its median and its interval.
func TestEachCaseIsInTheMatrix(t *testing.T) {
	var results strings.Builder
	for k := range 8 * 3 {
		for i := range 8 {
			fmt.Fprintf(&results, "BenchmarkA/a=%d/k=v/b=x%d/c=y%d 1 %d x\n", k%3, i%4, i/4,
				1000+100*i+7*(k/3))
		}
	}
	d := dataOf(t, results.String())
	f := matrix(d, benchmarks(d.Cases), changes{}).Figures[0]
	require.Equal(t, "A (k=v)", f.Title)
	g := f.Grids[0]
	require.Equal(t, []cell{{Text: "a · b", Small: "c"}, {Text: "y0"}, {Text: "y1"}}, g.Head)
	require.Len(t, g.Rows, 12)
	require.Len(t, f.Table.Rows, 24)
	for k, row := range g.Rows {
		require.Equal(t, fmt.Sprintf("%d · x%d", k/4, k%4), row.Label)
		for c, at := range row.Cells {
			i := k%4 + 4*c
			name := fmt.Sprintf("BenchmarkA/a=%d/k=v/b=x%d/c=y%d", k/4, i%4, c)
			middle := 1024.5 + float64(100*i)
			interval := show(middle-24.5, "x") + " – " + show(middle+24.5, "x")
			share := math.Log(middle/1024.5) / math.Log(1724.5/1024.5)
			require.Equal(t, cell{Text: show(middle, "x"), Small: "±" + text.Percent(24.5/middle),
				Hint: name + ", 8 results, " + interval, Heat: math.Round(100*share) / 100}, at)
		}
	}
}

// TestHintsOfLinesHaveTheirIntervals from six results on.
func TestHintsOfLinesHaveTheirIntervals(t *testing.T) {
	d := dataOf(t, "BenchmarkA/n=1 1 1 ns/op\nBenchmarkA/n=2 1 1 ns/op\n"+
		"BenchmarkA/n=1 1 4 ns/op\n"+strings.Repeat("BenchmarkA/n=1 1 2 ns/op\n", 5))
	points := lines(d, benchmarks(d.Cases), changes{}).Figures[0].Panels[0].chart.Series[0].Points
	require.Equal(t, "BenchmarkA/n=1: 2 ns (1 ns – 4 ns)", points[0].Hint)
	require.Equal(t, "BenchmarkA/n=2: 1 ns", points[1].Hint)
}

// TestChartsWithoutDataAreLeftOut: a page has no frame for them.
func TestChartsWithoutDataAreLeftOut(t *testing.T) {
	var p page
	f := figure{Title: "f"}
	f.add("none", &chart.Chart{})
	f.add("some", &chart.Chart{Series: []chart.Series{{Points: []chart.Point{{X: 1, Y: 1}, {X: 2, Y: 2}}}}})
	p.add(section{ID: "s", Figures: []figure{f}})
	require.Len(t, p.Sections[0].Figures[0].Panels, 1)
	require.Equal(t, "some", p.Sections[0].Figures[0].Panels[0].Name)
}

// TestIntervalsOfNegativeValues: their width is relative to the size of the median.
func TestIntervalsOfNegativeValues(t *testing.T) {
	s := summary{Mid: -10, Interval: stats.Interval{Low: -11, High: -9.5}, N: 6, Bounded: true}
	require.Equal(t, "±10 %", heatCell(result.Key{}, s, "x").Small)
}

// TestStripsAreDrawnToScale: a density between the bottom and nearly the top, a bar, an interval.
func TestStripsAreDrawnToScale(t *testing.T) {
	s := newStrip(stripAxis{0, 60}, 15)
	s.area(func(v float64) float64 { return v / 60 }, "density")
	s.interval(6, 12, "interval")
	s.dot(30, 25, "point")
	s.bar(6, 24, "red", "six")
	for i, v := range []float64{-1, 61} {
		require.True(t, s.beyond(v, 50+i, fmt.Sprint("at", i)))
	}
	picture := string(s.picture())
	for _, want := range []string{"M0 100L0 100L1 98", "L30 54", "L59 10L60 8L60 100Z",
		`class="zero" x1="25%" x2="25%"`, `class="interval" x1="10%" x2="20%"`,
		`class="point" cx="50%" cy="25%"`, `x="10%" width="30%"`, `class="beyond at0" x="0" y="50%"`,
		`class="beyond at1" x="100%" y="51%"`} {
		require.Contains(t, picture, want)
	}
	for want, v := range map[string]float64{"0": 1e-10, "+10 %": 0.1, "-5 %": -0.05} {
		require.Equal(t, want, relative(v))
	}
}

// TestHeadlineNamesRuns: the first three, the number of the others, and verdicts with their runs.
func TestHeadlineNamesRuns(t *testing.T) {
	loads := nine(t)
	for i, requirements := range []string{"p90<1h,p50<1ns", "p99.99<1h"} {
		r := *loads[i].Result
		r.Config.Requirements, loads[i].Result = requirements, &r
	}
	verdicts := append(required(loads), required(loads[:1])...)
	for i, want := range []string{"good Met wait, 9 workers: p90<1h: 107ms; ",
		"bad Broken wait, 9 workers: p50<1ns: 104ms; ", "faint Undecided wait, 8 workers: p99.99<1h: 90ms; ",
		"good Met p90<1h: 107ms; ", "bad Broken p50<1ns: 104ms; "} {
		v := verdicts[i]
		require.True(t, strings.HasPrefix(v.Class+" "+v.Word+" "+v.Reasons[0], want), v.Reasons[0])
	}
	lines := measured(Input{Loads: loads, Trends: make([]history.Series, 2)})
	for i, want := range []string{"wait, 9 workers, back to back: ", "wait, 8 workers, back to back: ",
		"wait, 7 workers, back to back: ", "6 runs more under load.", "2 cases over revisions."} {
		require.True(t, strings.HasPrefix(lines[i], want), lines[i])
	}
	require.Len(t, measured(Input{Loads: loads[:3]}), 3)
}

// TestHeadlineNamesBenchmarks: up to three.
func TestHeadlineNamesBenchmarks(t *testing.T) {
	d := result.NewData()
	for n := range 12 {
		want := fmt.Sprint(n, " benchmarks")
		if n < 4 {
			want = []string{"", "A", "A, B", "A, B, C"}[n]
		}
		require.Equal(t, want, benchmarkNames(d))
		d.Cases = append(d.Cases, result.Key{Name: fmt.Sprintf("%c/n=1", 'A'+n)},
			result.Key{Name: fmt.Sprintf("%c/n=2", 'A'+n)})
	}
}

// TestFindingsOfFilesSayWhy: each kind has all its reasons, and its side.
func TestFindingsOfFilesSayWhy(t *testing.T) {
	var text strings.Builder
	for i, noise := range []string{"one", "two"} {
		fmt.Fprintf(&text, "host: h%d\ncpu: c\ngo: g%d\nnoise: %s\nnoise-after: %[3]s after\n", i, i, noise)
		fmt.Fprintf(&text, "interrupted: %s\n", noise)
		for k := range 5 {
			fmt.Fprintf(&text, "BenchmarkA 1 %d ns/op\n", 100+k)
		}
	}
	noisy := dataOf(t, text.String()+"BenchmarkB 1 5 ns/op\n")
	const slow = "BenchmarkA 100 900 ns/op\nBenchmarkA 100 901 ns/op\n"
	in := Input{Base: noisy, Results: dataOf(t, strings.Repeat(slow, 9))}
	found := findingsOfFiles(in, changesOf(in))
	var observed []string
	for _, f := range found {
		require.Equal(t, f.Kind != "regression", f.Machine)
		observed = append(observed, f.Observed)
	}
	require.Equal(t, []string{"the largest change for the worse: +783 %; sec/op of BenchmarkA (results)",
		"the machine was disturbed; one; two; one after; two after (base)",
		"results of different machines or sources were joined; host is h0, h1; go is g0, g1 (base)",
		"the measurement was interrupted; one; two (base)",
		"the least number of results of a case is 1; intervals need 6 (base)"}, observed)
	require.Equal(t, []string{"4 findings about the machine or the measurement, first in the list."},
		trust(found, in).Reasons)
	require.Equal(t, [][]string{{"host", "h0; h1"}, {"cpu", "c"}, {"go", "g0; g1"}},
		environment(in).Figures[0].Table.Rows)
	in = Input{Base: noisy, Results: noisy, Loads: nine(t)}
	r := *in.Loads[0].Result
	r.Config.Requirements, in.Loads[0].Result = "p90<1h", &r
	h := headlineOf(in, changesOf(in))
	require.Equal(t, []any{measured(in), changed(in, changesOf(in)), required(in.Loads)},
		[]any{h.Measured, h.Changed, h.Required})
	require.NotEmpty(t, h.Required)
	require.Len(t, h.Findings, shownFindings)
	shown := slices.Concat(h.Findings, h.Rest)
	require.True(t, slices.IsSortedFunc(shown, func(a, b judge.Finding) int { return a.Group() - b.Group() }))
	var all []string
	for _, f := range append(findingsOfFiles(in, changesOf(in)), findingsOfLoads(in.Loads)...) {
		all = append(all, f.Observed)
	}
	require.Greater(t, len(all), 9)
	observed = nil
	for _, f := range shown {
		observed = append(observed, f.Observed)
	}
	require.ElementsMatch(t, all, observed)
	const fast, larger = "BenchmarkA 100 9 ns/op 5 x\n", "BenchmarkA 100 9 ns/op 8 x\n"
	in = Input{Base: dataOf(t, "Unit x better=lower\n"+strings.Repeat(fast, 9)),
		Results: dataOf(t, strings.Repeat(larger, 9))}
	require.Contains(t, findingsOfFiles(in, changesOf(in))[0].Observed, "+60.0 %; x of BenchmarkA (results)")
	exact := dataOf(t, "BenchmarkA 1 5 x\nBenchmarkA 1 5 x\n")
	require.Empty(t, findingsOfFiles(Input{Results: exact}, changes{}), "two equal results suffice")
}

// TestFiguresHaveTheirUnits: durations, bytes, and numbers with few digits or, if they are whole, all.
func TestFiguresHaveTheirUnits(t *testing.T) {
	for want, c := range map[string]struct {
		v    float64
		unit string
	}{"2.24 ms": {0.00224, "sec/op"}, "1.50 s": {1.5, "cpu-sec/op"}, "30.4 KiB": {31_130, "B/op"},
		"2 KiB": {2048, "proof-B"}, "3 KiB": {3072, "rand-bytes"}, "1 234 567": {1_234_567, "mul/op"},
		"2.25": {2.25, "mul/op"}, "1": {1, "widgets"}} {
		require.Equal(t, want, show(c.v, c.unit))
	}
	require.Equal(t, text.Number(1e300), show(1e300, "x"))
}
