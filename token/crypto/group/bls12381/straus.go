// Code generated from bn254/straus.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// half is one term of a sum after splitting: ±k·B for a short k, where B is
// base number base, or φ of it.
type half struct {
	k     limbs
	base  uint32
	minus uint32
	endo  bool
}

// MulPoint returns s·P.
func (g *Group) MulPoint(p group.Point, s group.Scalar) group.Point {
	return g.MSM([]group.Point{p}, []group.Scalar{s})
}

// Sum returns Σ Pᵢ.
func (g *Group) Sum(ps []group.Point) group.Point {
	ws := take()
	defer ws.put()
	bases := ws.entries[:0]
	for i := range ps {
		if a := affine(&ps[i]); !a.IsInfinity() {
			bases = append(bases, a)
		}
	}
	ws.entries = bases
	sum := grow(&ws.sums, 1)
	ws.lockstep(sum, len(bases), bases, func(at []uint32, term int) { at[0] = uint32(term) << 1 })
	return point(&sum[0])
}

// MSM returns Σ sᵢ·Pᵢ.
func (g *Group) MSM(ps []group.Point, ss []group.Scalar) group.Point {
	ws := take()
	defer ws.put()
	ws.addRow(ps, ss)
	sum := ws.sum()
	return normal(&sum)
}

// addRow adds the terms of one sum, except those that are nothing.
func (ws *workspace) addRow(ps []group.Point, ss []group.Scalar) {
	for i := range ps {
		if a := affine(&ps[i]); !a.IsInfinity() && ss[i] != (group.Scalar{}) {
			ws.addTerm(uint32(len(ws.entries)), element(&ss[i]).Bits())
			ws.entries = append(ws.entries, a)
		}
	}
}

// addTerm adds k·B to the halves: one of them if ±k is short, such as a weight
// of a batch, otherwise two.
func (ws *workspace) addTerm(base uint32, k limbs) {
	minusK := subLimbs(&modulus, &k)
	switch {
	case isShort(&k):
		ws.addHalf(half{k: k, base: base})
	case isShort(&minusK):
		ws.addHalf(half{k: minusK, base: base, minus: 1})
	default:
		halves := split(&k)
		ws.addHalf(fromSigned(halves[0], base, false))
		ws.addHalf(fromSigned(halves[1], base, true))
	}
}

func fromSigned(k short, base uint32, endo bool) half {
	abs, minus := k.magnitude()
	return half{k: abs, base: base, minus: minus, endo: endo}
}

func (ws *workspace) addHalf(h half) {
	if h.k != (limbs{}) {
		ws.halves = append(ws.halves, h)
	}
}

// The digits of straus, of which 3 to 5 bits cost about the same.
const (
	strausWidth   = 4
	strausWindows = halfBits / strausWidth
	strausPlaces  = 1 << (strausWidth - 1) // multiples of each base: 1, 3, …, 15
)

// straus interleaves the terms (Straus; Handbook of Applied Cryptography,
// algorithm 14.88), with odd digits: the sums of all windows are computed in
// lockstep, and then combined by doublings. It does so for several sums of
// equally many halves at once: ws.halves holds those of each sum after those of
// the one before, over the bases in ws.entries.
func (ws *workspace) straus(sums []curve.G1Jac) {
	if len(ws.halves) == 0 {
		clear(sums)
		return
	}
	s := interleaved{ws: ws, terms: len(ws.halves) / len(sums), bases: len(ws.entries)}
	ws.multiples(s.bases)
	digits := grow(&ws.odd, len(ws.halves))
	for i, h := range ws.halves {
		h.k[0] |= 1 // an even one is corrected afterwards
		digits[i] = recode(&h.k, h.minus)
		digits[i].base = uint32(h.place(s.bases))
	}
	windows := grow(&ws.sums, len(sums)*strausWindows)
	step := batchLen / strausWindows
	for r := 0; r < len(sums); r += step {
		s.sumWindows(windows[r*strausWindows:min(r+step, len(sums))*strausWindows], r)
	}
	ws.gaps = false
	if len(sums) < ladderFrom {
		for r := range sums {
			sums[r] = s.combine(windows[r*strausWindows:(r+1)*strausWindows], r)
		}
		return
	}
	s.ladder(sums, windows)
}

// interleaved is one call of straus.
type interleaved struct {
	ws           *workspace
	terms, bases int // halves in each sum, bases in all
}

