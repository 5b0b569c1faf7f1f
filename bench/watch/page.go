package watch

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/chart"
	"github.com/zkatbench/zkatbench/bench/report"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/outfile"
)

// writePage writes the page over revisions: findings, revisions, cases. It is
// written only if it differs.
func (w *Watch) writePage(ctx context.Context, s *state) error {
	all, err := s.series(ctx)
	if err != nil {
		return err
	}
	in := report.Input{Title: "Benchmarks of " + w.Branch}
	for _, one := range []chart.Group{s.findingsTable(), s.revisionsTable()} {
		if len(one.Table.Rows) > 0 {
			in.Charts = append(in.Charts, one)
		}
	}
	for _, one := range all {
		if len(one.Points) > 1 {
			in.Trends = append(in.Trends, one)
		}
	}
	var html bytes.Buffer
	if err := report.Write(&html, in); err != nil {
		if errors.Is(err, report.ErrEmpty) {
			return nil
		}
		return err
	}
	name := filepath.Join(w.Dir, "page.html")
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, html.Bytes()) {
		return nil
	}
	return outfile.WriteBytes(name, html.Bytes())
}

// findingsTable lists the results of the comparisons, the last one first.
func (s *state) findingsTable() chart.Group {
	g := chart.Group{Title: "Findings",
		Notes: []string{"A regression was confirmed by measuring both revisions in turns."},
		Table: text.Table{Head: []string{"finding"}}}
	for _, f := range slices.SortedStableFunc(slices.Values(s.findings), func(a, b finding) int {
		return b.At.Compare(a.At)
	}) {
		for _, line := range f.lines() {
			g.Table.Rows = append(g.Table.Rows, []string{line})
		}
	}
	return g
}

// revisionsTable lists the revisions that were measured or cannot be.
func (s *state) revisionsTable() chart.Group {
	t := text.Table{Head: []string{"revision", "state", "benchmarks left out"}}
	for _, commit := range s.line {
		if reason, cannot := s.reasons[commit]; cannot {
			t.Rows = append(t.Rows, []string{commit, strings.TrimSpace(reason.text), ""})
		} else if d := s.data[commit]; d != nil {
			t.Rows = append(t.Rows, []string{commit, "measured", strings.Join(d.Config[LeftOut], "; ")})
		}
	}
	return chart.Group{Title: "Revisions", Table: t}
}
