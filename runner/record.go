package runner

import (
	"math"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/runner/hist"
)

// A moment is a time since the start of the phase. It fits 292 years.
type moment = time.Duration

// slowest is how many of the slowest operations are kept.
const slowest = 10

// A Slow is one of the slowest operations: when it should have started (for
// back to back, when it did), and how long it took from then.
type Slow struct {
	Worker  int
	From    time.Duration
	Latency time.Duration
	GCPause time.Duration // of it in which the world stood still for collections
}

// tally is what latencies add up to. The squares are of distances from the
// first one, so that they do not cancel.
type tally struct {
	n              uint64
	sum            float64 // ns; whole numbers are exact for 104 days
	shift, off, sq float64
	least, most    float64
	last           float64
	changes        float64 // between neighbours
	pairs          uint64
	hist           hist.Histogram
	timeline       Timeline
	slow           []Slow // from slowest to fastest
	exact          []uint64
	overflow       bool // more latencies than exact holds
}

func newTally(tick time.Duration, exact int) tally {
	return tally{
		least: math.Inf(1), hist: hist.New(), timeline: newTimeline(tick),
		slow: make([]Slow, 0, slowest+1), exact: make([]uint64, 0, exact),
	}
}

// add counts the latency of an operation that ended at end, or the mean one of
// k that were timed as one. What is counted by size is rounded to whole
// nanoseconds, what is added up is not.
func (t *tally) add(latency time.Duration, k int, end time.Duration, worker int) {
	from := end - latency
	ns := uint64(max(0, latency))
	exact := float64(ns)
	if k > 1 {
		exact /= float64(k)
		ns = uint64(math.Round(exact))
		latency = time.Duration(ns)
	}
	index := hist.Index(ns)
	t.hist.AddAt(index)
	t.timeline.add(end, ns, exact, index)
	if t.n == 0 {
		t.shift, t.last = exact, exact
	} else {
		t.pairs++
	}
	t.n++
	t.sum += exact
	d := exact - t.shift
	t.off += d
	t.sq += d * d
	t.changes += math.Abs(exact - t.last)
	t.last = exact
	if exact < t.least {
		t.least = exact
	}
	if exact > t.most {
		t.most = exact
	}
	if len(t.exact) < cap(t.exact) {
		t.exact = append(t.exact, ns)
	} else {
		t.overflow = true
	}
	if len(t.slow) < slowest || latency > t.slow[slowest-1].Latency {
		t.keep(Slow{Worker: worker, From: from, Latency: latency})
	}
}

// keep puts s among the slowest.
func (t *tally) keep(s Slow) {
	i := len(t.slow)
	for i > 0 && t.slow[i-1].Latency < s.Latency {
		i--
	}
	t.slow = append(t.slow, Slow{})
	copy(t.slow[i+1:], t.slow[i:])
	t.slow[i] = s
	t.slow = t.slow[:min(len(t.slow), slowest)]
}

// squares is the sum of the squared distances from the mean.
func (t *tally) squares() float64 {
	if t.n == 0 {
		return 0
	}
	return max(0, t.sq-t.off*t.off/float64(t.n))
}

// merge adds o, of another worker (Chan, Golub and LeVeque for the squares).
func (t *tally) merge(o *tally) {
	if o.n == 0 {
		return
	}
	sq := t.squares() + o.squares()
	if t.n > 0 {
		a, b := float64(t.n), float64(o.n)
		d := o.sum/b - t.sum/a
		sq += d * d * a * b / (a + b)
	}
	t.n, t.sum = t.n+o.n, t.sum+o.sum
	t.shift, t.off, t.sq = t.sum/float64(t.n), 0, sq
	t.least, t.most = min(t.least, o.least), max(t.most, o.most)
	t.changes, t.pairs = t.changes+o.changes, t.pairs+o.pairs
	t.hist.Merge(o.hist)
	t.timeline.merge(&o.timeline)
	for _, s := range o.slow {
		t.keep(s)
	}
	t.exact, t.overflow = append(t.exact, o.exact...), t.overflow || o.overflow
}

// sorted are the exact latencies, nil if there were more than limit.
func (t *tally) sorted(limit int) []uint64 {
	if limit == 0 || t.overflow || len(t.exact) > limit {
		return nil
	}
	slices.Sort(t.exact)
	return t.exact
}

// moments are the exact figures.
func (t *tally) moments() (m Moments) {
	if t.n == 0 {
		return m
	}
	m.Mean = t.sum / float64(t.n)
	m.Min, m.Max = t.least, t.most
	if t.n > 1 {
		m.StdDev = math.Sqrt(t.squares() / float64(t.n-1))
	}
	if t.pairs > 0 {
		m.Jitter = t.changes / float64(t.pairs)
	}
	return m
}
