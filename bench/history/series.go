package history

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchunit"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Run is one added file of results.
type Run struct {
	Revision, Machine string
	Started           time.Time
	Cases             int
}

// Runs returns all added runs, ordered by start.
func (s *Store) Runs(ctx context.Context) (runs []Run, err error) {
	all, err := s.runs(ctx)
	for _, e := range all {
		cases := map[result.Key]bool{}
		for _, v := range e.Samples {
			cases[v.key()] = true
		}
		runs = append(runs, Run{Revision: e.Revision, Machine: e.Machine, Started: e.Started,
			Cases: len(cases)})
	}
	return runs, err
}

func (v sample) key() result.Key { return result.Key{Package: v.Package, Name: v.Name} }

// Series is a case and unit on one machine, over revisions.
type Series struct {
	Key     result.Key
	Unit    string
	Machine string
	Exact   bool
	Better  int // 1 if higher is better, -1 if lower is, 0 if unknown
	Points  []Point
}

// Point is a revision with the results of all its runs.
type Point struct {
	Revision string
	Started  time.Time // of the first run
	Values   []float64
}

// Median returns the median of the values.
func (p Point) Median() float64 { return stats.Median(p.Values) }

// minNoise is the least assumed noise, as a share of the level: figures that
// were identical so far can still vary.
const minNoise = 0.001

// Changes returns the changes of the level.
func (s Series) Changes() []Change {
	if s.Exact {
		return steps(s.medians())
	}
	return shifts(s.medians(), minNoise)
}

// medians returns the median of each revision.
func (s Series) medians() []float64 {
	ys := make([]float64, len(s.Points))
	for i, p := range s.Points {
		ys[i] = p.Median()
	}
	return ys
}

// Worse reports whether a change is known to be for the worse.
func (s Series) Worse(c Change) bool { return float64(s.Better)*(c.After-c.Before) < 0 }

// Series returns the series of matching cases by machine and name, in one unit
// or, if unit is empty, in all units.
func (s *Store) Series(ctx context.Context, cases *regexp.Regexp, unit string) (all []Series, err error) {
	runs, err := s.runs(ctx)
	var points []measured
	for _, e := range runs {
		for _, v := range e.Samples {
			if (unit == "" || v.Unit == unit) && len(v.Values) > 0 && cases.MatchString(v.key().String()) {
				points = append(points, measured{
					Series{Key: v.key(), Unit: v.Unit, Machine: e.Machine, Exact: v.Exact, Better: v.Better},
					Point{e.Revision, e.Started, v.Values},
				})
			}
		}
	}
	return joined(points), err
}

// measured is a point with its series, which has no points.
type measured struct {
	Series
	Point
}

// joined returns the series of points, ordered by machine, case and unit. A revision is one
// point with all its values.
func joined(points []measured) (all []Series) {
	slices.SortStableFunc(points, func(a, b measured) int {
		return cmp.Or(strings.Compare(a.Machine, b.Machine), strings.Compare(a.Key.String(), b.Key.String()),
			strings.Compare(a.Unit, b.Unit), a.Started.Compare(b.Started))
	})
	for _, p := range points {
		if n := len(all) - 1; n < 0 || all[n].Machine != p.Machine || all[n].Key != p.Key ||
			all[n].Unit != p.Unit {
			all = append(all, p.Series)
		}
		last := &all[len(all)-1]
		last.Exact, last.Better = p.Exact, p.Better
		at := slices.IndexFunc(last.Points, func(q Point) bool { return q.Revision == p.Revision })
		if at >= 0 {
			last.Points[at].Values = slices.Concat(last.Points[at].Values, p.Values)
		} else {
			last.Points = append(last.Points, p.Point)
		}
	}
	return all
}

// Mix joins the series of a case and unit: of all machines, or of machines that differ in
// the name of the host only.
func Mix(all []Series, anyMachine bool) (mixed []Series) {
	var points []measured
	for _, s := range all {
		for _, p := range s.Points {
			m := measured{s, p}
			m.Machine = withoutHost(s.Machine)
			if anyMachine {
				m.Machine = ""
			}
			m.Points = nil
			points = append(points, m)
		}
	}
	return joined(points)
}

// WriteRuns lists runs, one on each line.
func WriteRuns(w io.Writer, runs []Run) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-20s %-19s %5s  %s\n", "revision", "started", "cases", "machine")
	for _, r := range runs {
		fmt.Fprintf(&b, "%-20s %-19s %5d  %s\n", brief(r.Revision),
			r.Started.UTC().Format("2006-01-02 15:04:05"), r.Cases, text.Visible(r.Machine))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteCases lists series: the number of revisions, the last median, the last
// change.
func WriteCases(w io.Writer, all []Series) error {
	var b strings.Builder
	for _, s := range all {
		last := s.Points[len(s.Points)-1].Median()
		fmt.Fprintf(&b, "%s  %s, %s %s", text.Visible(s.Key.String()), text.Plural(len(s.Points), "revision"),
			number(last, s.Unit), s.Unit)
		if cs := s.Changes(); len(cs) > 0 {
			fmt.Fprintf(&b, "; %s", s.sentence(cs[len(cs)-1]))
		}
		fmt.Fprintf(&b, "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// sentence describes a change.
func (s Series) sentence(c Change) string {
	verdict := ""
	switch {
	case s.Worse(c):
		verdict = " (worse)"
	case s.Better != 0:
		verdict = " (better)"
	}
	noticed := ""
	if c.Alarm > c.At {
		noticed = ", noticed at " + brief(s.Points[c.Alarm].Revision)
	}
	return fmt.Sprintf("%s since %s%s%s", text.Change(c.After/c.Before-1), brief(s.Points[c.At].Revision),
		verdict, noticed)
}

// number formats v with four digits and, for seconds, a metric prefix.
func number(v float64, unit string) string {
	return benchunit.Scale(v, benchunit.ClassOf(unit))
}

// brief abbreviates a revision; + marks uncommitted changes.
func brief(revision string) string {
	hash, _, changed := strings.Cut(text.Visible(revision), "+")
	if len(hash) == 40 || len(hash) == 64 {
		hash = hash[:12]
	}
	if changed {
		hash += "+"
	}
	return hash
}
