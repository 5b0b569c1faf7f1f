// Package heap measures the memory that work allocates and keeps, by the profile of
// the Go runtime, in which every allocation is recorded meanwhile.
//
//	profile.go the records of the runtime's profile, by place; the memory that work
//	           allocates, without collections
//	heap.go    looks at the live heap during the work
//	dhat.go    the result as text, and as a file for Valgrind's DHAT viewer
//
// Live memory is reachable memory: a look collects garbage first. That empties pools
// (sync.Pool), and filling them again is no cost of the work. So Heap measures the
// total first, in a pass without collections, and no place has more live memory than
// its total: what it holds beyond is the refilling of pools. Times are not meaningful.
package heap

import (
	"os"
	"regexp"
	"runtime"
	"strconv"
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
	l.res.Looks++
	if all.Bytes > l.res.AtPeak.Bytes {
		l.res.AtPeak, l.res.PeakTime = all, at
		for place, p := range l.places {
			p.PeakBytes, p.PeakBlocks = live[place].Bytes, live[place].Blocks
		}
	}
	l.allocated, _ = memory() // excludes allocations of the look itself
}

// live returns the live memory of the work, in all and by place: at most the total of
// each. Memory from before the work that was freed later is no negative memory.
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
