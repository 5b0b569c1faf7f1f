package bn254

import (
	"slices"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
)

// half is one term of a sum after splitting: ±k·B for a short k, where B is
// base number base, or φ of it.
type half struct {
	k     limbs
	base  uint32
	minus uint32
	endo  bool
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
		first, second := splitOdd(&k)
		ws.addHalf(fromOdd(first, base, false))
		ws.addHalf(fromOdd(second, base, true))
	}
}

func fromOdd(u short, base uint32, endo bool) half {
	abs, minus := u.magnitude()
	return half{k: abs, base: base, minus: minus, endo: endo}
}

func (ws *workspace) addHalf(h half) {
	if h.k != (limbs{}) {
		ws.halves = append(ws.halves, h)
	}
}

// The digits of straus. Widths of 3 to 5 bits cost about the same.
const (
	strausWidth   = 4
	strausWindows = halfBits / strausWidth
	strausPlaces  = 1 << (strausWidth - 1) // multiples of each base: 1, 3, …, 15
)

// straus computes several sums: ws.halves holds the terms of each sum after the
// terms of the sum before, and ws.ends where the terms of each end. It interleaves
// the terms (Straus; Handbook of Applied Cryptography, algorithm 14.88) with odd
// digits: the sums of all windows are computed in lockstep and then combined by
// doublings.
func (ws *workspace) straus(sums []curve.G1Jac, bases []curve.G1Affine) {
	if len(ws.halves) == 0 {
		clear(sums)
		return
	}
	s := interleaved{ws: ws, bases: bases}
	s.entries = ws.multiples(bases)
	digits := grow(&ws.odd, len(ws.halves))
	for i, h := range ws.halves {
		h.k[0] |= 1 // an even scalar is corrected afterwards
		digits[i] = odd{recode(&h.k, h.minus), uint32(h.place(len(bases)))}
	}
	windows := grow(&ws.sums, len(sums)*strausWindows)
	for r := 0; r < len(sums); {
		n := s.sameHalves(r)
		s.sumWindows(windows[r*strausWindows:(r+n)*strausWindows], r)
		r += n
	}
	c, ok := ws.acc.points.(combiner)
	switch {
	case ok && len(sums) >= combineFrom:
		s.combineAll(c, sums, windows)
	case len(sums) >= ladderFrom:
		s.ladder(sums, windows)
	default:
		for r := range sums {
			sums[r] = s.combine(windows[r*strausWindows:(r+1)*strausWindows], r)
		}
	}
}

// interleaved is one call of straus.
type interleaved struct {
	ws      *workspace
	bases   []curve.G1Affine
	entries entries // the odd multiples of the bases, then of their images under φ
}

// halvesOf returns where the halves of sum r begin and end.
func (s interleaved) halvesOf(r int) (from, to int) {
	if r > 0 {
		from = s.ws.ends[r-1]
	}
	return from, s.ws.ends[r]
}

// sameHalves returns how many sums from sum r on have equally many halves, at most
// where windows fit a batch.
func (s interleaved) sameHalves(r int) (n int) {
	from, to := s.halvesOf(r)
	for n = 1; n < batchLen/strausWindows && r+n < len(s.ws.ends); n++ {
		if first, last := s.halvesOf(r + n); last-first != to-from {
			break
		}
	}
	return n
}

// sumWindows computes the windows of consecutive sums of equally many halves,
// from sum first on.
func (s interleaved) sumWindows(dst []curve.G1Affine, first int) {
	ws := s.ws
	from, to := s.halvesOf(first)
	ws.lockstep(dst, to-from, s.entries, func(refs []uint32, term int) {
		for r := 0; r*strausWindows < len(refs); r++ {
			o := ws.odd[from+r*(to-from)+term]
			for j := range strausWindows {
				digit, rest := o.u.nextDigit(strausWidth)
				refs[r*strausWindows+j] = o.base<<strausWidth + digit
				o.u = rest
			}
		}
	})
}

// combiner is memory for points that combines the windows of many sums.
type combiner interface {
	// combine sets sums[r] to Σ 2^(j·strausWidth)·windows[r·strausWindows+j], at
	// most maxRows sums of windows that are not the identity. If an addition has
	// no slope, the z of the sum is 0.
	combine(sums []curve.G1Jac, windows []curve.G1Affine)
}

// combineFrom is the least number of sums where combining their windows together
// costs less.
const combineFrom = 2

// combineAll combines the windows of all sums together, and alone the windows of sums
// with an exception.
func (s interleaved) combineAll(c combiner, sums []curve.G1Jac, windows []curve.G1Affine) {
	for first := 0; first < len(sums); first += maxRows {
		end := min(first+maxRows, len(sums))
		c.combine(sums[first:end], windows[first*strausWindows:end*strausWindows])
	}
	for r := range sums {
		own := windows[r*strausWindows : (r+1)*strausWindows]
		if sums[r].Z.IsZero() || hasIdentity(own) {
			sums[r] = s.combine(own, r)
			continue
		}
		s.correct(&sums[r], r)
	}
}

func hasIdentity(ps []curve.G1Affine) bool {
	return slices.ContainsFunc(ps, func(p curve.G1Affine) bool { return p.Y.IsZero() })
}

// combine returns sum r, given its windows.
func (s interleaved) combine(windows []curve.G1Affine, r int) (sum curve.G1Jac) {
	for j := len(windows) - 1; j >= 0; j-- {
		for range strausWidth {
			double(&sum)
		}
		sum.AddMixed(&windows[j])
	}
	s.correct(&sum, r)
	return sum
}

