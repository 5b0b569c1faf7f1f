//go:build !purego

package ecdsap256

import (
	"encoding/binary"
	"math/big"
	"math/bits"

	"github.com/consensys/gnark-crypto/ecc/secp256r1/fp"
	"github.com/consensys/gnark-crypto/ecc/secp256r1/fr"
)

// Few signatures by unknown keys leave lanes empty. Each one takes two lanes, with half
// the doublings (Antipa, Brown, Gallant, Lambert, Struik, Vanstone, "Accelerated
// Verification of ECDSA Signatures", SAC 2005): for b with b·u₂ = a mod n, where a and
// b are short, R = u₁G + u₂Q holds up to the sign of R if and only if
//
//	(b·u₁)G + aQ = ±bR
//
// as n is prime and b is not 0 modulo n. R is one of the two points with x = r. If
// r + n < p there are two other ones, and crypto/ecdsa decides.
//
// The square root y of d = r³ - 3r + b is not computed: (x, y) → (d·x, y·d·√d) maps the
// curve to y² = x³ - 3d²x + b·d³, and R to ±(d·r, d²). If d is not a square, R′ = (d·r, d²)
// is the image of a point of the twist. For the x of each of its multiples, x³ - 3x + b is
// not a square either, so x differs from the x of every point of the curve.

// halfWindows is the number of windows of a and b, which have halfBits bits at most.
// Both are odd. A lattice of determinant n has such a vector unless it has a vector shorter
// than 2¹²⁰, which is so for all u₂ but one in 2¹⁵.
const (
	halfWindows = 34
	halfBits    = keyWidth * halfWindows
)

// wide is an integer in words.
type wide [fr.Limbs]uint64

// wordsOf returns a number below 2²⁵⁶.
func wordsOf(v *big.Int) (w wide) {
	for i, word := range v.Bits() {
		w[i] = uint64(word)
	}
	return w
}

func (w *wide) bitLen() int {
	for i := len(w) - 1; i >= 0; i-- {
		if w[i] != 0 {
			return 64*i + bits.Len64(w[i])
		}
	}
	return 0
}

// shifted returns w·2^k without the bits from 256 on.
func (w *wide) shifted(k int) (s wide) {
	words, k := k/64, k%64
	for i := len(w) - 1; i >= words; i-- {
		s[i] = w[i-words] << k
		if i > words {
			s[i] |= w[i-words-1] >> (64 - k)
		}
	}
	return s
}

// plus sets w to w + v and minus to w - v modulo 2²⁵⁶.
func (w *wide) plus(v *wide) {
	var carry uint64
	for i := range w {
		w[i], carry = bits.Add64(w[i], v[i], carry)
	}
}

func (w *wide) minus(v *wide) (borrow uint64) {
	for i := range w {
		w[i], borrow = bits.Sub64(w[i], v[i], borrow)
	}
	return borrow
}

// times returns w·m modulo 2²⁵⁶.
func (w *wide) times(m uint64) (p wide) {
	var above uint64
	for i := range w {
		high, low := bits.Mul64(w[i], m)
		var carry uint64
		p[i], carry = bits.Add64(low, above, 0)
		above = high + carry
	}
	return p
}

// window returns 64 bits of w from a bit on.
func (w *wide) window(bit int) uint64 {
	i, k := bit/64, bit%64
	v := w[i] >> k
	if i+1 < len(w) {
		v |= w[i+1] << (64 - k)
	}
	return v
}

// pair is two vectors (r, t) and (r′, t′) with r = t·u and r′ = -t′·u modulo n, or
// r = -t·u and r′ = t′·u if swapped, and t·r′ + t′·r = n.
type pair struct {
	r, t    wide
	r2, t2  wide // r′ and t′
	swapped bool
}

func (p *pair) swap() {
	p.r, p.r2 = p.r2, p.r
	p.t, p.t2 = p.t2, p.t
	p.swapped = !p.swapped
}

// step subtracts a multiple of (r, t) by a power of 2 from (r′, t′), or swaps them.
func (p *pair) step() {
	shift := p.r2.bitLen() - p.r.bitLen()
	if shift < 0 {
		p.swap()
		return
	}
	by, left := p.r.shifted(shift), p.r2
	if left.minus(&by) != 0 {
		if shift == 0 {
			p.swap()
			return
		}
		shift--
		by, left = p.r.shifted(shift), p.r2
		left.minus(&by)
	}
	more := p.t.shifted(shift)
	p.t2.plus(&more)
	p.r2 = left
}

// leap does the first steps of Euclid's algorithm for r′ and r on their leading 64
// bits x and y. After k steps r′ = ±(a·r′ - b·r) and r = ±(d·r - c·r′) for the old
// ones. The factors are below 2³² while y is not, so that the bits that x and y leave out
// cannot make a difference negative; 64 bits are used whole. It ends when r′
// has at most so many bits, and returns false if it cannot do any step.
func (p *pair) leap(most int) bool {
	low := max(p.r2.bitLen()-64, 0)
	x, y := p.r2.window(low), p.r.window(low)
	var enough uint64 // r′ has at most most bits if x is below
	if low < most {
		enough = 1 << (most - low)
	}
	a, b, c := uint64(1), uint64(0), uint64(0)
	d, odd := uint64(1), false
	for x >= enough && y > 0 {
		q := x / y
		if low > 0 && x-q*y < 1<<32 {
			break
		}
		x, y = y, x-q*y
		a, c = c, a+q*c
		b, d = d, b+q*d
		odd = !odd
	}
	if b == 0 {
		return false
	}
	combine := func(x *wide, a uint64, y *wide, b uint64) wide {
		m, less := x.times(a), y.times(b)
		m.minus(&less)
		return m
	}
	if odd {
		p.r2, p.r = combine(&p.r, b, &p.r2, a), combine(&p.r2, c, &p.r, d)
	} else {
		p.r2, p.r = combine(&p.r2, a, &p.r, b), combine(&p.r, d, &p.r2, c)
	}
	t2, more := p.t2.times(a), p.t.times(b)
	t, rest := p.t2.times(c), p.t.times(d)
	t2.plus(&more)
	t.plus(&rest)
	p.t, p.t2, p.swapped = t, t2, p.swapped != odd
	return true
}

