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

// trends shows cases over revisions, a figure for each machine, changed cases
// first.
func trends(all []history.Series) (s section) {
	s = section{
		ID: "history", Title: "History",
		Lead: "Medians over revisions in the order of measurement, relative to the median of all, with the range of measured values. Dotted lines mark changes of the level: green for better, red for worse. All panels of a machine have the same axes; triangles are medians beyond them.",
	}
	machines, series := byMachine(all)
	for _, machine := range machines {
		f := figure{
			Title: "On " + cmp.Or(machine, "an unnamed machine"),
			Table: table{Head: []string{"case", "unit", "revision", "started", "median", "results", "change"}},
		}
		v, shared := variant{}, axesOf(series[machine])
		for _, one := range series[machine] {
			tabulate(one, &f.Table)
			v.add(one.Key.String(), shared.chart(one))
		}
		f.Variants = []variant{v}
		s.Figures = append(s.Figures, f)
	}
	return s
}

// byMachine returns the machines in the order of the series, and the series of each,
// changed ones first.
func byMachine(all []history.Series) (machines []string, series map[string][]history.Series) {
	series = map[string][]history.Series{}
	all = slices.Clone(all)
	for _, s := range all {
		if !slices.Contains(machines, s.Machine) {
			machines = append(machines, s.Machine)
		}
	}
	slices.SortStableFunc(all, func(a, b history.Series) int { return min(1, len(b.Changes())) - min(1, len(a.Changes())) })
	for _, s := range all {
		series[s.Machine] = append(series[s.Machine], s)
	}
	return machines, series
}

func tabulate(s history.Series, t *table) {
	changes := s.Changes()
	for i, p := range s.Points {
		change := ""
		for _, c := range changes {
			if c.At == i {
				change = text.Change(c.After/c.Before - 1)
			}
		}
		t.add(s.Key.String(), s.Unit, p.Revision, p.Started.UTC().Format(time.RFC3339), plain(p.Median()), fmt.Sprint(len(p.Values)), change)
	}
}

// trendAxes are the axes that the panels of a machine share: the places of the
// revisions, and the range of values relative to the median of their series.
type trendAxes struct {
	places map[string]int
	x, y   chart.Axis
}

func axesOf(all []history.Series) trendAxes {
	var points []history.Point
	for _, s := range all {
		points = append(points, s.Points...)
	}
	slices.SortStableFunc(points, func(a, b history.Point) int { return a.Started.Compare(b.Started) })
	t := trendAxes{places: map[string]int{}}
	var names []string
	for _, p := range points {
		if _, known := t.places[p.Revision]; !known {
			t.places[p.Revision], names = len(names), append(names, p.Revision)
		}
	}
	last := float64(len(names) - 1)
	t.x = chart.Axis{Low: 0, High: max(last, 1), Ticks: []chart.Tick{{Value: 0, Label: abbreviated(names[0])}, {Value: last, Label: abbreviated(names[len(names)-1])}}}
	var spans []span
	for _, s := range all {
		middle, unit := level(s)
		for _, p := range s.Points {
			spans = append(spans, span{(slices.Min(p.Values) - middle) / unit, (slices.Max(p.Values) - middle) / unit})
		}
	}
	kept, _ := within(spans)
	const least = 0.002 // a wobble is no mountain
	margin := max(0.06*(kept.high-kept.low), least)
	t.y = chart.Axis{Label: text.Change, Low: kept.low - margin, High: kept.high + margin}
	return t
}

// level returns the median of a series and the unit of its relative values.
func level(s history.Series) (middle, unit float64) {
	var medians []float64
	for _, p := range s.Points {
		medians = append(medians, p.Median())
	}
	middle = stats.Median(medians)
	return middle, cmp.Or(math.Abs(middle), slices.Max(medians), 1)
}

func (t trendAxes) chart(s history.Series) *chart.Chart {
	middle, unit := level(s)
	shown := func(v float64) string {
		if s.Exact {
			return text.Count(int64(v))
		}
		return show(v, s.Unit)
	}
	relative := func(v float64) float64 { return (v - middle) / unit }
	line := chart.Series{}
	for _, p := range s.Points {
		line.Points = append(line.Points, chart.Point{
			X: float64(t.places[p.Revision]), Y: relative(p.Median()), Low: relative(slices.Min(p.Values)), High: relative(slices.Max(p.Values)), Bounded: true,
			Hint: abbreviated(p.Revision) + ": " + shown(p.Median()),
		})
	}
	c := &chart.Chart{Title: short(s.Key.Name), X: t.x, Y: t.y, Series: []chart.Series{line}}
	c.Y.Name = s.Unit + ", median " + shown(middle)
	for _, change := range s.Changes() {
		colour := "text"
		switch {
		case s.Worse(change):
			colour = "bad"
		case s.Better != 0:
			colour = "good"
		}
		c.Rules = append(c.Rules, chart.Rule{X: float64(t.places[s.Points[change.At].Revision]) - 0.5, Colour: colour})
	}
	return c
}

// abbreviated returns the part of a revision that fits on an axis.
func abbreviated(revision string) string {
	r := []rune(revision)
	return string(r[:min(len(r), 10)])
}
