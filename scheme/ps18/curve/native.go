package curve

import (
	"fmt"
	"math/big"
)

// natives are the curves with an implementation on gnark-crypto, by name.
var natives = map[string]func() Curve{
	"BN254":               BN254,
	"BLS12_381_GURVY":     func() Curve { return BLS12381("BLS12_381_GURVY") },
	"BLS12_381_BBS_GURVY": func() Curve { return BLS12381("BLS12_381_BBS_GURVY") },
}

// native is a Curve over gnark-crypto. J and A are Jacobian and affine points, L
// the line coefficients of a fixed point in G2, T elements of GT.
type native[J1, A1, J2, A2, L, T any, P1 jacobian[J1, A1], Q1 affine[J1, A1], P2 jacobian[J2, A2], Q2 affine[J2, A2]] struct {
	name  string
	order *big.Int
	gen1  J1
	gen2  J2
	sums1 func([]A1, [][]*big.Int) []J1
	g2    straus[J2, A2, P2, Q2]
	mul1  func(*J1, *big.Int) J1
	mul2  func(*J2, *big.Int) J2

	codec1 codec[A1]
	codec2 codec[A2]

	lines       func(A2) L
	miller      func([]A1, []A2) (T, error)
	millerLines func([]A1, []L) (T, error)
	finish      func(*T) T // the final exponentiation
	mul         func(to, by *T)
	equal       func(a, b *T) bool
	one         T
}

// codec encodes the points of a group in compressed form.
type codec[A any] struct {
	length int
	encode func(*A) []byte
	// decode checks that the point is on the curve. The subgroup and the form
	// of the encoding are checked elsewhere.
	decode     func([]byte) (A, error)
	inSubgroup func(*A) bool
}

// decoded reads a point of a group.
func (c codec[A]) decoded(b []byte) (a A, err error) {
	if len(b) != c.length {
		return a, fmt.Errorf("%w: %d bytes and not %d", ErrEncoding, len(b), c.length)
	}
	if a, err = c.decode(b); err != nil {
		return a, fmt.Errorf("%w: %w", ErrEncoding, err)
	}
	if string(c.encode(&a)) != string(b) {
		return a, fmt.Errorf("%w: it is not canonical", ErrEncoding)
	}
	if !c.inSubgroup(&a) {
		return a, ErrSubgroup
	}
	return a, nil
}

// fixed is a point in G2, in affine coordinates too if they are known, and with
// its window table and line coefficients if it is prepared.
type fixed[J2, A2, L any] struct {
	point  J2
	affine *A2
	table  table[A2]
	lines  *L
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) in1(p G1) *A1 { return p.point.(*A1) }

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) in2(q G2) *fixed[J2, A2, L] {
	return q.point.(*fixed[J2, A2, L])
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) affine2(q G2) (a A2) {
	if known := c.in2(q).affine; known != nil {
		return *known
	}
	Q2(&a).FromJacobian(&c.in2(q).point)
	return a
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) Name() string    { return c.name }
func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) Order() *big.Int { return c.order }

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) MulScalars(a, b *big.Int) *big.Int {
	return mulMod(a, b, c.order)
}

func mulMod(a, b, q *big.Int) *big.Int {
	p := new(big.Int).Mul(a, b)
	return p.Mod(p, q)
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) wrap1(p J1) G1 {
	a := new(A1)
	Q1(a).FromJacobian(&p)
	return G1{a}
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) GenG1() G1 { return c.wrap1(c.gen1) }

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) MulG1(p G1, k *big.Int) G1 {
	var j J1
	P1(&j).FromAffine(c.in1(p))
	return c.wrap1(c.mul1(&j, k))
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) NegG1(p G1) G1 {
	n := new(A1)
	Q1(n).Neg(c.in1(p))
	return G1{n}
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) IsZeroG1(p G1) bool {
	return Q1(c.in1(p)).IsInfinity()
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) SumsG1(ps []G1, ks ...[]*big.Int) []G1 {
	points, sums := make([]A1, len(ps)), make([]G1, len(ks))
	for i, p := range ps {
		points[i] = *c.in1(p)
	}
	for j, sum := range c.sums1(points, ks) {
		sums[j] = c.wrap1(sum)
	}
	return sums
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) GenG2() G2 { return c.known2(c.gen2) }

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) wrap2(q J2) G2 {
	return G2{&fixed[J2, A2, L]{point: q}}
}

