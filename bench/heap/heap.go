// Package heap measures the memory that work allocates and keeps.
//
//	heap.go   Environment, and looks at the live heap during work
//	total.go  the memory that work allocates, without collections
//	points.go the records of the runtime's profile, by place
//	dhat.go   the result as text, and as a file for Valgrind's DHAT viewer
//
// Live memory is reachable memory: a look collects garbage first. That empties pools
// (sync.Pool), and filling them again is no cost of the work, so Totals measures the
// total without collections, in a separate pass. The runtime's profile must record
// every allocation, so a measured process starts with Environment. Its times are not
// meaningful.
package heap

import (
	"bufio"
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// ErrNotArmed says that the profile of this process is not complete.
var ErrNotArmed = errors.New("the process does not record every allocation")

// armed is the setting of GODEBUG with which the runtime records every allocation
// from the start of a process.
const armed = "memprofilerate=1"

// Environment is environ (os.Environ) for an armed process.
func Environment(environ []string) []string {
	value := armed
	if old := os.Getenv("GODEBUG"); old != "" {
		value = old + "," + armed
	}
	return append(environ, "GODEBUG="+value)
}

// Armed reports whether the runtime records every allocation.
func Armed() bool { return runtime.MemProfileRate == 1 }

// Figures are bytes and blocks.
type Figures struct{ Bytes, Blocks int64 }

// Looks observes the heap during work. It belongs to one goroutine.
type Looks struct {
	every     uint64
	start     time.Time
	allocated uint64 // bytes, at the last look
	places    *places
	base      profile
	peak      Figures
	borders   int
	res       *Result
}

// Start begins to observe. At a border between two steps of the work there is a
// look if at least every bytes were allocated since the last one, and at each of
// the first borders.
func Start(every uint64) (*Looks, error) {
	if !Armed() {
		return nil, ErrNotArmed
	}
	l := &Looks{every: every, places: newPlaces(), res: &Result{points: map[string]*point{}}}
	runtime.GC()
	l.base = l.places.read()
	l.start = time.Now()
	l.allocated, _, _ = memory()
	return l, nil
}

// memory returns the runtime's own figures: bytes and objects ever allocated, and
// bytes in use with garbage.
func memory() (allocated, objects, inUse uint64) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc, m.Mallocs, m.HeapAlloc
}

// thorough is the number of first borders with a look each, so that
// operations that allocate little have a peak.
const thorough = 50

// Border looks if enough was allocated since the last look, or if it is one of the
// first borders.
func (l *Looks) Border() {
	allocated, _, inUse := memory()
	l.res.HighWater = max(l.res.HighWater, inUse)
	l.borders++
	if allocated-l.allocated >= l.every || l.borders <= thorough {
		l.look(allocated - l.allocated)
	}
}

// look collects garbage and reads the profile. since is the number of bytes
// allocated after the last look: between two looks more can have been live than
// they show, by at most this.
func (l *Looks) look(since uint64) {
	runtime.GC()
	now := l.places.read()
	l.res.Looks++
	l.res.Exactness = max(l.res.Exactness, since)
	l.note(now)
	l.allocated, _, _ = memory() // excludes allocations of the look itself
}

// note updates the maxima with the live memory of a look.
func (l *Looks) note(now profile) {
	var live Figures
	used := l.places.work(now, l.base)
	for place, r := range used {
		live = live.plus(r.live())
		l.res.at(place).maximum(r.live())
	}
	l.res.Live = append(l.res.Live, Look{time.Since(l.start), live.Bytes})
	if live.Bytes <= l.peak.Bytes && l.res.Looks > 1 {
		return
	}
	l.peak, l.res.AtPeak, l.res.peakTime = live, live, time.Since(l.start)
	for place, p := range l.res.points {
		p.peak = used[place].live()
	}
}

// End ends the work. Memory still reachable is a leak.
func (l *Looks) End() *Result {
	allocated, _, inUse := memory()
	l.res.HighWater = max(l.res.HighWater, inUse)
	l.look(allocated - l.allocated)
	runtime.GC()
	for place, r := range l.places.work(l.places.read(), l.base) {
		p := l.res.at(place)
		p.total, p.end = Figures{r.allocBytes, r.allocBlocks}, r.live()
		l.res.Total, l.res.AtEnd = l.res.Total.plus(p.total), l.res.AtEnd.plus(p.end)
	}
	l.res.endTime = time.Since(l.start)
	l.res.VmHWM = residentPeak()
	return l.res
}

// Result holds the memory that the work allocated and kept.
type Result struct {
	// Total was allocated, AtPeak was live at the look with most live bytes,
	// AtEnd was live after the work.
	Total, AtPeak, AtEnd Figures
	// Looks is their number. Exactness bounds by how many bytes more can have
	// been live between two of them.
	Looks     int
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

// at returns the point of a place.
func (r *Result) at(place string) *point {
	p := r.points[place]
	if p == nil {
		p = &point{}
		r.points[place] = p
	}
	return p
}

// point holds the memory that one place in the program allocated.
type point struct{ total, most, peak, end Figures }

func (p *point) maximum(live Figures) {
	p.most.Bytes, p.most.Blocks = max(p.most.Bytes, live.Bytes), max(p.most.Blocks, live.Blocks)
}

func (f Figures) plus(g Figures) Figures { return Figures{f.Bytes + g.Bytes, f.Blocks + g.Blocks} }

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
