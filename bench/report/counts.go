package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/zkatbench/zkatbench/bench/result"
)

// phase is the key of names that stacks counts.
const phase = "phase"

// counts shows exact counts as stacked bars, for each unit: by phase for
// benchmarks with phase= in their names, and by kind of count for others.
func counts(d *result.Data, all []*benchmark) (s section, err error) {
	if d == nil {
		return s, nil
	}
	units := countUnits(d)
	s = section{ID: "counts", Title: "Counted operations", Lead: "Exact counts of one operation, the same on every machine."}
	if len(units) == 0 {
		return s, nil
	}
	for i, b := range all {
		f, err := b.stacks(d, units)
		if err != nil {
			return s, err
		}
		f.ID = fmt.Sprintf("counts-%d", i+1)
		if len(f.Variants) == 0 {
			continue
		}
		if f.Variants[0].Unit != "" {
			s.Units = units
		}
		s.Figures = append(s.Figures, f)
	}
	return s, nil
}

// countUnits returns the exact units per operation, except bytes.
func countUnits(d *result.Data) (units []string) {
	for _, u := range d.Units {
		m := d.Meta.Get(u, "assume")
		if m != nil && m.Value == "exact" && strings.HasSuffix(u, "/op") && !strings.HasPrefix(u, "B/") && !strings.HasSuffix(u, "B/op") {
			units = append(units, u)
		}
	}
	return units
}

// stack is a set of bars with the same parts, from the bottom of the picture to
// the top.
type stack struct {
	axes  []axis
	bars  []string
	parts []string
	sizes [][]float64 // by part, then by bar
}

// stacks draws the counts of b.
func (b *benchmark) stacks(d *result.Data, units []string) (f figure, err error) {
	f = figure{Title: b.title(), Table: table{Head: []string{"case", "part", "unit", "count"}}}
	i := slices.IndexFunc(b.Axes, func(a axis) bool { return a.Name == phase })
	if i < 0 {
		s := stack{axes: b.Axes, parts: units, sizes: make([][]float64, len(units))}
		labels, cases := split(b.Cases, b.Axes)
		for _, label := range labels {
			s.bars = append(s.bars, cases[label][0].brief(b.Axes))
			for k, unit := range units {
				s.sizes[k] = append(s.sizes[k], b.count(d, cases[label], unit, unit, &f.Table))
			}
		}
		err = f.addStack(s.withoutZeros(), "", "operations")
		return f, err
	}
	rest := without(b.Axes, phase)
	labels, cases := split(b.Cases, rest)
	for _, unit := range units {
		s := stack{axes: rest, parts: b.Axes[i].Values, sizes: make([][]float64, len(b.Axes[i].Values))}
		for _, label := range labels {
			s.bars = append(s.bars, cases[label][0].brief(rest))
			_, byPhase := split(cases[label], b.Axes[i:i+1])
			for k, p := range s.parts {
				s.sizes[k] = append(s.sizes[k], b.count(d, byPhase[phase+"="+p], unit, p, &f.Table))
			}
		}
		if err := f.addStack(s, unit, unit); err != nil {
			return f, err
		}
	}
	return f, nil
}

// count returns the figure of a case, or 0 if it is absent, and adds a line to
// the table.
func (b *benchmark) count(d *result.Data, cases []benchCase, unit, part string, t *table) float64 {
	if len(cases) == 0 {
		return 0
	}
	s, ok := summarise(d.Values[cases[0].Key][unit])
	if !ok {
		return 0
	}
	t.add(cases[0].Key.String(), part, unit, plain(s.Mid))
	return s.Mid
}

// addStack adds the picture of s, unless all bars are empty.
func (f *figure) addStack(s stack, unit, label string) error {
	if len(s.withoutZeros().parts) == 0 {
		return nil
	}
	f.Legend = legend(asBar, s.parts...)
	picture, err := s.draw(label)
	f.Variants = append(f.Variants, variant{Unit: unit, Panels: single(picture)})
	return err
}

// withoutZeros removes parts that are 0 in all bars.
func (s stack) withoutZeros() stack {
	some := stack{axes: s.axes, bars: s.bars}
	for i, sizes := range s.sizes {
		if slices.Max(sizes) > 0 {
			some.parts, some.sizes = append(some.parts, s.parts[i]), append(some.sizes, sizes)
		}
	}
	return some
}

const barHeight = 12 // points, and 4 between bars

func (s stack) draw(label string) (template.HTML, error) {
	p := newPlot(strings.Join(names(s.axes), between))
	p.X.Label.Text = label
	var below *plotter.BarChart
	var spots []spot
	sums := make([]float64, len(s.bars))
	for _, sizes := range s.sizes {
		for k, size := range sizes {
			sums[k] += size
		}
	}
	shown, rows := axisOfBars(s.bars, sums)
	clear(sums)
	for i := range s.parts {
		for k, size := range s.sizes[i] {
			if size > 0 {
				spots = append(spots, spot{sums[k] + size/2, float64(len(s.bars) - 1 - k), fmt.Sprintf("%s %s: %s", s.bars[k], s.parts[i], plain(size))})
			}
			sums[k] += size
		}
		sizes := slices.Clone(s.sizes[i])
		slices.Reverse(sizes) // the first bar is at the top
		bar, err := plotter.NewBarChart(plotter.Values(sizes), barHeight)
		if err != nil {
			return "", err
		}
		bar.Horizontal, bar.Color, bar.LineStyle.Width = true, seriesInk(i), 0
		if below != nil {
			bar.StackOn(below)
		}
		below = bar
		p.Add(bar)
	}
	nameRows(p, rows)
	p.X.Min, p.X.Max = 0, shown
	return svg(p, "stacked bars of "+label, 700, vg.Length(64+(barHeight+4)*len(s.bars)), spots...)
}

// axisOfBars returns the length of an axis of bars, and their names: bars beyond the
// axis carry their sums.
func axisOfBars(names []string, sums []float64) (length float64, rows []string) {
	var all []span
	for _, sum := range sums {
		all = append(all, span{sum, sum})
	}
	kept, _ := within(all)
	length = max(kept.high, 1e-12)
	for i, name := range names {
		name = short(name)
		if sums[i] > length {
			name += " ▶ " + plain(sums[i])
		}
		rows = append(rows, name)
	}
	return length, rows
}

// nameRows labels the rows of a plot, the first at the top.
func nameRows(p *plot.Plot, rows []string) {
	ticks := plot.ConstantTicks{}
	for i, name := range rows {
		ticks = append(ticks, plot.Tick{Value: float64(len(rows) - 1 - i), Label: name})
	}
	p.Y.Tick.Label.Font.Size = 8
	p.Y.Tick.Marker, p.Y.Tick.Length = ticks, 0
	p.Y.Min, p.Y.Max = -0.7, float64(len(rows))-0.3
	p.Y.LineStyle.Width = 0
}
