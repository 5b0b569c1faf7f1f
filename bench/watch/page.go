package watch

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/report"
)

// writePage writes the page over revisions: findings, revisions, cases. It is
// written only if it differs.
func (w *Watch) writePage(ctx context.Context, s *state) error {
	all, err := s.series(ctx)
	if err != nil {
		return err
	}
	in := report.Input{Title: "Benchmarks of " + w.Branch}
	in.Tables = append(in.Tables, s.findingsTable(), s.revisionsTable())
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
	return w.write(name, html.Bytes())
}

// findingsTable lists the results of the comparisons, the last revision first, then those
// of other branches.
func (s *state) findingsTable() report.Table {
	t := report.Table{Title: "Findings", Note: "A regression was confirmed by measuring both revisions in turns.", Head: []string{"finding"}}
	place := func(f finding) int {
		if i := slices.Index(s.line, f.Head); i >= 0 {
			return i
		}
		return len(s.line)
	}
	sorted := slices.Clone(s.findings)
	slices.SortStableFunc(sorted, func(a, b finding) int { return place(a) - place(b) })
	for _, f := range sorted {
		for _, line := range f.lines() {
			t.Rows = append(t.Rows, []string{line})
		}
	}
	return t
}

// revisionsTable lists the revisions that were measured or cannot be.
func (s *state) revisionsTable() report.Table {
	t := report.Table{Title: "Revisions", Head: []string{"revision", "state", "benchmarks left out"}}
	for _, commit := range s.line {
		if reason, cannot := s.reasons[commit]; cannot {
			t.Rows = append(t.Rows, []string{commit, strings.TrimSpace(reason.text), ""})
		} else if d := s.data[commit]; d != nil {
			t.Rows = append(t.Rows, []string{commit, "measured", strings.Join(d.Config[LeftOut], "; ")})
		}
	}
	return t
}
