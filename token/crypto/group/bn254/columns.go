package bn254

import (
	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
)

// mixedFrom is the number of additions in a batch below which mixed ones in
// Jacobian coordinates cost less (0.2 µs each, against 0.05 µs each and 1.8 µs
// for the inversion of a random element).
const mixedFrom = 14

// maxRows bounds how many rows of a caller go in lockstep.
const maxRows = 128

// lockstep computes sums of equal length: sum r is the sum of entries that
// choose(at, t) names in at[r], one call for each term t. at holds, for each
// sum, twice an index into entries, plus one if the entry is to be subtracted.
// Entries are not the identity unless ws.gaps is set; sums may be. len(sums) is
// at most batchLen.
func (ws *workspace) lockstep(sums []curve.G1Affine, terms int, entries []curve.G1Affine, choose func(at []uint32, term int)) {
	rows := len(sums)
	height := ws.accumulate(rows, terms, entries, choose)
	if height == 1 {
		for r := range sums {
			sums[r] = ws.acc.at(r)
		}
		return
	}
	jac := grow(&ws.jac, rows)
	for r := range jac {
		jac[r] = ws.columnSum(r, rows, height)
	}
	ws.normalize(sums, jac)
}

// accumulate adds terms until few are left, and returns how many: those of
// sum r stand in places r, r+rows, r+2·rows, … of ws.acc. Such columns of one
// row a term are what makes adding the lower half of the terms to the upper
// half an addition of vectors.
func (ws *workspace) accumulate(rows, terms int, entries []curve.G1Affine, choose func(at []uint32, term int)) int {
	if terms == 0 {
		return 0
	}
	height := min((terms+1)/2, batchLen/rows)
	if terms/2*rows < mixedFrom {
		height = terms // no batch at all
	}
	ws.tainted = ws.gaps
	ws.lookUp(ws.acc, rows, 0, height, entries, choose)
	for t := height; t < terms; t += height {
		n := min(height, terms-t)
		ws.lookUp(ws.in, rows, t, n, entries, choose)
		ws.add(ws.acc.cut(0, n*rows), ws.in.cut(0, n*rows))
	}
	for height/2*rows >= mixedFrom {
		h := height / 2
		upper := ws.acc.cut((height-h)*rows, height*rows)
		ws.add(ws.acc.cut(0, h*rows), upper)
		height -= h
	}
	return height
}

// columnSum adds up what accumulate left of sum r.
func (ws *workspace) columnSum(r, rows, height int) (sum curve.G1Jac) {
	for t := range height {
		p := ws.acc.at(t*rows + r)
		sum.AddMixed(&p)
	}
	return sum
}

// lookUp fills c with n terms of every sum, from the given one on.
func (ws *workspace) lookUp(c columns, rows, term, n int, entries []curve.G1Affine, choose func(at []uint32, term int)) {
	at := grow(&ws.at, n*rows)
	for t := range n {
		choose(at[t*rows:(t+1)*rows], term+t)
	}
	ws.used = max(ws.used, n*rows)
	gather(c, entries, at)
	if ws.gaps {
		canonicalZeros(c.y[:n*rows])
	}
}

// canonicalZeros replaces p, as negateIf writes minus the ordinate of the
// identity, by 0.
func canonicalZeros(v fp.Vector) {
	for i := range v {
		if v[i] == fieldP {
			v[i].SetZero()
		}
	}
}

// ahead is how many entries are fetched into the cache before they are used.
const ahead = 32

// gather copies the entries that at names, with their signs.
func gather(c columns, entries []curve.G1Affine, at []uint32) {
	prefetch(entries, at[:min(ahead, len(at))])
	for i := 0; i < len(at); i += ahead {
		end := min(i+ahead, len(at))
		prefetch(entries, at[end:min(end+ahead, len(at))])
		for k := i; k < end; k++ {
			e := &entries[at[k]>>1]
			c.x[k] = e.X
			negateIf(&c.y[k], &e.Y, uint64(at[k]&1))
		}
	}
}

// normalize writes the affine form of each point, with one inversion. There
// are at most batchLen.
func (ws *workspace) normalize(dst []curve.G1Affine, src []curve.G1Jac) {
	ws.used = max(ws.used, len(src))
	z := ws.dx[:len(src)]
	for i := range src {
		z[i] = src[i].Z
		if z[i].IsZero() {
			z[i].SetOne()
		}
	}
	ws.invert(z)
	for i := range src {
		if src[i].Z.IsZero() {
			dst[i] = curve.G1Affine{}
			continue
		}
		var z2 fp.Element
		z2.Square(&z[i])
		dst[i].X.Mul(&src[i].X, &z2)
		dst[i].Y.Mul(&src[i].Y, &z2).Mul(&dst[i].Y, &z[i])
	}
}
