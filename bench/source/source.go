// Package source names the instruments that measure an operation, and keeps
// instruments apart that disturb each other.
//
//	source.go  Traits of each source, and their division into passes
//	steps.go   the cost of an operation by step, joined from several passes
package source

import (
	"fmt"
	"slices"
	"strings"
)

// Traits describes a source of figures.
type Traits struct {
	Name string
	// Exact says that the same program and seed give the same figures on every
	// machine of a kind.
	Exact bool
	// Disturbs says that a time taken in the same pass is not the operation's.
	Disturbs bool
}

// The sources.
var (
	Time        = Traits{Name: "time"}
	Allocs      = Traits{Name: "allocs"}
	Ops         = Traits{Name: "ops", Exact: true, Disturbs: true}
	Steps       = Traits{Name: "steps", Exact: true, Disturbs: true} // exact except for Time_ns
	Heap        = Traits{Name: "heap", Exact: true, Disturbs: true}
	HeapSampled = Traits{Name: "heap-sampled"}
	Instr       = Traits{Name: "instr", Exact: true, Disturbs: true}
	CPU         = Traits{Name: "cpu"}
	Net         = Traits{Name: "net", Exact: true}
)

// All lists the sources.
var All = []Traits{Time, Allocs, Ops, Steps, Heap, HeapSampled, Instr, CPU, Net}

// Pass is a set of sources that observe one execution together.
type Pass []Traits

// Passes divides sources into passes: sources that do not disturb share the first
// one, and each other source has a separate pass.
func Passes(sources ...Traits) (passes []Pass) {
	var undisturbed Pass
	for _, s := range sources {
		if s.Disturbs {
			passes = append(passes, Pass{s})
		} else {
			undisturbed = append(undisturbed, s)
		}
	}
	if len(undisturbed) > 0 {
		passes = slices.Insert(passes, 0, undisturbed)
	}
	return passes
}

// Header returns the line that begins the output of a disturbed pass, and an empty
// string for an undisturbed one.
func (p Pass) Header() string {
	var names []string
	for _, s := range p {
		if s.Disturbs {
			names = append(names, s.Name)
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("# disturbed by: %s\n", strings.Join(names, ", "))
}
