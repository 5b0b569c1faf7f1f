package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/text"
)

// workers is the key of names for the number of workers.
const workers = "workers"

// ladder is a series of throughputs with growing numbers of workers.
type ladder struct {
	name   string
	points []stats.Point
}

// scaling shows throughput over workers, of runs under load and of benchmarks
// with workers= in their names.
func scaling(d *result.Data, all []*benchmark, loads []Load) (s section) {
	s = section{
		ID: "scaling", Title: "Scaling",
		Lead: "Throughput over workers. The line is the fitted Universal Scalability Law, the dotted line perfect scaling. σ is the serial share, κ the loss by exchanging data between workers.",
	}
	for _, l := range append(laddersOfLoads(loads), laddersOfBenchmarks(d, all)...) {
		s.Figures = append(s.Figures, l.figure())
	}
	return s
}

func laddersOfLoads(loads []Load) (all []*ladder) {
	byName := map[string]*ladder{}
	for _, l := range loads {
		// The throughput of an open loop is its plan and not the capacity of the workers.
		if l.Result.Throughput() <= 0 || l.Result.Interrupted || l.Result.Config.Plan != nil {
			continue
		}
		at := byName[l.Name]
		if at == nil {
			at = &ladder{name: l.Name}
			byName[l.Name] = at
			all = append(all, at)
		}
		at.points = append(at.points, stats.Point{Workers: float64(l.Result.Config.Workers), Throughput: l.Result.Throughput()})
	}
	return climbs(all)
}

// laddersOfBenchmarks treats sec/op as wall time divided by the number of
// operations, as testing.B.RunParallel reports it.
func laddersOfBenchmarks(d *result.Data, all []*benchmark) (ladders []*ladder) {
	for _, b := range all {
		rest := without(b.Axes, workers)
		if len(rest) == len(b.Axes) {
			continue
		}
		figures := figuresOf(d, b.Cases, "sec/op")
		labels, parts := split(b.Cases, rest)
		for _, label := range labels {
			l := &ladder{name: strings.TrimSuffix(b.Name+"/"+label, "/")}
			for _, c := range parts[label] {
				n, is := number(c.Value[workers])
				if s := figures[c.Key]; is && n >= 1 && s.Mid > 0 {
					l.points = append(l.points, stats.Point{Workers: n, Throughput: 1 / s.Mid})
				}
			}
			ladders = append(ladders, l)
		}
	}
	return climbs(ladders)
}

// climbs drops ladders of one step and sorts the others.
func climbs(all []*ladder) []*ladder {
	for _, l := range all {
		slices.SortStableFunc(l.points, func(a, b stats.Point) int { return cmp.Compare(a.Workers, b.Workers) })
	}
	return slices.DeleteFunc(all, func(l *ladder) bool {
		return len(l.points) == 0 || l.points[0].Workers == l.points[len(l.points)-1].Workers
	})
}

func (l *ladder) figure() figure {
	f := figure{Title: l.name, Table: table{Head: []string{"workers", "operations/s", "speed-up", "efficiency", "fitted operations/s"}}}
	law, err := stats.FitUSL(l.points)
	f.Note = "No law: " + fmt.Sprint(err) + "."
	if err == nil {
		f.Note = sentence(law)
	}
	one, top := l.points[0].Throughput/l.points[0].Workers, 0.0
	measured := chart.Series{Name: "measured", Ink: 1, Style: chart.Scatter}
	var c chart.Chart
	var at []float64
	for _, p := range l.points {
		fitted := ""
		if err == nil {
			fitted = plain(law.Throughput(p.Workers))
		}
		speedUp := p.Throughput / one
		f.Table.add(plain(p.Workers), plain(p.Throughput), text.Number(speedUp), text.Percent(speedUp/p.Workers), fitted)
		top, at = max(top, p.Throughput), append(at, p.Workers)
		measured.Points = append(measured.Points, chart.Point{
			X: p.Workers, Y: p.Throughput, Hint: fmt.Sprintf("%s: %s ops/s", text.Plural(int(p.Workers), "worker"), show(math.Round(p.Throughput), "")),
		})
	}
	most := at[len(at)-1]
	curve := func(style chart.Style, of func(float64) float64) {
		s := chart.Series{Style: style}
		for k := range 101 {
			n := 1 + (most-1)*float64(k)/100
			if y := of(n); y <= top*1.25 {
				s.Points = append(s.Points, chart.Point{X: n, Y: y})
			}
		}
		c.Series = append(c.Series, s)
	}
	curve(chart.Dotted, func(n float64) float64 { return one * n })
	if err == nil {
		curve(chart.Curve, law.Throughput)
	}
	c.Series = append(c.Series, measured)
	c.X = chart.Axis{Name: workers, Ticks: chart.Values(slices.Compact(at)), Low: 1 - (most-1)*0.03, High: most + (most-1)*0.03}
	c.Y = chart.Axis{Name: "operations/s", Label: func(v float64) string { return show(v, "") }, Low: 0, High: max(top*1.25, 1e-12)}
	f.Variants = single(picture(&c, 750, 370))
	return f
}

// sentence describes a fitted law.
func sentence(law stats.Scalability) string {
	words := fmt.Sprintf("Universal Scalability Law: σ = %s", text.Percent(law.Sigma))
	if b := law.Bounds; b != nil {
		words += fmt.Sprintf(" (95 %%: %s – %s)", text.Percent(b.Sigma.Low), text.Percent(b.Sigma.High))
	}
	words += ", κ = " + text.Number(law.Kappa)
	if b := law.Bounds; b != nil {
		words += fmt.Sprintf(" (%s – %s)", text.Number(b.Kappa.Low), text.Number(b.Kappa.High))
	}
	if law.Peak > 0 {
		words += ", greatest throughput with " + text.Number(law.Peak) + " workers"
	}
	return words + "; error of the fit " + text.Percent(law.Residual) + "."
}
