// Code generated from bn254/lockstep.go by bls12381/generate. DO NOT EDIT.

package bls12381

import curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

// maxRows is the largest number of sums of a caller that go in lockstep.
const maxRows = 128

// lockstep computes sums of equal length: sum r is the sum of the entries that
// choose(refs, t) names in refs[r], with one call for each term t. refs[r] is
// twice an index into entries, plus one if the entry is to be subtracted.
// len(sums) is at most batchLen.
func (ws *workspace) lockstep(sums []curve.G1Affine, terms int, from entries,
	choose func(refs []uint32, term int)) {
	rows := len(sums)
	if terms == 0 {
		clear(sums)
		return
	}
	fill := func(first, terms int) int { return ws.choose(rows, first, terms, choose) }
	if c := ws.chains(rows, terms, from, fill); c == nil || !c.affine(rows) {
		ws.accumulate(rows, terms, from, fill)
	}
	ws.acc.cut(0, rows).store(sums)
}

// accumulate leaves sum r of at least one term in place r of ws.acc. With one row of
// places for each term, adding the lower half of the terms to the upper half is
// an addition of two batches.
func (ws *workspace) accumulate(rows, terms int, from entries, fill filler) {
	height := min((terms+1)/2, batchLen/rows)
	ws.stack(rows, terms, height, from, fill)
	for height > 1 {
		h := height / 2
		upper := ws.acc.cut((height-h)*rows, height*rows)
		ws.acc.cut(0, h*rows).add(upper)
		height -= h
	}
}

// stack adds the terms of every sum in ws.acc, to the given number of partial sums.
func (ws *workspace) stack(rows, terms, height int, from entries, fill filler) {
	ws.reset()
	ws.fill(ws.acc, 0, height, rows, from, fill)
	for t := height; t < terms; t += height {
		n := min(height, terms-t)
		ws.fill(ws.in, t, n, rows, from, fill)
		ws.acc.cut(0, n*rows).add(ws.in.cut(0, n*rows))
	}
}

// reset declares acc and in unused.
func (ws *workspace) reset() {
	ws.acc.points.reset()
	ws.in.points.reset()
}

// inOrder returns the references of the first n entries.
func (ws *workspace) inOrder(n int) []uint32 {
	refs := grow(&ws.refs, n)
	for i := range refs {
		refs[i] = uint32(i) << 1
	}
	return refs
}

// storePartial returns the first n points of ws.acc.
func (ws *workspace) storePartial(n int) []curve.G1Affine {
	partial := grow(&ws.partial, n)
	ws.acc.cut(0, n).store(partial)
	return partial
}
