package main

// The kernels of points in Jacobian coordinates, (x/z², y/z³). All coordinates
// are below coordinate(); z is only multiplied, and the bits above 52 of its limbs
// are undefined. Once z is 0 modulo p it stays so, in doubles and in sums, and the
// sum of two points with the same x has z = 0.

// jacobianDoubles sets (x, y, z) to its double (Explicit-Formulas Database,
// dbl-2009-l, with 4xy² as one product):
//
//	e = 3x²,  d = 4xy²,  x₃ = e² - 2d,  y₃ = e(d - x₃) - 8y⁴,  z₃ = 2yz
func jacobianDoubles(pr program, m map[string]memory) {
	x, y, z := pr.jacobianIn(m, "a")
	var e, e2 number
	pr.interleave(func(pr program) {
		e = pr.keep(m["t0"], pr.factor(pr.times(3, pr.square(x))))
		e2 = pr.keep(m["t1"], pr.square(e))
		pr.storeNumber(m["az"], pr.factor(pr.times(2, pr.product(factors{z, y}))), pr.f.coordinate())
	}, func(pr program) {
		square := pr.square(y)
		raw := pr.keep(m["t2"], square)
		y2 := pr.keep(m["t3"], pr.factor(square))
		eight := pr.keep(m["t2"], pr.factor(pr.times(8, pr.inRegisters(raw))))
		product := factors{x, y2}
		start := pr.lessThan(pr.f.reduced(productsOf([]factors{product})))
		d := pr.keep(m["t4"], pr.times(4, pr.productFrom(&start, product)))
		pr.await(&e2)
		pr.turn()
		x3 := pr.small(pr.sum([]number{e2}, []number{d, d}))
		pr.remark("x₃ < %s", pr.says(x3.bound))
		pr.storeNumber(m["ax"], x3, pr.f.coordinate())
		run := pr.keep(m["t5"], pr.factor(pr.sum([]number{x3}, []number{d})))
		y3 := pr.clean(pr.negative(pr.product(factors{e, run}, factors{eight, y2})))
		pr.remark("y₃ < %s", pr.says(y3.bound))
		pr.storeNumber(m["ay"], y3, pr.f.coordinate())
	})
}

// jacobianIn returns the point in the operands with names that begin with the given
// one.
func (pr program) jacobianIn(m map[string]memory, name string) (x, y, z number) {
	c := pr.f.coordinate()
	return pr.inMemory(m[name+"x"], c), pr.inMemory(m[name+"y"], c), pr.factorInMemory(m[name+"z"], c)
}

// jacobianSums sets (x₁, y₁, z₁) to its sum with (x₂, y₂, z₂), where the two
// have different x:
//
//	u = x₁z₂²,  s = y₁z₂³,  h = x₂z₁² - u,  r = y₂z₁³ - s,
//	x₃ = r² - h³ - 2uh²,  y₃ = r(uh² - x₃) - sh³,  z₃ = z₁z₂h
func jacobianSums(pr program, m map[string]memory) {
	x1, y1, z1 := pr.jacobianIn(m, "a")
	x2, y2, z2 := pr.jacobianIn(m, "b")
	var c chord
	var square1, cube2 number
	pr.interleave(func(pr program) {
		square2 := pr.keep(m["t2"], pr.factor(pr.square(z2)))
		cube2 = pr.keep(m["t3"], pr.factor(pr.product(factors{z2, square2})))
		u := pr.product(factors{x1, square2})
		kept := pr.keep(m["t7"], u)
		c.u = pr.keep(m["t4"], pr.factor(u))
		pr.await(&square1)
		c.step(pr, m, pr.minus(pr.product(factors{x2, square1}), kept))
		c.third(pr, m)
	}, func(pr program) {
		square1 = pr.keep(m["t5"], pr.factor(pr.square(z1)))
		cube1 := pr.keep(m["t6"], pr.factor(pr.product(factors{z1, square1})))
		pr.await(&cube2)
		s := pr.product(factors{y1, cube2})
		kept := pr.keep(m["t8"], s)
		c.s = pr.keep(m["t9"], pr.factor(s))
		c.rise(pr, m, pr.minus(pr.product(factors{y2, cube1}), kept))
		c.rest(pr, m, pr.keep(m["t6"], pr.factor(pr.product(factors{z1, z2}))))
	})
}

// jacobianMixed is jacobianSums for an affine point (x₂, y₂).
func jacobianMixed(pr program, m map[string]memory) {
	x1, y1, z1 := pr.jacobianIn(m, "a")
	x2, y2 := pr.inMemory(m["bx"], pr.f.coordinate()), pr.inMemory(m["by"], pr.f.coordinate())
	c := chord{u: x1, s: y1}
	var square number
	pr.interleave(func(pr program) {
		square = pr.keep(m["t2"], pr.factor(pr.square(z1)))
		c.step(pr, m, pr.differenceFrom(m["t5"], x1, factors{x2, square}))
		c.third(pr, m)
	}, func(pr program) {
		pr.await(&square)
		cube := pr.keep(m["t6"], pr.factor(pr.product(factors{z1, square})))
		c.rise(pr, m, pr.differenceFrom(m["t8"], y1, factors{y2, cube}))
		c.rest(pr, m, z1)
	})
}

