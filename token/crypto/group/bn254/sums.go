package bn254

import (
	"slices"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// MSMs sets dst[k] to the sum that rows[k] describes. Points without scalars are
// added in batches, and long sums are computed one by one. The windows of other
// sums of equally many halves are computed in lockstep, and up to maxRows
// sums are combined together.
func (g *Group) MSMs(dst []group.Point, rows []group.Terms) {
	ws := g.take()
	defer ws.put()
	done, lists := grow(&ws.done, len(rows)), false
	for i := range rows {
		done[i] = isList(&rows[i]) || len(rows[i].Points) >= pippengerFrom
		if isList(&rows[i]) {
			lists = true
		} else if done[i] {
			dst[i] = g.alone(&rows[i])
		}
	}
	if lists {
		ws.addLists(dst, rows)
	}
	for slices.Contains(done, false) {
		ws.collect(rows)
		sums := grow(&ws.totals, len(ws.class))
		ws.straus(sums, ws.bases)
		for r, i := range ws.class {
			addKnown(&sums[r], &rows[i])
		}
		results := grow(&ws.sums, len(sums))
		ws.normalize(results, sums)
		for r, i := range ws.class {
			dst[i] = point(&results[r])
		}
	}
}

// isList reports whether row is a sum of points without scalars.
func isList(row *group.Terms) bool { return len(row.Points) == 0 && len(row.Pow2) == 0 }

// alone returns one long sum, in a separate workspace.
func (g *Group) alone(row *group.Terms) group.Point {
	ws := g.take()
	defer ws.put()
	ws.addRow(row.Points, row.Scalars)
	sum := ws.sum()
	addKnown(&sum, row)
	return normal(&sum)
}

// addKnown adds the points of row without scalar, and by Horner's rule those
// that have powers of two.
func addKnown(sum *curve.G1Jac, row *group.Terms) {
	for i := range row.Plus {
		p := affine(&row.Plus[i])
		sum.AddMixed(&p)
	}
	var pow2 curve.G1Jac
	for i := len(row.Pow2) - 1; i >= 0; i-- {
		p := affine(&row.Pow2[i])
		double(&pow2)
		pow2.AddMixed(&p)
	}
	sum.AddAssign(&pow2)
}

// addRow adds the terms of one sum that are not the identity.
func (ws *workspace) addRow(ps []group.Point, ss []group.Scalar) {
	for i := range ps {
		if a := affine(&ps[i]); !a.IsInfinity() && ss[i] != (group.Scalar{}) {
			ws.addTerm(uint32(len(ws.bases)), element(&ss[i]).Bits())
			ws.bases = append(ws.bases, a)
		}
	}
}

// addLists computes the sums of points without scalars.
func (ws *workspace) addLists(dst []group.Point, rows []group.Terms) {
	s := &ws.lists
	for r := range rows {
		if !isList(&rows[r]) {
			continue
		}
		before := len(ws.bases)
		for i := range rows[r].Plus {
			if a := affine(&rows[r].Plus[i]); !a.IsInfinity() {
				s.refs = append(s.refs, uint32(len(ws.bases))<<1)
				ws.bases = append(ws.bases, a)
			}
		}
		s.lens = append(s.lens, uint32(len(ws.bases)-before))
	}
	sums, _ := ws.reduce(entries{points: ws.bases}, 0)
	lens, refs := s.lens, s.refs
	for r := range rows {
		if !isList(&rows[r]) {
			continue
		}
		dst[r] = group.Point{}
		if lens[0] == 1 {
			dst[r], refs = point(&sums.points[refs[0]>>1]), refs[1:]
		}
		lens = lens[1:]
	}
}

// collect gathers up to maxRows open rows. Rows of equally many
// halves are neighbours.
func (ws *workspace) collect(rows []group.Terms) {
	wipe(&ws.bases)
	wipe(&ws.halves)
	wipe(&ws.ends)
	ws.class = ws.class[:0]
	for first := range rows {
		if ws.done[first] {
			continue
		}
		terms := -1
		for i := first; i < len(rows) && len(ws.class) < maxRows; i++ {
			if ws.done[i] {
				continue
			}
			bases, halves := len(ws.bases), len(ws.halves)
			ws.addRow(rows[i].Points, rows[i].Scalars)
			if terms < 0 {
				terms = len(ws.halves) - halves
			}
			if len(ws.halves)-halves != terms {
				clear(ws.bases[bases:])
				clear(ws.halves[halves:])
				ws.bases, ws.halves = ws.bases[:bases], ws.halves[:halves]
				continue
			}
			ws.class, ws.ends = append(ws.class, i), append(ws.ends, len(ws.halves))
			ws.done[i] = true
		}
	}
}
