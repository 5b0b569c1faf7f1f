package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/text"
)

// AddTrends adds the series of a history for the cases of the page, or for all
// cases if the page is empty: the series in the unit of the growth section, and
// the series in other units that changed.
func (in *Input) AddTrends(ctx context.Context, h *history.Store) error {
	all, err := h.Series(ctx, regexp.MustCompile(""), "")
	if err != nil {
		return err
	}
	unit := "sec/op"
	if in.Results != nil {
		unit = changes{}.judgedFirst(in.Results)[0]
	}
	for _, s := range all {
		shown := in.Results == nil || in.Results.Values[s.Key] != nil
		if shown && len(s.Points) > 1 && (s.Unit == unit || len(s.Changes()) > 0) {
			in.Trends = append(in.Trends, s)
		}
	}
	return nil
}

// trends shows cases over revisions, a figure for each machine, changed cases first.
func trends(all []history.Series) (s section) {
	s = section{
		ID: "history", Title: "History",
		Lead: "Medians over revisions in the order of measurement, relative to the median of all, with the range of measured values. Dotted lines mark changes of the level: green for better, red for worse. All panels of a machine have the same axes; triangles are medians beyond them.",
	}
	var machines []string
	series := map[string][]history.Series{}
	for _, one := range all {
		if series[one.Machine] == nil {
			machines = append(machines, one.Machine)
		}
		series[one.Machine] = append(series[one.Machine], one)
	}
	for _, machine := range machines {
		f := figure{
			Title: "On " + cmp.Or(machine, "an unnamed machine"),
			Table: table{Head: []string{"case", "unit", "revision", "started", "median", "results", "change"}},
		}
		some := series[machine]
		slices.SortStableFunc(some, func(a, b history.Series) int { return min(1, len(b.Changes())) - min(1, len(a.Changes())) })
		shared := axesOf(some)
		for _, one := range some {
			for i, p := range one.Points {
				change := ""
				for _, c := range one.Changes() {
					if c.At == i {
						change = text.Change(c.After/c.Before - 1)
					}
				}
				f.Table.add(one.Key.String(), one.Unit, p.Revision, p.Started.UTC().Format(time.RFC3339), plain(p.Median()), fmt.Sprint(len(p.Values)), change)
			}
			f.add(one.Key.String(), shared.chart(one))
		}
		s.Figures = append(s.Figures, f)
	}
	return s
}

// trendAxes are the axes that the panels of a machine share: the places of the
// revisions, and the range of values relative to the median of their series.
type trendAxes struct {
	places map[string]float64
	x, y   chart.Axis
}

func axesOf(all []history.Series) trendAxes {
	var points []history.Point
	var spans []span
	for _, s := range all {
		points = append(points, s.Points...)
		relative, _ := level(s)
		for _, p := range s.Points {
			spans = append(spans, span{relative(slices.Min(p.Values)), relative(slices.Max(p.Values))})
		}
	}
	slices.SortStableFunc(points, func(a, b history.Point) int { return a.Started.Compare(b.Started) })
	t := trendAxes{places: map[string]float64{}}
	for _, p := range points {
		if _, known := t.places[p.Revision]; !known {
			t.x.High = float64(len(t.places))
			t.places[p.Revision] = t.x.High
			t.x.Ticks = append(t.x.Ticks[:min(1, len(t.x.Ticks))], chart.Tick{Value: t.x.High, Label: abbreviated(p.Revision)}) // the first and the last
		}
	}
	kept, _ := within(spans)
	const least = 0.002 // a wobble is no mountain
	margin := max(0.06*(kept.high-kept.low), least)
	t.y = chart.Axis{Label: text.Change, Low: kept.low - margin, High: kept.high + margin}
	return t
}

// level returns the median of a series, and a function that makes values relative to it.
func level(s history.Series) (relative func(float64) float64, middle float64) {
	var medians []float64
	for _, p := range s.Points {
		medians = append(medians, p.Median())
	}
	middle = stats.Median(medians)
	unit := cmp.Or(math.Abs(middle), slices.Max(medians), 1)
	return func(v float64) float64 { return (v - middle) / unit }, middle
}

func (t trendAxes) chart(s history.Series) *chart.Chart {
	relative, middle := level(s)
	unit := s.Unit
	if s.Exact {
		unit = "" // all digits
	}
	line := chart.Series{}
	for _, p := range s.Points {
		line.Points = append(line.Points, chart.Point{
			X: t.places[p.Revision], Y: relative(p.Median()), Low: relative(slices.Min(p.Values)), High: relative(slices.Max(p.Values)), Bounded: true,
			Hint: abbreviated(p.Revision) + ": " + show(p.Median(), unit),
		})
	}
	c := &chart.Chart{Title: short(s.Key.Name), X: t.x, Y: t.y, Series: []chart.Series{line}}
	c.Y.Name = s.Unit + ", median " + show(middle, unit)
	for _, change := range s.Changes() {
		colour := "text"
		switch {
		case s.Worse(change):
			colour = "bad"
		case s.Better != 0:
			colour = "good"
		}
		c.Rules = append(c.Rules, chart.Rule{X: t.places[s.Points[change.At].Revision] - 0.5, Colour: colour})
	}
	return c
}

// abbreviated returns the part of a revision that fits on an axis.
func abbreviated(revision string) string {
	r := []rune(revision)
	return string(r[:min(len(r), 10)])
}
