package history

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/zkatbench/zkatbench/runner/stats"
	"github.com/zkatbench/zkatbench/text"
)

// The detector is a CUSUM chart (Page, Biometrika 41, 1954) for each direction.
// The reference is the earlier revisions: their median, and the median
// distances from it of the values above and below. Distances are in units of
// this noise, capped at maxDistance so that a single outlier of any size raises
// no alarm; distances below slack count as drift.
//
// Two successive revisions at maxDistance raise an alarm, and so do more
// revisions at shorter distances. The constants are calibrated so that less
// than 1 % of histories of 100 revisions without a change raise an alarm at any
// revision, for noise that is normal, skewed or full of outliers; the tests
// draw such histories.
const (
	warmUp      = 20 // revisions in the first reference
	maxDistance = 5.8
	slack       = 3.0
	limit       = 5.5
)

// The revisions of the first reference are searched for one change whenever one is
// added. The level is calibrated as the chart is.
const (
	youngLeast = 3 // revisions on each side
	youngLevel = 4e-6
)

// Change is a new level from a revision on.
type Change struct {
	At            int // index of the first revision at the new level
	Alarm         int // index of the revision that raised the alarm
	Before, After float64
}

// steps returns the changes of values without noise.
func steps(ys []float64) (changes []Change) {
	for i := 1; i < len(ys); i++ {
		if ys[i] != ys[i-1] {
			changes = append(changes, Change{i, i, ys[i-1], ys[i]})
		}
	}
	return changes
}

// shifts returns the changes of values with noise, which is at least the share
// least of the level. Each change depends only on the values up to its alarm,
// so later values never alter it.
func shifts(ys []float64, least float64) (changes []Change) {
	for c, found := nextShift(ys, 0, least); found; c, found = nextShift(ys, c.At, least) {
		changes = append(changes, c)
	}
	return changes
}

// nextShift returns the first change of the level that starts at start.
func nextShift(ys []float64, start int, least float64) (c Change, found bool) {
	for n := 2 * youngLeast; n <= min(warmUp, len(ys)-start); n++ {
		if at, found := split(ys[start : start+n]); found {
			return Change{start + at, start + n - 1, stats.Median(ys[start : start+at]), stats.Median(ys[start+at : start+n])}, true
		}
	}
	charts := []*chart{{sign: 1}, {sign: -1}}
	for i := start + warmUp; i < len(ys); i++ {
		// Revisions that may belong to a new level are not part of the
		// reference.
		end := i
		for _, ch := range charts {
			if ch.sum > 0 {
				end = min(end, ch.since)
			}
		}
		s := standardOf(ys[start:end], least)
		for _, ch := range charts {
			if ch.add(i, s.distance(ys[i])) {
				return Change{ch.since, i, s.level, stats.Median(ys[ch.since : i+1])}, true
			}
		}
	}
	return c, false
}

// split finds one change of the level in a young history: the division into two parts
// with the least p-value of Student's t test.
func split(ys []float64) (at int, found bool) {
	least := youngLevel
	for k := youngLeast; k <= len(ys)-youngLeast; k++ {
		level := stats.Average(ys[:k])
		if math.Abs(stats.Average(ys[k:])-level) < driftLeast*math.Abs(level) {
			continue
		}
		if p := stats.StudentP(ys[:k], ys[k:]); p < least {
			least, at = p, k
		}
	}
	return at, at > 0
}

// chart is the cumulative sum in one direction.
type chart struct {
	sign  float64
	sum   float64
	since int // first revision in the sum
}

// add adds the next distance and reports an alarm.
func (c *chart) add(i int, distance float64) bool {
	if c.sum == 0 {
		c.since = i
	}
	c.sum = max(0, c.sum+min(c.sign*distance, maxDistance)-slack)
	return c.sum > limit
}

// standard is the reference that revisions are compared with.
type standard struct {
	level        float64
	above, below float64 // noise
}

const (
	// toSigma scales the median absolute deviation to the standard deviation of
	// normal noise.
	toSigma = 1.4826
	// smallSample widens the noise estimate of n revisions by the factor 1 +
	// smallSample/n.
	smallSample = 6
)

func standardOf(ys []float64, least float64) standard {
	s := standard{level: stats.Median(ys)}
	var above, below []float64
	for _, y := range ys {
		if y >= s.level {
			above = append(above, y-s.level)
		}
		if y <= s.level {
			below = append(below, s.level-y)
		}
	}
	widen := toSigma * (1 + smallSample/float64(len(ys)))
	s.above = max(widen*stats.Median(above), least*math.Abs(s.level))
	s.below = max(widen*stats.Median(below), least*math.Abs(s.level))
	return s
}

// distance returns the distance of y from the level in units of the noise;
// without noise it is infinite.
func (s standard) distance(y float64) float64 {
	switch d := y - s.level; {
	case d > 0:
		return d / s.above
	case d < 0:
		return d / s.below
	}
	return 0
}

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
		return fmt.Sprintf("drifted %s from %s to %s (worse)", text.Change(d.After/d.Before-1), brief(s.Points[d.At].Revision), brief(s.Points[d.Alarm].Revision))
	}
	return ""
}
