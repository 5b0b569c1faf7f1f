// Package heap measures the memory that work allocates and keeps, by the profile of the
// Go runtime, which records every allocation meanwhile.
//
// Live memory is reachable memory: a look collects garbage first. That empties pools
// (sync.Pool), and the work is not charged for filling them again. So Heap measures the
// total first, in a pass without collections, and no place has more live memory than its
// total: the excess is due to refilled pools. Times are not meaningful.
package heap

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// Looks observes the heap during work. It belongs to one goroutine.
type Looks struct {
	every     uint64
	start     time.Time
	allocated uint64 // bytes, at the last look
	reader    *reader
	base      profile
	borders   int
	places    map[string]*Place
	res       *Result
}

// Start begins to observe work with the given total. At a border between two steps of
// the work there is a look if at least every bytes were allocated since the last one,
// and at each of the first borders.
func Start(every uint64, total Total) *Looks {
	l := &Looks{every: every, reader: newReader(), places: map[string]*Place{}, res: newResult()}
	for place, t := range total {
		l.places[place] = &Place{TotalBytes: t.Bytes, TotalBlocks: t.Blocks}
	}
	l.base = l.reader.read()
	l.start = time.Now()
	l.allocated, _ = memory()
	return l
}

// memory returns the runtime's own figures in bytes: ever allocated, and in use with
// garbage.
func memory() (allocated, inUse uint64) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc, m.HeapAlloc
}

// thorough is the number of first borders with a look each, so that
// operations that allocate little have a peak.
const thorough = 50

// Border looks if enough was allocated since the last look, or if it is one of the
// first borders.
func (l *Looks) Border() {
	l.borders++
	l.look(l.borders <= thorough)
}

// look notes the heap with garbage and, if it is time or surely, collects garbage and
// notes the live memory by place. Between two looks more can have been live than they
// show, by at most the bytes allocated between them.
func (l *Looks) look(surely bool) {
	allocated, inUse := memory()
	l.res.HighWater = max(l.res.HighWater, inUse)
	since := allocated - l.allocated
	if since < l.every && !surely {
		return
	}
	l.res.Exactness = max(l.res.Exactness, since)
	all, live := l.live()
	for place, now := range live {
		p := l.places[place]
		p.MostBytes, p.MostBlocks = max(p.MostBytes, now.Bytes), max(p.MostBlocks, now.Blocks)
	}
	at := time.Since(l.start).Microseconds()
	l.res.Live = append(l.res.Live, Look{at, all.Bytes})
	if all.Bytes > l.res.AtPeak.Bytes {
		l.res.AtPeak, l.res.PeakTime = all, at
		for place, p := range l.places {
			p.PeakBytes, p.PeakBlocks = live[place].Bytes, live[place].Blocks
		}
	}
	l.allocated, _ = memory() // excludes allocations of the look itself
}

// live returns the live memory of the work, in all and by place: at most the total of
// each. Memory from before the work that was freed later does not count as negative.
func (l *Looks) live() (all Figures, places map[string]Figures) {
	places = map[string]Figures{}
	for place, c := range l.reader.read().minus(l.base) {
		if p := l.places[place]; p != nil {
			places[place] = c.allocated.minus(c.freed).between(Figures{p.TotalBytes, p.TotalBlocks})
			all = all.plus(places[place])
		}
	}
	return all, places
}

// End ends the work. Memory still reachable is a leak.
func (l *Looks) End() *Result {
	l.look(true)
	_, kept := l.live()
	l.res.EndTime, l.res.VmHWM = time.Since(l.start).Microseconds(), residentPeak()
	for place, p := range l.places {
		p.EndBytes, p.EndBlocks = kept[place].Bytes, kept[place].Blocks
	}
	l.res.list(l.places)
	l.reader.close()
	return l.res
}

var highWater = regexp.MustCompile(`VmHWM:\s*(\d+) kB`)

// residentPeak returns VmHWM of /proc/self/status in bytes, or 0 if it is unknown.
func residentPeak() uint64 {
	status, _ := os.ReadFile("/proc/self/status")
	found := highWater.FindSubmatch(status)
	if found == nil {
		return 0
	}
	kib, _ := strconv.ParseUint(string(found[1]), 10, 64)
	return kib << 10
}

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
// frames, the allocating one first, a line each. Memory of the measurement itself is
// left out.
type profile map[string]counters

// minus returns the differences to base that are not 0.
func (p profile) minus(base profile) profile {
	since := profile{}
	for place, c := range p {
		b := base[place]
		c = (counters{c.allocated.minus(b.allocated), c.freed.minus(b.freed)})
		if c != (counters{}) {
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
				c.allocated.plus(Figures{record.AllocBytes, record.AllocObjects}),
				c.freed.plus(Figures{record.FreeBytes, record.FreeObjects}),
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

// frames returns the frames of a stack that belong to the work: without the runtime's at
// its beginning, and without the program around the work at its end. So two programs
// around the same work have the same places. It is empty for memory of the measurement.
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

// collectAt is the memory limit in bytes: above it, garbage is collected all the same.
const collectAt = 2 << 30

// StartTotals stops collections and leaves one processor, since each has pools of its
// own. It comes before the preparation of the work, which fills pools.
func StartTotals() *Totals {
	percent, limit, processors := debug.SetGCPercent(-1), debug.SetMemoryLimit(collectAt),
		runtime.GOMAXPROCS(1)
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
