package history

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Two detectors look at every new revision.
//
// The chart is a CUSUM (Page, Biometrika 41, 1954) for each direction, for large changes.
// The reference is the earlier revisions: their median, and their noise above and below it.
// Distances are in units of this noise, capped at maxDistance so that a single outlier of
// any size raises no alarm; distances below slack count as drift. Three successive
// revisions at maxDistance raise an alarm.
//
// The split finds small changes that stay: the division of the level into two parts with
// the largest t statistic, corrected for correlated neighbours, that ranks confirm. Levels
// that wander change over some revisions, a step changes at one: a sharp step needs less
// confirmation, so it is found earlier.
//
// The constants are calibrated so that at most 2 % of histories of 100 revisions without a
// change raise an alarm at any revision, for noise that is normal, skewed, full of
// outliers, of two states, rounded to integers, or correlated by up to 0.8 between
// revisions. The tests draw such histories. A change of three standard deviations after 20
// revisions is found in 96 % of histories of 40.
const (
	warmUp      = 20 // revisions in the first reference of the chart
	maxDistance = 5.8
	slack       = 3.0
	limit       = 7.0

	fewestSplit = 12 // revisions that are split
	fewestPart  = 5  // on each side
	mostSplit   = 80
	splitScore  = 5.0 // normal score of t; higher for few revisions
	rankScore   = 4.3
	sharp       = 0.8 // least part of a sharp step between the revisions beside the division
	sharpScore  = 3.3 // instead of rankScore
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
			changes = append(changes, Change{At: i, Alarm: i, Before: ys[i-1], After: ys[i]})
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
	charts := []*chart{{sign: 1}, {sign: -1}}
	for i := start + fewestSplit - 1; i < len(ys); i++ {
		from := max(start, i+1-mostSplit)
		if at, found := split(ys[from:i+1], least); found {
			at += from
			return Change{At: at, Alarm: i, Before: stats.Median(ys[start:at]),
				After: stats.Median(ys[at : i+1])}, true
		}
		if i < start+warmUp {
			continue
		}
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
				return Change{At: ch.since, Alarm: i, Before: s.level,
					After: stats.Median(ys[ch.since : i+1])}, true
			}
		}
	}
	return c, false
}

// split finds one change of the level: the division into two parts with the largest
// score, if it is large enough. The noise is at least the share least of the level, and
// 0.3 for integers.
func split(ys []float64, least float64) (at int, found bool) {
	n := float64(len(ys))
	best := splitScore + 40*max(0, 1/n-1.0/40)
	floor := max(least*math.Abs(stats.Median(ys)), 0.3*granule(ys))
	mean := stats.Average(ys)
	distances, sum, squares := make([]float64, len(ys)), 0.0, 0.0
	for i, y := range ys {
		distances[i] = y - mean
		squares += distances[i] * distances[i]
	}
	for k := 1; k <= len(ys)-fewestPart; k++ {
		sum += distances[k-1]
		if k < fewestPart {
			continue
		}
		// The distances add up to 0, so the sum of the second part is minus the sum of
		// the first.
		first, second := float64(k), n-float64(k)
		before, after := sum/first, -sum/second
		inside := max(0, squares-first*before*before-second*after*after)
		deviation := max(math.Sqrt(inside/(n-2)), floor)
		t := math.Abs(after-before) / (deviation * math.Sqrt(1/first+1/second))
		if !(t > best) {
			continue
		}
		rest := slices.Clone(distances)
		for i := range rest {
			rest[i] -= after
			if i < k {
				rest[i] += after - before
			}
		}
		r := neighbours(rest)
		inflation := (1 + r) / (1 - r)
		score := normalScore(t/(math.Sqrt(inflation)*(1+0.4*r)), max(2, (n-2)/inflation))
		confirmed := rankScore
		if (ys[k]-ys[k-1])/(after-before) > sharp {
			confirmed = sharpScore
		}
		if score > best && stats.RankScore(ys[:k], ys[k:])/math.Sqrt(inflation) > confirmed {
			best, at = score, k
		}
	}
	return at, at > 0
}

// normalScore is the score of a normal distribution with about the tail of Student's t
// (Wallace, Ann. Math. Statist. 30, 1959).
func normalScore(t, free float64) float64 {
	return math.Sqrt(free*math.Log1p(t*t/free)) * (1 - 1/(4*free+4))
}

// neighbours returns the correlation of successive residuals, corrected for the bias of a
// short sequence, and raised by 2.5 standard errors if it may be real.
func neighbours(rest []float64) float64 {
	products, squares := 0.0, 0.0
	for i, x := range rest {
		squares += x * x
		if i > 0 {
			products += x * rest[i-1]
		}
	}
	if squares == 0 {
		return 0
	}
	n := float64(len(rest))
	r := products / squares
	r += (1 + 3*r) / n
	if r > 1.3/math.Sqrt(n) {
		r += 2.5 * math.Sqrt(max(0, 1-r*r)/n)
	}
	return min(max(0, r), 0.95)
}

// granule is 1 if all values are integers, as bytes and counts are: a difference of one may
// be rounding. It is 0 otherwise.
func granule(ys []float64) float64 {
	if slices.ContainsFunc(ys, func(y float64) bool { return y != math.Trunc(y) }) {
		return 0
	}
	return 1
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
	floor := max(least*math.Abs(s.level), granule(ys))
	rest := make([]float64, len(ys))
	most := 4 * toSigma * stats.Median(slices.Concat(above, below))
	for i, y := range ys {
		rest[i] = max(-most, min(most, y-s.level))
	}
	inflation := 1.0
	if r := neighbours(rest); r > 2/math.Sqrt(float64(len(ys))) {
		inflation = math.Sqrt((1 + r) / (1 - r))
	}
	s.above = max(widen*stats.Median(above), floor, seen(above)) * inflation
	s.below = max(widen*stats.Median(below), floor, seen(below)) * inflation
	return s
}

// seen is a part of the third largest distance: a level that the noise reaches now and
// then, such as the second of two states, is not a change.
func seen(distances []float64) float64 {
	if len(distances) < 3 {
		return 0
	}
	slices.Sort(distances)
	return distances[len(distances)-3] / 2.2
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

// A drift is a trend too slow for the CUSUM chart, because the reference of the chart
// follows it. It is a Mann-Kendall test, corrected for correlated neighbours, over the
// last revisions of the present level. The score comes from a two-sided test at the
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
	d = Change{At: start, Alarm: len(ys) - 1, Before: stats.Median(window[:fifth]),
		After: stats.Median(window[len(window)-fifth:])}
	return d, math.Abs(d.After-d.Before) >= driftLeast*math.Abs(d.Before)
}

// Drift returns the trend of the present level, if there is one. Exact units do not
// drift.
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
	return n >= fewestSplit || s.Exact && n > 1
}

// worse describes the last change for the worse, or a drift; it is empty if
// there is neither.
func (s Series) worse(last int) string {
	cs := s.Changes()
	if n := len(cs); n > 0 && cs[n-1].Alarm >= len(s.Points)-last && s.Worse(cs[n-1]) {
		return s.sentence(cs[n-1])
	}
	if d, found := s.Drift(); found && s.Worse(d) {
		return fmt.Sprintf("drifted %s from %s to %s (worse)", text.Change(d.After/d.Before-1),
			brief(s.Points[d.At].Revision), brief(s.Points[d.Alarm].Revision))
	}
	return ""
}
