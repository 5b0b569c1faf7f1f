package bn254

import (
	curve "github.com/consensys/gnark-crypto/ecc/bn254"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// MSMs sets dst[k] to the sum that rows[k] describes. Sums of equally many
// halves are computed in lockstep.
func (g *Group) MSMs(dst []group.Point, rows []group.Terms) {
	ws := g.take()
	defer ws.put()
	done := grow(&ws.done, len(rows))
	clear(done)
	for first := range rows {
		if done[first] {
			continue
		}
		if len(rows[first].Points) >= aloneFrom {
			dst[first] = g.MSM(rows[first].Points, rows[first].Scalars)
			continue
		}
		ws.collect(rows, first)
		sums := grow(&ws.totals, len(ws.class))
		ws.straus(sums, ws.bases)
		results := grow(&ws.sums, len(sums))
		ws.normalize(results, sums)
		for r, i := range ws.class {
			dst[i] = point(&results[r])
		}
	}
}

// aloneFrom is the number of points from which a sum costs the same alone.
const aloneFrom = 32

// collect gathers the rows that have as many halves as the first.
func (ws *workspace) collect(rows []group.Terms, first int) {
	wipe(&ws.bases)
	wipe(&ws.halves)
	ws.class = ws.class[:0]
	terms := 0
	for i := first; i < len(rows) && len(ws.class) < maxRows; i++ {
		if ws.done[i] || len(rows[i].Points) >= aloneFrom {
			continue
		}
		bases, halves := len(ws.bases), len(ws.halves)
		ws.addRow(rows[i].Points, rows[i].Scalars)
		if i == first {
			terms = len(ws.halves)
		}
		if len(ws.halves)-halves != terms {
			clear(ws.bases[bases:])
			clear(ws.halves[halves:])
			ws.bases, ws.halves = ws.bases[:bases], ws.halves[:halves]
			continue
		}
		ws.class = append(ws.class, i)
		ws.done[i] = true
	}
}

// ladder combines the windows of all sums, as combine does for one sum.
func (s interleaved) ladder(sums []curve.G1Jac, windows []curve.G1Affine) {
	ws, n := s.ws, len(sums)
	ws.reset()
	acc, in := ws.acc.cut(0, n), ws.in.cut(0, n)
	for r := range sums {
		acc.load(r, windows[(r+1)*strausWindows-1])
	}
	for j := strausWindows - 2; j >= 0; j-- {
		for range strausWidth {
			acc.double(in)
		}
		for r := range sums {
			in.load(r, windows[r*strausWindows+j])
		}
		acc.add(in)
	}
	for i := range s.terms {
		for r := range sums {
			p, _ := s.correction(r*s.terms + i) // the identity for an odd half
			in.load(r, p)
		}
		acc.add(in)
	}
	for r, p := range ws.storePartial(n) {
		sums[r].FromAffine(&p)
	}
}
