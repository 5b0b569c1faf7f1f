package bn254

import (
	"math/big"
	"math/bits"

	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
)

// Inversion by the division steps of Bernstein and Yang, "Fast constant-time gcd
// computation and modular inversion" (ePrint 2019/266), here in variable time.
// A step maps (δ, f, g) with odd f to (Section 8)
//
//	(1-δ, g, (g-f)/2)            if δ > 0 and g is odd,
//	(1+δ, f, (g+(g mod 2)·f)/2)  otherwise.
//
// From (1, p, x) the steps lead to g = 0 and f = ±gcd(p, x). They depend on the low
// bits of f and g only, so jumpBits of them are computed on words, as a matrix,
// which is then applied to the long numbers (Section 9, "jumps").

const (
	jumpBits  = 62 // steps in a jump, and bits in a limb
	jumpMask  = 1<<jumpBits - 1
	jumpLimbs = (64*fp.Limbs + jumpBits - 1) / jumpBits
)

// signedLimbs is an integer in jumpLimbs limbs of jumpBits bits. The last one is
// signed, the others are not negative.
type signedLimbs [jumpLimbs]int64

// jump is the matrix of jumpBits steps, times 2^jumpBits. The absolute values of
// a row add up to at most 2^jumpBits.
type jump [2]jumpRow

// jumpRow maps (x, y) to (a·x + b·y)/2^jumpBits.
type jumpRow struct{ a, b int64 }

// jumpP is p. jumpNegative is -1/p modulo 2^64.
var (
	jumpP        = limbsOf((*[fp.Limbs]uint64)(&fieldP))
	jumpNegative = -inverseOfOdd(fieldP[0])
)

// cubeOfR is the element with the words of R³ mod p, where R = 2^(64·fp.Limbs). It is
// R² in Montgomery form.
var cubeOfR = func() (e fp.Element) {
	e.SetBigInt(new(big.Int).Lsh(big.NewInt(1), 2*64*fp.Limbs))
	return e
}()

// invertElement sets z = 1/x, or 0 if x is 0. z and x may be the same.
//
// Modulo p, d·x = f and e·x = g after every jump. In the end f = ±1, so ±d is the
// inverse of the words v·R of x. Multiplying by R³ makes it R/v, as Mul divides
// by R.
func invertElement(z, x *fp.Element) {
	// Each pair moves between two places, as both rows need the old pair.
	f, g := &signedLimbs{}, &signedLimbs{}
	newF, newG := &signedLimbs{}, &signedLimbs{}
	d, e := &signedLimbs{}, &signedLimbs{1}
	newD, newE := &signedLimbs{}, &signedLimbs{}
	*f, *g = jumpP, limbsOf((*[fp.Limbs]uint64)(x))
	delta := 1
	for n := jumpLimbs; !isZero(g[:n]); n = shorten(f, g, n) {
		var m jump
		delta, m = jumpOf(delta, uint64(f[0]), uint64(g[0]))
		m[0].applyModP(newD, d, e)
		m[1].applyModP(newE, d, e)
		m[0].apply(newF, f, g, n)
		m[1].apply(newG, f, g, n)
		d, e, newD, newE = newD, newE, d, e
		f, g, newF, newG = newF, newG, f, g
	}
	// f is 1 or -1.
	if f[0]&2 != 0 {
		*d = d.times(-1, 0)
	}
	reduced := d.reduce()
	z.Mul(&reduced, &cubeOfR)
}

// jumpOf returns δ after jumpBits steps, and their matrix. It takes the low bits of f
// and g. It does not halve g's row in a step, but doubles f's row.
func jumpOf(delta int, f, g uint64) (int, jump) {
	// f and g are the rows times the f and g of the beginning.
	fa, fb := uint64(1), uint64(0)
	ga, gb := uint64(0), uint64(1)
	negative := f * (f*f - 2) // -1/f modulo 64, as f² = 1 modulo 8
	for left := jumpBits; ; {
		// Steps with even g.
		zeros := min(bits.TrailingZeros64(g), left)
		g >>= uint(zeros) & 63
		fa <<= uint(zeros) & 63
		fb <<= uint(zeros) & 63
		delta += zeros
		left -= zeros
		if left == 0 {
			return delta, jump{{int64(fa), int64(fb)}, {int64(ga), int64(gb)}}
		}
		// A step with δ > 0 and odd g is the other step from (-δ, g, -f).
		if delta > 0 {
			delta = -delta
			f, g = g, -f
			negative = f * (f*f - 2)
			fa, ga = ga, -fa
			fb, gb = gb, -fb
		}
		// The next 1-δ steps keep f. Together, they add the multiple of f that makes
		// their bits of g zero.
		steps := min(1-delta, left, 6)
		multiple := g * negative & (1<<(uint(steps)&63) - 1)
		g += multiple * f
		ga += multiple * fa
		gb += multiple * fb
	}
}

