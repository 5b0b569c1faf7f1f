package history

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchunit"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/text"
)

// Run is one added file of results.
type Run struct {
	Revision, Machine string
	Started           time.Time
	Cases             int
}

// Runs returns all added runs, ordered by start.
func (s *Store) Runs(ctx context.Context) (runs []Run, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT revision, started, machine, count(DISTINCT package || ' ' || name)
		FROM run LEFT JOIN sample ON run = run.id GROUP BY run.id ORDER BY started, run.id`)
	if err != nil {
		return nil, s.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r Run
		var started string
		if err := rows.Scan(&r.Revision, &started, &r.Machine, &r.Cases); err != nil {
			return nil, s.explain(err)
		}
		if r.Started, err = time.Parse(time.RFC3339Nano, started); err != nil {
			return nil, s.explain(err)
		}
		runs = append(runs, r)
	}
	return runs, s.explain(rows.Err())
}

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
	rows, err := s.db.QueryContext(ctx, `SELECT machine, package, name, unit, exact, better, revision, started, samples
		FROM sample JOIN run ON run = run.id WHERE unit = ?1 OR ?1 = ''
		ORDER BY machine, package, name, unit, started, run.id`, unit)
	if err != nil {
		return nil, s.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var at Series
		var p Point
		var started, samples string
		if err := rows.Scan(&at.Machine, &at.Key.Package, &at.Key.Name, &at.Unit, &at.Exact, &at.Better, &p.Revision, &started, &samples); err != nil {
			return nil, s.explain(err)
		}
		if !cases.MatchString(at.Key.String()) {
			continue
		}
		if err := json.Unmarshal([]byte(samples), &p.Values); err != nil {
			return nil, fmt.Errorf("%s: %w: samples of %s: %w", s.name, ErrStore, at.Key, err)
		}
		if p.Started, err = time.Parse(time.RFC3339Nano, started); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", s.name, ErrStore, err)
		}
		all = place(all, at, p)
	}
	return all, s.explain(rows.Err())
}

// place adds p to the last series if it belongs to it, and otherwise begins a
// new series.
func place(all []Series, at Series, p Point) []Series {
	if len(p.Values) == 0 {
		return all
	}
	if n := len(all) - 1; n < 0 || all[n].Machine != at.Machine || all[n].Key != at.Key || all[n].Unit != at.Unit {
		all = append(all, at)
	}
	last := &all[len(all)-1]
	last.Exact, last.Better = at.Exact, at.Better
	if i := slices.IndexFunc(last.Points, func(q Point) bool { return q.Revision == p.Revision }); i >= 0 {
		last.Points[i].Values = append(last.Points[i].Values, p.Values...)
	} else {
		last.Points = append(last.Points, p)
	}
	return all
}

// WriteRuns lists runs, one on each line.
func WriteRuns(w io.Writer, runs []Run) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-20s %-19s %5s  %s\n", "revision", "started", "cases", "machine")
	for _, r := range runs {
		fmt.Fprintf(&b, "%-20s %-19s %5d  %s\n", brief(r.Revision), r.Started.UTC().Format("2006-01-02 15:04:05"), r.Cases, text.Visible(r.Machine))
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
		fmt.Fprintf(&b, "%s  %s, %s %s", text.Visible(s.Key.String()), text.Plural(len(s.Points), "revision"), number(last, s.Unit), s.Unit)
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
	return fmt.Sprintf("%s since %s%s%s", text.Change(c.After/c.Before-1), brief(s.Points[c.At].Revision), verdict, noticed)
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
