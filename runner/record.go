package runner

import (
	"math"
	"time"

	"github.com/zkatbench/zkatbench/runner/hist"
)

// A moment is a time since the start of the phase. Its range is 292 years.
type moment = time.Duration

// maxSlowest is the number of slowest operations kept, which is enough to see
// whether they occur at regular intervals.
const maxSlowest = 64

// A Slow is one of the slowest operations: its planned start (back to back: its
// true start) and its latency from then.
type Slow struct {
	Worker  int
	From    time.Duration
	Latency time.Duration
	GCPause time.Duration // part of Latency when collections stopped the world
}

// tally accumulates latencies. Squares are of distances from the first latency,
// to avoid cancellation.
type tally struct {
	n                 uint64
	sum               float64 // ns; exact for sums of integers up to 104 days
	shift, offset, sq float64
	least, most       float64
	last              float64
	changes           float64 // between successive latencies
	pairs             uint64
	hist              hist.Histogram
	timeline          Timeline
	slow              []Slow // from slowest to fastest
}

func newTally(tick time.Duration) tally {
	return tally{
		least: math.Inf(1), hist: hist.New(), timeline: newTimeline(tick),
		slow: make([]Slow, 0, maxSlowest+1),
	}
}

// add counts the latency of an operation that ended at end, or the mean latency
// of k operations timed as one. Histograms get whole nanoseconds, sums are not
// rounded.
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
	t.offset += d
	t.sq += d * d
	t.changes += math.Abs(exact - t.last)
	t.last = exact
	if exact < t.least {
		t.least = exact
	}
	if exact > t.most {
		t.most = exact
	}
	if len(t.slow) < maxSlowest || latency > t.slow[maxSlowest-1].Latency {
		t.keepSlow(Slow{Worker: worker, From: from, Latency: latency})
	}
}

// keepSlow inserts s if it is one of the slowest.
func (t *tally) keepSlow(s Slow) {
	i := len(t.slow)
	for i > 0 && t.slow[i-1].Latency < s.Latency {
		i--
	}
	t.slow = append(t.slow, Slow{})
	copy(t.slow[i+1:], t.slow[i:])
	t.slow[i] = s
	t.slow = t.slow[:min(len(t.slow), maxSlowest)]
}

// squares returns the sum of squared distances from the mean.
func (t *tally) squares() float64 {
	if t.n == 0 {
		return 0
	}
	return max(0, t.sq-t.offset*t.offset/float64(t.n))
}

// merge adds o, the tally of another worker (squares by Chan, Golub and
// LeVeque).
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
	t.shift, t.offset, t.sq = t.sum/float64(t.n), 0, sq
	t.least, t.most = min(t.least, o.least), max(t.most, o.most)
	t.changes, t.pairs = t.changes+o.changes, t.pairs+o.pairs
	t.hist.Merge(o.hist)
	t.timeline.merge(&o.timeline, 0)
	for _, s := range o.slow {
		t.keepSlow(s)
	}
}

// moments returns the exact figures.
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
