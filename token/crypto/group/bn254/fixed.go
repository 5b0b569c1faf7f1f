package bn254

import "github.com/zkatbench/zkatbench/token/crypto/group"

// FixedMSM sets dst[k] to the sum that rows[k] describes. Few terms are summed in
// pieces. Otherwise rows of equal length are computed in lockstep, so that a term
// costs the same in short and in long rows.
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
		sums.compute(dst, ws.class)
	}
}

// fixedSums is one call of FixedMSM.
type fixedSums struct {
	ws   *workspace
	t    *table
	rows []group.Row
}

// compute sets dst[i] for every i of class, rows of equal length. Each row is
// two sums in lockstep.
func (f fixedSums) compute(dst []group.Point, class []int) {
	ws, length, n := f.ws, len(f.rows[class[0]].Scalars), len(class)
	if length == 0 {
		for _, i := range class {
			dst[i] = group.Point{}
		}
		return
	}
	pieces := grow(&ws.pieces, n)
	for r, i := range class {
		pieces[r] = piece{row: i}
	}
	terms := f.terms(pieces, length)
	ws.accumulate(2*n, terms.count(), entries{points: f.t.entries}, terms.references)
	first, second := ws.acc.cut(0, n), ws.acc.cut(n, 2*n)
	second.endomorphism()
	first.add(second)
	sums := grow(&ws.sums, n)
	first.store(sums)
	for r, i := range class {
		dst[i] = point(&sums[r])
	}
}
