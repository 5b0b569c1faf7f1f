// Code generated from bn254/pippenger.go by bls12381/generate. DO NOT EDIT.

package bls12381

import curve "github.com/consensys/gnark-crypto/ecc/bls12-381"

// pippengerFrom is the number of points from which buckets cost less than
// interleaving.
const pippengerFrom = 96

// groupLen is about how many terms are sorted into buckets at a time: several
// windows if there are few terms, so that batches are long.
const groupLen = 4096

// buckets is Pippenger's algorithm (Bernstein, Doumen, Lange, Oosterwijk,
// "Faster batch forgery identification", INDOCRYPT 2012, section 4) with
// signed digits. In each window, the terms with equal digits are summed first, as
// affine points in batches. The rest, Σ d·Bᵈ over the buckets, is split by the
// bits of d into sums again: for each bit, the sum of all buckets with a number
// that has this bit, times the power of two.
type buckets struct {
	ws      *workspace
	width   int
	windows int
	digits  []int16 // of one window after the other
}

// bucketWidth returns the width that takes the fewest additions for n terms.
func bucketWidth(n int) (best int) {
	least := 0
	for width := 3; width <= 14; width++ {
		adds := (halfBits/width + 1) * (n + width<<(width-2))
		if best == 0 || adds < least {
			best, least = width, adds
		}
	}
	return best
}

// pippenger sums the terms in ws.halves over the bases.
func (ws *workspace) pippenger(bases []curve.G1Affine) (sum curve.G1Jac) {
	n := len(bases)
	terms := entries{points: grow(&ws.entries, 2*n)}
	copy(terms.points, bases)
	mapEntries(terms.points[n:], bases)
	b := buckets{ws: ws, width: bucketWidth(len(ws.halves))}
	b.windows = halfBits/b.width + 1 // one bit more, for the last carry
	b.digits = grow(&ws.digits, b.windows*len(ws.halves))
	for i := range ws.halves {
		b.recode(i)
	}
	bits := grow(&ws.sums, b.windows*b.width)
	step := max(1, groupLen/len(ws.halves))
	for j := 0; j < b.windows; j += step {
		end := min(j+step, b.windows)
		b.fill(j, end, n)
		buckets, pile := ws.reduce(terms, 0)
		b.sumBits(bits[j*b.width:end*b.width], buckets, pile)
	}
	for i := len(bits) - 1; i >= 0; i-- {
		double(&sum)
		sum.AddMixed(&bits[i])
	}
	return sum
}

// recode writes the digits of half i, from -2^(width-1)+1 to 2^(width-1).
func (b *buckets) recode(i int) {
	h := &b.ws.halves[i]
	low, high := h.k[0], h.k[1]
	sign := 1 - 2*int16(h.minus)
	carry := int16(0)
	for j := range b.windows {
		d := int16(low&(1<<b.width-1)) + carry
		low, high = low>>b.width|high<<(64-b.width), high>>b.width
		carry = 0
		if d > 1<<(b.width-1) {
			d, carry = d-1<<b.width, 1
		}
		b.digits[j*len(b.ws.halves)+i] = sign * d
	}
}

// fill sorts the terms of windows first to end by their digits: one list for
// each window and each bucket.
func (b *buckets) fill(first, end, n int) {
	s, perWindow := &b.ws.lists, 1<<(b.width-1)
	s.reset()
	lens := grow(&s.lens, (end-first)*perWindow)
	clear(lens)
	terms := len(b.ws.halves)
	total := 0
	for j := first; j < end; j++ {
		for _, d := range b.digits[j*terms : (j+1)*terms] {
			if d != 0 {
				lens[(j-first)*perWindow+abs(d)-1]++
				total++
			}
		}
	}
	next := grow(&b.ws.next, len(lens))
	sum := 0
	for i, l := range lens {
		next[i] = sum
		sum += l
	}
	refs := grow(&s.refs, total)
	for j := first; j < end; j++ {
		for i, d := range b.digits[j*terms : (j+1)*terms] {
			if d != 0 {
				at := &next[(j-first)*perWindow+abs(d)-1]
				refs[*at] = uint32(b.ws.halves[i].place(n))<<1 | uint32(d)>>31
				*at++
			}
		}
	}
}

func abs(d int16) int {
	if d < 0 {
		return -int(d)
	}
	return int(d)
}

// sumBits sets bits[j·width+i] to the sum of the buckets of window j with a
// number that has bit i. sums holds the buckets that are not empty, in order,
// and is in the given pile of segments.
func (b *buckets) sumBits(bits, sums []curve.G1Affine, pile int) {
	ws, s := b.ws, &b.ws.lists
	perWindow := 1 << (b.width - 1)
	wipe(&ws.full)
	full := append(ws.full, s.lens...)
	ws.full = full
	s.reset()
	at := 0
	for j := 0; j < len(full); j += perWindow {
		start := at
		for i := range b.width {
			at = start
			before := len(s.refs)
			for k, there := range full[j : j+perWindow] {
				if there == 1 && (k+1)>>i&1 == 1 && !sums[at].Y.IsZero() {
					s.refs = append(s.refs, uint32(at)<<1)
				}
				at += there
			}
			s.lens = append(s.lens, len(s.refs)-before)
		}
	}
	sums, _ = ws.reduce(entries{points: sums}, 1-pile)
	for i, l := range s.lens {
		bits[i] = curve.G1Affine{}
		if l == 1 {
			bits[i], sums = sums[0], sums[1:]
		}
	}
}
