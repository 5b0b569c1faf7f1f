// Package ops counts the group operations of threshold protocols.
//
// The packages secp and frost report each operation with Add. Count runs a
// function and returns its operations. Outside of Count an operation costs one
// load and one branch more, so that times stay those of the protocol.
package ops

import (
	"sync"
	"sync/atomic"
)

// Kind is a kind of operation.
type Kind int

// The kinds. Additions are those of the protocol: additions inside of a
// multiplication or a sum are part of it.
const (
	BaseMul  Kind = iota // multiplications of the generator
	Mul                  // multiplications of another point
	MSM                  // multi-scalar multiplications
	MSMTerms             // points in multi-scalar multiplications
	PointAdd             // additions and subtractions
	Decode               // compressed points that were decoded
	NumKinds
)

var names = [NumKinds]string{"base-mul", "mul", "msm", "msm-terms", "point-add", "decode"}

// String returns the name of the kind, as in tables and units.
func (k Kind) String() string { return names[k] }

// Counts are numbers of operations by kind.
type Counts [NumKinds]uint64

// Plus returns the sum of both, kind by kind.
func (c Counts) Plus(other Counts) Counts {
	for k, n := range other {
		c[k] += n
	}
	return c
}

// counter is Counts while they grow.
type counter [NumKinds]atomic.Uint64

var (
	counting sync.Mutex
	active   atomic.Pointer[counter]
)

// Count runs f and returns the operations of the whole process during the run.
// Other goroutines must not use a group at the same time. Calls of Count wait for
// each other.
func Count(f func()) (c Counts) {
	counting.Lock()
	defer counting.Unlock()
	running := new(counter)
	active.Store(running)
	defer active.Store(nil)
	f()
	for k := range c {
		c[k] = running[k].Load()
	}
	return c
}

// Add reports n operations of a kind.
func Add(k Kind, n int) {
	if c := active.Load(); c != nil {
		c[k].Add(uint64(n))
	}
}
