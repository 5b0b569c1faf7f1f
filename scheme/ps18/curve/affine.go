package curve

import (
	"math/big"
	"slices"
)

// adder adds points in affine coordinates on curves y² = x³ + b. A single such
// addition needs an inversion; additions that do not depend on each other share
// one, and each then costs 6 multiplications instead of the 11 of a mixed
// addition.
type adder[E any, P element[E], A any] struct {
	at func(*A) (x, y *E)
	// Memory that one goroutine uses again and again.
	pairs                  []addition[A]
	denominators, products []E
}

// isZero reports whether a is 0, which has the coordinates (0, 0).
func (s *adder[E, P, A]) isZero(a *A) bool {
	x, y := s.at(a)
	return P(x).IsZero() && P(y).IsZero()
}

// addition is a sum of two points.
type addition[A any] struct {
	to, p, q *A
	double   bool
}

// addAll sets *to = *p + *q for all pairs and forgets them. to may be p or q of
// the same pair.
func (s *adder[E, P, A]) addAll() {
	pairs, open, denominators := s.pairs, s.pairs[:0], slices.Grow(s.denominators[:0], len(s.pairs))
	s.pairs = s.pairs[:0]
	var d, slope, x, y E // here, because generic calls let them escape
	for _, a := range pairs {
		px, py := s.at(a.p)
		qx, qy := s.at(a.q)
		switch P(&d).Sub(qx, px); {
		case s.isZero(a.p):
			*a.to = *a.q
			continue
		case s.isZero(a.q):
			*a.to = *a.p
			continue
		case P(&d).IsZero() && P(py).Equal(qy):
			a.double = true
			P(&d).Double(py)
		case P(&d).IsZero(): // p = -q
			var zero A
			*a.to = zero
			continue
		}
		open, denominators = append(open, a), append(denominators, d)
	}
	s.denominators = denominators
	s.products = invertAll[E, P](denominators, s.products)
	for i, a := range open {
		px, py := s.at(a.p)
		qx, qy := s.at(a.q)
		if a.double { // 3x²/2y
			P(&slope).Square(px)
			P(&x).Double(&slope)
			P(&slope).Add(&slope, &x)
		} else {
			P(&slope).Sub(qy, py)
		}
		P(&slope).Mul(&slope, &denominators[i])
		P(&x).Square(&slope)
		P(&x).Sub(&x, px)
		P(&x).Sub(&x, qx)
		P(&y).Sub(px, &x)
		P(&y).Mul(&y, &slope)
		P(&y).Sub(&y, py)
		toX, toY := s.at(a.to)
		*toX, *toY = x, y
	}
}

// invertAll inverts all elements with one inversion (Montgomery's trick). They
// must differ from 0. It returns its working memory for the next call.
func invertAll[E any, P element[E]](es, memory []E) []E {
	if len(es) == 0 {
		return memory
	}
	products := slices.Grow(memory[:0], len(es))[:len(es)] // products[i] = e₀ ⋯ eᵢ
	products[0] = es[0]
	for i := 1; i < len(es); i++ {
		P(&products[i]).Mul(&products[i-1], &es[i])
	}
	var inverse, e E
	P(&inverse).Inverse(&products[len(es)-1])
	for i := len(es) - 1; i > 0; i-- {
		e = es[i]
		P(&es[i]).Mul(&inverse, &products[i-1])
		P(&inverse).Mul(&inverse, &e)
	}
	es[0] = inverse
	return products
}

// sums replaces each list by its sum; an empty list stays empty. It adds pairs of
// all lists together.
func (s *adder[E, P, A]) sums(lists [][]A) {
	total := 0
	for _, list := range lists {
		total += len(list)
	}
	s.pairs = slices.Grow(s.pairs, total/2)
	for {
		for i, list := range lists {
			half := len(list) / 2
			for j := range half {
				s.pairs = append(s.pairs, addition[A]{to: &list[j], p: &list[j], q: &list[len(list)-1-j]})
			}
			lists[i] = list[:len(list)-half]
		}
		if len(s.pairs) == 0 {
			return
		}
		s.addAll()
	}
}

