package heap

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// record holds the counters of the profile for one place.
type record struct{ allocBytes, allocBlocks, freeBytes, freeBlocks int64 }

// live returns the memory in use. Memory from before the work that was freed
// later makes a difference negative; it counts as 0.
func (r record) live() Figures {
	return Figures{max(r.allocBytes-r.freeBytes, 0), max(r.allocBlocks-r.freeBlocks, 0)}
}

// since returns the difference to base.
func (r record) since(base record) record {
	return record{
		r.allocBytes - base.allocBytes, r.allocBlocks - base.allocBlocks,
		r.freeBytes - base.freeBytes, r.freeBlocks - base.freeBlocks,
	}
}

func (r record) plus(s record) record {
	return record{
		r.allocBytes + s.allocBytes, r.allocBlocks + s.allocBlocks,
		r.freeBytes + s.freeBytes, r.freeBlocks + s.freeBlocks,
	}
}

// profile holds the runtime's counters, by the number of the place.
type profile []record

// places numbers the places of a program. A place is the stack of an allocation.
// The stacks of a process that records every allocation are tens of thousands, most
// of them of its start, so only a place that the work used becomes text.
type places struct {
	byStack map[[32]uintptr]int
	stacks  [][32]uintptr
	texts   []string                   // "" until text is called
	records []runtime.MemProfileRecord // the buffer of read
	rate    int                        // of the profile, before and after
}

// newPlaces makes the runtime record every allocation until close.
func newPlaces() *places {
	seen := &places{byStack: map[[32]uintptr]int{}, rate: runtime.MemProfileRate}
	runtime.MemProfileRate = 1
	return seen
}

func (seen *places) close() { runtime.MemProfileRate = seen.rate }

// number returns the number of the place of a stack.
func (seen *places) number(stack [32]uintptr) int {
	n, found := seen.byStack[stack]
	if !found {
		n = len(seen.stacks)
		seen.byStack[stack] = n
		seen.stacks, seen.texts = append(seen.stacks, stack), append(seen.texts, "")
	}
	return n
}

// text returns the frames of a place, the allocating one first, a line each, or ours.
func (seen *places) text(place int) string {
	if seen.texts[place] == "" {
		r := runtime.MemProfileRecord{Stack0: seen.stacks[place]}
		seen.texts[place] = frames(r.Stack())
	}
	return seen.texts[place]
}

// read reads the profile as of the last collection.
func (seen *places) read() profile {
	n, ok := runtime.MemProfile(seen.records, true)
	for !ok {
		seen.records = make([]runtime.MemProfileRecord, n+n/4+100)
		n, ok = runtime.MemProfile(seen.records, true)
	}
	p := make(profile, len(seen.stacks), len(seen.stacks)+100)
	for i := range seen.records[:n] {
		r := &seen.records[i]
		at := seen.number(r.Stack0)
		for at >= len(p) {
			p = append(p, record{})
		}
		p[at] = p[at].plus(record{r.AllocBytes, r.AllocObjects, r.FreeBytes, r.FreeObjects})
	}
	return p
}

// work returns the differences of p to base that are not 0, by the text of the place,
// without the memory of the measurement itself.
func (seen *places) work(p, base profile) map[string]record {
	used := map[string]record{}
	for at, r := range p {
		if r = r.since(base.at(at)); r != (record{}) && seen.text(at) != ours {
			used[seen.text(at)] = r.plus(used[seen.text(at)])
		}
	}
	return used
}

// at returns the counters of a place, which are 0 if p is older than the place.
func (p profile) at(place int) record {
	if place < len(p) {
		return p[place]
	}
	return record{}
}

// ours is the place of memory that does not belong to the work: a function of the measuring
// packages is on the stack, the program around the work allocated it, or the runtime
// did for itself, as for the goroutines of the collector.
const ours = "ours"

var measuring = []string{"/bench/heap.", "/bench/step."}

const around = "/bench/oneshot."

// frames returns the frames of a stack from the runtime's at its beginning to those of
// the program around the work, without both: two programs around the same work have the
// same places.
func frames(stack []uintptr) string {
	var b strings.Builder
	callers := runtime.CallersFrames(stack)
	for more := len(stack) > 0; more; {
		var f runtime.Frame
		f, more = callers.Next()
		for _, of := range measuring {
			if strings.Contains(f.Function, of) {
				return ours
			}
		}
		if strings.Contains(f.Function, around) {
			break
		}
		if b.Len() > 0 || !strings.HasPrefix(f.Function, "runtime.") {
			fmt.Fprintf(&b, "0x%x: %s (%s:%d)\n", f.PC, f.Function, path.Base(f.File), f.Line)
		}
	}
	if b.Len() == 0 {
		return ours
	}
	return b.String()
}
