package bn254

import (
	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"

	"github.com/zkatbench/zkatbench/token/crypto/group/internal/simd"
)

// lanes is how many elements gnark-crypto multiplies at a time; it is slower for
// what is left over.
const lanes = 8

// serialLen is how many products are left at most when inverting goes on one by
// one.
const serialLen = 2*lanes - 1

// special is an addition without a slope.
type special struct {
	i      int
	double bool           // P + P: the tangent
	sum    curve.G1Affine // otherwise the result: one operand is the identity, or P - P
}

// add sets a += b in every place, with one inversion for all of them, and
// overwrites b:
//
//	λ = (y₂ - y₁)/(x₂ - x₁),  x₃ = λ² - x₁ - x₂,  y₃ = λ(x₁ - x₃) - y₁
//
// At most batchLen places. Any operands: P + P, P - P and, if ws.tainted, the
// identity take a slower path. ws.tainted is set if it may be in the result.
func (ws *workspace) add(a, b columns) { ws.addOrDouble(a, b, len(a.x)) }

// addOrDouble sets a += b in the first m places and a += a in the others, where
// no a is the identity, and overwrites b.
func (ws *workspace) addOrDouble(a, b columns, m int) {
	n := len(a.x)
	ws.used = max(ws.used, n)
	dx, t := ws.dx[:n], ws.temp[:n]
	doubles, slopes := dx[m:], b.y[:m]
	sums := dx[:m]
	sums.Sub(b.x[:m], a.x[:m])
	doubles.Add(a.y[m:], a.y[m:])
	wipe(&ws.special)
	if ws.tainted || !ws.invert(dx) {
		ws.findSpecial(a.cut(0, m), b.cut(0, m))
		ws.invert(dx)
	}
	slopes.Sub(slopes, a.y[:m])
	ws.setTangents(a, b)
	tangents(a.cut(m, n), b.cut(m, n))
	b.y.Mul(b.y, dx) // λ
	t.Mul(b.y, b.y)
	t.Sub(t, a.x)
	t.Sub(t, b.x) // x₃
	b.x.Sub(a.x, t)
	b.x.Mul(b.x, b.y)
	a.y.Sub(b.x, a.y)
	simd.Leave()
	copy(a.x, t)
	ws.setSums(a)
}

// tangents prepares doublings: 3x², over 2y the slope, in b.y and x in b.x.
func tangents(a, b columns) {
	b.x.Mul(a.x, a.x)
	b.y.Add(b.x, b.x)
	b.y.Add(b.y, b.x)
	copy(b.x, a.x)
}

// findSpecial lists the places where the formula does not hold, and gives them
// a denominator that can be inverted.
func (ws *workspace) findSpecial(a, b columns) {
	for i := range a.x {
		// No point has y = 0: it would have order two.
		switch p, q := a.at(i), b.at(i); {
		case p.Y.IsZero():
			ws.special = append(ws.special, special{i: i, sum: q})
			ws.dx[i].SetOne()
		case q.Y.IsZero():
			ws.special = append(ws.special, special{i: i, sum: p})
			ws.dx[i].SetOne()
		case !ws.dx[i].IsZero():
		case p.Y.Equal(&q.Y):
			ws.special = append(ws.special, special{i: i, double: true})
			ws.dx[i].Double(&p.Y)
		default:
			ws.special = append(ws.special, special{i: i})
			ws.dx[i].SetOne()
		}
	}
}

// setTangents puts 3x², over 2y the slope of the tangent, into b.y where
// P + P is to be computed.
func (ws *workspace) setTangents(a, b columns) {
	for _, s := range ws.special {
		if s.double {
			x2 := new(fp.Element).Square(&a.x[s.i])
			b.y[s.i].Double(x2).Add(&b.y[s.i], x2)
		}
	}
}

// setSums overwrites the results that are known without computing.
func (ws *workspace) setSums(a columns) {
	for _, s := range ws.special {
		if !s.double {
			a.set(s.i, &s.sum)
			ws.tainted = ws.tainted || s.sum.Y.IsZero()
		}
	}
}

// invert replaces v by the inverses of its elements, or returns false and
// leaves it alone if one of them is zero. It is Montgomery's trick over a tree
// of products, so that every step multiplies vectors: element i of a level is
// the product of i and i+h of the level below, where h is about half its length,
// and what stands beyond 2h moves up as it is.
func (ws *workspace) invert(v fp.Vector) bool {
	var levels [16]fp.Vector
	depth := 0
	free := ws.tree
	levels[0] = v
	for len(levels[depth]) > serialLen {
		below := levels[depth]
		h := halfLanes(len(below))
		above := free[:len(below)-h]
		free = free[len(above):]
		product := above[:h]
		product.Mul(below[:h], below[h:2*h])
		copy(above[h:], below[2*h:])
		depth++
		levels[depth] = above
	}
	simd.Leave()
	if !invertFew(levels[depth]) {
		return false
	}
	for ; depth > 0; depth-- {
		ws.descend(levels[depth-1], levels[depth])
	}
	return true
}

// halfLanes returns half of n, rounded down to whole lanes.
func halfLanes(n int) int { return n / 2 &^ (lanes - 1) }

// descend replaces the products below by their inverses, given those above.
func (ws *workspace) descend(below, above fp.Vector) {
	h := halfLanes(len(below))
	t, low, high := ws.temp[:h], below[:h], below[h:2*h]
	t.Mul(above[:h], low)
	low.Mul(above[:h], high)
	copy(high, t)
	copy(below[2*h:], above[h:])
}

// invertFew inverts the at most serialLen elements of v, unless one is zero.
func invertFew(v fp.Vector) bool {
	var before [serialLen]fp.Element
	product := fp.One()
	for i := range v {
		before[i] = product
		product.Mul(&product, &v[i])
	}
	if product.IsZero() {
		return false
	}
	product.Inverse(&product)
	for i := len(v) - 1; i >= 0; i-- {
		e := v[i]
		v[i].Mul(&product, &before[i])
		product.Mul(&product, &e)
	}
	return true
}