// known2 is wrap2 for points that are used often.
func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) known2(q J2) G2 {
	a := new(A2)
	Q2(a).FromJacobian(&q)
	return G2{&fixed[J2, A2, L]{point: q, affine: a}}
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) MulG2(q G2, k *big.Int) G2 {
	return c.known2(c.mul2(&c.in2(q).point, k))
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) AddG2(p, q G2) G2 {
	sum := c.in2(p).point
	P2(&sum).AddAssign(&c.in2(q).point)
	return c.wrap2(sum)
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) IsZeroG2(q G2) bool {
	a := c.affine2(q)
	return Q2(&a).IsInfinity()
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) EqualG2(p, q G2) bool {
	a, b := c.affine2(p), c.affine2(q)
	return string(c.codec2.encode(&a)) == string(c.codec2.encode(&b))
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) MSMG2(qs []G2, ks []*big.Int) G2 {
	ts := make([]table[A2], len(qs))
	var rest []J2
	var at []int
	for i, q := range qs {
		f := c.in2(q)
		if ts[i] = f.table; f.table == nil {
			rest, at = append(rest, f.point), append(at, i)
		}
	}
	for i, t := range c.g2.tables(rest, oddOnce) {
		ts[at[i]] = t
	}
	return c.wrap2(c.g2.sum(ts, ks))
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) PrepareG2(q G2) G2 {
	f := *c.in2(q)
	lines := c.lines(c.affine2(q))
	f.lines, f.table = &lines, c.g2.tables([]J2{f.point}, oddPrepared)[0]
	return G2{&f}
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) Pair(p G1, q G2) GT {
	return GT{c.product([]G1{p}, []G2{q})}
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) EqualGT(a, b GT) bool {
	return c.equal(a.value.(*T), b.value.(*T))
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) PairingIsOne(ps []G1, qs []G2) bool {
	return c.equal(c.product(ps, qs), &c.one)
}

// product returns Π e(ps[i], qs[i]): a loop over the points in G2 that are not
// prepared, a loop over the lines of the others, and one final exponentiation.
// Making lines for all points costs more than the second loop.
func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) product(ps []G1, qs []G2) *T {
	var points, fixedPoints []A1
	var others []A2
	var lines []L
	for i, q := range qs {
		if f := c.in2(q); f.lines != nil {
			fixedPoints, lines = append(fixedPoints, *c.in1(ps[i])), append(lines, *f.lines)
		} else {
			points, others = append(points, *c.in1(ps[i])), append(others, c.affine2(q))
		}
	}
	loop := c.one
	if len(points) > 0 {
		loop = must(c.miller(points, others))
	}
	if len(lines) > 0 {
		more := must(c.millerLines(fixedPoints, lines))
		c.mul(&loop, &more)
	}
	result := c.finish(&loop)
	return &result
}

// must returns the value of a loop, which fails only for lists of different
// lengths.
func must[T any](value T, err error) T {
	if err != nil {
		panic("curve: " + err.Error())
	}
	return value
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) LenG1() int { return c.codec1.length }
func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) LenG2() int { return c.codec2.length }

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) AppendG1(b []byte, p G1) []byte {
	return append(b, c.codec1.encode(c.in1(p))...)
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) AppendG2(b []byte, q G2) []byte {
	a := c.affine2(q)
	return append(b, c.codec2.encode(&a)...)
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) DecodeG1(b []byte) (G1, error) {
	a, err := c.codec1.decoded(b)
	if err != nil {
		return G1{}, err
	}
	return G1{&a}, nil
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) DecodeG2(b []byte) (G2, error) {
	a, err := c.codec2.decoded(b)
	if err != nil {
		return G2{}, err
	}
	var q J2
	P2(&q).FromAffine(&a)
	return G2{&fixed[J2, A2, L]{point: q, affine: &a}}, nil
}

func (c *native[J1, A1, J2, A2, L, T, P1, Q1, P2, Q2]) Phase(string) Curve { return c }
