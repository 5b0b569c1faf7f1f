package result

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/runner/hist"
)

// narrow is the place of the narrow bins of a timeline: around the first latencies, and wider
// when many others lie outside. They show how the latencies of a steady operation change.
type narrow struct {
	early  []placed // the first latencies, until the place is chosen
	chosen bool
	shift  int
	from   uint64 // the first bin, in positions over 2^shift
	in     uint64 // latencies in narrow bins
	out    uint64 // latencies elsewhere since the bins last became wider
}

// placed is a latency, or n latencies in one bin, with the end of its operation.
type placed struct {
	end      time.Duration
	position uint64 // hist.Position
	row      int
	n        uint64
}

const (
	narrowBins = 128
	// The first narrowEarly latencies choose the place: narrowRanges times their interquartile range.
	narrowEarly  = 64
	narrowRanges = 8
	// mostOutside is the number of latencies in narrow bins for each one elsewhere that the
	// bins do not become wider for.
	mostOutside = 64
)

func newNarrow() narrow { return narrow{early: make([]placed, 0, narrowEarly)} }

// place counts a latency in its narrow bin, or in Far.
func (t *Timeline) place(c *Cell, one placed) {
	w := &t.narrow
	if !w.chosen {
		w.early = append(w.early, one)
		if len(w.early) == narrowEarly {
			t.settle()
		}
		return
	}
	if i := one.position>>w.shift - w.from; i < narrowBins {
		c.near[i] = saturated(c.near[i], one.n)
		w.in += one.n
		return
	}
	w.out += one.n
	if w.out*mostOutside > w.in {
		t.widen(one.position)
		t.place(c, one)
		return
	}
	c.Far[one.row] += one.n
}

// settle chooses the place of the bins by the latencies so far and counts these. It allocates
// nothing.
func (t *Timeline) settle() {
	w := &t.narrow
	if w.chosen || len(w.early) == 0 {
		return
	}
	slices.SortFunc(w.early, func(a, b placed) int { return cmp.Compare(a.position, b.position) })
	n := len(w.early)
	median, wide := w.early[n/2].position, w.early[3*n/4].position-w.early[n/4].position
	for w.shift = 0; narrowBins<<w.shift < narrowRanges*wide; w.shift++ {
	}
	middle := median >> w.shift
	t.start(w.shift, middle-min(middle, narrowBins/2))
}

// start begins to count at a place, first the latencies so far.
func (t *Timeline) start(shift int, from uint64) {
	w := &t.narrow
	early := w.early
	w.shift, w.from = shift, from
	w.chosen, w.early = true, nil
	for _, one := range early {
		t.place(t.At(one.end), one)
	}
}

// widen makes the bins wider until they have room for a position.
func (t *Timeline) widen(position uint64) {
	for w := &t.narrow; position>>w.shift-w.from >= narrowBins; {
		from := w.from / 2
		if position>>w.shift < w.from {
			from -= min(from, narrowBins/2-1)
		}
		t.double(from)
	}
	t.narrow.out = 0
}

// double doubles the width of the bins; the first one is then from.
func (t *Timeline) double(from uint64) {
	w := &t.narrow
	for k := range t.Cells {
		var wide [narrowBins]uint32
		for i, n := range t.Cells[k].near {
			to := &wide[(w.from+uint64(i))/2-from]
			*to = saturated(*to, uint64(n))
		}
		copy(t.Cells[k].near, wide[:])
	}
	w.from, w.shift = from, w.shift+1
}

// each calls f with the narrow bins of a cell that are not empty, in order.
func (w *narrow) each(c *Cell, f func(bin, n uint64)) {
	for i, n := range c.near {
		if n > 0 {
			f(w.from+uint64(i), uint64(n))
		}
	}
	for _, b := range c.Near {
		f(b[0], b[1])
	}
}

// mergeNarrow adds the narrow bins of o, whose window began offset later.
func (t *Timeline) mergeNarrow(o *Timeline, offset time.Duration) {
	shift, first := o.narrow.shift+o.Shift, o.narrow.from // in memory, or in a file
	for _, c := range o.Cells {
		if len(c.Near) > 0 && (first == 0 || c.Near[0][0] < first) {
			first = c.Near[0][0]
		}
	}
	if (o.narrow.chosen || first > 0) && !t.narrow.chosen {
		t.start(shift, first)
	}
	for t.narrow.chosen && t.narrow.shift < shift {
		t.double(t.narrow.from / 2)
	}
	for _, one := range o.narrow.early {
		one.end += offset
		t.place(t.At(one.end), one)
	}
	for i := range o.Cells {
		from, end := &o.Cells[i], offset+time.Duration(i)*o.Tick
		to := t.At(end)
		o.narrow.each(from, func(bin, n uint64) {
			position := bin<<shift + 1<<shift/2
			t.place(to, placed{end: end, position: position,
				row: hist.Row(uint64(hist.PositionFrom(position))), n: n})
		})
		for row, n := range from.Elsewhere() {
			to.Far[row] += n
		}
	}
}

// Elsewhere returns the latencies that are not in Near by hist.Row: all of them if the file
// of the cell has no narrow bins.
func (c *Cell) Elsewhere() []uint64 {
	if len(c.Near)+len(c.near)+len(c.Far) == 0 {
		return c.Rows
	}
	return c.Far
}

// saturated adds a count, at most the greatest.
func saturated(a uint32, n uint64) uint32 { return uint32(min(uint64(a)+n, math.MaxUint32)) }
