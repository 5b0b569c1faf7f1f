package runner

import (
	"time"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// cells is how many a Timeline has at most; a longer run has longer ticks.
const cells = 128

// Timeline is what happened in each tick of the window. When it is full,
// neighbours are merged and ticks are twice as long, so it takes the same
// memory at any length.
type Timeline struct {
	Tick  time.Duration
	Cells []Cell

	from, till time.Duration // of the last cell; both 0 if that is to be seen
}

// A Cell is one tick.
type Cell struct {
	Ops   float64 // operations, those across its ends by their share
	N     uint64  // latencies of operations that ended in it
	Sum   float64 // of these, in ns
	Index uint64  // sum of their hist.Index, a sum of logarithms
	// Rows counts them by hist.Row; empty rows at the end are left out.
	Rows []uint64
}

func newTimeline(tick time.Duration) Timeline {
	t := Timeline{Tick: max(tick, 1), Cells: make([]Cell, 0, cells)}
	rows := make([]uint64, cells*hist.Rows)
	for i := range cells {
		t.Cells[:cells][i].Rows = rows[i*hist.Rows : (i+1)*hist.Rows : (i+1)*hist.Rows]
	}
	return t
}

// at returns the cell of a moment, making room for it.
func (t *Timeline) at(moment time.Duration) *Cell { return &t.Cells[t.index(moment)] }

// index is small so that the compiler inlines it: most moments are in the last
// cell.
func (t *Timeline) index(moment time.Duration) int {
	if t.from <= moment && moment < t.till {
		return len(t.Cells) - 1
	}
	return t.seek(moment)
}

func (t *Timeline) seek(moment time.Duration) int {
	i := int(moment / t.Tick)
	for i >= cells {
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

// fold doubles the tick.
func (t *Timeline) fold() {
	n := len(t.Cells)
	for i := range n {
		if i%2 == 0 {
			t.Cells[i].move(&t.Cells[i/2])
		} else {
			t.Cells[i].addTo(&t.Cells[i/2])
			t.Cells[i].clear()
		}
	}
	t.Cells = t.Cells[:(n+1)/2]
	t.Tick *= 2
	t.from, t.till = 0, 0
}

func (c *Cell) move(to *Cell) {
	if c == to {
		return
	}
	to.clear()
	c.addTo(to)
	c.clear()
}

func (c *Cell) addTo(to *Cell) {
	to.Ops, to.N, to.Sum, to.Index = to.Ops+c.Ops, to.N+c.N, to.Sum+c.Sum, to.Index+c.Index
	for i, n := range c.Rows {
		to.Rows[i] += n
	}
}

func (c *Cell) clear() {
	clear(c.Rows)
	*c = Cell{Rows: c.Rows}
}

// add counts one latency that ended at a moment: exact is ns before it was
// rounded, index its hist.Index.
func (t *Timeline) add(end time.Duration, ns uint64, exact float64, index int) {
	c := t.at(end)
	c.N++
	c.Sum += exact
	c.Index += uint64(index)
	c.Rows[hist.Row(ns)]++
}

// spread shares operations that ran from from till till among the cells.
func (t *Timeline) spread(from, till time.Duration, ops float64) {
	last := t.index(till) // makes room for all of them, so that ticks stay as they are
	if since := time.Duration(last) * t.Tick; from < since {
		per := ops / float64(till-from)
		t.share(from, since, per)
		ops = per * float64(till-since)
	}
	t.Cells[last].Ops += ops
}

// share is spread for what ends with a cell; per is operations a nanosecond.
func (t *Timeline) share(from, till time.Duration, per float64) {
	for i := int(from / t.Tick); from < till; i++ {
		end := time.Duration(i+1) * t.Tick
		t.Cells[i].Ops += per * float64(end-from)
		from = end
	}
}

// merge adds o, whose ticks may be a power of two longer or shorter.
func (t *Timeline) merge(o *Timeline) {
	for t.Tick < o.Tick {
		t.fold()
	}
	for i := range o.Cells {
		o.Cells[i].addTo(t.at(time.Duration(i) * o.Tick))
	}
}

// trim leaves out empty rows at the end of each cell.
func (t *Timeline) trim() {
	for i := range t.Cells {
		rows := t.Cells[i].Rows
		for len(rows) > 0 && rows[len(rows)-1] == 0 {
			rows = rows[:len(rows)-1]
		}
		t.Cells[i].Rows = append([]uint64{}, rows...)
	}
}

// clusters are the latencies by tick, and their logarithms.
func (t *Timeline) clusters() (values, logs []stats.Cluster) {
	for _, c := range t.Cells {
		values = append(values, stats.Cluster{N: float64(c.N), Sum: c.Sum})
		logs = append(logs, stats.Cluster{N: float64(c.N), Sum: float64(c.Index)})
	}
	return values, logs
}

// beyond are the latencies by tick of which those count that lie in rows from
// row on, and how many these are.
func (t *Timeline) beyond(row int) (clusters []stats.Cluster, n float64) {
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

// means are the mean latencies in ns of the cells that have any.
func (t *Timeline) means() (ms []float64) {
	for _, c := range t.Cells {
		if c.N > 0 {
			ms = append(ms, c.Sum/float64(c.N))
		}
	}
	return ms
}
