package heap

import (
	"runtime"
	"runtime/debug"
)

// Totals measures the memory that work allocates, by place, in a pass without collections.
//
// One collection at each mark is needed to read the profile. Pools lose at most the
// members that were not used since the last one, but members change places, and some
// grow again. So the work is measured as a difference: a few operations between two
// marks, then the same operations and the work.
type Totals struct {
	places *places
	marks  []profile
	undo   func()
}

// collectAt is the memory in bytes from which garbage is collected all the same.
const collectAt = 2 << 30

// StartTotals stops collections and leaves one processor, since each has pools of its
// own. It comes before the preparation of the work, which fills pools.
func StartTotals() (*Totals, error) {
	if !Armed() {
		return nil, ErrNotArmed
	}
	percent, limit, processors := debug.SetGCPercent(-1), debug.SetMemoryLimit(collectAt), runtime.GOMAXPROCS(1)
	return &Totals{places: newPlaces(), undo: func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
		runtime.GOMAXPROCS(processors)
	}}, nil
}

// Mark ends one part and begins the next.
func (t *Totals) Mark() {
	runtime.GC()
	t.marks = append(t.marks, t.places.read())
}

// Stop allows collections again. It may be called twice.
func (t *Totals) Stop() { t.undo() }

// Into makes the total of r the last part less the part before it, or the only part
// of two marks.
func (t *Totals) Into(r *Result) {
	r.Total = Figures{}
	for _, p := range r.points {
		p.total = Figures{}
	}
	n := len(t.marks)
	before := map[string]record{}
	if n > 2 {
		before = t.places.work(t.marks[n-2], t.marks[n-3])
	}
	for place, part := range t.places.work(t.marks[n-1], t.marks[n-2]) {
		part = part.since(before[place])
		p := r.at(place)
		p.total = Figures{max(part.allocBytes, 0), max(part.allocBlocks, 0)}
		r.Total = r.Total.plus(p.total)
	}
}
