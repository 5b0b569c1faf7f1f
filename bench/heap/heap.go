// Package heap measures the memory that work allocates and keeps, by the profile of
// the Go runtime, in which every allocation is recorded meanwhile.
//
//	total.go  the memory that work allocates, without collections
//	heap.go   looks at the live heap during the work
//	points.go the records of the runtime's profile, by place
//	dhat.go   the result as text, and as a file for Valgrind's DHAT viewer
//
// Live memory is reachable memory: a look collects garbage first. That empties pools
// (sync.Pool), and filling them again is no cost of the work. So Totals measures the
// total first, in a pass without collections, and no place has more live memory than
// its total: what it holds beyond is the refilling of pools. Times are not meaningful.
package heap

import (
	"bufio"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Figures are bytes and blocks.
type Figures struct{ Bytes, Blocks int64 }

func (f Figures) plus(g Figures) Figures { return Figures{f.Bytes + g.Bytes, f.Blocks + g.Blocks} }

func (f Figures) most(g Figures) Figures {
	return Figures{max(f.Bytes, g.Bytes), max(f.Blocks, g.Blocks)}
}

func (f Figures) least(g Figures) Figures {
	return Figures{min(f.Bytes, g.Bytes), min(f.Blocks, g.Blocks)}
}

// Looks observes the heap during work. It belongs to one goroutine.
type Looks struct {
	every     uint64
	start     time.Time
	allocated uint64 // bytes, at the last look
	places    *places
	base      profile
	borders   int
	res       *Result
}

// Start begins to observe work with the given total. At a border between two steps of
// the work there is a look if at least every bytes were allocated since the last one,
// and at each of the first borders.
func Start(every uint64, total Total) *Looks {
	l := &Looks{every: every, places: newPlaces(), res: &Result{points: map[string]*point{}}}
	for place, t := range total {
		l.res.points[place] = &point{total: t}
		l.res.Total = l.res.Total.plus(t)
	}
	runtime.GC()
	l.base = l.places.read()
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
	runtime.GC()
	l.res.Exactness = max(l.res.Exactness, since)
	live, used := l.live()
	for place, now := range used {
		l.res.points[place].most = l.res.points[place].most.most(now)
	}
	l.res.Live = append(l.res.Live, Look{time.Since(l.start), live.Bytes})
	if live.Bytes > l.res.AtPeak.Bytes {
		l.res.AtPeak, l.res.peakTime = live, time.Since(l.start)
		for place, p := range l.res.points {
			p.peak = used[place]
		}
	}
	l.allocated, _ = memory() // excludes allocations of the look itself
}

// live returns the live memory of the work as of the last collection, in all and by
// place: at most the total of each.
func (l *Looks) live() (all Figures, used map[string]Figures) {
	used = map[string]Figures{}
	for place, r := range l.places.work(l.places.read(), l.base) {
		if p := l.res.points[place]; p != nil {
			used[place] = r.live().least(p.total)
			all = all.plus(used[place])
		}
	}
	return all, used
}

// End ends the work. Memory still reachable is a leak.
func (l *Looks) End() *Result {
	l.look(true)
	runtime.GC()
	all, used := l.live()
	l.res.AtEnd, l.res.endTime, l.res.VmHWM = all, time.Since(l.start), residentPeak()
	for place, p := range l.res.points {
		p.end = used[place]
	}
	l.places.close()
	return l.res
}

// Result holds the memory that the work allocated and kept.
type Result struct {
	// Total was allocated, AtPeak was live at the look with most live bytes,
	// AtEnd was live after the work.
	Total, AtPeak, AtEnd Figures
	// Exactness bounds by how many bytes more can have been live between two looks.
	Exactness uint64
	// HighWater is the largest heap with garbage that was seen, in bytes, VmHWM
	// the largest resident set of the process, 0 where the system does not tell.
	HighWater, VmHWM uint64
	// Live is the live memory at each look.
	Live []Look

	peakTime, endTime time.Duration
	points            map[string]*point
}

// Look is the live memory at a time since the start.
type Look struct {
	At    time.Duration
	Bytes int64
}

// point holds the memory that one place in the program allocated.
type point struct{ total, most, peak, end Figures }

// residentPeak returns VmHWM of /proc/self/status in bytes, or 0 if it is unknown.
func residentPeak() uint64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) == 3 && fields[0] == "VmHWM:" {
			kib, _ := strconv.ParseUint(fields[1], 10, 64)
			return kib << 10
		}
	}
	return 0
}
