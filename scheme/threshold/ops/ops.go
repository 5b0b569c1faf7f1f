// Package ops counts the group operations of threshold protocols.
//
// The packages secp and frost report each operation with Add. Count runs a
// function and returns its operations. Outside of Count an operation costs one
// load and one branch more, so that times stay true for the protocol.
package ops

import (
	"sync"
	"sync/atomic"

	"github.com/zkatbench/zkatbench/count"
)

// Operations of the protocols. Additions of the protocol alone: additions
// inside of a multiplication or a sum are part of it.
var (
	BaseMul  = count.One(count.FixedMSM)  // a multiplication of the generator
	Mul      = count.One(count.ScalarMul) // a multiplication of another point
	PointAdd = count.One(count.Add)       // an addition or a subtraction
	Decode   = count.One(count.Decode)    // a compressed point was decoded
)

// MSM is a multi-scalar multiplication.
func MSM(terms int) count.Event { return count.Of(count.MSM, terms) }

var (
	counting sync.Mutex
	active   atomic.Pointer[count.Recorder]
)

// Count runs f and returns the operations of the whole process during the run.
// Other goroutines must not use a group at the same time. Calls of Count wait for
// each other.
func Count(f func()) count.Counts {
	counting.Lock()
	defer counting.Unlock()
	rec := new(count.Recorder)
	active.Store(rec)
	defer active.Store(nil)
	f()
	return rec.Snapshot().Total()
}

// Add reports n operations.
func Add(e count.Event, n int) {
	if rec := active.Load(); rec != nil {
		rec.Bucket("").Count(e, uint64(n))
	}
}
