// Code generated from bn254/pieces.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// inPieces sets dst as FixedMSM does, for rows of any lengths together. It returns
// false if there are too few or too many terms. Rows are cut into pieces of one
// length, the last ones filled up with zeros. Each piece is two sums, one for
// each half of its scalars. The halves are joined after the pieces, because the
// sum of a piece may be the identity: the halves of a zero cancel.
func (f fixedSums) inPieces(dst []group.Point) bool {
	length, pieces := f.pieceLength()
	if length == 0 {
		return false
	}
	ws := f.ws
	scalars := grow(&ws.odd, 2*pieces*length)
	next := 0
	for _, row := range f.rows {
		for at := 0; at < len(row.Scalars); at += length {
			f.recodeRow(scalars[next*length:][:length], scalars[(pieces+next)*length:][:length], cut(row, at, length))
			next++
		}
	}
	jac := grow(&ws.jac, 2*pieces)
	f.sumPieces(jac, scalars, length)
	totals := grow(&ws.totals, len(f.rows))
	first, second := jac[:pieces], jac[pieces:]
	for r, row := range f.rows {
		n := (len(row.Scalars) + length - 1) / length
		totals[r] = sumJacobian(second[:n])
		totals[r].X.Mul(&totals[r].X, &glv.beta)
		sum := sumJacobian(first[:n])
		totals[r].AddAssign(&sum)
		first, second = first[n:], second[n:]
	}
	sums := grow(&ws.sums, len(totals))
	ws.normalize(sums, totals)
	for r := range sums {
		dst[r] = point(&sums[r])
	}
	return true
}

// sumPieces sets sums[r] to the sum over the length scalars from r·length on, in
// chains if possible.
func (f fixedSums) sumPieces(sums []curve.G1Jac, scalars []odd, length int) {
	ws, t, rows := f.ws, f.t, len(sums)
	fill := func(refs []uint32, first, terms int) {
		for r := range rows {
			t.references(refs[r:], rows, scalars[r*length:][:length], first, terms)
		}
	}
	terms, from := length*len(t.windows), entries{points: t.entries}
	if c := ws.chains(rows, terms, from, fill); c != nil && c.finish(sums) {
		return
	}
	height := ws.accumulate(rows, terms, from, func(refs []uint32, term int) { fill(refs, term, 1) })
	partial := ws.storePartial(rows * height)
	for r := range sums {
		sums[r] = columnSum(partial[r:], rows)
	}
}

// sumJacobian returns the sum of ps, the identity if there are none.
func sumJacobian(ps []curve.G1Jac) (sum curve.G1Jac) {
	for i := range ps {
		sum.AddAssign(&ps[i])
	}
	return sum
}

// cut returns at most length terms of row from term at on.
func cut(row group.Row, at, length int) group.Row {
	end := min(at+length, len(row.Scalars))
	piece := group.Row{First: row.First + at, Scalars: row.Scalars[at:end]}
	if row.Index != nil {
		piece.Index = row.Index[at:end]
	}
	return piece
}

// joinCost is about the time of adding two pieces, in additions of a chain.
const joinCost = 10

// pieceLength returns the length of pieces that takes the least time, and how many
// pieces there are. It returns 0 if there are too few or too many terms.
func (f fixedSums) pieceLength() (length, pieces int) {
	longest, total := 0, 0
	for _, row := range f.rows {
		longest, total = max(longest, len(row.Scalars)), total+len(row.Scalars)
	}
	windows, least := len(f.t.windows), 0
	if adds := 2 * total * windows; adds < chainsFrom || adds >= chainsTo {
		return 0, 0
	}
	for n := 1; n <= longest; n++ {
		count := 0
		for _, row := range f.rows {
			count += (len(row.Scalars) + n - 1) / n
		}
		height := chainHeight(2*count, n*windows)
		steps, blocks := (n*windows+height-1)/height, (2*count*height+lanes-1)/lanes
		cost := steps*blocks*lanes + joinCost*count
		if 2*count <= chainsAhead && 2*count*n*windows < chainsTo && (least == 0 || cost < least) {
			length, pieces, least = n, count, cost
		}
	}
	return length, pieces
}

// references writes the references of the given number of terms of one sum, every
// stride-th of refs, from term first on. The terms are the windows of the first
// scalar, then those of the next.
func (t *table) references(refs []uint32, stride int, scalars []odd, first, terms int) {
	k, j := first/len(t.windows), first%len(t.windows)
	for at := 0; at < terms*stride; at += stride {
		w, o := &t.windows[j], &scalars[k]
		refs[at] = w.first + o.base<<w.width + o.digit(w.bit, w.width)
		if j++; j == len(t.windows) {
			k, j = k+1, 0
		}
	}
}
