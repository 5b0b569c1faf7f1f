package curve

import (
	"math/big"
	"math/bits"
)

// jacobian is a point in Jacobian coordinates as gnark-crypto declares it: J with
// affine coordinates A.
type jacobian[J, A any] interface {
	*J
	Set(*J) *J
	FromAffine(*A) *J
	AddAssign(*J) *J
	AddMixed(*A) *J
	DoubleAssign() *J
	Neg(*J) *J
}

// affine is a point in affine coordinates.
type affine[J, A any] interface {
	*A
	Set(*A) *A
	Neg(*A) *A
	FromJacobian(*J) *A
	IsInfinity() bool
}

// straus computes sums of multiples of points by interleaving: one sequence of
// doublings for all terms (Möller, SAC 2001, section 3.2). An endomorphism φ
// that multiplies by λ divides the length of that sequence by d: k·P is
// Σ kᵢ·φⁱ(P) for i < d with kᵢ of about log₂(q)/d bits (Gallant, Lambert,
// Vanstone, CRYPTO 2001; for d = 4 Galbraith, Lin, Scott, EUROCRYPT 2009).
type straus[J, A any, PJ jacobian[J, A], PA affine[J, A]] struct {
	dims      int
	split     func(k *big.Int) []big.Int // k₀ … with signs; missing parts are 0
	endo      func(*A)                   // φ in place
	normalise func([]J) []A              // all points differ from 0
}

// table has the odd multiples 1, 3, … of a point, and of its images under φ.
// Its images stand behind each other, all of one size. It is empty for 0.
type table[A any] []A

// Numbers of odd multiples: of points that are used once, of points that are in
// several sums, of points that are prepared. Digits are below twice the number.
const (
	oddOnce     = 4
	oddShared   = 8
	oddPrepared = 32
)

// tables returns the tables of ps with that number of odd multiples.
func (s *straus[J, A, PJ, PA]) tables(ps []J, odd int) []table[A] {
	multiples := make([]J, 0, len(ps)*odd)
	zero := make([]bool, len(ps))
	for i := range ps {
		if zero[i] = s.isZero(&ps[i]); zero[i] {
			continue
		}
		twice := ps[i]
		PJ(&twice).DoubleAssign()
		p := ps[i]
		for range odd {
			multiples = append(multiples, p)
			PJ(&p).AddAssign(&twice)
		}
	}
	all := s.normalise(multiples)
	ts := make([]table[A], len(ps))
	for i := range ps {
		if zero[i] {
			continue
		}
		t := make(table[A], 0, s.dims*odd)
		t = append(t, all[:odd]...)
		all = all[odd:]
		for len(t) < s.dims*odd {
			next := t[len(t)-odd]
			s.endo(&next)
			t = append(t, next)
		}
		ts[i] = t
	}
	return ts
}

func (s *straus[J, A, PJ, PA]) isZero(p *J) bool {
	var a A
	return PA(PA(&a).FromJacobian(p)).IsInfinity()
}

// term is one φⁱ(P) with the digits of kᵢ, lowest first.
type term[A any] struct {
	odd    []A
	digits []int8
}

// sum returns Σ ks[i]·P where ts[i] is the table of P.
func (s *straus[J, A, PJ, PA]) sum(ts []table[A], ks []*big.Int) (acc J) {
	terms := make([]term[A], 0, s.dims*len(ts))
	top := 0
	for i, t := range ts {
		if len(t) == 0 {
			continue
		}
		odd := len(t) / s.dims
		for d, k := range s.split(ks[i]) {
			digits := wnaf(&k, odd)
			top = max(top, len(digits))
			terms = append(terms, term[A]{t[d*odd : (d+1)*odd], digits})
		}
	}
	var negated A
	PJ(&acc).FromAffine(&negated) // 0
	for pos := top - 1; pos >= 0; pos-- {
		PJ(&acc).DoubleAssign()
		for i := range terms {
			if pos >= len(terms[i].digits) {
				continue
			}
			switch d := terms[i].digits[pos]; {
			case d > 0:
				PJ(&acc).AddMixed(&terms[i].odd[d/2])
			case d < 0:
				PA(&negated).Neg(&terms[i].odd[-d/2])
				PJ(&acc).AddMixed(&negated)
			}
		}
	}
	return acc
}

// wnaf returns the digits of k in width-w non-adjacent form, lowest first, where
// 2^(w-1) is twice odd: each is 0 or odd and below 2·odd in absolute value. k has
// at most 191 bits.
func wnaf(k *big.Int, odd int) []int8 {
	var n [3]uint64
	for i, w := range k.Bits() {
		n[i] = uint64(w)
	}
	digits := make([]int8, k.BitLen()+1)
	width := uint64(4 * odd) // 2^w
	sign := k.Sign()
	top := 0
	for pos := 0; n[0]|n[1]|n[2] != 0; {
		zeros := bits.TrailingZeros64(n[0])
		shift(&n, zeros)
		if pos += zeros; zeros == 64 {
			continue
		}
		d := n[0] & (width - 1)
		n[0] -= d
		if d > width/2 {
			var carry uint64
			n[0], carry = bits.Add64(n[0], width, 0)
			n[1], carry = bits.Add64(n[1], 0, carry)
			n[2] += carry
			d -= width
		}
		digits[pos] = int8(sign * int(int64(d)))
		top = pos + 1
	}
	return digits[:top]
}

// shift divides n by 2^by, by being at most 64.
func shift(n *[3]uint64, by int) {
	n[0] = n[0]>>by | n[1]<<(64-by)
	n[1] = n[1]>>by | n[2]<<(64-by)
	n[2] >>= by
}
