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

// profile is the runtime's profile by place. A place is the stack of an
// allocation: its frames, the allocating one first, a line each.
type profile map[string]record

// places are stacks that were turned into text before.
type places map[[32]uintptr]string

// read reads the profile as of the last collection, without the memory of the
// measurement itself.
func (known places) read() profile {
	var records []runtime.MemProfileRecord
	n, ok := runtime.MemProfile(nil, true)
	for !ok {
		records = make([]runtime.MemProfileRecord, n+n/4+100)
		n, ok = runtime.MemProfile(records, true)
	}
	p := profile{}
	for i := range records[:n] {
		r := &records[i]
		at, found := known[r.Stack0]
		if !found {
			at = place(r.Stack())
			known[r.Stack0] = at
		}
		if at == ours {
			continue
		}
		sum := p[at]
		sum.allocBytes += r.AllocBytes
		sum.allocBlocks += r.AllocObjects
		sum.freeBytes += r.FreeBytes
		sum.freeBlocks += r.FreeObjects
		p[at] = sum
	}
	return p
}

// ours is the place of memory that does not belong to the work: a function of the measuring
// packages is on the stack, or the runtime allocated it for itself, as for the
// goroutines of the collector.
const ours = "ours"

var measuring = []string{"/bench/heap.", "/bench/step."}

// place returns the frames of a stack without the runtime's at its beginning.
func place(stack []uintptr) string {
	var b strings.Builder
	frames := runtime.CallersFrames(stack)
	for more := len(stack) > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		for _, of := range measuring {
			if strings.Contains(f.Function, of) {
				return ours
			}
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
