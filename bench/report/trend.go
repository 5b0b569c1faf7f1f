package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/history"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/stats"
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
		Lead: "Medians over revisions in the order of measurement, relative to the median of all, with the " +
			"range of measured values. Dotted lines mark changes of the level: green for better, red for " +
			"worse. All panels of a machine have the same axes; triangles are medians beyond them.",
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b history.Series) int {
		return cmp.Or(strings.Compare(a.Machine, b.Machine),
			min(1, len(b.Changes()))-min(1, len(a.Changes())))
	})
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Machine == all[0].Machine {
			n++
		}
		s.Figures = append(s.Figures, onMachine(all[:n]))
		all = all[n:]
	}
	return s
}

// onMachine draws the cases of a machine, which share axes: the places of the revisions,
// and the range of values relative to the median of their series.
func onMachine(all []history.Series) figure {
	f := figure{
		Title: "On " + cmp.Or(all[0].Machine, "an unnamed machine"),
		Table: table{Head: []string{"case", "unit", "revision", "started", "median", "results", "change"}},
	}
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
	x, places := chart.Axis{}, map[string]float64{}
	for _, p := range points {
		if _, known := places[p.Revision]; !known {
			x.High = float64(len(places))
			places[p.Revision] = x.High
			// the first and the last
			x.Ticks = append(x.Ticks[:min(1, len(x.Ticks))],
				chart.Tick{Value: x.High, Label: abbreviated(p.Revision)})
		}
	}
	kept, _ := within(spans)
	const least = 0.002 // do not magnify a wobble
	margin := max(0.06*(kept.high-kept.low), least)
	for _, s := range all {
		f.addTrend(s, places,
			&chart.Chart{Title: short(s.Key.Name), X: x,
				Y: chart.Axis{Label: text.Change, Low: kept.low - margin, High: kept.high + margin}})
	}
	return f
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

// addTrend adds a series to the table, and its line and changes to c.
func (f *figure) addTrend(s history.Series, places map[string]float64, c *chart.Chart) {
	relative, middle := level(s)
	unit := s.Unit
	if s.Exact {
		unit = "" // all digits
	}
	c.Y.Name = s.Unit + ", median " + show(middle, unit)
	changes := make([]string, len(s.Points))
	for _, change := range s.Changes() {
		changes[change.At] = text.Change(change.After/change.Before - 1)
		colour := "text"
		switch {
		case s.Worse(change):
			colour = "bad"
		case s.Better != 0:
			colour = "good"
		}
		c.Rules = append(c.Rules, chart.Rule{X: places[s.Points[change.At].Revision] - 0.5, Colour: colour})
	}
	line := chart.Series{}
	for i, p := range s.Points {
		f.Table.add(s.Key.String(), s.Unit, p.Revision, p.Started.UTC().Format(time.RFC3339),
			plain(p.Median()), fmt.Sprint(len(p.Values)), changes[i])
		line.Points = append(line.Points, chart.Point{
			X: places[p.Revision], Y: relative(p.Median()), Low: relative(slices.Min(p.Values)),
			High: relative(slices.Max(p.Values)), Bounded: true,
			Hint: abbreviated(p.Revision) + ": " + show(p.Median(), unit),
		})
	}
	c.Series = []chart.Series{line}
	f.add(s.Key.String(), c)
}

// abbreviated returns the part of a revision that fits on an axis.
func abbreviated(revision string) string {
	r := []rune(revision)
	return string(r[:min(len(r), 10)])
}