// oddMultiples returns P, 3P, … (2·odd-1)P of each point.
func (s *adder[E, P, A]) oddMultiples(ps []A, odd int) [][]A {
	twice := make([]A, len(ps))
	multiples := make([][]A, len(ps))
	for i := range ps {
		multiples[i] = make([]A, odd)
		multiples[i][0] = ps[i]
		s.pairs = append(s.pairs, addition[A]{to: &twice[i], p: &ps[i], q: &ps[i]})
	}
	s.addAll()
	for m := 1; m < odd; m++ {
		for i := range ps {
			s.pairs = append(s.pairs, addition[A]{to: &multiples[i][m], p: &multiples[i][m-1], q: &twice[i]})
		}
		s.addAll()
	}
	return multiples
}

// expectedDigits estimates the nonzero digits of a scalar of 128 bits: one digit
// in six differs from 0.
const expectedDigits = 22

// affineSums computes several sums over the same points.
type affineSums[E any, P element[E], J, A any, PJ jacobian[J, A], PA affine[J, A]] struct {
	straus[J, A, PJ, PA]
	at func(*A) (x, y *E) // the coordinates of a point
}

// of returns Σ ks[j][i]·ps[i] for each j, by the method of straus.sum. The points
// with a digit at one position are added in affine coordinates.
func (s *affineSums[E, P, J, A, PJ, PA]) of(ps []A, ks [][]*big.Int) []J {
	add := &adder[E, P, A]{at: s.at}
	multiples := add.oddMultiples(ps, oddShared)
	images := make([][][]A, s.dims) // by power of the endomorphism
	images[0] = multiples
	for d := 1; d < s.dims; d++ {
		images[d] = make([][]A, len(ps))
		for i, list := range images[d-1] {
			images[d][i] = append([]A(nil), list...)
			for m := range list {
				s.endo(&images[d][i][m])
			}
		}
	}
	sums := make([]J, len(ks))
	memory := make([]A, 0, len(ps)*s.dims*expectedDigits)
	for j, row := range ks {
		var columns [][]A
		columns, memory = s.columns(images, row, memory)
		add.sums(columns)
		sums[j] = s.horner(columns)
	}
	return sums
}

// columns returns for each position the multiples that the digits of the scalars
// select there. They lie in memory, which is returned for the next call.
func (s *affineSums[E, P, J, A, PJ, PA]) columns(images [][][]A, ks []*big.Int, memory []A) (columns [][]A, used []A) {
	digits := make([][]int8, 0, s.dims*len(ks))
	odd := make([][]A, 0, s.dims*len(ks))
	var sizes []int
	total := 0
	for i, k := range ks {
		for d, part := range s.split(k) {
			naf := wnaf(&part, oddShared)
			digits, odd = append(digits, naf), append(odd, images[d][i])
			for pos, digit := range naf {
				if pos == len(sizes) {
					sizes = append(sizes, 0)
				}
				if digit != 0 {
					sizes[pos]++
					total++
				}
			}
		}
	}
	memory = slices.Grow(memory[:0], total)[:total]
	all := memory
	columns = make([][]A, len(sizes))
	for pos, size := range sizes {
		columns[pos], all = all[:0:size], all[size:]
	}
	for i, naf := range digits {
		for pos, d := range naf {
			switch {
			case d > 0:
				columns[pos] = append(columns[pos], odd[i][d/2])
			case d < 0:
				columns[pos] = append(columns[pos], odd[i][-d/2])
				last := &columns[pos][len(columns[pos])-1]
				PA(last).Neg(last)
			}
		}
	}
	return columns, memory
}

// horner returns Σ 2^i·columns[i]. A column holds at most one point.
func (s *affineSums[E, P, J, A, PJ, PA]) horner(columns [][]A) (acc J) {
	var zero A
	PJ(&acc).FromAffine(&zero)
	for pos := len(columns) - 1; pos >= 0; pos-- {
		PJ(&acc).DoubleAssign()
		if len(columns[pos]) > 0 && !PA(&columns[pos][0]).IsInfinity() {
			PJ(&acc).AddMixed(&columns[pos][0])
		}
	}
	return acc
}