// sumWindows computes the sums of the windows of as many sums as there is room
// for, from sum first on.
func (s interleaved) sumWindows(dst []curve.G1Affine, first int) {
	ws := s.ws
	ws.lockstep(dst, s.terms, ws.entries, func(at []uint32, term int) {
		for r := 0; r*strausWindows < len(at); r++ {
			o := &ws.odd[(first+r)*s.terms+term]
			for j := range strausWindows {
				at[r*strausWindows+j] = o.base<<strausWidth + o.digit(j*strausWidth, strausWidth)
			}
		}
	})
}

// evenBase returns the base of half i, with its sign, if its scalar was taken
// for one more than it is.
func (s interleaved) evenBase(i int) (p curve.G1Affine, even bool) {
	h := &s.ws.halves[i]
	if h.k[0]&1 == 1 {
		return p, false
	}
	p = s.ws.entries[h.place(s.bases)*strausPlaces]
	if h.minus == 0 { // to be taken away again
		p.Neg(&p)
	}
	return p, true
}

// combine returns sum r, given its windows.
func (s interleaved) combine(windows []curve.G1Affine, r int) (sum curve.G1Jac) {
	for j := len(windows) - 1; j >= 0; j-- {
		for range strausWidth {
			double(&sum)
		}
		sum.AddMixed(&windows[j])
	}
	for i := r * s.terms; i < (r+1)*s.terms; i++ {
		if p, even := s.evenBase(i); even {
			sum.AddMixed(&p)
		}
	}
	return sum
}

// place returns the number of the base among all, where the images under φ
// follow the n points.
func (h *half) place(n int) int {
	if h.endo {
		return n + int(h.base)
	}
	return int(h.base)
}

// multiples replaces the n bases in ws.entries by their odd multiples, and
// those of their images under φ after them. It sets ws.gaps if one of them may
// be the identity, as 3·P is for a P of order 3.
func (ws *workspace) multiples(n int) {
	wipe(&ws.bases)
	bases := append(ws.bases, ws.entries...)
	ws.bases = bases
	entries := grow(&ws.entries, 2*n*strausPlaces)
	own := entries[:n*strausPlaces]
	ws.gaps = false
	for i := 0; i < n; i += multiplesLen {
		end := min(i+multiplesLen, n)
		ws.fewMultiples(own[i*strausPlaces:end*strausPlaces], bases[i:end])
		ws.gaps = ws.gaps || ws.tainted
	}
	ws.mapEntries(entries[n*strausPlaces:], own)
}

// multiplesLen is the number of bases whose multiples fit a batch.
const multiplesLen = batchLen / (strausPlaces/2 + 1)

// fewMultiples sets entries[i·strausPlaces+m] to (2m+1)·bases[i]. Each step
// doubles their number, by adding 2m·P to the first m of them, and 2m·P itself:
// fewer steps than oddMultiples has, each with an inversion. No 2m·P is the
// identity, since no point has an even order. It sets ws.tainted if an entry
// may be the identity.
func (ws *workspace) fewMultiples(entries, bases []curve.G1Affine) {
	n := len(bases)
	twice := columns{grow(&ws.twice[0], n), grow(&ws.twice[1], n)}
	for i := range bases {
		entries[i*strausPlaces] = bases[i]
		twice.set(i, &bases[i])
	}
	ws.tainted = false
	ws.addOrDouble(twice, ws.in.cut(0, n), 0)
	for m := 1; m < strausPlaces; m *= 2 {
		ws.extend(entries, twice, m)
	}
}

// extend is one step of fewMultiples.
func (ws *workspace) extend(entries []curve.G1Affine, twice columns, m int) {
	n := len(twice.x)
	sums := n * m
	acc, in := ws.acc.cut(0, sums+n), ws.in.cut(0, sums+n)
	for k := range sums {
		i := k / m
		acc.set(k, &entries[i*strausPlaces+k%m])
		in.x[k], in.y[k] = twice.x[i], twice.y[i]
	}
	copy(acc.x[sums:], twice.x)
	copy(acc.y[sums:], twice.y)
	ws.addOrDouble(acc, in, sums)
	for k := range sums {
		entries[k/m*strausPlaces+m+k%m] = acc.at(k)
	}
	copy(twice.x, acc.x[sums:])
	copy(twice.y, acc.y[sums:])
}

// mapEntries sets dst to the images of src under φ.
func (ws *workspace) mapEntries(dst, src []curve.G1Affine) {
	for i := range src {
		dst[i].X.Mul(&src[i].X, &glv.beta)
		dst[i].Y = src[i].Y
	}
}
