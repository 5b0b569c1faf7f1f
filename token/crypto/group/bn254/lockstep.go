package bn254

import curve "github.com/consensys/gnark-crypto/ecc/bn254"

// mixedFrom is the number of additions in a batch below which mixed additions in
// Jacobian coordinates cost less: 0.2 µs each, against 0.05 µs each and 1.8 µs
// for the inversion of a random element.
const mixedFrom = 14

// maxRows is the largest number of sums of a caller that go in lockstep.
const maxRows = 128

// lockstep computes sums of equal length: sum r is the sum of the entries that
// choose(refs, t) names in refs[r], with one call for each term t. refs[r] is
// twice an index into entries, plus one if the entry is to be subtracted.
// len(sums) is at most batchLen.
func (ws *workspace) lockstep(sums []curve.G1Affine, terms int, from entries, choose func(refs []uint32, term int)) {
	rows := len(sums)
	fill := func(first, terms int) int { return ws.choose(rows, first, terms, choose) }
	if c := ws.chains(rows, terms, from, fill); c != nil && c.affine(rows) {
		ws.acc.cut(0, rows).store(sums)
		return
	}
	height := ws.accumulate(rows, terms, from, fill)
	if height == 1 {
		ws.acc.cut(0, rows).store(sums)
		return
	}
	partial, jac := ws.storePartial(rows*height), grow(&ws.jac, rows)
	for r := range jac {
		jac[r] = columnSum(partial[min(r, len(partial)):], rows)
	}
	ws.normalize(sums, jac)
}

// accumulate adds terms until few are left, and returns how many: the partial
// sums of sum r are in places r, r+rows, r+2·rows, … of ws.acc. With one row of
// places for each term, adding the lower half of the terms to the upper half is
// an addition of two batches.
func (ws *workspace) accumulate(rows, terms int, from entries, fill filler) int {
	if terms == 0 {
		return 0
	}
	height := min((terms+1)/2, batchLen/rows)
	if terms/2*rows < mixedFrom {
		height = terms // no batch at all
	}
	ws.reset()
	ws.fill(ws.acc, 0, height, rows, from, fill)
	for t := height; t < terms; t += height {
		n := min(height, terms-t)
		ws.fill(ws.in, t, n, rows, from, fill)
		ws.acc.cut(0, n*rows).add(ws.in.cut(0, n*rows))
	}
	for height/2*rows >= mixedFrom {
		h := height / 2
		upper := ws.acc.cut((height-h)*rows, height*rows)
		ws.acc.cut(0, h*rows).add(upper)
		height -= h
	}
	return height
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

// columnSum adds every rows-th of the partial sums.
func columnSum(partial []curve.G1Affine, rows int) (sum curve.G1Jac) {
	for i := 0; i < len(partial); i += rows {
		sum.AddMixed(&partial[i])
	}
	return sum
}
