package history

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/zkatbench/zkatbench/text"
)

// WriteRuns lists runs, one on each line.
func WriteRuns(w io.Writer, runs []Run) error {
	p := &page{w: w}
	p.printf("%-20s %-19s %5s  %s\n", "revision", "started", "cases", "machine")
	for _, r := range runs {
		p.printf("%-20s %-19s %5d  %s\n", brief(r.Revision), r.Started.UTC().Format("2006-01-02 15:04:05"), r.Cases, text.Visible(r.Machine))
	}
	return p.err
}

// WriteCases lists series: the number of revisions, the last median, the last
// change.
func WriteCases(w io.Writer, all []Series) error {
	p := &page{w: w}
	for _, s := range all {
		last := s.Points[len(s.Points)-1].Median()
		p.printf("%s  %s, %s %s", text.Visible(s.Key.String()), text.Plural(len(s.Points), "revision"), number(last, s.Unit), s.Unit)
		if cs := s.Changes(); len(cs) > 0 {
			p.printf("; %s", s.sentence(cs[len(cs)-1]))
		}
		p.printf("\n")
	}
	return p.err
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

// Plot draws a series with one line for each revision, oldest first: its median
// at ●, all its values between ├ and ┤, and a horizontal line where the level
// changed. ascii selects *, [ and ] instead.
func Plot(w io.Writer, s Series, width int, ascii bool) error {
	p := &page{w: w}
	p.printf("%s  %s\n%s\n", text.Visible(s.Key.String()), s.Unit, text.Visible(s.Machine))
	number := func(v float64) string {
		if ascii {
			return strings.ReplaceAll(number(v, s.Unit), "µ", "u")
		}
		return number(v, s.Unit)
	}
	line := "─"
	if ascii {
		line = "-"
	}
	low, high := s.ends()
	cells := max(width-textWidth, 10)
	changes := s.Changes()
	for i, pt := range s.Points {
		for _, c := range changes {
			if c.At == i {
				p.printf("%s %s\n", strings.Repeat(line, textWidth-2), s.sentence(c))
			}
		}
		p.printf("%-13.13s %s %10s  %s\n", brief(pt.Revision), pt.Started.UTC().Format("2006-01-02"), number(pt.Median()), pt.draw(low, high, cells, ascii))
	}
	first, last := number(low), number(high) // the ends of the axis
	p.printf("%*s%s%*s\n", textWidth, "", first, max(cells-text.Len(first), text.Len(last)+1), last)
	return p.err
}

// textWidth is the width of the columns before the picture.
const textWidth = 13 + 1 + 10 + 1 + 10 + 2

func (s Series) ends() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, p := range s.Points {
		low, high = min(low, slices.Min(p.Values)), max(high, slices.Max(p.Values))
	}
	return low, high
}

// draw places a point between low and high.
func (p Point) draw(low, high float64, cells int, ascii bool) string {
	at := func(v float64) int {
		if high <= low {
			return 0
		}
		return min(int(float64(cells)*(v-low)/(high-low)), cells-1)
	}
	line := []rune(strings.Repeat(" ", cells))
	from, mid, to := at(slices.Min(p.Values)), at(p.Median()), at(slices.Max(p.Values))
	marks := []rune("├─┤●")
	if ascii {
		marks = []rune("[-]*")
	}
	for i := from; i <= to; i++ {
		line[i] = marks[1]
	}
	line[from], line[to], line[mid] = marks[0], marks[2], marks[3]
	return strings.TrimRight(string(line), " ")
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

// page keeps the first error of a writer.
type page struct {
	w   io.Writer
	err error
}

func (p *page) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}
