package history

import (
	"math"

	"github.com/zkatbench/zkatbench/bench/result"
)

// The detector is a CUSUM chart (Page, Biometrika 41, 1954) for each direction,
// with the revisions before as its standard: their median, and the median
// distance from it of those above and of those below. Distances are counted in
// this noise, up to most, so that one outlier, however wild, raises no alarm;
// what is nearer than slack is taken for drift.
//
// Two revisions in a row that are most away raise an alarm, and so do more that
// are nearer. The numbers are calibrated so that less than 1 % of histories of
// 100 revisions without a change raise any alarm, looked at after each of them,
// whether noise is normal, skewed or full of outliers; the tests draw them.
const (
	warmUp = 20 // revisions that make the first standard
	most   = 5.8
	slack  = 3.0
	limit  = 5.5
)

// Change is that the level is another from a revision on.
type Change struct {
	At            int // index of the first revision that has it
	Alarm         int // index of the revision with which it was noticed
	Before, After float64
}

// steps are the changes of values without noise.
func steps(ys []float64) (changes []Change) {
	for i := 1; i < len(ys); i++ {
		if ys[i] != ys[i-1] {
			changes = append(changes, Change{i, i, ys[i-1], ys[i]})
		}
	}
	return changes
}

// shifts are the changes of values with noise, which is the share least of the
// level at least. Each depends on what came until its alarm only: a history
// that goes on does not change its mind.
func shifts(ys []float64, least float64) (changes []Change) {
	start := 0
	for {
		c, found := nextShift(ys, start, least)
		if !found {
			return changes
		}
		changes = append(changes, c)
		start = c.At
	}
}

// nextShift returns the first change of the level that holds from start on.
func nextShift(ys []float64, start int, least float64) (c Change, found bool) {
	charts := []*chart{{sign: 1}, {sign: -1}}
	for i := start + warmUp; i < len(ys); i++ {
		// What may belong to another level already is no part of the standard.
		calm := i
		for _, ch := range charts {
			if ch.sum > 0 {
				calm = min(calm, ch.since)
			}
		}
		s := standardOf(ys[start:calm], least)
		for _, ch := range charts {
			if ch.add(i, s.distance(ys[i])) {
				return Change{ch.since, i, s.level, result.Median(ys[ch.since : i+1])}, true
			}
		}
	}
	return c, false
}

// chart is the sum of one direction.
type chart struct {
	sign  float64
	sum   float64
	since int // the first revision in it
}

// add takes the next distance and reports an alarm.
func (c *chart) add(i int, distance float64) bool {
	if c.sum == 0 {
		c.since = i
	}
	c.sum = max(0, c.sum+min(c.sign*distance, most)-slack)
	return c.sum > limit
}

// standard is what revisions are compared with.
type standard struct {
	level        float64
	above, below float64 // noise
}

const (
	// toSigma makes the median distance from the median the standard deviation
	// of normal noise.
	toSigma = 1.4826
	// few widens the noise that few revisions tell of, by few ÷ their number.
	few = 6
)

func standardOf(ys []float64, least float64) standard {
	s := standard{level: result.Median(ys)}
	var above, below []float64
	for _, y := range ys {
		if y >= s.level {
			above = append(above, y-s.level)
		}
		if y <= s.level {
			below = append(below, s.level-y)
		}
	}
	widen := toSigma * (1 + few/float64(len(ys)))
	s.above = max(widen*result.Median(above), least*math.Abs(s.level))
	s.below = max(widen*result.Median(below), least*math.Abs(s.level))
	return s
}

// distance is how far y is from the level, in noise; without noise infinitely.
func (s standard) distance(y float64) float64 {
	switch d := y - s.level; {
	case d > 0:
		return d / s.above
	case d < 0:
		return d / s.below
	}
	return 0
}
