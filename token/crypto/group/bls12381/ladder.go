// Code generated from bn254/ladder.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	"slices"

	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// MSMs sets dst[k] to the sum that rows[k] describes. The windows of sums of
// equally many halves are computed in lockstep, and those of up to maxRows sums
// are combined together.
func (g *Group) MSMs(dst []group.Point, rows []group.Terms) {
	ws := g.take()
	defer ws.put()
	done := grow(&ws.done, len(rows))
	for i, row := range rows {
		if done[i] = len(row.Points) >= aloneFrom; done[i] {
			dst[i] = g.MSM(row.Points, row.Scalars)
			if len(row.Plus) > 0 {
				dst[i] = g.AddPoints(dst[i], g.Sum(row.Plus))
			}
		}
	}
	for slices.Contains(done, false) {
		ws.collect(rows)
		sums := grow(&ws.totals, len(ws.class))
		ws.straus(sums, ws.bases)
		for r, i := range ws.class {
			for k := range rows[i].Plus {
				p := affine(&rows[i].Plus[k])
				sums[r].AddMixed(&p)
			}
		}
		results := grow(&ws.sums, len(sums))
		ws.normalize(results, sums)
		for r, i := range ws.class {
			dst[i] = point(&results[r])
		}
	}
}

// aloneFrom is the number of points from which a sum costs the same alone.
const aloneFrom = 32

// collect gathers up to maxRows rows that are not done. Those of equally many
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
	for i := range s.longest() {
		for r := range sums {
			var p curve.G1Affine // the identity for an odd half
			if from, to := s.halvesOf(r); from+i < to {
				p, _ = s.correction(from + i)
			}
			in.load(r, p)
		}
		acc.add(in)
	}
	for r, p := range ws.storePartial(n) {
		sums[r].FromAffine(&p)
	}
}
