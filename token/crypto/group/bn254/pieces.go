package bn254

import (
	curve "github.com/consensys/gnark-crypto/ecc/bn254"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// inPieces sets dst as FixedMSM does, for rows of any lengths together. It returns
// false if there are too few terms or too many rows. Rows are cut into pieces of one
// length, the last ones filled up with zeros. Each piece is two sums, one for
// each half of its scalars. The halves are joined after the pieces, because the
// sum of a piece may be the identity: the halves of a zero cancel.
func (f fixedSums) inPieces(dst []group.Point) bool {
	length, pieces := f.pieceLength()
	if length == 0 {
		return false
	}
	ws, columns := f.ws, f.columns(length)
	cuts := grow(&ws.pieces, pieces)[:0]
	for q, n := range columns {
		for _, r := range ws.class[:n] {
			cuts = append(cuts, piece{r, q * length})
		}
	}
	sums := grow(&ws.sums, len(ws.class))
	f.sumPieces(sums, f.terms(cuts, length))
	clear(dst)
	for k, r := range ws.class {
		dst[r] = point(&sums[k])
	}
	return true
}

// columns returns how many rows have more than q pieces, for every q, and sets
// ws.class to the rows, most pieces first. Pieces are in the order of
// columns: the first ones of all rows, then the second ones, and so on.
func (f fixedSums) columns(length int) []int {
	ws := f.ws
	wipe(&ws.columns)
	for _, row := range f.rows {
		for q := range piecesOf(row, length) {
			if q == len(ws.columns) {
				ws.columns = append(ws.columns, 0)
			}
			ws.columns[q]++
		}
	}
	ws.class = ws.class[:0]
	for n := len(ws.columns); n > 0; n-- {
		for r, row := range f.rows {
			if piecesOf(row, length) == n {
				ws.class = append(ws.class, r)
			}
		}
	}
	return ws.columns
}

// piecesOf returns how many pieces a row has.
func piecesOf(row group.Row, length int) int { return (len(row.Scalars) + length - 1) / length }

// sumPieces sets sums[k] to the sum of row ws.class[k], in chains if possible.
func (f fixedSums) sumPieces(sums []curve.G1Affine, terms fixedTerms) {
	ws, rows, from := f.ws, terms.sums(), entries{points: f.t.entries}
	pieces := rows / 2
	if c := ws.chains(rows, terms.count(), from, terms.references); c != nil {
		joinColumns(c, 0, ws.columns)
		joinColumns(c, pieces, ws.columns)
		ws.acc.cut(pieces, pieces+len(sums)).endomorphism()
		c.join(0, pieces, len(sums))
		if c.affine(len(sums)) {
			ws.acc.cut(0, len(sums)).store(sums)
			return
		}
	}
	ws.accumulate(rows, terms.count(), from, terms.references)
	jac, totals := grow(&ws.jac, rows), grow(&ws.totals, len(sums))
	for r, p := range ws.storePartial(rows) {
		jac[r].FromAffine(&p)
	}
	for k := range totals {
		image := sumColumns(jac[pieces:], k, ws.columns)
		image.X.Mul(&image.X, &glv.beta)
		totals[k] = sumColumns(jac, k, ws.columns)
		totals[k].AddAssign(&image)
	}
	ws.normalize(sums, totals)
}

// joinColumns joins the chains of each row, in columns from chain first on, in
// the first column.
func joinColumns(c chained, first int, columns []int) {
	for len(columns) > 1 {
		h := (len(columns) + 1) / 2
		to, from, n := first, first, 0
		for _, rows := range columns[:h] {
			from += rows
		}
		for q, rows := range columns[h:] {
			n += rows
			if above := columns[q]; above > rows || h+q == len(columns)-1 {
				c.join(to, from, n) // neighbouring columns together
				to, from, n = to+n+above-rows, from+n, 0
			}
		}
		columns = columns[:h]
	}
}

// sumColumns returns the sum of place k of all columns that have it.
func sumColumns(ps []curve.G1Jac, k int, columns []int) (sum curve.G1Jac) {
	for _, rows := range columns {
		if k < rows {
			sum.AddAssign(&ps[k])
		}
		ps = ps[rows:]
	}
	return sum
}

// joinCost is about the time of adding two pieces, in additions of a chain.
const joinCost = 10

// pieceLength returns the length of pieces that takes the least time, and how many
// pieces there are. It returns 0 if there are too few terms or too many rows.
func (f fixedSums) pieceLength() (length, pieces int) {
	longest, total := 0, 0
	for _, row := range f.rows {
		longest, total = max(longest, len(row.Scalars)), total+len(row.Scalars)
	}
	windows, least := len(f.t.windows), 0
	if 2*total*windows < chainsFrom {
		return 0, 0
	}
	for n := 1; n <= longest; n++ {
		count := 0
		for _, row := range f.rows {
			count += piecesOf(row, n)
		}
		height := chainHeight(2*count, n*windows)
		steps, blocks := (n*windows+height-1)/height, blocksOf(2*count*height)
		adds := steps * blocks * lanes
		if inBatches(2*count, n*windows) {
			adds = 2 * count * n * windows
		}
		cost := adds + joinCost*count
		if 2*count <= chainsAhead && (least == 0 || cost < least) {
			length, pieces, least = n, count, cost
		}
	}
	return length, pieces
}
