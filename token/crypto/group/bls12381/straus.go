// Code generated from bn254/straus.go by bls12381/generate. DO NOT EDIT.

package bls12381

import (
	"math/big"

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

// MulPoint returns s·P, as gnark-crypto does it: a batch of one point gains
// nothing.
func (g *Group) MulPoint(p group.Point, s group.Scalar) group.Point {
	var k big.Int
	a := affine(&p)
	a.ScalarMultiplication(&a, element(&s).BigInt(&k))
	return point(&a)
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
	bases := ws.entries[:0]
	for i := range ps {
		if a := affine(&ps[i]); !a.IsInfinity() && ss[i] != (group.Scalar{}) {
			ws.addTerm(uint32(len(bases)), element(&ss[i]).Bits())
			bases = append(bases, a)
		}
	}
	ws.entries = bases
	var sum curve.G1Jac
	switch {
	case len(bases) == 0:
	case len(bases) < pippengerFrom:
		sum = ws.straus(len(bases))
	default:
		sum = ws.pippenger(len(bases))
	}
	return normal(&sum)
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
		k1, k2 := split(&k)
		ws.addHalf(fromSigned(k1, base, false))
		ws.addHalf(fromSigned(k2, base, true))
	}
}

func fromSigned(k limbs, base uint32, endo bool) half {
	abs, minus := magnitude(k)
	return half{k: abs, base: base, minus: minus, endo: endo}
}

func (ws *workspace) addHalf(h half) {
	if h.k != (limbs{}) {
		ws.halves = append(ws.halves, h)
	}
}

// strausWidth returns the width of the digits for n points: wide ones pay for
// their multiples only if there are many points to share the inversions.
func strausWidth(n int) int {
	switch {
	case n <= 2:
		return 3
	case n <= 64:
		return 4
	default:
		return 5
	}
}

// straus interleaves the terms (Straus; Handbook of Applied Cryptography,
// algorithm 14.88), with odd digits: the sums of all windows are computed in
// lockstep, and then combined by doublings. ws.entries holds the n bases.
func (ws *workspace) straus(n int) curve.G1Jac {
	width := strausWidth(n)
	windows := (halfBits + width - 1) / width
	places := ws.multiples(n, width)
	digits := grow(&ws.odd, len(ws.halves))
	for i, h := range ws.halves {
		h.k[0] |= 1 // an even one is corrected afterwards
		digits[i] = recode(&h.k, h.minus, width, windows)
	}
	sums := grow(&ws.sums, windows+1)
	ws.lockstep(sums[:windows], len(ws.halves), ws.entries, func(at []uint32, term int) {
		first := uint32(ws.halves[term].place(n)*places) << 1
		for j := range at {
			at[j] = first + digits[term].digit(j, width)
		}
	})
	ws.sumOfEven(sums[windows:], n, places)

	var acc curve.G1Jac
	for j := windows - 1; j >= 0; j-- {
		for range width {
			acc.DoubleAssign()
		}
		acc.AddMixed(&sums[j])
	}
	sums[windows].Neg(&sums[windows])
	return *acc.AddMixed(&sums[windows])
}

// sumOfEven computes the sum of the bases whose scalars are even.
func (ws *workspace) sumOfEven(sum []curve.G1Affine, n, places int) {
	even := ws.even[:0]
	for i := range ws.halves {
		if h := &ws.halves[i]; h.k[0]&1 == 0 {
			even = append(even, uint32(h.place(n)*places)<<1|h.minus)
		}
	}
	ws.even = even
	ws.lockstep(sum, len(even), ws.entries, func(at []uint32, term int) { at[0] = even[term] })
}

// place returns the number of the base among all, where the images under φ
// follow the n points.
func (h *half) place(n int) int {
	if h.endo {
		return n + int(h.base)
	}
	return int(h.base)
}

// multiples replaces the n bases in ws.entries by their odd multiples below
// 2^width, and those of their images under φ if there are such terms, and
// returns how many multiples of each there are.
func (ws *workspace) multiples(n, width int) int {
	places := 1 << (width - 1)
	bases := append(ws.bases[:0], ws.entries...)
	ws.bases = bases
	entries := grow(&ws.entries, 2*n*places)
	for i := 0; i < n; i += batchLen {
		end := min(i+batchLen, n)
		ws.oddMultiples(entries[i*places:end*places], bases[i:end], places)
	}
	ws.mapEntries(entries[n*places:], entries[:n*places])
	return places
}

// mapEntries sets dst to the images of src under φ.
func (ws *workspace) mapEntries(dst, src []curve.G1Affine) {
	for i := range src {
		dst[i].X.Mul(&src[i].X, &glv.beta)
		dst[i].Y = src[i].Y
	}
}
