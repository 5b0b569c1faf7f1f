package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/zkatbench/zkatbench/runner/hist"
)

// latencies shows runs under load: a histogram and a heat map over time for
// each, and the percentiles of all.
func latencies(loads []Load) (s section, err error) {
	s = section{ID: "latency", Title: "Latency under load"}
	if len(loads) == 0 {
		return s, nil
	}
	s.Figures = append(s.Figures, loadTable(loads))
	for _, draw := range []func([]Load) (figure, error){percentileCurve, histograms, progress, overTime} {
		f, err := draw(loads)
		if err != nil {
			return s, err
		}
		s.Figures = append(s.Figures, f)
	}
	return s, nil
}

// label names a run as on the command line of the runner, with its file if needed.
func (l Load) label() string {
	if l.File != "" {
		return l.alone() + " (" + l.File + ")"
	}
	return l.alone()
}

// alone is the label of a run that has no namesake.
func (l Load) alone() string {
	text := fmt.Sprintf("%s, %d workers", l.Name, l.Result.Config.Workers)
	if l.Result.Config.Workers == 1 {
		text = l.Name + ", 1 worker"
	}
	if l.Result.Interrupted {
		text += " (interrupted: " + l.Result.End + ")"
	}
	return text
}

func labels(loads []Load) (all []string) {
	for _, l := range loads {
		all = append(all, l.label())
	}
	return all
}

// loadTable returns the main figures.
func loadTable(loads []Load) figure {
	t := table{Head: []string{"run", "operations", "failed", "throughput/s", "mean", "P50", "P95", "P99", "P99.9", "max"}}
	for _, l := range loads {
		r := l.Result
		row := []string{l.label(), fmt.Sprint(r.Done), fmt.Sprint(r.Failed), fmt.Sprintf("%.4g", r.Throughput()), seconds(r.Moments.Mean)}
		for _, q := range []float64{0.5, 0.95, 0.99, 0.999} {
			e := r.Quantile(q)
			if !e.Shown() {
				row = append(row, "~")
				continue
			}
			row = append(row, seconds(e.Value))
		}
		t.add(append(row, seconds(r.Moments.Max))...)
	}
	return figure{ID: "load", Title: "Runs", Table: t, Open: true, Note: "~: too few latencies for that percentile."}
}

// nines are the marked percentiles; the axis is 1/(1-q), logarithmic.
var nines = []struct {
	q    float64
	name string
}{{0, "0"}, {0.5, "50 %"}, {0.9, "90 %"}, {0.99, "99 %"}, {0.999, "99.9 %"}, {0.9999, "99.99 %"}, {0.99999, "99.999 %"}, {0.999999, "99.9999 %"}}

// percentileCurve draws latency by percentile, as HdrHistogram does.
func percentileCurve(loads []Load) (figure, error) {
	f := figure{ID: "percentiles", Title: "Latency by percentile", Legend: legend(asLine, labels(loads)...), Table: table{Head: []string{"run", "percentile", "latency ns"}}}
	if slices.ContainsFunc(loads, func(l Load) bool { return l.Result.Service != nil }) {
		f.Note = "Open loops have two lines: the response time from the planned start and, dashed, the service time from the true start."
	}
	p := newPlot("")
	p.X.Label.Text, p.Y.Label.Text = "percentile", "latency"
	deepest, lowest, highest := 10.0, math.Inf(1), 1.0
	var spots []spot
	for i, l := range loads {
		xys := plotter.XYs{}
		eachPercentile(l.Result.Latency, func(share, ns float64) {
			xys = append(xys, plotter.XY{X: 1 / (1 - share), Y: max(ns, 1)})
			f.Table.add(l.label(), plain(100*share), plain(ns))
			spots = append(spots, spot{1 / (1 - share), max(ns, 1), fmt.Sprintf("%s: %.6g %% below %s", l.label(), 100*share, seconds(ns))})
		})
		if len(xys) == 0 {
			continue
		}
		line, err := plotter.NewLine(xys)
		if err != nil {
			return f, err
		}
		line.Color, line.Width = seriesInk(i), 1.4
		p.Add(line)
		if service := l.Result.Service; service != nil {
			var from plotter.XYs
			eachPercentile(*service, func(share, ns float64) {
				from = append(from, plotter.XY{X: 1 / (1 - share), Y: max(ns, 1)})
				f.Table.add(l.label()+", service", plain(100*share), plain(ns))
			})
			dashed, err := plotter.NewLine(from)
			if err != nil {
				return f, err
			}
			dashed.Color, dashed.Width, dashed.Dashes = seriesInk(i), 1.2, dashes
			p.Add(dashed)
			lowest = min(lowest, from[0].Y)
		}
		deepest = max(deepest, xys[len(xys)-1].X)
		for _, xy := range xys {
			lowest, highest = min(lowest, xy.Y), max(highest, xy.Y)
		}
	}
	ticks := plot.ConstantTicks{}
	for _, n := range nines {
		ticks = append(ticks, plot.Tick{Value: 1 / (1 - n.q), Label: n.name})
	}
	p.X.Scale, p.X.Tick.Marker, p.X.Min, p.X.Max = plot.LogScale{}, ticks, 1, deepest*1.1
	logarithmic(&p.Y, min(lowest, highest), highest)
	picture, err := svg(p, "latency by percentile", 700, 300, spots...)
	f.Variants = []variant{{Panels: single(picture)}}
	return f, err
}

