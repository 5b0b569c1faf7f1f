package result

import (
	"math"
	"time"

	"github.com/zkatbench/zkatbench/runner/hist"
)

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

// Tally accumulates latencies. Squares are of distances from the first latency,
// to avoid cancellation.
type Tally struct {
	N                 uint64
	sum               float64 // ns; exact for sums of integers up to 104 days
	shift, offset, sq float64
	least, most       float64
	last              float64
	changes           float64 // between successive latencies
	pairs             uint64
	lastIndex         int
	steps             float64 // sum of squared changes of hist.Index between successive latencies
	Hist              hist.Histogram
	focus             hist.Focus
	fine              *hist.Fine // of tallies that were merged
	Timeline          Timeline
	Slow              []Slow // from slowest to fastest
}

// NewTally returns an empty Tally with ticks of a length.
func NewTally(tick time.Duration) Tally {
	return Tally{
		least: math.Inf(1), Hist: hist.New(), focus: hist.NewFocus(), Timeline: NewTimeline(tick),
		Slow: make([]Slow, 0, maxSlowest+1),
	}
}

// Add counts the latency of an operation that ended at end, or the mean latency
// of k operations timed as one. Histograms get whole nanoseconds, sums are not
// rounded.
func (t *Tally) Add(latency time.Duration, k int, end time.Duration, worker int) {
	from := end - latency
	ns := uint64(max(0, latency))
	exact := float64(ns)
	if k > 1 {
		exact /= float64(k)
		ns = uint64(math.Round(exact))
		latency = time.Duration(ns)
	}
	index := hist.Index(ns)
	t.Hist.AddAt(index)
	t.focus.Add(ns)
	t.Timeline.add(end, ns, exact, index)
	if t.N == 0 {
		t.shift, t.last = exact, exact
		t.lastIndex = index
	} else {
		t.pairs++
	}
	t.N++
	t.sum += exact
	d := exact - t.shift
	t.offset += d
	t.sq += d * d
	t.changes += math.Abs(exact - t.last)
	t.last = exact
	step := float64(index - t.lastIndex)
	t.steps += step * step
	t.lastIndex = index
	if exact < t.least {
		t.least = exact
	}
	if exact > t.most {
		t.most = exact
	}
	if len(t.Slow) < maxSlowest || latency > t.Slow[maxSlowest-1].Latency {
		t.keepSlow(Slow{Worker: worker, From: from, Latency: latency})
	}
}

// keepSlow inserts s if it is one of the slowest.
func (t *Tally) keepSlow(s Slow) {
	i := len(t.Slow)
	for i > 0 && t.Slow[i-1].Latency < s.Latency {
		i--
	}
	t.Slow = append(t.Slow, Slow{})
	copy(t.Slow[i+1:], t.Slow[i:])
	t.Slow[i] = s
	t.Slow = t.Slow[:min(len(t.Slow), maxSlowest)]
}

// squares returns the sum of squared distances from the mean.
func (t *Tally) squares() float64 {
	if t.N == 0 {
		return 0
	}
	return max(0, t.sq-t.offset*t.offset/float64(t.N))
}

// merge adds o, the tally of another worker (squares by Chan, Golub and
// LeVeque).
func (t *Tally) merge(o *Tally) {
	if o.N == 0 {
		return
	}
	sq := t.squares() + o.squares()
	if t.N > 0 {
		a, b := float64(t.N), float64(o.N)
		d := o.sum/b - t.sum/a
		sq += d * d * a * b / (a + b)
	}
	t.N, t.sum = t.N+o.N, t.sum+o.sum
	t.shift, t.offset, t.sq = t.sum/float64(t.N), 0, sq
	t.least, t.most = min(t.least, o.least), max(t.most, o.most)
	t.changes, t.pairs = t.changes+o.changes, t.pairs+o.pairs
	t.steps += o.steps
	t.Hist.Merge(o.Hist)
	t.fine = t.Fine().Merge(o.Fine())
	t.focus = hist.Focus{}
	t.Timeline.Merge(&o.Timeline, 0)
	for _, s := range o.Slow {
		t.keepSlow(s)
	}
}

// Fine returns the latencies in narrow buckets.
func (t *Tally) Fine() *hist.Fine { return t.fine.Merge(t.focus.Fine()) }

// Moments returns the exact figures.
func (t *Tally) Moments() (m Moments) {
	if t.N == 0 {
		return m
	}
	m.Mean = t.sum / float64(t.N)
	m.Min, m.Max = t.least, t.most
	if t.N > 1 {
		m.StdDev = math.Sqrt(t.squares() / float64(t.N-1))
	}
	if t.pairs > 0 {
		m.Jitter, m.Steps = t.changes/float64(t.pairs), t.steps/float64(t.pairs)
	}
	return m
}
