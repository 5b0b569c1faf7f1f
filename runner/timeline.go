package runner

import (
	"time"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// maxCells is the greatest number of cells of a Timeline; a longer run has
// longer ticks.
const maxCells = 128

// Timeline has one Cell for each tick of the window. When it is full,
// neighbours are merged and ticks double, so its memory does not depend on the
// length of the run.
type Timeline struct {
	Tick  time.Duration
	Cells []Cell

	from, till time.Duration // of the last cell; both 0 until known
}

// A Cell is one tick.
type Cell struct {
	Ops   float64 // operations; an operation across the ends counts by its share inside
	N     uint64  // latencies of operations that ended in the tick
	Bad   uint64  `json:",omitempty"` // failed operations that ended in the tick
	Sum   float64 // of the latencies, in ns
	Index uint64  // sum of their hist.Index, which is a sum of logarithms
	// Rows counts the latencies by hist.Row; trailing empty rows are omitted.
	Rows []uint64
}

func newTimeline(tick time.Duration) Timeline {
	t := Timeline{Tick: max(tick, 1), Cells: make([]Cell, 0, maxCells)}
	rows := make([]uint64, maxCells*hist.Rows)
	for i := range maxCells {
		t.Cells[:maxCells][i].Rows = rows[i*hist.Rows : (i+1)*hist.Rows : (i+1)*hist.Rows]
	}
	return t
}

// at returns the cell of a moment, and extends the timeline if necessary.
func (t *Timeline) at(moment time.Duration) *Cell { return &t.Cells[t.index(moment)] }

// index is small enough for the compiler to inline: most moments are in the
// last cell.
func (t *Timeline) index(moment time.Duration) int {
	if t.from <= moment && moment < t.till {
		return len(t.Cells) - 1
	}
	return t.seek(moment)
}

func (t *Timeline) seek(moment time.Duration) int {
	i := int(moment / t.Tick)
	for i >= maxCells {
		t.fold()
		i = int(moment / t.Tick)
	}
	if i >= len(t.Cells) {
		t.Cells = t.Cells[:i+1]
	}
	t.from = time.Duration(len(t.Cells)-1) * t.Tick
	t.till = t.from + t.Tick
	return i
}

// fold merges neighbours and doubles the tick.
func (t *Timeline) fold() {
	n := len(t.Cells)
	for i := range n {
		if i > 0 && i < (n+1)/2 { // it has moved to i/2
			t.Cells[i].clear()
			t.Cells[2*i].AddTo(&t.Cells[i])
		}
		if 2*i+1 < n {
			t.Cells[2*i+1].AddTo(&t.Cells[i])
		}
	}
	for i := (n + 1) / 2; i < n; i++ {
		t.Cells[i].clear()
	}
	t.Cells = t.Cells[:(n+1)/2]
	t.Tick *= 2
	t.from, t.till = 0, 0
}

// AddTo adds the counts and sums of c to another cell, which has all rows.
func (c *Cell) AddTo(to *Cell) {
	to.Ops, to.N, to.Bad, to.Sum, to.Index = to.Ops+c.Ops, to.N+c.N, to.Bad+c.Bad, to.Sum+c.Sum, to.Index+c.Index
	for i, n := range c.Rows {
		to.Rows[i] += n
	}
}

func (c *Cell) clear() {
	clear(c.Rows)
	*c = Cell{Rows: c.Rows}
}

// add counts one latency that ended at end: exact is in ns before rounding,
// index is its hist.Index.
func (t *Timeline) add(end time.Duration, ns uint64, exact float64, index int) {
	c := t.at(end)
	c.N++
	c.Sum += exact
	c.Index += uint64(index)
	c.Rows[hist.Row(ns)]++
}

// spread distributes operations that ran from from to till over the cells.
func (t *Timeline) spread(from, till time.Duration, ops float64) {
	last := t.index(till) // folds first if necessary, so that ticks do not change below
	if since := time.Duration(last) * t.Tick; from < since {
		per := ops / float64(till-from)
		t.share(from, since, per)
		ops = per * float64(till-since)
	}
	t.Cells[last].Ops += ops
}

// share adds the part within each cell; per is operations a nanosecond.
func (t *Timeline) share(from, till time.Duration, per float64) {
	for i := int(from / t.Tick); from < till; i++ {
		end := time.Duration(i+1) * t.Tick
		t.Cells[i].Ops += per * float64(end-from)
		from = end
	}
}

// merge adds o, the timeline of another worker, or of another process whose window
// began offset later: its cells then begin at the next tick of t.
func (t *Timeline) merge(o *Timeline, offset time.Duration) {
	if len(t.Cells) == 0 {
		t.Tick = max(t.Tick, o.Tick)
	}
	for t.Tick < o.Tick {
		t.fold()
	}
	for i := range o.Cells {
		o.Cells[i].AddTo(t.at(offset + time.Duration(i)*o.Tick))
	}
}

// trim omits trailing empty rows of each cell.
func (t *Timeline) trim() {
	for i := range t.Cells {
		rows := t.Cells[i].Rows
		for len(rows) > 0 && rows[len(rows)-1] == 0 {
			rows = rows[:len(rows)-1]
		}
		t.Cells[i].Rows = append([]uint64{}, rows...)
	}
}

// endedBy returns the number of operations that ended by a moment, also failed
// ones; of the tick that contains it, by its share.
func (t *Timeline) endedBy(moment time.Duration) (n float64) {
	for i, c := range t.Cells {
		n += float64(c.N+c.Bad) * min(max(0, float64(moment)/float64(t.Tick)-float64(i)), 1)
	}
	return n
}

// clusters returns the latencies by tick, and their logarithms.
func (t *Timeline) clusters() (values, logs []stats.Cluster) {
	for _, c := range t.Cells {
		values = append(values, stats.Cluster{N: float64(c.N), Sum: c.Sum})
		logs = append(logs, stats.Cluster{N: float64(c.N), Sum: float64(c.Index)})
	}
	return values, logs
}

// tailFrom returns, by tick, the share of latencies in the given row or above,
// and the number of such latencies.
func (t *Timeline) tailFrom(row int) (clusters []stats.Cluster, n float64) {
	for _, c := range t.Cells {
		in := uint64(0)
		for _, k := range c.Rows[min(row, len(c.Rows)):] {
			in += k
		}
		clusters = append(clusters, stats.Cluster{N: float64(c.N), Sum: float64(in)})
		n += float64(in)
	}
	return clusters, n
}

// means returns the mean latencies in ns of the non-empty cells.
func (t *Timeline) means() (ms []float64) {
	for _, c := range t.Cells {
		if c.N > 0 {
			ms = append(ms, c.Sum/float64(c.N))
		}
	}
	return ms
}