// differenceFrom returns a·b/R less n, plus a multiple of p, as raw limbs. It
// uses scratch memory m.
func (pr program) differenceFrom(m memory, n number, product factors) number {
	start := pr.keep(m, pr.negative(n))
	return pr.productFrom(&start, product)
}

// chord is the parts of a sum that determine its result, in the notation of
// jacobianSums. Both forms of h³ are kept, as it is multiplied and subtracted.
type chord struct {
	u, s        number
	h, h2       number
	h3, rawCube number
	r, r2       number
	uh2         number // less a multiple of p, not above 0
}

// step sets h, h2 and uh2.
func (c *chord) step(pr program, m map[string]memory, h number) {
	c.h = pr.keep(m["t0"], pr.factor(h))
	c.h2 = pr.keep(m["t10"], pr.factor(pr.square(c.h)))
	product := factors{c.u, c.h2}
	start := pr.lessThan(pr.f.reduced(productsOf([]factors{product})))
	c.uh2 = pr.keep(m["t7"], pr.productFrom(&start, product))
}

// rise sets r and r2.
func (c *chord) rise(pr program, m map[string]memory, r number) {
	c.r = pr.keep(m["t1"], pr.factor(r))
	c.r2 = pr.keep(m["t8"], pr.square(c.r))
}

// rest sets h3, and z₁ to the product of h and z.
func (c *chord) rest(pr program, m map[string]memory, z number) {
	pr.await(&c.h2)
	cube := pr.product(factors{c.h, c.h2})
	c.rawCube = pr.keep(m["t11"], cube)
	c.h3 = pr.keep(m["t12"], pr.factor(cube))
	pr.storeNumber(m["az"], pr.factor(pr.product(factors{z, c.h})), pr.f.coordinate())
}

// third sets (x₁, y₁) to (x₃, y₃).
func (c *chord) third(pr program, m map[string]memory) {
	pr.await(&c.r2)
	pr.await(&c.h3)
	pr.turn()
	x3 := pr.small(pr.sum([]number{c.r2}, []number{c.rawCube, c.uh2, c.uh2}))
	pr.remark("x₃ < %s", pr.says(x3.bound))
	pr.storeNumber(m["ax"], x3, pr.f.coordinate())
	run := pr.keep(m["t2"], pr.factor(pr.sum([]number{x3}, []number{c.uh2})))
	y3 := pr.clean(pr.negative(pr.product(factors{c.r, run}, factors{c.s, c.h3})))
	pr.remark("y₃ < %s", pr.says(y3.bound))
	pr.storeNumber(m["ay"], y3, pr.f.coordinate())
}

// rescale sets (x, y) to (xz², yz³): the image of the point on the isomorphic curve
// y² = x³ + b·z⁶. The product of z and 1 makes z small, and so the results. x and y
// may be numbers that were only multiplied.
func rescale(pr program, m map[string]memory) {
	c := pr.f.coordinate()
	x, y := pr.factorInMemory(m["ax"], c), pr.factorInMemory(m["ay"], c)
	z := pr.keep(m["t0"], pr.factor(pr.byConstant(pr.factorInMemory(m["az"], c), pr.f.one())))
	z2 := pr.keep(m["t1"], pr.factor(pr.square(z)))
	pr.interleave(func(pr program) {
		pr.storeNumber(m["ax"], pr.clean(pr.product(factors{x, z2})), pr.f.product())
	}, func(pr program) {
		z3 := pr.keep(m["t2"], pr.factor(pr.product(factors{z, z2})))
		pr.storeNumber(m["ay"], pr.clean(pr.product(factors{y, z3})), pr.f.product())
	})
}

// jacobianOffsets sets (x₁, y₁) to (x₂z₁² - x₁, y₂z₁³ - y₁), which is (0, 0)
// modulo p if and only if (x₁, y₁, z₁) is the affine point (x₂, y₂) or has
// z₁ = 0.
func jacobianOffsets(pr program, m map[string]memory) {
	x1, y1, z1 := pr.jacobianIn(m, "a")
	x2, y2 := pr.inMemory(m["bx"], pr.f.coordinate()), pr.inMemory(m["by"], pr.f.coordinate())
	square := pr.keep(m["t0"], pr.factor(pr.square(z1)))
	cube := pr.keep(m["t1"], pr.factor(pr.product(factors{z1, square})))
	pr.storeNumber(m["ax"], pr.small(pr.sum([]number{pr.product(factors{x2, square})}, []number{x1})),
		pr.f.coordinate())
	pr.storeNumber(m["ay"], pr.small(pr.sum([]number{pr.product(factors{y2, cube})}, []number{y1})),
		pr.f.coordinate())
}
