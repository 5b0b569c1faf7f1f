package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aclements/go-moremath/stats"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/text"
)

// maxSampled bounds the units of the section of samples, since each has a picture
// for every case.
const maxSampled = 3

// minDensity is the least number of results for a density.
const minDensity = 6

// samples shows every single result as a point, and the density of all, relative
// to the median of the base, or to the case's own median without a base.
func samples(base, head *result.Data, all []*benchmark, found changes) (s section) {
	if head == nil {
		return s
	}
	s = section{ID: "samples", Title: "Results", Units: varying(head, found)}
	if len(s.Units) == 0 {
		return s
	}
	s.Lead = "Every result as a point, and their density, relative to the median of the case."
	if base != nil {
		s.Lead = "Every result as a point, and their density, relative to the median of the base. Grey: base; coloured: results."
	}
	for i, b := range all {
		f := figure{
			ID: fmt.Sprintf("samples-%d", i+1), Title: b.title(),
			Table: table{Head: []string{"case", "unit", "side", "number", "value"}},
		}
		for _, unit := range s.Units {
			f.Variants = append(f.Variants, variant{Unit: unit, Strips: spreads(base, head, b, unit, &f.Table)})
		}
		if len(f.Table.Rows) > 0 {
			s.Figures = append(s.Figures, f)
		}
	}
	return s
}

// varying returns the first units with different results of a case.
func varying(d *result.Data, found changes) (units []string) {
	for _, unit := range found.judgedFirst(d) {
		varies := slices.ContainsFunc(d.Cases, func(k result.Key) bool {
			xs := d.Values[k][unit]
			return len(xs) > 1 && slices.Min(xs) < slices.Max(xs)
		})
		if varies && len(units) < maxSampled {
			units = append(units, unit)
		}
	}
	return units
}

// spread is the results of one case on both sides, relative to one median.
type spread struct {
	c             benchCase
	middle        float64
	before, after []float64
}

func spreads(base, head *result.Data, b *benchmark, unit string, t *table) *strips {
	var all []spread
	var values []span
	for _, c := range b.Cases {
		var s spread
		s.c, s.after = c, finite(head.Values[c.Key][unit])
		if base != nil {
			s.before = finite(base.Values[c.Key][unit])
		}
		middle, known := summarise(s.before)
		if !known {
			middle, known = summarise(s.after)
		}
		if s.middle = middle.Mid; !known || s.middle == 0 {
			continue
		}
		for _, side := range []struct {
			name   string
			values []float64
		}{{"base", s.before}, {"results", s.after}} {
			for i, v := range side.values {
				t.add(c.Key.String(), unit, side.name, fmt.Sprint(i+1), plain(v))
				side.values[i] = v/s.middle - 1
				values = append(values, span{side.values[i], side.values[i]})
			}
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil
	}
	a := stripAxisOf(values)
	rows := &strips{Head: []string{strings.Join(names(b.Axes), between), "median", "spread"}, Axis: a.marks(relative)}
	for _, s := range all {
		rows.Rows = append(rows.Rows, s.row(b, a, unit))
	}
	return rows
}

// finite returns a copy of the values that are finite.
func finite(values []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return v-v != 0 })
}

func (s spread) row(b *benchmark, a stripAxis, unit string) stripRow {
	p := newStrip(a, 0)
	if len(s.before) >= minDensity {
		p.area(density(s.before), "density faint")
	}
	if len(s.after) >= minDensity {
		p.area(density(s.after), "density")
	}
	y := 50
	if len(s.before) > 0 {
		y = 70
	}
	for _, v := range s.before {
		p.dot(v, 30, "point faint")
	}
	for _, v := range s.after {
		p.dot(v, y, "point")
	}
	r := stripRow{Name: s.c.Key.String(), Label: s.c.brief(b.Axes), Picture: p.picture()}
	if len(s.after) == 0 {
		r.Cells = []string{"", ""}
		return r
	}
	middle, _ := summarise(s.after)
	low, high := slices.Min(s.after), slices.Max(s.after)
	r.Cells = []string{show(s.middle*(1+middle.Mid), unit), "±" + text.Percent((high-low)/2)}
	r.Hint = fmt.Sprintf("%s: %s, from %s to %s", r.Name, text.Plural(len(s.after), "result"), show(s.middle*(1+low), unit), show(s.middle*(1+high), unit))
	return r
}

// density estimates the density of values by a kernel, with Scott's bandwidth
// (Scott, Multivariate Density Estimation, 1992).
func density(values []float64) func(float64) float64 {
	if slices.Min(values) == slices.Max(values) {
		return func(float64) float64 { return 0 }
	}
	kernel := stats.KDE{Sample: stats.Sample{Xs: values}}
	return kernel.PDF
}