// logarithmic makes a an axis of durations in nanoseconds.
func logarithmic(a *plot.Axis, low, high float64) {
	a.Scale, a.Tick.Marker = plot.LogScale{}, roundLogs(seconds)
	a.Min, a.Max = low/1.1, high*1.1
}

// perDecade is the number of points of the percentile curve between two nines.
const perDecade = 24

// eachPercentile calls f for shares that approach 1, as long as there are
// latencies above them.
func eachPercentile(h hist.Histogram, f func(share, ns float64)) {
	n := float64(h.Total())
	if n == 0 {
		return
	}
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

// binsOf returns the bars of a run: their counts, and the first and the last one,
// which is less than the first without latencies.
func binsOf(l Load) (bins map[int]uint64, first, last int) {
	bins, first, last = map[int]uint64{}, math.MaxInt, -1
	l.Result.Latency.Each(func(bucket int, n uint64) {
		bin := bucket / binBuckets
		bins[bin] += n
		first, last = min(first, bin), max(last, bin)
	})
	return bins, first, last
}

// histograms draws the distribution of latencies, a panel for each run.
func histograms(loads []Load) (figure, error) {
	f := figure{
		ID: "histogram", Title: "Distribution of latencies", Table: table{Head: []string{"run", "from ns", "below ns", "count"}},
		Note: "Bars are a sixteenth of a doubling wide. All panels have the same axes.",
	}
	v := variant{}
	leftmost, rightmost := math.MaxInt, -1
	var counts []span
	for _, l := range loads {
		bins, first, last := binsOf(l)
		leftmost, rightmost = min(leftmost, first), max(rightmost, last)
		for _, n := range bins {
			counts = append(counts, span{float64(n), float64(n)})
		}
	}
	y := extentOf(counts)
	bottom := 0.0
	if y.log {
		bottom = 0.5 // below a bar of one operation
		y.low = bottom
	}
	for i, l := range loads {
		bins, first, last := binsOf(l)
		if last < first {
			continue
		}
		p := newPlot(short(l.label()))
		var outline plotter.XYs
		var spots []spot
		for bin := first; bin <= last; bin++ {
			low, high := binBounds(bin)
			if bins[bin] > 0 {
				f.Table.add(l.label(), plain(low), plain(high), fmt.Sprint(bins[bin]))
				spots = append(spots, spot{math.Sqrt(low * high), float64(bins[bin]), fmt.Sprintf("%s – %s: %d", seconds(low), seconds(high), bins[bin])})
			}
			top := max(float64(bins[bin]), bottom)
			outline = append(outline, plotter.XY{X: low, Y: top}, plotter.XY{X: high, Y: top})
		}
		low, _ := binBounds(first)
		_, high := binBounds(last)
		outline = append(outline, plotter.XY{X: high, Y: bottom}, plotter.XY{X: low, Y: bottom})
		area, err := plotter.NewPolygon(outline)
		if err != nil {
			return f, err
		}
		area.Color, area.LineStyle.Width = seriesInk(i), 0
		p.Add(area)
		leftEnd, _ := binBounds(leftmost)
		_, rightEnd := binBounds(rightmost)
		logarithmic(&p.X, leftEnd, rightEnd)
		p.X.Label.Text = "latency"
		y.mark(&p.Y, "operations")
		picture, err := svg(p, "histogram of latencies, "+l.label(), panelWidth, 210, spots...)
		if err != nil {
			return f, err
		}
		v.Panels = append(v.Panels, panel{l.label(), picture})
	}
	f.Variants = []variant{v}
	return f, nil
}

// panelWidth is the width of pictures that fit two or three in a row.
const panelWidth vg.Length = 330

func binBounds(bin int) (low, high float64) {
	l, _ := hist.Bounds(bin * binBuckets)
	_, h := hist.Bounds(min((bin+1)*binBuckets, hist.Buckets) - 1)
	return max(float64(l), 1), float64(h)
}
