package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// findingsTable lists the results of the comparisons, the last revision first.
func (s *state) findingsTable() report.Table {
	t := report.Table{Title: "Findings", Note: "A regression was confirmed by measuring both revisions in turns.", Head: []string{"finding"}}
	for _, commit := range s.line {
		for _, f := range s.findings {
			if f.Head == commit {
				for _, line := range f.lines() {
					t.Rows = append(t.Rows, []string{line})
				}
			}
		}
	}
	for _, f := range s.findings {
		if _, on := position(s.line, f.Head); !on {
			for _, line := range f.lines() {
				t.Rows = append(t.Rows, []string{line})
			}
		}
	}
	return t
}

// revisionsTable lists the revisions that were measured or cannot be.
func (s *state) revisionsTable() report.Table {
	t := report.Table{Title: "Revisions", Head: []string{"revision", "state", "benchmarks left out"}}
	for _, commit := range s.line {
		reason, cannot := s.reasons[commit]
		d := s.data[commit]
		switch {
		case cannot:
			t.Rows = append(t.Rows, []string{commit, strings.TrimSpace(reason.text), ""})
		case d != nil:
			state := "measured"
			if c := canaryOf(d); canaryShift(c[:canaryCount], c[canaryCount:]) > canaryLimit {
				state = fmt.Sprintf("measured; the canary changed by %.1f %%", 100*canaryShift(c[:canaryCount], c[canaryCount:]))
			}
			t.Rows = append(t.Rows, []string{commit, state, strings.Join(append(d.Config[unknownFlags], d.Config[leftOut]...), "; ")})
		}
	}
	return t
}

func position(line []string, commit string) (int, bool) {
	for i, c := range line {
		if c == commit {
			return i, true
		}
	}
	return 0, false
}
