package report

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/hist"
)

// latencies shows runs under load: a histogram and a heat map over time for
// each, and the percentiles of all.
func latencies(loads []Load) (s section) {
	s = section{ID: "latency", Title: "Latency under load"}
	if len(loads) > 0 {
		s.Figures = []figure{percentileCurve(loads), histograms(loads), progress(loads), overTime(loads)}
	}
	return s
}

// label names a run as on the command line of the runner, with its file if needed.
func (l Load) label() string {
	words := l.Name + ", " + text.Plural(l.Result.Config.Workers, "worker")
	if l.Result.Interrupted {
		words += " (interrupted: " + l.Result.End + ")"
	}
	if l.File != "" {
		words += " (" + l.File + ")"
	}
	return words
}

// nines are the marked percentiles q; the axis is 1/(1-q), logarithmic.
var nines = []chart.Tick{{Value: 1, Label: "0"}, {Value: 2, Label: "50 %"}, {Value: 10, Label: "90 %"},
	{Value: 100, Label: "99 %"},
	{Value: 1e3, Label: "99.9 %"}, {Value: 1e4, Label: "99.99 %"}, {Value: 1e5, Label: "99.999 %"},
	{Value: 1e6, Label: "99.9999 %"}}

// percentileCurve draws latency by percentile, as HdrHistogram does.
func percentileCurve(loads []Load) figure {
	f := figure{ID: "percentiles", Title: "Latency by percentile",
		Table: table{Head: []string{"run", "percentile", "latency ns"}}}
	var c chart.Chart
	deepest, all := 10.0, span{math.Inf(1), 1}
	add := func(run string, ink int, style chart.Style, h hist.Histogram) {
		s := chart.Series{Ink: ink, Style: style}
		eachPercentile(h, func(share, ns float64) {
			f.Table.add(run, plain(100*share), plain(ns))
			p := chart.Point{X: 1 / (1 - share), Y: max(ns, 1)}
			if style == chart.Curve {
				p.Hint = fmt.Sprintf("%s: %.6g %% below %s", run, 100*share, text.Duration(ns))
			}
			s.Points = append(s.Points, p)
			deepest, all = max(deepest, p.X), span{min(all.low, p.Y), max(all.high, p.Y)}
		})
		c.Series = append(c.Series, s)
	}
	var labels []string
	for i, l := range loads {
		labels = append(labels, l.label())
		add(l.label(), i, chart.Curve, l.Result.Latency)
		if service := l.Result.Service; service != nil {
			f.Note = "Open loops have two lines: the response time from the planned start and, dashed, the " +
				"service time from the true start."
			add(l.label()+", service", i, chart.Dashed, *service)
		}
	}
	f.Legend = legend(asLine, labels...)
	c.X = chart.Axis{Name: "percentile", Log: true, Ticks: nines, Low: 1, High: deepest * 1.1}
	c.Y = durations("latency", min(all.low, all.high), all.high)
	f.add("", &c)
	return f
}

// perDecade is the number of points of the percentile curve between two nines.
const perDecade = 24

// eachPercentile calls f for shares that approach 1, as long as there are
// latencies above them.
func eachPercentile(h hist.Histogram, f func(share, ns float64)) {
	n := float64(h.Total())
	for step := 0; ; step++ {
		tail := math.Pow(10, -float64(step)/perDecade)
		if tail*n < 1 {
			return
		}
		f(1-tail, h.Quantile(1-tail))
	}
}

// binBuckets is the number of buckets of a Histogram in one bar: 16 bars for
// each doubling.
const binBuckets = 1 << 6

// histograms draws the distribution of latencies, a panel for each run.
func histograms(loads []Load) figure {
	f := figure{
		ID: "histogram", Title: "Distribution of latencies",
		Table: table{Head: []string{"run", "from ns", "below ns", "count"}},
		Note:  "Bars are a sixteenth of a doubling wide. All panels have the same axes.",
	}
	bins, first, last := make([]map[int]float64, len(loads)), hist.Buckets/binBuckets-1, 0
	var counts []span
	for i, l := range loads {
		bins[i] = map[int]float64{}
		l.Result.Latency.Each(func(bucket int, n uint64) {
			bin := bucket / binBuckets
			bins[i][bin] += float64(n)
			first, last = min(first, bin), max(last, bin)
		})
		for _, n := range bins[i] {
			counts = append(counts, span{n, n})
		}
	}
	y := magnitudes(counts, "operations")
	if y.Log {
		y.Low = 0.5 // below a bar of one operation
	}
	left, _ := binBounds(first)
	_, right := binBounds(last)
	for i, l := range loads {
		c := chart.Chart{Title: short(l.label()), X: durations("latency", left, right), Y: y}
		for _, bin := range slices.Sorted(maps.Keys(bins[i])) {
			low, high := binBounds(bin)
			n := bins[i][bin]
			f.Table.add(l.label(), plain(low), plain(high), plain(n))
			c.Cells = append(c.Cells, chart.Cell{Left: low, Right: high, Low: y.Low, High: n, Heat: 1, Ink: i,
				Hint: fmt.Sprintf("%s – %s: %s", text.Duration(low), text.Duration(high), plain(n))})
		}
		f.add(l.label(), &c)
	}
	return f
}

func binBounds(bin int) (low, high float64) {
	l, _ := hist.Bounds(bin * binBuckets)
	_, h := hist.Bounds((bin+1)*binBuckets - 1)
	return max(float64(l), 1), float64(h)
}
