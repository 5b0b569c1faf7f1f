package curve

import "math/big"

// Curve is P-256, y² = x³ − 3x + b, over the field F.
type Curve[E any, F Field[E]] struct {
	limits    Limits
	b         value[E]
	generator Point[E]
}

// Point is a point of the curve in homogeneous coordinates, x = X/Z, y = Y/Z. The
// point at infinity is (0 : 1 : 0). The zero Point is not a point.
type Point[E any] struct{ x, y, z value[E] }

// The curve's constant b and its generator (SP 800-186 §3.2.1.3).
const (
	constantB  = "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b"
	generatorX = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
	generatorY = "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
	orderHex   = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
	primeHex   = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
)

func fromHex(text string) *big.Int {
	v, ok := new(big.Int).SetString(text, 16)
	if !ok {
		panic("curve: constant " + text)
	}
	return v
}

var order, prime = fromHex(orderHex), fromHex(primeHex)

// Order returns the number of points of the curve.
func Order() *big.Int { return new(big.Int).Set(order) }

// New returns the curve over a field with the limits of its package.
func New[E any, F Field[E]](limits Limits) *Curve[E, F] {
	c := &Curve[E, F]{limits: limits}
	must := func(v *value[E], text string) {
		if err := F(&v.e).FromBytes(fromHex(text).FillBytes(make([]byte, 32))); err != nil {
			panic(err) // the constants are below p
		}
	}
	must(&c.b, constantB)
	must(&c.generator.x, generatorX)
	must(&c.generator.y, generatorY)
	c.generator.z = c.one()
	return c
}

func (c *Curve[E, F]) one() (v value[E]) {
	raw := make([]byte, 32)
	raw[31] = 1
	if err := F(&v.e).FromBytes(raw); err != nil {
		panic(err)
	}
	return v
}

// Generator returns the standard generator.
func (c *Curve[E, F]) Generator() *Point[E] { g := c.generator; return &g }

// infinity returns the neutral element.
func (c *Curve[E, F]) infinity() *Point[E] { return &Point[E]{y: c.one()} }

// Affine returns the affine coordinates of p, or false if p is the point at
// infinity. It works with math/big, for all fields alike.
func (c *Curve[E, F]) Affine(p *Point[E]) (x, y *big.Int, finite bool) {
	zb := F(&p.z.e).Bytes()
	z := new(big.Int).SetBytes(zb[:])
	if z.Sign() == 0 {
		return nil, nil, false
	}
	z.ModInverse(z, prime)
	xb, yb := F(&p.x.e).Bytes(), F(&p.y.e).Bytes()
	x, y = new(big.Int).SetBytes(xb[:]), new(big.Int).SetBytes(yb[:])
	return x.Mul(x, z).Mod(x, prime), y.Mul(y, z).Mod(y, prime), true
}

// add sets r = p + q: algorithm 4 of eprint 2015/1060, 12 products, 2 products by
// b, 29 additions. The lines follow the paper. r must differ from p and
// q, and p and q are reduced in place where their counts demand it.
func (c *Curve[E, F]) add(a *arith[E, F], r, p, q *Point[E]) {
	t0, t1, t2 := &a.t[0], &a.t[1], &a.t[2]
	t3, t4 := &a.t[3], &a.t[4]
	b, x3 := &c.b, &r.x
	y3, z3 := &r.y, &r.z
	a.mul(t0, &p.x, &q.x)
	a.mul(t1, &p.y, &q.y)
	a.mul(t2, &p.z, &q.z)
	a.add(t3, &p.x, &p.y)
	a.add(t4, &q.x, &q.y)
	a.mul(t3, t3, t4)
	a.add(t4, t0, t1)
	a.sub(t3, t3, t4)
	a.add(t4, &p.y, &p.z)
	a.add(x3, &q.y, &q.z)
	a.mul(t4, t4, x3)
	a.add(x3, t1, t2)
	a.sub(t4, t4, x3)
	a.add(x3, &p.x, &p.z)
	a.add(y3, &q.x, &q.z)
	a.mul(x3, x3, y3)
	a.add(y3, t0, t2)
	a.sub(y3, x3, y3)
	a.mul(z3, b, t2)
	a.sub(x3, y3, z3)
	a.add(z3, x3, x3)
	a.add(x3, x3, z3)
	a.sub(z3, t1, x3)
	a.add(x3, t1, x3)
	a.mul(y3, b, y3)
	a.add(t1, t2, t2)
	a.add(t2, t1, t2)
	a.sub(y3, y3, t2)
	a.sub(y3, y3, t0)
	a.add(t1, y3, y3)
	a.add(y3, t1, y3)
	a.add(t1, t0, t0)
	a.add(t0, t1, t0)
	a.sub(t0, t0, t2)
	a.mul(t1, t4, y3)
	a.mul(t2, t0, y3)
	a.mul(y3, x3, z3)
	a.add(y3, y3, t2)
	a.mul(x3, t3, x3)
	a.sub(x3, x3, t1)
	a.mul(z3, t4, z3)
	a.mul(t1, t3, t0)
	a.add(z3, z3, t1)
}

// double sets r = 2p: algorithm 6 of eprint 2015/1060, 8 products, 3 squares, 2
// products by b, 21 additions. The lines follow the paper. r must differ from p,
// and p is reduced in place where its counts demand it.
func (c *Curve[E, F]) double(a *arith[E, F], r, p *Point[E]) {
	t0, t1 := &a.t[0], &a.t[1]
	t2, t3 := &a.t[2], &a.t[3]
	b, x3 := &c.b, &r.x
	y3, z3 := &r.y, &r.z
	a.square(t0, &p.x)
	a.square(t1, &p.y)
	a.square(t2, &p.z)
	a.mul(t3, &p.x, &p.y)
	a.add(t3, t3, t3)
	a.mul(z3, &p.x, &p.z)
	a.add(z3, z3, z3)
	a.mul(y3, b, t2)
	a.sub(y3, y3, z3)
	a.add(x3, y3, y3)
	a.add(y3, x3, y3)
	a.sub(x3, t1, y3)
	a.add(y3, t1, y3)
	a.mul(y3, x3, y3)
	a.mul(x3, x3, t3)
	a.add(t3, t2, t2)
	a.add(t2, t2, t3)
	a.mul(z3, b, z3)
	a.sub(z3, z3, t2)
	a.sub(z3, z3, t0)
	a.add(t3, z3, z3)
	a.add(z3, z3, t3)
	a.add(t3, t0, t0)
	a.add(t0, t3, t0)
	a.sub(t0, t0, t2)
	a.mul(t0, t0, z3)
	a.add(y3, y3, t0)
	a.mul(t0, &p.y, &p.z)
	a.add(t0, t0, t0)
	a.mul(z3, t0, z3)
	a.sub(x3, x3, z3)
	a.mul(z3, t0, t1)
	a.add(z3, z3, z3)
	a.add(z3, z3, z3)
}
