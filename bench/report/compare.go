package report

import (
	"cmp"
	"fmt"
	"html/template"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/zkatbench/zkatbench/bench/gate"
	"github.com/zkatbench/zkatbench/bench/result"
)

// confidence is the level of the intervals.
const confidence = 0.95

// ratio is the ratio of a case in the results to the base.
type ratio struct {
	c             benchCase
	base, head    summary
	mid, low, top float64 // low and top are infinite if there are too few results
	ink           uint8   // good, bad, or faint if 1 is within the interval
}

// comparison shows the ratio of each case to the base, for each unit.
func comparison(base, head *result.Data, all []*benchmark) (s section, err error) {
	s = section{ID: "comparison", Title: "Comparison"}
	if base == nil {
		return s, nil
	}
	s.Units = timeFirst(head)
	s.Lead = "Results ÷ base, sorted, with the interval of the ratio (Hodges and Lehmann, 95 % for each case alone). Intervals that exclude 1 are coloured: green for better, red for worse. " +
		"With many cases some do so by chance: use zkatbench compare, which corrects for it." + missing(base, head)
	for i, b := range all {
		f := figure{
			ID: fmt.Sprintf("comparison-%d", i+1), Title: b.title(),
			Table: table{Head: []string{"case", "unit", "base median", "results median", "ratio", "low", "high"}},
		}
		for _, unit := range s.Units {
			v := variant{Unit: unit}
			rs := ratios(base, head, b, unit, &f.Table)
			if v.Panels, err = drawRatios(b, rs, unit); err != nil {
				return s, err
			}
			f.Variants = append(f.Variants, v)
		}
		s.Figures = append(s.Figures, f)
	}
	return s, nil
}

// missing lists the cases on one side only.
func missing(base, head *result.Data) string {
	text := ""
	for _, side := range []struct {
		where      string
		this, that *result.Data
	}{{"base", base, head}, {"results", head, base}} {
		var only []string
		for _, k := range side.this.Cases {
			if side.that.Values[k] == nil {
				only = append(only, k.String())
			}
		}
		if len(only) > 0 {
			text += fmt.Sprintf(" Only in the %s: %s.", side.where, strings.Join(only, ", "))
		}
	}
	return text
}

// ratios compares the cases of b on both sides, smallest ratio first.
func ratios(base, head *result.Data, b *benchmark, unit string, t *table) (rs []ratio) {
	before, after := figuresOf(base, b.Cases, unit), figuresOf(head, b.Cases, unit)
	for _, c := range b.Cases {
		r := ratio{c: c, ink: inkFaint}
		var hasBase, hasHead bool
		r.base, hasBase = before[c.Key]
		r.head, hasHead = after[c.Key]
		if !hasBase || !hasHead {
			continue
		}
		shift := gate.ShiftOf(base.Values[c.Key][unit], head.Values[c.Key][unit], confidence)
		r.mid, r.low, r.top = 1+shift.Value, 1+shift.Lo, 1+shift.Hi
		if r.low > 1 || r.top < 1 {
			r.ink = judged(head, unit, shift.Value)
		}
		rs = append(rs, r)
	}
	slices.SortStableFunc(rs, func(a, b ratio) int { return cmp.Compare(a.mid, b.mid) })
	for _, r := range rs {
		t.add(r.c.Key.String(), unit, plain(r.base.Mid), plain(r.head.Mid), plain(r.mid), plain(r.low), plain(r.top))
	}
	return rs
}

// judged returns the ink of a significant shift.
func judged(d *result.Data, unit string, shift float64) uint8 {
	switch better := float64(d.Meta.GetBetter(unit)); {
	case better*shift > 0:
		return inkGood
	case better*shift < 0:
		return inkBad
	}
	return inkText
}

// drawRatios draws a point and an interval for each case, unless all are equal.
func drawRatios(b *benchmark, rs []ratio, unit string) ([]template.HTML, error) {
	drawn := slices.DeleteFunc(slices.Clone(rs), func(r ratio) bool { return r.mid-r.mid != 0 })
	differs := func(r ratio) bool { return r.low != 1 || r.top != 1 || r.mid != 1 }
	switch {
	case len(rs) == 0:
		return []template.HTML{"<p>No case has this unit on both sides.</p>"}, nil
	case len(drawn) == 0:
		return []template.HTML{"<p>The base is 0, so ratios are undefined.</p>"}, nil
	case !slices.ContainsFunc(drawn, differs):
		return []template.HTML{"<p>All cases are equal.</p>"}, nil
	}
	p := newPlot(strings.Join(names(b.Axes), between))
	p.X.Label.Text, p.X.Tick.Marker = unit+", results ÷ base", aroundOne{}
	var rows []string
	least, most := 1.0, 1.0
	for i, r := range drawn {
		rows = append(rows, r.c.brief(b.Axes))
		y := float64(len(drawn) - 1 - i)
		if err := addRatio(p, r, y); err != nil {
			return nil, err
		}
		least, most = min(least, r.mid), max(most, r.mid)
		if !math.IsInf(r.low, 0) {
			least, most = min(least, r.low), max(most, r.top)
		}
	}
	one, err := plotter.NewLine(plotter.XYs{{X: 1, Y: -0.7}, {X: 1, Y: float64(len(drawn)) - 0.3}})
	if err != nil {
		return nil, err
	}
	one.Color, one.Dashes = ink(inkText), dots
	p.Add(one)
	nameRows(p, rows)
	margin := max((most-least)*0.04, 1e-6)
	p.X.Min, p.X.Max = least-margin, most+margin
	picture, err := svg(p, "ratios of "+unit, 700, vg.Length(64+(barHeight+4)*len(rows)))
	return []template.HTML{picture}, err
}

// addRatio adds a point and its interval if known.
func addRatio(p *plot.Plot, r ratio, y float64) error {
	colour := ink(r.ink)
	if !math.IsInf(r.low, 0) && !math.IsNaN(r.low) {
		interval, err := plotter.NewLine(plotter.XYs{{X: r.low, Y: y}, {X: r.top, Y: y}})
		if err != nil {
			return err
		}
		interval.Color, interval.Width = colour, 2.5
		p.Add(interval)
	}
	return addDot(p, r.mid, y, colour)
}

func addDot(p *plot.Plot, x, y float64, colour color.Color) error {
	dot, err := plotter.NewScatter(plotter.XYs{{X: x, Y: y}})
	if err != nil {
		return err
	}
	dot.GlyphStyle = draw.GlyphStyle{Color: colour, Radius: 3, Shape: draw.CircleGlyph{}}
	p.Add(dot)
	return nil
}
