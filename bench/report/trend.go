package report

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"math"
	"regexp"
	"slices"
	"time"

	"golang.org/x/perf/benchunit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/zkatbench/zkatbench/bench/history"
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
		unit = timeUnit(in.Results)
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
func trends(all []history.Series) (s section, err error) {
	s = section{
		ID: "history", Title: "History",
		Lead: "Medians over revisions in the order of measurement, with the range of measured values. Dotted lines mark changes of the level: green for better, red for worse. All panels of a machine have the same revisions and the same relative scale; triangles are medians beyond it.",
	}
	for i, machine := range machines(all) {
		f := figure{
			ID: fmt.Sprintf("history-%d", i+1), Title: "On " + cmp.Or(machine, "an unnamed machine"),
			Table: table{Head: []string{"case", "unit", "revision", "started", "median", "results", "change"}},
		}
		v := variant{}
		of := axesOf(changedFirst(all, machine))
		for _, series := range changedFirst(all, machine) {
			tabulate(series, &f.Table)
			picture, err := of.draw(series)
			if err != nil {
				return s, err
			}
			v.Panels = append(v.Panels, panel{series.Key.String(), picture})
		}
		f.Variants = []variant{v}
		s.Figures = append(s.Figures, f)
	}
	return s, nil
}

func machines(all []history.Series) (names []string) {
	for _, s := range all {
		if !slices.Contains(names, s.Machine) {
			names = append(names, s.Machine)
		}
	}
	return names
}

func changedFirst(all []history.Series, machine string) (some []history.Series) {
	for _, s := range all {
		if s.Machine == machine {
			some = append(some, s)
		}
	}
	slices.SortStableFunc(some, func(a, b history.Series) int {
		return min(1, len(b.Changes())) - min(1, len(a.Changes()))
	})
	return some
}

func tabulate(s history.Series, t *table) {
	changes := s.Changes()
	for i, p := range s.Points {
		change := ""
		for _, c := range changes {
			if c.At == i {
				change = fmt.Sprintf("%+.1f %%", 100*(c.After/c.Before-1))
			}
		}
		t.add(s.Key.String(), s.Unit, p.Revision, p.Started.UTC().Format(time.RFC3339), plain(p.Median()), fmt.Sprint(len(p.Values)), change)
	}
}

// trendAxes are the axes that the panels of a machine share: the places of the
// revisions, and the range of values relative to the median of their series.
type trendAxes struct {
	places map[string]int
	span
}

func axesOf(all []history.Series) trendAxes {
	var points []history.Point
	for _, s := range all {
		points = append(points, s.Points...)
	}
	slices.SortStableFunc(points, func(a, b history.Point) int { return a.Started.Compare(b.Started) })
	of := trendAxes{places: map[string]int{}}
	for _, p := range points {
		if _, known := of.places[p.Revision]; !known {
			of.places[p.Revision] = len(of.places)
		}
	}
	var spans []span
	for _, s := range all {
		middle, unit := level(s)
		for _, p := range s.Points {
			spans = append(spans, span{(slices.Min(p.Values) - middle) / unit, (slices.Max(p.Values) - middle) / unit})
		}
	}
	of.span, _ = within(spans)
	const least = 0.002 // a wobble is no mountain
	margin := max(0.06*(of.high-of.low), least)
	of.low, of.high = of.low-margin, of.high+margin
	return of
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

func (of trendAxes) at(p history.Point) float64 { return float64(of.places[p.Revision]) }

func (of trendAxes) draw(s history.Series) (template.HTML, error) {
	middle, unit := level(s)
	bottom, top := middle+of.low*unit, middle+of.high*unit
	inside := func(v float64) float64 { return min(max(v, bottom), top) }
	var points []linePoint
	var spots []spot
	var beyond plotter.XYs
	for _, p := range s.Points {
		x, y := of.at(p), p.Median()
		spots = append(spots, spot{x, y, fmt.Sprintf("%s: %s", abbreviated(p.Revision), show(y, s.Unit))})
		points = append(points, linePoint{x, summary{Mid: y, Low: inside(slices.Min(p.Values)), High: inside(slices.Max(p.Values)), Bounded: true}, ""})
		if inside(y) != y {
			beyond = append(beyond, plotter.XY{X: x, Y: inside(y)})
		}
	}
	scale := scaleOf(s.Unit, top)
	if s.Exact {
		scale.scaler = benchunit.NoOpScaler // exact counts
	}
	p := newPlot(short(s.Key.Name))
	p.Y.Label.Text, p.Y.Tick.Marker = scale.label(), inUnits{scale}
	names := make([]string, len(of.places))
	for name, at := range of.places {
		names[at] = abbreviated(name)
	}
	last := len(names) - 1
	p.X.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: names[0]}, {Value: float64(last), Label: names[last]}}
	if err := addLine(p, 0, points); err != nil {
		return "", err
	}
	if len(beyond) > 0 {
		triangles, err := plotter.NewScatter(beyond)
		if err != nil {
			return "", err
		}
		triangles.Color, triangles.Radius, triangles.Shape = seriesInk(0), 4, draw.TriangleGlyph{}
		p.Add(triangles)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, max(float64(last), 1), bottom, top
	for _, c := range s.Changes() {
		colour := ink(inkText)
		switch {
		case s.Worse(c):
			colour = ink(inkBad)
		case s.Better != 0:
			colour = ink(inkGood)
		}
		if err := addMark(p, of.at(s.Points[c.At])-0.5, colour); err != nil {
			return "", err
		}
	}
	return svg(p, s.Key.String()+" over revisions", panelWidth, 190, spots...)
}

// abbreviated returns the part of a revision that fits on an axis.
func abbreviated(revision string) string {
	r := []rune(revision)
	return string(r[:min(len(r), 10)])
}
