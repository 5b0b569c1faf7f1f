package heap

import (
	"runtime"
	"runtime/debug"
)

// Total is the memory that work allocated, by place.
type Total map[string]Figures

// Totals measures the memory that work allocates in a pass without collections.
//
// One collection at each mark is needed to read the profile. Pools lose at most the
// members that were not used since the last one, but members change places, and some
// grow again. So the work is measured as a difference: a few operations between two
// marks, then the same operations and the work.
type Totals struct {
	reader *reader
	marks  []profile
	undo   func()
}

// collectAt is the memory in bytes from which garbage is collected all the same.
const collectAt = 2 << 30

// StartTotals stops collections and leaves one processor, since each has pools of its
// own. It comes before the preparation of the work, which fills pools.
func StartTotals() *Totals {
	percent, limit, processors := debug.SetGCPercent(-1), debug.SetMemoryLimit(collectAt), runtime.GOMAXPROCS(1)
	return &Totals{reader: newReader(), undo: func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
		runtime.GOMAXPROCS(processors)
	}}
}

// Mark ends one part and begins the next.
func (t *Totals) Mark() { t.marks = append(t.marks, t.reader.read()) }

// Stop allows collections again. The total is the last part less the part before it, or
// the only part of two marks, or empty with fewer.
func (t *Totals) Stop() Total {
	t.undo()
	t.reader.close()
	n := len(t.marks)
	if n < 2 {
		return nil
	}
	before := profile{}
	if n > 2 {
		before = t.marks[n-2].minus(t.marks[n-3])
	}
	total := Total{}
	for place, part := range t.marks[n-1].minus(t.marks[n-2]) {
		f := part.allocated.minus(before[place].allocated)
		total[place] = Figures{max(f.Bytes, 0), max(f.Blocks, 0)}
	}
	return total
}
