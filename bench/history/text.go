package history

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/zkatbench/zkatbench/text"
)

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
	return fmt.Sprintf("%+.1f %% since %s%s%s", 100*(c.After/c.Before-1), brief(s.Points[c.At].Revision), verdict, noticed)
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
