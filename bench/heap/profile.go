package heap

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
)

// Figures are bytes and blocks.
type Figures struct{ Bytes, Blocks int64 }

func (f Figures) plus(g Figures) Figures  { return Figures{f.Bytes + g.Bytes, f.Blocks + g.Blocks} }
func (f Figures) minus(g Figures) Figures { return Figures{f.Bytes - g.Bytes, f.Blocks - g.Blocks} }

// between returns f, at least 0 and at most g.
func (f Figures) between(g Figures) Figures {
	return Figures{min(max(f.Bytes, 0), g.Bytes), min(max(f.Blocks, 0), g.Blocks)}
}

// counters are the figures that the runtime keeps of one place.
type counters struct{ allocated, freed Figures }

// profile has the counters by place. A place is the stack of an allocation as text: its
// frames, the allocating one first, a line each. Memory of the measurement itself is in
// none.
type profile map[string]counters

// minus returns the differences to base that are not 0.
func (p profile) minus(base profile) profile {
	since := profile{}
	for place, c := range p {
		b := base[place]
		if c = (counters{c.allocated.minus(b.allocated), c.freed.minus(b.freed)}); c != (counters{}) {
			since[place] = c
		}
	}
	return since
}

// reader reads the profile of the runtime, which records every allocation until close.
type reader struct {
	texts   map[[32]uintptr]string
	records []runtime.MemProfileRecord
	rate    int // of the profile, before and after
}

func newReader() *reader {
	r := &reader{texts: map[[32]uintptr]string{}, rate: runtime.MemProfileRate}
	runtime.MemProfileRate = 1
	return r
}

func (r *reader) close() { runtime.MemProfileRate = r.rate }

// read collects garbage and reads the profile.
func (r *reader) read() profile {
	runtime.GC()
	n, ok := runtime.MemProfile(r.records, true)
	for !ok {
		r.records = make([]runtime.MemProfileRecord, n+n/4+100)
		n, ok = runtime.MemProfile(r.records, true)
	}
	p := profile{}
	for i := range r.records[:n] {
		record := &r.records[i]
		place, known := r.texts[record.Stack0]
		if !known {
			place = frames(record.Stack())
			r.texts[record.Stack0] = place
		}
		if place != "" {
			c := p[place]
			p[place] = counters{
				c.allocated.plus(Figures{record.AllocBytes, record.AllocObjects}), c.freed.plus(Figures{record.FreeBytes, record.FreeObjects}),
			}
		}
	}
	return p
}

// Memory is of the measurement, and not of the work, if a function of these packages is
// on the stack, if the program around the work allocated it, or if the runtime did for
// itself, as for the goroutines of the collector.
var measuring = []string{"/bench/heap.", "/bench/step."}

const around = "/bench/oneshot."

// frames returns the frames of a stack from the runtime's at its beginning to those of
// the program around the work, without both: two programs around the same work have the
// same places. It is empty for memory of the measurement.
func frames(stack []uintptr) string {
	var b strings.Builder
	callers := runtime.CallersFrames(stack)
	for more := len(stack) > 0; more; {
		var f runtime.Frame
		f, more = callers.Next()
		for _, name := range measuring {
			if strings.Contains(f.Function, name) {
				return ""
			}
		}
		if strings.Contains(f.Function, around) {
			break
		}
		if b.Len() > 0 || !strings.HasPrefix(f.Function, "runtime.") {
			fmt.Fprintf(&b, "0x%x: %s (%s:%d)\n", f.PC, f.Function, path.Base(f.File), f.Line)
		}
	}
	return b.String()
}

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
