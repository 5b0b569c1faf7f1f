package frost

import (
	"filippo.io/edwards25519"
	"filippo.io/edwards25519/field"
)

// Constants of the Montgomery form v² = u³ + A·u² + u of the curve, and of its points of
// order 2 and 4, which are (0, 0) and (1, v₄).
var (
	one        = new(field.Element).One()
	montgomery = new(field.Element).Mult32(one, 486662) // A
	// v = scale·u/x
	scale = squareRoot(new(field.Element).Negate(new(field.Element).Mult32(one, 486664)), one)
	v4    = squareRoot(new(field.Element).Mult32(one, 486664), one)
	// other is √((A² - 4)/√-1), with the √-1 of SqrtRatio.
	other = func() *field.Element {
		two := new(field.Element).Add(one, one)
		r, _ := new(field.Element).SqrtRatio(two, one) // √(2·√-1), since 2 is not a square
		squares := new(field.Element).Multiply(montgomery, montgomery)
		squares.Subtract(squares, new(field.Element).Mult32(one, 4))
		return squareRoot(squares.Multiply(squares, two), r.Square(r))
	}()
)

// squareRoot returns √(u/v) for constants.
func squareRoot(u, v *field.Element) *field.Element {
	r, _ := new(field.Element).SqrtRatio(u, v)
	return r
}

// inSubgroup reports whether P has prime order ℓ: whether it is 8·Q for a point Q, and
// not the identity. P must have been decoded, so that Z = 1.
//
// The points of the curve have 8·ℓ elements and a cyclic part of order 8. So P is 2·H
// exactly if u is a square (descent by the isogeny with kernel (0, 0)), which gives H
// with two square roots. H is 4·Q exactly if its Tate pairing with (1, v₄) is 1
// (Koshelev, "Subgroup membership testing on elliptic curves via the Tate pairing",
// 2022): if u_H·(v_H/u_H - v₄)² is a fourth power. The three powers cost half of the
// multiplication by ℓ.
func inSubgroup(p *edwards25519.Point) bool {
	x, y, _, _ := p.ExtendedCoordinates()
	var above, u, s, t, w field.Element
	// r = 1/(x·√(1 - y²)), s = √u = (1 + y)·x·r, v/s = scale·(1 + y)·r.
	w.Square(y)
	w.Subtract(one, &w)
	w.Multiply(&w, new(field.Element).Square(x))
	r, square := new(field.Element).SqrtRatio(one, &w)
	if square != 1 { // also for x = 0, points of order 1 and 2
		return false
	}
	above.Add(one, y)
	above.Multiply(&above, r)
	s.Multiply(&above, x)
	u.Square(&s)
	slope := above.Multiply(&above, scale)
	// The isogenous points over P have X = 2·u + A - 2·v/s for both signs of s. The
	// product of both X is A² - 4, which is not a square, so one of them is X = t².
	w.Add(&u, &u)
	w.Add(&w, montgomery)
	w.Subtract(&w, slope)
	w.Subtract(&w, slope)
	r, square = r.SqrtRatio(one, &w)
	if square == 1 {
		t.Multiply(r, &w)
	} else { // r = √(√-1/X), and the other one is (A² - 4)/X
		t.Multiply(r, other)
		s.Negate(&s)
	}
	// v_H = t·u_H, u_H = (X - A)/2 - s·t. The test is the same for 2⁴·u_H.
	w.Square(&t)
	w.Subtract(&w, montgomery)
	s.Multiply(&s, &t)
	w.Subtract(&w, &s)
	w.Subtract(&w, &s)
	w.Mult32(&w, 8)
	t.Subtract(&t, v4)
	w.Multiply(&w, t.Square(&t))
	return fourthPower(&w)
}

// fourthPower reports whether w^((p-1)/4) = 1, where (p-1)/4 is 2·(2²⁵² - 3) + 1.
func fourthPower(w *field.Element) bool {
	var power field.Element
	power.Pow22523(w)
	power.Square(&power)
	return power.Multiply(&power, w).Equal(one) == 1
}
