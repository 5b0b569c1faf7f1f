package history

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/text"
)

// A drift is a trend too slow for the CUSUM chart, whose reference follows it.
// It is a Mann-Kendall test, corrected for correlated neighbours, over the last
// revisions of the present level. The score comes from a two-sided test at the
// level of 6·10⁻⁵, since a history is checked at every revision.
const (
	driftFewest = 30 // revisions
	driftMost   = 60
	driftScore  = 4.0
	driftLeast  = 0.01 // share of the level, below which a drift is not reported
)

// drift returns the trend of the last values of the level that begins at start, as a
// change between the medians of the first and last fifth of its window.
func drift(ys []float64, start int) (d Change, found bool) {
	start = max(start, len(ys)-driftMost)
	window := ys[start:]
	if len(window) < driftFewest || math.Abs(stats.CorrelatedTrend(window)) < driftScore {
		return d, false
	}
	fifth := len(window) / 5
	d = Change{start, len(ys) - 1, stats.Median(window[:fifth]), stats.Median(window[len(window)-fifth:])}
	return d, math.Abs(d.After-d.Before) >= driftLeast*math.Abs(d.Before)
}

// Drift returns the trend of the present level, if there is one. Exact units
// have none.
func (s Series) Drift() (d Change, found bool) {
	if s.Exact {
		return d, false
	}
	start := 0
	if cs := s.Changes(); len(cs) > 0 {
		start = cs[len(cs)-1].At
	}
	return drift(s.medians(), start)
}

// Verdict counts the series of a check.
type Verdict struct {
	Judged, Worse, TooFew int
}

// Check writes a line for each series that is worse: its level changed for the
// worse and the alarm is among the last revisions, or it drifts for the worse.
// Units without a known direction are not judged.
func Check(w io.Writer, all []Series, last int) (v Verdict, err error) {
	var b strings.Builder
	for _, s := range all {
		switch {
		case s.Better == 0:
			continue
		case !s.Judged():
			v.TooFew++
			continue
		}
		v.Judged++
		if why := s.worse(last); why != "" {
			v.Worse++
			fmt.Fprintf(&b, "%s %s: %s\n", text.Visible(s.Key.String()), s.Unit, why)
		}
	}
	fmt.Fprintf(&b, "%d judged, %d worse, %d with too few revisions\n", v.Judged, v.Worse, v.TooFew)
	_, err = io.WriteString(w, b.String())
	return v, err
}

// Judged reports whether there are enough revisions to find a change.
func (s Series) Judged() bool {
	n := len(s.Points)
	return n >= 2*youngLeast || s.Exact && n > 1
}

// worse describes the last change for the worse, or a drift; it is empty if
// there is neither.
func (s Series) worse(last int) string {
	cs := s.Changes()
	if n := len(cs); n > 0 && cs[n-1].Alarm >= len(s.Points)-last && s.Worse(cs[n-1]) {
		return s.sentence(cs[n-1])
	}
	if d, found := s.Drift(); found && s.Worse(d) {
		return fmt.Sprintf("drifted %+.1f %% from %s to %s (worse)", 100*(d.After/d.Before-1), brief(s.Points[d.At].Revision), brief(s.Points[d.Alarm].Revision))
	}
	return ""
}
