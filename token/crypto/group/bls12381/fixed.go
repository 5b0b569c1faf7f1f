// Code generated from bn254/fixed.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// FixedMSM sets dst[k] to the sum that rows[k] describes. Few terms are summed in
// pieces. Otherwise rows of equal length are computed in lockstep, so that a term
// costs the same in short and in long rows. A few shorter rows join them, filled
// up with zeros.
func (g *Group) FixedMSM(dst []group.Point, t group.Table, rows []group.Row) {
	ws := g.take()
	defer ws.put()
	sums := fixedSums{ws, t.(*table), rows}
	if sums.inPieces(dst) {
		return
	}
	done := grow(&ws.done, len(rows))
	clear(done)
	for first := range rows {
		if done[first] {
			continue
		}
		length := len(rows[first].Scalars)
		ws.class = ws.class[:0]
		for i := first; i < len(rows) && len(ws.class) < maxRows; i++ {
			if !done[i] && len(rows[i].Scalars) == length {
				ws.class = append(ws.class, i)
				done[i] = true
			}
		}
		for i, spare := 0, maxFilled; i < len(rows) && len(ws.class) < maxRows; i++ {
			if missing := length - len(rows[i].Scalars); !done[i] && missing > 0 && missing <= spare {
				ws.class = append(ws.class, i)
				done[i] = true
				spare -= missing
			}
		}
		sums.compute(dst, ws.class)
	}
}

// maxFilled is the largest number of zero terms that cost less than the
// inversions of a separate lockstep.
const maxFilled = 6

// fixedSums is one call of FixedMSM.
type fixedSums struct {
	ws   *workspace
	t    *table
	rows []group.Row
}

// compute sets dst[i] for every i of class, rows of equal length. Each row is
// two sums in lockstep.
func (f fixedSums) compute(dst []group.Point, class []int) {
	ws, n := f.ws, len(f.rows[class[0]].Scalars)
	pieces := grow(&ws.pieces, len(class))
	for r, i := range class {
		pieces[r] = piece{row: i}
	}
	terms := f.terms(pieces, n)
	height := ws.accumulate(terms.sums(), terms.count(), entries{points: f.t.entries}, terms.references)
	sums := grow(&ws.sums, len(class))
	ws.joinHalves(sums, height)
	for r, i := range class {
		dst[i] = point(&sums[r])
	}
}

// joinHalves adds the images of the second halves to the first ones. The partial
// sums that accumulate left are in the second and the first half of each row.
func (ws *workspace) joinHalves(sums []curve.G1Affine, height int) {
	n := len(sums)
	if height == 1 && n >= mixedFrom {
		first, second := ws.acc.cut(0, n), ws.acc.cut(n, 2*n)
		second.endomorphism()
		first.add(second)
		first.store(sums)
		return
	}
	partial := ws.storePartial(2 * n * height)
	jac := grow(&ws.jac, n)
	for r := range jac {
		image := columnSum(partial[min(n+r, len(partial)):], 2*n)
		image.X.Mul(&image.X, &glv.beta)
		jac[r] = columnSum(partial[min(r, len(partial)):], 2*n)
		jac[r].AddAssign(&image)
	}
	ws.normalize(sums, jac)
}
