package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/render"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// workers is the key of names for the number of workers.
const workers = "workers"

// scaling shows throughput over workers, of runs under load and of benchmarks
// with workers= in their names.
func scaling(d *result.Data, all []*benchmark, loads []Load) (s section) {
	s = section{
		ID: "scaling", Title: "Scaling",
		Lead: "Throughput over workers. The line is the fitted Universal Scalability Law, the dotted line " +
			"perfect scaling. σ is the serial share, κ the loss by exchanging data between workers.",
	}
	var names []string
	ladders := map[string][]stats.Point{}
	add := func(name string, workers, throughput float64) {
		if ladders[name] == nil {
			names = append(names, name)
		}
		ladders[name] = append(ladders[name], stats.Point{Workers: workers, Throughput: throughput})
	}
	for _, l := range loads {
		// The throughput of an open loop is its plan and not the capacity of the workers.
		if r := l.Result; r.Throughput() > 0 && !r.Interrupted && r.Config.Plan == nil {
			add(l.Name, float64(r.Config.Workers), r.Throughput())
		}
	}
	for _, b := range all {
		rest, figures := without(b.Axes, workers), figuresOf(d, b.Cases, "sec/op")
		for _, c := range b.Cases {
			// testing.B.RunParallel reports wall time divided by the number of operations.
			n, is := number(c.Value[workers])
			if mid := figures[c.Key].Mid; is && n >= 1 && mid > 0 {
				add(strings.TrimSuffix(b.Name+"/"+c.on(rest), "/"), n, 1/mid)
			}
		}
	}
	for _, name := range names {
		points := ladders[name]
		slices.SortStableFunc(points, func(a, b stats.Point) int { return cmp.Compare(a.Workers, b.Workers) })
		if points[0].Workers < points[len(points)-1].Workers {
			s.Figures = append(s.Figures, ladder(name, points))
		}
	}
	return s
}

// ladder draws throughputs with growing numbers of workers.
func ladder(name string, points []stats.Point) figure {
	f := figure{Title: name,
		Table: table{Head: []string{"workers", "operations/s", "speed-up", "efficiency",
			"fitted operations/s"}}}
	law, err := stats.FitUSL(points)
	fitted := func(n float64) string { return plain(law.Throughput(n)) }
	if err == nil {
		f.Note = render.Law("Universal Scalability Law", &law, true) + "."
	} else {
		f.Note = "No law: " + err.Error() + "."
		fitted = func(float64) string { return "" }
	}
	one, most := points[0].Throughput/points[0].Workers, points[len(points)-1].Workers
	measured := chart.Series{Name: "measured", Ink: 1, Style: chart.Scatter}
	top, at := 0.0, []float64(nil)
	for _, p := range points {
		speedUp := p.Throughput / one
		f.Table.add(plain(p.Workers), plain(p.Throughput), text.Number(speedUp),
			text.Percent(speedUp/p.Workers), fitted(p.Workers))
		top, at = max(top, 1.25*p.Throughput), append(at, p.Workers)
		hint := fmt.Sprintf("%s: %s ops/s", text.Plural(int(p.Workers), "worker"),
			show(math.Round(p.Throughput), ""))
		measured.Points = append(measured.Points, chart.Point{X: p.Workers, Y: p.Throughput, Hint: hint})
	}
	perfect, curve := chart.Series{Style: chart.Dotted}, chart.Series{Style: chart.Curve}
	for k := range 101 {
		n := 1 + (most-1)*float64(k)/100
		if y := one * n; y <= top {
			perfect.Points = append(perfect.Points, chart.Point{X: n, Y: y})
		}
		if y := law.Throughput(n); err == nil && y <= top {
			curve.Points = append(curve.Points, chart.Point{X: n, Y: y})
		}
	}
	f.add("", &chart.Chart{
		X: chart.Axis{Name: workers, Ticks: chart.Values(slices.Compact(at)), Low: 1 - (most-1)*0.03,
			High: most + (most-1)*0.03},
		Y: chart.Axis{Name: "operations/s", Label: func(v float64) string {
			return show(v, "")
		}, High: max(top, 1e-12)},
		Series: []chart.Series{perfect, curve, measured},
	})
	return f
}