// shorten makes r and r′ shorter until neither has more than the given number of bits.
func (p *pair) shorten(most int) {
	for p.r2.bitLen() > most || p.r.bitLen() > most {
		if p.r.bitLen() > p.r2.bitLen() {
			p.swap()
		}
		if !p.leap(most) {
			p.step()
		}
	}
}

// inverse returns 1/w modulo a prime p, for 0 < w < p.
func (w wide) inverse(p *wide) wide {
	e := pair{r: w, t: wide{1}, r2: *p}
	e.shorten(1)
	if e.r == (wide{}) { // r′ is 1
		e.swap()
	}
	if e.swapped { // -t·w = 1
		negated := *p
		negated.minus(&e.t)
		return negated
	}
	return e.t
}

// halve returns odd numbers a and b below 2^halfBits with a = b·u modulo n, or
// a = -b·u if negative. It returns false without such a pair. u is not 0.
//
// As n is odd, one of the two vectors of a pair and their difference has two odd parts.
func halve(u *fr.Element) (a, b wide, negative, ok bool) {
	p := pair{r: u.Bits(), t: wide{1}, r2: order}
	p.shorten(halfBits)
	switch {
	case p.r[0]&p.t[0]&1 == 1:
		a, b, negative = p.r, p.t, p.swapped
	case p.r2[0]&p.t2[0]&1 == 1:
		a, b, negative = p.r2, p.t2, !p.swapped
	default:
		a, b, negative = p.r2, p.t2, !p.swapped
		if a.minus(&p.r) != 0 {
			a, negative = p.r, p.swapped
			a.minus(&p.r2)
		}
		b.plus(&p.t)
	}
	return a, b, negative, b.bitLen() <= halfBits
}

// decideInHalves sets the verdicts of at most lanes/2 claims of keys without tables.
func (s *scratch) decideInHalves(claims []*claim, verdicts, decided []bool) {
	open := make([]*claim, 0, lanes/2)
	ds := make([]fp.Element, 0, lanes/2)
	products := make([]multiple, 0, lanes) // aQ, then bR′
	images := make([]multiple, 0, lanes/2)
	for _, c := range claims {
		a, b, negative, ok := halve(&c.u2)
		var x, square fp.Element
		r := c.r.Bytes()
		x.SetBytes(r[:]) // below n, and so below p
		if !ok || x.Cmp(&room) < 0 {
			continue
		}
		c.u1.Mul(&c.u1, b.scalar())
		if negative {
			c.u1.Neg(&c.u1)
		}
		d := onCurve(&x)
		open, ds = append(open, c), append(ds, d)
		products = append(products, multiple{entryOf(&c.x, &c.y), signedOdd(a, halfBits)})
		images = append(images, multiple{entryOf(x.Mul(&x, &d), square.Square(&d)), signedOdd(b, halfBits)})
	}
	if len(open) == 0 {
		return
	}
	for i := range lanes { // the lanes of ladder
		if i/len(open)%2 == 0 {
			s.setTwist(i, fp.One())
		} else {
			s.setTwist(i, ds[i%len(open)])
		}
	}
	s.ladder(s.doubleTwisted, append(products, images...), halfWindows)
	s.sum(open)
	s.add(&s.a, 0, &s.c, lanes)
	laneStore(&s.rows[0].x[0], &s.a.x[0], &s.a.z[0], lanes)
	laneStore(&s.rows[lanes].x[0], &s.c.x[0], &s.c.z[0], lanes)
	for i, c := range open {
		sum, image := &s.rows[i], &s.rows[lanes+len(open)+i]
		if fp.Element(sum.y) != (fp.Element{}) && fp.Element(image.y) != (fp.Element{}) {
			verdicts[c.index], decided[c.index] = isImage(sum, image, &ds[i]), true
		}
	}
}

// scalar returns w, below n.
func (w *wide) scalar() *fr.Element {
	var b [fr.Bytes]byte
	for i, word := range w {
		binary.BigEndian.PutUint64(b[fr.Bytes-8*(i+1):], word)
	}
	return new(fr.Element).SetBytes(b[:])
}

// setTwist sets d of a lane.
func (s *scratch) setTwist(lane int, d fp.Element) {
	d.Mul(&d, &toLanes)
	for l := range limbs {
		s.twist[l*places+lane] = limbOf(&d, l)
	}
}

// isImage reports whether d·x = x′ for the points (x/z², …) and (x′/z′², …) of two
// entries (x, z) and (x′, z′).
func isImage(p, image *entry, d *fp.Element) bool {
	px, pz := fp.Element(p.x), fp.Element(p.y)
	qx, qz := fp.Element(image.x), fp.Element(image.y)
	var left, right fp.Element
	left.Mul(&px, right.Square(&qz)).Mul(&left, d)
	right.Mul(&qx, right.Square(&pz))
	return left.Equal(&right)
}
