// Code generated from bn254/ladder.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// MSMs sets dst[k] to the sum that rows[k] describes. Sums of equally many
// halves are computed in lockstep.
func (g *Group) MSMs(dst []group.Point, rows []group.Terms) {
	ws := take()
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
		ws.straus(sums)
		results := grow(&ws.sums, len(sums))
		ws.normalize(results, sums)
		for r, i := range ws.class {
			dst[i] = point(&results[r])
		}
	}
}

// aloneFrom is the number of points from which a sum gains nothing from others.
const aloneFrom = 32

// collect gathers the rows like the first, that is of equally many halves.
func (ws *workspace) collect(rows []group.Terms, first int) {
	wipe(&ws.entries)
	wipe(&ws.halves)
	ws.class = ws.class[:0]
	terms := 0
	for i := first; i < len(rows) && len(ws.class) < maxRows; i++ {
		if ws.done[i] || len(rows[i].Points) >= aloneFrom {
			continue
		}
		bases, halves := len(ws.entries), len(ws.halves)
		ws.addRow(rows[i].Points, rows[i].Scalars)
		if i == first {
			terms = len(ws.halves)
		}
		if len(ws.halves)-halves != terms {
			clear(ws.entries[bases:])
			clear(ws.halves[halves:])
			ws.entries, ws.halves = ws.entries[:bases], ws.halves[:halves]
			continue
		}
		ws.class = append(ws.class, i)
		ws.done[i] = true
	}
}

// ladder combines the windows of all sums, as combine does for one.
func (s interleaved) ladder(sums []curve.G1Jac, windows []curve.G1Affine) {
	ws, n := s.ws, len(sums)
	acc, in := ws.acc.cut(0, n), ws.in.cut(0, n)
	for r := range sums {
		acc.set(r, &windows[(r+1)*strausWindows-1])
	}
	ws.tainted = true // sums of windows may be the identity
	for j := strausWindows - 2; j >= 0; j-- {
		for range strausWidth {
			ws.double(acc)
		}
		for r := range sums {
			in.set(r, &windows[r*strausWindows+j])
		}
		ws.add(acc, in)
	}
	for i := range s.terms {
		for r := range sums {
			p, _ := s.evenBase(r*s.terms + i) // or the identity
			in.set(r, &p)
		}
		ws.add(acc, in)
	}
	for r := range sums {
		p := acc.at(r)
		sums[r].FromAffine(&p)
	}
}

// double sets a += a in every place, with one inversion:
//
//	λ = 3x²/(2y),  x₃ = λ² - 2x,  y₃ = λ(x - x₃) - y
func (ws *workspace) double(a columns) {
	n := len(a.x)
	ws.used = max(ws.used, n)
	dx, slope, t := ws.dx[:n], ws.in.x[:n], ws.temp[:n]
	dx.Add(a.y, a.y)
	if !ws.invert(dx) { // the identity is among them, and stays what it is
		for i := range dx {
			if dx[i].IsZero() {
				dx[i].SetOne()
			}
		}
		ws.invert(dx)
	}
	t.Mul(a.x, a.x)
	slope.Add(t, t)
	slope.Add(slope, t)
	slope.Mul(slope, dx)
	t.Mul(slope, slope)
	t.Sub(t, a.x)
	t.Sub(t, a.x) // x₃
	a.x.Sub(a.x, t)
	a.x.Mul(a.x, slope)
	a.y.Sub(a.x, a.y)
	copy(a.x, t)
}
