// Code generated from bn254/workspace.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	"sync"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// workspace is the memory of one operation.
type workspace struct {
	pool    *sync.Pool // where it belongs
	acc, in batch      // of one addition: the sums, and the points added to them
	scratch *scratch   // of the portable kernel
	shared  wiper      // memory that acc and in share, or nil

	refs    []uint32         // entries to look up
	odd     []odd            // recoded scalars
	pieces  []piece          // of sums over a table
	column  []fr.Element     // one scalar of each piece
	numbers []uint32         // the numbers of their points
	partial []curve.G1Affine // sums of some of the terms
	sums    []curve.G1Affine // results
	jac     []curve.G1Jac    // sums being finished
	totals  []curve.G1Jac    // results before they are affine
	class   []int            // rows of one length
	done    []bool           // rows that have been in a class
	columns []int            // how many rows have more than q pieces
	bases   []curve.G1Affine // variable points
	twice   []curve.G1Affine // their doubles
	entries []curve.G1Affine // their multiples
	halves  []half
	ends    []int    // where the halves of each sum end
	digits  []int16  // of bucketed scalars
	lists   segments // points in buckets
	next    []uint32 // where the next point of a bucket goes, or the refs of lists
	full    []uint32 // the lengths of these lists
}

// newWorkspace returns a workspace on the vector kernel if wanted and available.
func newWorkspace(vector bool) *workspace {
	ws := &workspace{scratch: newScratch()}
	a, b := newColumns(ws.scratch), newColumns(ws.scratch)
	ws.acc, ws.in = newBatch(a), newBatch(b)
	if !vector {
		return ws
	}
	if acc, in, shared := newLanes(a, b); acc != nil {
		ws.acc, ws.in, ws.shared = newBatch(acc), newBatch(in), shared
	}
	return ws
}

// wiper is memory to clear after use.
type wiper interface{ wipe() }

// Workspaces that are not in use, by kernel.
var (
	vectorPool   = sync.Pool{New: func() any { return newWorkspace(true) }}
	portablePool = sync.Pool{New: func() any { return newWorkspace(false) }}
)

// pool returns the workspaces on the kernel of g.
func (g *Group) pool() *sync.Pool {
	if g.portable {
		return &portablePool
	}
	return &vectorPool
}

// take returns a workspace; give it back with put.
func (g *Group) take() *workspace {
	ws := g.pool().Get().(*workspace)
	ws.pool = g.pool()
	return ws
}

// put wipes the memory, because it may depend on secrets, and gives it back.
func (ws *workspace) put() {
	ws.acc.points.wipe()
	ws.in.points.wipe()
	if ws.shared != nil {
		ws.shared.wipe()
	}
	ws.scratch.wipe()
	wipe(&ws.refs)
	wipe(&ws.odd)
	wipe(&ws.pieces)
	wipe(&ws.column)
	wipe(&ws.numbers)
	wipe(&ws.partial)
	wipe(&ws.sums)
	wipe(&ws.jac)
	wipe(&ws.totals)
	wipe(&ws.bases)
	wipe(&ws.twice)
	wipe(&ws.entries)
	wipe(&ws.halves)
	wipe(&ws.ends)
	wipe(&ws.digits)
	ws.lists.wipe()
	wipe(&ws.columns)
	wipe(&ws.next)
	wipe(&ws.full)
	ws.pool.Put(ws)
}

// wipe clears all elements of *s and makes it empty.
func wipe[T any](s *[]T) {
	clear(*s)
	*s = (*s)[:0]
}

// grow returns *s with exactly n elements, in the same memory if it is large
// enough. Elements that the slice no longer holds are wiped.
func grow[T any](s *[]T, n int) []T {
	if n < len(*s) {
		clear((*s)[n:])
	}
	if n > cap(*s) {
		clear(*s)
		*s = make([]T, n)
	}
	*s = (*s)[:n]
	return *s
}
