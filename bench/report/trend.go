package report

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"time"

	"golang.org/x/perf/benchunit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/zkatbench/zkatbench/bench/history"
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
		Lead: "Medians over revisions in the order of measurement, with the range of measured values. Dotted lines mark changes of the level: green for better, red for worse.",
	}
	for i, machine := range machines(all) {
		f := figure{
			ID: fmt.Sprintf("history-%d", i+1), Title: "On " + cmp.Or(machine, "an unnamed machine"),
			Table: table{Head: []string{"case", "unit", "revision", "started", "median", "results", "change"}},
		}
		v := variant{}
		for _, series := range changedFirst(all, machine) {
			tabulate(series, &f.Table)
			picture, err := drawTrend(series)
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

func drawTrend(s history.Series) (template.HTML, error) {
	top := 0.0
	var points []linePoint
	var spots []spot
	for i, p := range s.Points {
		spots = append(spots, spot{float64(i), p.Median(), fmt.Sprintf("%s: %s", abbreviated(p.Revision), show(p.Median(), s.Unit))})
		low, high := slices.Min(p.Values), slices.Max(p.Values)
		points = append(points, linePoint{float64(i), summary{Mid: p.Median(), Low: low, High: high, Bounded: true}, ""})
		top = max(top, high)
	}
	scale := scaleOf(s.Unit, top)
	if s.Exact {
		scale.scaler = benchunit.NoOpScaler // exact counts
	}
	p := newPlot(short(s.Key.Name))
	p.Y.Label.Text, p.Y.Tick.Marker = scale.label(), inUnits{scale}
	last := len(s.Points) - 1
	p.X.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: abbreviated(s.Points[0].Revision)}, {Value: float64(last), Label: abbreviated(s.Points[last].Revision)}}
	if err := addLine(p, 0, points); err != nil {
		return "", err
	}
	for _, c := range s.Changes() {
		mark, err := plotter.NewLine(plotter.XYs{{X: float64(c.At) - 0.5, Y: p.Y.Min}, {X: float64(c.At) - 0.5, Y: p.Y.Max}})
		if err != nil {
			return "", err
		}
		mark.Color, mark.Width, mark.Dashes = ink(inkText), 1.5, dots
		switch {
		case s.Worse(c):
			mark.Color = ink(inkBad)
		case s.Better != 0:
			mark.Color = ink(inkGood)
		}
		p.Add(mark)
	}
	return svg(p, s.Key.String()+" over revisions", panelWidth, 190, spots...)
}

// abbreviated returns the part of a revision that fits on an axis.
func abbreviated(revision string) string {
	r := []rune(revision)
	return string(r[:min(len(r), 10)])
}
