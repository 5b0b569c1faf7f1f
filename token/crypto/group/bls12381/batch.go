// Code generated from bn254/batch.go by bls12381/generate. DO NOT EDIT.

package bls12381

import curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

// batchLen is the largest number of additions that share an inversion. The
// memory of one batch, 7·batchLen field elements, stays in the second-level
// cache.
const batchLen = 1024

// points is memory for batchLen affine points in the form that a kernel
// computes with. It tracks whether the identity may be among them, because
// sums with the identity take a slower path.
type points interface {
	// mayHaveIdentity reports whether the identity may be among the points that
	// were put here or computed since the last reset.
	mayHaveIdentity() bool
	// reset declares all places unused: the identity is not among them.
	reset()
	// load puts p, which may be the identity, into place i.
	load(i int, p curve.G1Affine)
	// gather puts entry refs[k]>>1 into place i+k, negated if refs[k] is odd.
	gather(i int, from entries, refs []uint32)
	// store sets dst[k] to the point in place i+k.
	store(dst []curve.G1Affine, i int)
	// add adds the point in place j+k of b to the point in place i+k for all
	// k < sums, and doubles the points in places i+k for sums ≤ k < n, with one
	// inversion in the field. Operands may be equal, opposite or the identity. b
	// is of the same kernel; n of its places are undefined afterwards.
	add(i int, b points, j, sums, n int)
	// endomorphism replaces n points from place i on by their images under φ.
	endomorphism(i, n int)
	// wipe clears all memory that was used.
	wipe()
}

// entries are points that batches gather.
type entries struct {
	points   []curve.G1Affine
	identity bool // the identity may be among the points
}

// batch is n places of points, from place first on.
type batch struct {
	points   points
	first, n int
}

func newBatch(p points) batch { return batch{points: p, n: batchLen} }

// cut returns the places i to j.
func (b batch) cut(i, j int) batch { return batch{b.points, b.first + i, j - i} }

func (b batch) load(i int, p curve.G1Affine) { b.points.load(b.first+i, p) }

// gather fills the whole batch: len(refs) is its length.
func (b batch) gather(from entries, refs []uint32) { b.points.gather(b.first, from, refs) }

// store writes the whole batch: len(dst) is its length.
func (b batch) store(dst []curve.G1Affine) { b.points.store(dst, b.first) }

// add sets b += c in every place and overwrites c, of the same length.
func (b batch) add(c batch) { b.addOrDouble(c, b.n) }

// addOrDouble sets b += c in the first sums places and b += b in the others,
// and overwrites c, of the same length.
func (b batch) addOrDouble(c batch, sums int) {
	b.points.add(b.first, c.points, c.first, sums, b.n)
}

// double sets b += b in every place and overwrites c, of the same length.
func (b batch) double(c batch) { b.addOrDouble(c, 0) }

func (b batch) endomorphism() { b.points.endomorphism(b.first, b.n) }
