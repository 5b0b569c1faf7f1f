package bn254

import curve "github.com/consensys/gnark-crypto/ecc/bn254"

// pippengerFrom is the least number of points where buckets cost less than
// interleaving.
const pippengerFrom = 80

// buckets is Pippenger's algorithm (Bernstein, Doumen, Lange, Oosterwijk,
// "Faster batch forgery identification", INDOCRYPT 2012, section 4) with
// signed digits. For all windows together, the terms with equal digits are
// summed first, as affine points in batches. The rest is Σ (k+1)·Bₖ over the
// buckets k = 0, 1, … of each window. It is split by the bits of k:
//
//	Σ (k+1)·Bₖ = Σ Bₖ + Σ 2ⁱ·(Σ Bₖ over all k with bit i)
type buckets struct {
	ws      *workspace
	width   int
	windows int
}

// bucketWidth returns the width that takes the fewest additions for n terms. An
// addition of two buckets costs about one and a half of two terms.
func bucketWidth(n int) (best int) {
	least := 0
	for width := 3; width <= 13; width++ {
		adds := digitsOf(width) * (n + 3<<(width-1))
		if best == 0 || adds < least {
			best, least = width, adds
		}
	}
	return best
}

// digitsOf returns how many digits a half has: for one bit more, for the last
// carry.
func digitsOf(width int) int { return halfBits/width + 1 }

// pippenger sums the terms in ws.halves over the bases.
func (ws *workspace) pippenger(bases []curve.G1Affine) curve.G1Jac {
	return ws.inBuckets(bases, bucketWidth(len(ws.halves)))
}

// inBuckets is pippenger with digits of width bits, from 3 to 14.
func (ws *workspace) inBuckets(bases []curve.G1Affine, width int) curve.G1Jac {
	n := len(bases)
	terms := entries{points: grow(&ws.entries, 2*n)}
	copy(terms.points, bases)
	mapEntries(terms.points[n:], bases)
	b := buckets{ws: ws, width: width, windows: digitsOf(width)}
	b.fill(n)
	sums, pile := ws.reduce(terms, 0)
	for vectors := range width - 1 {
		b.pair(1<<(width-1-vectors), vectors+1)
		pile = 1 - pile
		sums = ws.shorten(sums, pile)
	}
	return b.join(sums.points)
}

// fill sorts the terms by their digits: one list for each window and each
// bucket, which is the magnitude of a digit, less 1.
func (b *buckets) fill(n int) {
	ws, s, perWindow := b.ws, &b.ws.lists, 1<<(b.width-1)
	digits := grow(&ws.digits, len(ws.halves)*b.windows)
	lens := grow(&s.lens, b.windows*perWindow)
	clear(lens)
	for i := range ws.halves {
		b.recode(digits[i*b.windows:(i+1)*b.windows], &ws.halves[i], lens)
	}
	next := grow(&ws.next, len(lens))
	total := uint32(0)
	for i, l := range lens {
		next[i], total = total, total+l
	}
	refs := grow(&s.refs, int(total))
	for i := range ws.halves {
		h := &ws.halves[i]
		ref := uint32(h.place(n))<<1 | h.minus
		for j, d := range digits[i*b.windows : (i+1)*b.windows] {
			if d != 0 {
				at := &next[j*perWindow+abs(d)-1]
				refs[*at] = ref ^ uint32(d)>>31
				*at++
			}
		}
	}
}

// recode writes the digits of a half without its sign, from -2^(width-1)+1 to
// 2^(width-1), and counts them. Signs are random, so it does not branch on them.
func (b *buckets) recode(digits []int16, h *half, lens []uint32) {
	const wordMask = 63 // shifts are modulo 64, which says to the compiler that they are by less
	low, high, width := h.k[0], h.k[1], b.width&wordMask
	most, carry := int32(1)<<(width-1), int32(0)
	for j := range digits {
		d := int32(low)&(2*most-1) + carry
		low, high = low>>width|high<<(-width&wordMask), high>>width
		carry = int32(uint32(most-d) >> 31)
		d -= carry << width
		digits[j] = int16(d)
		if d != 0 {
			lens[j<<(width-1)+abs(int16(d))-1]++
		}
	}
}

// abs returns |d| without a branch.
func abs(d int16) int {
	sign := int(d) >> 15
	return (int(d) ^ sign) - sign
}

// pair makes lists of two neighbours from vectors of length points, the given
// number that each window has. Each point is a list of one, or of none for
// the identity. The first vector of a window is its buckets, and the lists of
// the second ones of its neighbours alone become one more vector.
func (b *buckets) pair(length, vectors int) {
	ws, s := b.ws, &b.ws.lists
	lens, refs := grow(&ws.full, len(s.lens)), grow(&ws.next, len(s.refs))
	copy(lens, s.lens)
	copy(refs, s.refs)
	wipe(&s.refs)
	wipe(&s.lens)
	for range b.windows {
		n := uint32(0)
		for i := 0; i < vectors*length; i += 2 {
			l := lens[i] + lens[i+1]
			s.lens = append(s.lens, l)
			n += l
		}
		s.refs = append(s.refs, refs[:n]...)
		at := uint32(0)
		for i := 0; i < length; i += 2 {
			at += lens[i]
			s.lens = append(s.lens, lens[i+1])
			s.refs = append(s.refs, refs[at:at+lens[i+1]]...)
			at += lens[i+1]
		}
		lens, refs = lens[vectors*length:], refs[n:]
	}
}

// join returns the sum over all windows. Each has width vectors of one point:
// the sum of its buckets, and for each bit the sum of the buckets with this bit.
func (b *buckets) join(sums []curve.G1Affine) (sum curve.G1Jac) {
	s := &b.ws.lists
	next := len(s.refs)
	for i := len(s.lens) - 1; i >= 0; i-- {
		if s.lens[i] == 1 {
			next--
			sum.AddMixed(&sums[s.refs[next]>>1])
		}
		for range b.doublings(i) {
			double(&sum)
		}
	}
	return sum
}

// doublings returns by how many bits the weight of vector i, among those of all
// windows, is above the weight of the vector before. The sum of the buckets has
// that of bit 0, and no number of a bucket has the highest bit of its window.
func (b *buckets) doublings(i int) int {
	switch i % b.width {
	case 0:
		return 2 * min(i, 1)
	case 1:
		return 0
	}
	return 1
}
