package report

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/plotter"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/stats"
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
func scaling(d *result.Data, all []*benchmark, loads []Load) (s section, err error) {
	s = section{
		ID: "scaling", Title: "Scaling",
		Lead: "Throughput over workers. The line is the fitted Universal Scalability Law, the dotted line perfect scaling. σ is the serial share, κ the loss by exchanging data between workers.",
	}
	for i, l := range append(laddersOfLoads(loads), laddersOfBenchmarks(d, all)...) {
		f, err := l.figure()
		if err != nil {
			return s, err
		}
		f.ID = fmt.Sprintf("scaling-%d", i+1)
		s.Figures = append(s.Figures, f)
	}
	return s, nil
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

func (l *ladder) figure() (f figure, err error) {
	f = figure{Title: l.name, Table: table{Head: []string{"workers", "operations/s", "speed-up", "efficiency", "fitted operations/s"}}}
	law, errFit := stats.FitUSL(l.points)
	f.Note = "No law: " + fmt.Sprint(errFit) + "."
	if errFit == nil {
		f.Note = sentence(law)
	}
	one := l.points[0].Throughput / l.points[0].Workers
	for _, p := range l.points {
		fitted := ""
		if errFit == nil {
			fitted = plain(law.Throughput(p.Workers))
		}
		speedUp := p.Throughput / one
		f.Table.add(plain(p.Workers), plain(p.Throughput), digits(speedUp), percent(speedUp/p.Workers), fitted)
	}
	picture, err := l.draw(one, law, errFit == nil)
	f.Variants = []variant{{Panels: single(picture)}}
	return f, err
}

// sentence describes a fitted law.
func sentence(law stats.Scalability) string {
	text := fmt.Sprintf("Universal Scalability Law: σ = %s", percent(law.Sigma))
	if b := law.Bounds; b != nil {
		text += fmt.Sprintf(" (95 %%: %s – %s)", percent(b.Sigma.Low), percent(b.Sigma.High))
	}
	text += ", κ = " + digits(law.Kappa)
	if b := law.Bounds; b != nil {
		text += fmt.Sprintf(" (%s – %s)", digits(b.Kappa.Low), digits(b.Kappa.High))
	}
	if law.Peak > 0 {
		text += ", greatest throughput with " + digits(law.Peak) + " workers"
	}
	return text + "; error of the fit " + percent(law.Residual) + "."
}

func digits(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

func (l *ladder) draw(one float64, law stats.Scalability, fitted bool) (template.HTML, error) {
	p := newPlot("")
	top := 0.0
	var xys plotter.XYs
	var xs []float64
	var spots []spot
	for _, pt := range l.points {
		spots = append(spots, spot{pt.Workers, pt.Throughput, fmt.Sprintf("%s workers: %s ops/s", digits(pt.Workers), digits(pt.Throughput))})
		xys = append(xys, plotter.XY{X: pt.Workers, Y: pt.Throughput})
		top = max(top, pt.Throughput)
		xs = append(xs, pt.Workers)
	}
	most := xs[len(xs)-1]
	scale := scaleOf("ops/s", top)
	p.X.Label.Text, p.Y.Label.Text = workers, scale.label()
	p.X.Tick.Marker, p.Y.Tick.Marker = marksAt(slices.Compact(xs)), inUnits{scale}
	curve := func(f func(float64) float64, i int, dotted bool) error {
		var path plotter.XYs
		for k := range 101 {
			n := 1 + (most-1)*float64(k)/100
			if y := f(n); y <= top*1.25 {
				path = append(path, plotter.XY{X: n, Y: y})
			}
		}
		line, err := plotter.NewLine(path)
		if err != nil {
			return err
		}
		line.Color, line.Width = seriesInk(i), 1.4
		if dotted {
			line.Color, line.Width, line.Dashes = ink(inkFaint), 1, dots
		}
		p.Add(line)
		return nil
	}
	if err := curve(func(n float64) float64 { return one * n }, 0, true); err != nil {
		return "", err
	}
	if fitted {
		if err := curve(law.Throughput, 0, false); err != nil {
			return "", err
		}
	}
	points, err := plotter.NewScatter(xys)
	if err != nil {
		return "", err
	}
	points.Color, points.Radius, points.Shape = seriesInk(1), 3, glyphs[0]
	p.Add(points)
	p.X.Min, p.X.Max = 1-(most-1)*0.03, most+(most-1)*0.03
	p.Y.Min, p.Y.Max = 0, math.Max(top*1.25, 1e-12)
	return svg(p, "throughput over workers, "+l.name, 560, 280, spots...)
}