// ladder sets the sums as combine does, with affine doublings of all of them.
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
	for r, p := range ws.storePartial(n) {
		sums[r].FromAffine(&p)
		s.correct(&sums[r], r)
	}
}

// correct takes away the difference that making the even halves of sum r odd caused:
// their bases, with their signs.
func (s interleaved) correct(sum *curve.G1Jac, r int) {
	from, to := s.halvesOf(r)
	for i := from; i < to; i++ {
		h := &s.ws.halves[i]
		if h.k[0]&1 == 1 {
			continue
		}
		p := s.entries.points[h.place(len(s.bases))*strausPlaces]
		if h.minus == 0 {
			p.Neg(&p)
		}
		sum.AddMixed(&p)
	}
}

// place returns the number of the base of h among all, where the images under φ
// follow the n points.
func (h *half) place(n int) int {
	if h.endo {
		return n + int(h.base)
	}
	return int(h.base)
}

// multiplier is memory for points that multiplies them.
type multiplier interface {
	// oddMultiples puts (2m+1)·P into place m·n+i, for the point P in place i < n,
	// which is not the identity, and m < strausPlaces, with one inversion. It
	// returns false if a multiple is the identity; then all places are undefined.
	oddMultiples(n int) bool
}

// multiples returns the odd multiples of the bases, strausPlaces of each, and
// then the odd multiples of their images under φ. One of them may be the identity, as
// 3·P is for a P of order 3.
func (ws *workspace) multiples(bases []curve.G1Affine) entries {
	n := len(bases) * strausPlaces
	all := entries{points: grow(&ws.entries, 2*n)}
	own, images := all.points[:n], all.points[n:]
	for i := 0; i < len(bases); i += multiplesLen {
		end := min(i+multiplesLen, len(bases))
		from, to, some := i*strausPlaces, end*strausPlaces, bases[i:end]
		if ws.multiplesInChains(own[from:to], images[from:to], some) {
			continue
		}
		ws.fewMultiples(own[from:to], some)
		mapEntries(images[from:to], own[from:to])
		all.identity = all.identity || ws.acc.points.mayHaveIdentity()
	}
	return all
}

// multiplesInChains sets own[i·strausPlaces+m] to (2m+1)·bases[i], and images to
// the images under φ. It returns false if the memory for points does not multiply
// them or a multiple is the identity.
func (ws *workspace) multiplesInChains(own, images, bases []curve.G1Affine) bool {
	points, ok := ws.acc.points.(multiplier)
	if !ok {
		return false
	}
	ws.reset()
	n := len(bases)
	ws.acc.cut(0, n).gather(entries{points: bases}, ws.inOrder(n))
	if !points.oddMultiples(n) {
		return false
	}
	all := ws.acc.cut(0, len(own))
	for _, dst := range [][]curve.G1Affine{own, images} {
		for k, p := range ws.storePartial(len(own)) {
			dst[k%n*strausPlaces+k/n] = p
		}
		all.endomorphism()
	}
	return true
}

// multiplesLen is the number of bases with multiples that fit a batch.
const multiplesLen = batchLen / strausPlaces

// fewMultiples sets dst[i·strausPlaces+m] to (2m+1)·bases[i]. Each step doubles
// their number, by adding 2m·P to the first m of them, and 2m·P itself: fewer
// steps than oddMultiples has, each with an inversion. No 2m·P is the identity,
// since no point has an even order. ws.acc tells whether a multiple may be.
func (ws *workspace) fewMultiples(dst, bases []curve.G1Affine) {
	for i := range bases {
		dst[i*strausPlaces] = bases[i]
	}
	ws.reset()
	twice := grow(&ws.twice, len(bases))
	copy(twice, bases)
	ws.addStep(nil, twice, 0)
	for m := 1; m < strausPlaces; m *= 2 {
		ws.addStep(dst, twice, m)
	}
}

// addStep is one step of fewMultiples: it computes multiples m to 2m-1 of each
// base from the first m, given 2m·P in twice, which it doubles.
func (ws *workspace) addStep(dst, twice []curve.G1Affine, m int) {
	sums, n := len(twice)*m, len(twice)*(m+1)
	acc, in := ws.acc.cut(0, n), ws.in.cut(0, n)
	refs := grow(&ws.refs, n)
	for k := range sums {
		refs[k] = uint32(k/m*strausPlaces+k%m) << 1
	}
	acc.cut(0, sums).gather(entries{points: dst}, refs[:sums])
	for k := range sums {
		refs[k] = uint32(k/m) << 1
	}
	in.cut(0, sums).gather(entries{points: twice}, refs[:sums])
	for i := range twice {
		refs[sums+i] = uint32(i) << 1
	}
	acc.cut(sums, n).gather(entries{points: twice}, refs[sums:])
	acc.addOrDouble(in, sums)
	results := ws.storePartial(n)
	for k := range sums {
		dst[k/m*strausPlaces+m+k%m] = results[k]
	}
	copy(twice, results[sums:])
}

// mapEntries sets dst to the images of src under φ.
func mapEntries(dst, src []curve.G1Affine) {
	for i := range src {
		dst[i].X.Mul(&src[i].X, &glv.beta)
		dst[i].Y = src[i].Y
	}
}