// apply sets z to the row times (x, y) in their first n limbs, rounded down.
// In invertElement, the division is exact.
func (r jumpRow) apply(z, x, y *signedLimbs, n int) {
	hi, lo := addProduct(0, 0, r.a, x[0])
	hi, lo = addProduct(hi, lo, r.b, y[0])
	hi, lo = shiftLimb(hi, lo)
	for i := 1; i < min(n, jumpLimbs); i++ {
		hi, lo = addProduct(hi, lo, r.a, x[i])
		hi, lo = addProduct(hi, lo, r.b, y[i])
		z[i-1] = int64(lo & jumpMask)
		hi, lo = shiftLimb(hi, lo)
	}
	z[n-1] = int64(lo)
}

// applyModP sets z to the row times (x, y) modulo p. It adds the multiple of p, at
// most 2^(jumpBits-1) of them in absolute value, that makes the division exact. So a
// jump makes the bound of x and y larger by p/2: after 18 jumps, which are enough
// for 381 bits (Theorem 11.2), it is 10p.
func (r jumpRow) applyModP(z, x, y *signedLimbs) {
	hi, lo := addProduct(0, 0, r.a, x[0])
	hi, lo = addProduct(hi, lo, r.b, y[0])
	const unused = 64 - jumpBits
	multiple := int64(lo*jumpNegative<<unused) >> unused
	hi, lo = addProduct(hi, lo, multiple, jumpP[0])
	hi, lo = shiftLimb(hi, lo)
	for i := 1; i < jumpLimbs; i++ {
		hi, lo = addProduct(hi, lo, r.a, x[i])
		hi, lo = addProduct(hi, lo, r.b, y[i])
		hi, lo = addProduct(hi, lo, multiple, jumpP[i])
		z[i-1] = int64(lo & jumpMask)
		hi, lo = shiftLimb(hi, lo)
	}
	z[jumpLimbs-1] = int64(lo)
}

// addProduct returns the signed number of two words plus a·b.
func addProduct(hi, lo uint64, a, b int64) (sumHi, sumLo uint64) {
	h, l := bits.Mul64(uint64(a), uint64(b))
	h -= uint64(a>>63&b) + uint64(b>>63&a)
	l, carry := bits.Add64(lo, l, 0)
	return hi + h + carry, l
}

// shiftLimb returns the signed number of two words, divided by 2^jumpBits and
// rounded down.
func shiftLimb(hi, lo uint64) (shiftedHi, shiftedLo uint64) {
	return uint64(int64(hi) >> jumpBits), hi<<(64-jumpBits) | lo>>jumpBits
}

// shorten returns how many of the first n limbs f and g need. If one less is enough, it
// gives its sign to the limb below.
func shorten(f, g *signedLimbs, n int) int {
	if n == 2 || !isSign(f[n-1]) || !isSign(g[n-1]) {
		return n
	}
	f[n-2] += f[n-1] << jumpBits
	g[n-2] += g[n-1] << jumpBits
	return n - 1
}

// isSign reports whether the top limb of a number has only copies of its sign.
func isSign(top int64) bool { return top == 0 || top == -1 }

// times returns sign·x + k·p, for signs and k of -1, 0 and 1.
func (x *signedLimbs) times(sign, k int64) (z signedLimbs) {
	carry := int64(0)
	for i := range x {
		sum := sign*x[i] + k*jumpP[i] + carry
		z[i], carry = sum&jumpMask, sum>>jumpBits
	}
	z[jumpLimbs-1] += carry << jumpBits
	return z
}

// reduce returns the words of x modulo p. It is for small multiples of p.
func (x *signedLimbs) reduce() (words fp.Element) {
	r := *x
	for r[jumpLimbs-1] < 0 {
		r = r.times(1, 1)
	}
	for less := r.times(1, -1); less[jumpLimbs-1] >= 0; less = r.times(1, -1) {
		r = less
	}
	for i := range words {
		from := i * (64 - jumpBits) // word i begins at this bit of limb i
		words[i] = uint64(r[i])>>from | uint64(r[i+1])<<(jumpBits-from)
	}
	return words
}

// limbsOf returns the limbs of an integer in words.
func limbsOf(words *[fp.Limbs]uint64) (x signedLimbs) {
	for i := range x {
		x[i] = int64(wordAt(words, uint(i*jumpBits)) & jumpMask)
	}
	return x
}

// wordAt returns 64 bits of an integer from a bit on.
func wordAt(words *[fp.Limbs]uint64, bit uint) uint64 {
	word := words[bit/64] >> (bit % 64)
	if bit/64+1 < fp.Limbs {
		word |= words[bit/64+1] << (64 - bit%64)
	}
	return word
}

func isZero(x []int64) bool {
	or := int64(0)
	for _, limb := range x {
		or |= limb
	}
	return or == 0
}

// inverseOfOdd returns 1/a modulo 2^64. It has 3 right bits at first, and twice
// as many after each of Newton's steps.
func inverseOfOdd(a uint64) uint64 {
	inverse := a
	for a*inverse != 1 {
		inverse *= 2 - a*inverse
	}
	return inverse
}
