package result

import (
	"time"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// MaxCells is the greatest number of cells of a Timeline; a longer run has
// longer ticks.
const MaxCells = 128

// Timeline has one Cell for each tick of the window. When it is full,
// neighbours are merged and ticks double, so its memory does not depend on the
// length of the run.
type Timeline struct {
	Tick  time.Duration
	Cells []Cell

	// Near of each Cell counts latencies by their hist.Position over 2^Shift.
	Shift int `json:",omitempty"`

	from, till time.Duration // of the last cell; both 0 until known
	narrow     narrow
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
	// Near are pairs of a bin of Timeline.Shift and its count, in order. Far counts the other
	// latencies by hist.Row; trailing empty rows are omitted.
	Near [][2]uint64 `json:",omitempty"`
	Far  []uint64    `json:",omitempty"`

	near []uint32 // counts by narrow
}

// NewTimeline returns an empty Timeline with ticks of a length.
func NewTimeline(tick time.Duration) Timeline {
	t := Timeline{Tick: max(tick, 1), Cells: make([]Cell, 0, MaxCells), narrow: newNarrow()}
	rows, near := make([]uint64, 2*MaxCells*hist.Rows), make([]uint32, MaxCells*narrowBins)
	for i := range MaxCells {
		c := &t.Cells[:MaxCells][i]
		c.Rows, rows = rows[:hist.Rows:hist.Rows], rows[hist.Rows:]
		c.Far, rows = rows[:hist.Rows:hist.Rows], rows[hist.Rows:]
		c.near, near = near[:narrowBins:narrowBins], near[narrowBins:]
	}
	return t
}

// At returns the cell of a moment, and extends the timeline if necessary.
func (t *Timeline) At(moment time.Duration) *Cell { return &t.Cells[t.index(moment)] }

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
	for i >= MaxCells {
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
			t.Cells[2*i].foldInto(&t.Cells[i])
		}
		if 2*i+1 < n {
			t.Cells[2*i+1].foldInto(&t.Cells[i])
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
	to.Ops, to.N, to.Bad = to.Ops+c.Ops, to.N+c.N, to.Bad+c.Bad
	to.Sum, to.Index = to.Sum+c.Sum, to.Index+c.Index
	for i, n := range c.Rows {
		to.Rows[i] += n
	}
}

// foldInto adds c to the cell of the same timeline before it.
func (c *Cell) foldInto(to *Cell) {
	c.AddTo(to)
	for i, n := range c.Far {
		to.Far[i] += n
	}
	for i, n := range c.near {
		to.near[i] = saturated(to.near[i], uint64(n))
	}
}

func (c *Cell) clear() {
	clear(c.Rows)
	clear(c.Far)
	clear(c.near)
	*c = Cell{Rows: c.Rows, Far: c.Far, near: c.near}
}

// add counts one latency that ended at end: exact is in ns before rounding,
// index is its hist.Index.
func (t *Timeline) add(end time.Duration, ns uint64, exact float64, index int) {
	c := t.At(end)
	c.N++
	c.Sum += exact
	c.Index += uint64(index)
	row := hist.Row(ns)
	c.Rows[row]++
	t.place(c, placed{end: end, position: hist.Position(ns, index), row: row, n: 1})
}

// Spread distributes operations that ran from from to till over the cells.
func (t *Timeline) Spread(from, till time.Duration, ops float64) {
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

// Merge adds o, the timeline of another worker, or of another process whose window
// began offset later: its cells then begin at the next tick of t.
func (t *Timeline) Merge(o *Timeline, offset time.Duration) {
	if len(t.Cells) == 0 {
		t.Tick = max(t.Tick, o.Tick)
	}
	for t.Tick < o.Tick {
		t.fold()
	}
	for i := range o.Cells {
		o.Cells[i].AddTo(t.At(offset + time.Duration(i)*o.Tick))
	}
	t.mergeNarrow(o, offset)
}

// trim omits trailing empty rows of each cell, and lists its narrow bins.
func (t *Timeline) trim() {
	t.settle()
	for i := range t.Cells {
		c := &t.Cells[i]
		c.Rows = append([]uint64{}, trimmedRows(c.Rows)...)
		c.Far = append([]uint64(nil), trimmedRows(c.Far)...)
		var pairs [][2]uint64
		t.narrow.each(c, func(bin, n uint64) { pairs = append(pairs, [2]uint64{bin, n}) })
		c.Near, c.near = pairs, nil
	}
	t.Shift, t.narrow = t.narrow.shift, narrow{}
}

func trimmedRows(rows []uint64) []uint64 {
	for len(rows) > 0 && rows[len(rows)-1] == 0 {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// EndedBy returns the number of operations that ended by a moment, also failed
// ones; of the tick that contains it, by its share.
func (t *Timeline) EndedBy(moment time.Duration) (n float64) {
	for i, c := range t.Cells {
		n += float64(c.N+c.Bad) * min(max(0, float64(moment)/float64(t.Tick)-float64(i)), 1)
	}
	return n
}

// Clusters returns the latencies by tick, and their logarithms.
func (t *Timeline) Clusters() (values, logs []stats.Cluster) {
	for _, c := range t.Cells {
		values = append(values, stats.Cluster{N: float64(c.N), Sum: c.Sum})
		logs = append(logs, stats.Cluster{N: float64(c.N), Sum: float64(c.Index)})
	}
	return values, logs
}

// TailFrom returns, by tick, the share of latencies in the given row or above,
// and the number of such latencies.
func (t *Timeline) TailFrom(row int) (clusters []stats.Cluster, n float64) {
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

// Means returns the mean latencies in ns of the non-empty cells.
func (t *Timeline) Means() (ms []float64) {
	for _, c := range t.Cells {
		if c.N > 0 {
			ms = append(ms, c.Sum/float64(c.N))
		}
	}
	return ms
}
