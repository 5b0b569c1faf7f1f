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
	var e, e2, y2, eight, d number
	pr.squares(func(pr program) {
		e = pr.keep(m["t0"], pr.factor(pr.times(3, pr.square(x))))
		e2 = pr.keep(m["t1"], pr.square(e))
	}, func(pr program) {
		square := pr.square(y)
		eight = pr.keep(m["t2"], pr.factor(pr.times(8, square)))
		y2 = pr.keep(m["t3"], pr.factor(square))
		product := factors{x, y2}
		start := pr.lessThan(pr.f.reduced(productsOf([]factors{product})))
		d = pr.keep(m["t4"], pr.times(4, pr.productFrom(&start, product)))
	})
	pr.together(func(pr program) {
		x3 := pr.small(pr.sum([]number{e2}, []number{d, d}))
		pr.remark("x₃ < %s", pr.says(x3.bound))
		pr.storeNumber(m["ax"], x3, pr.f.coordinate())
		run := pr.keep(m["t5"], pr.factor(pr.sum([]number{x3}, []number{d})))
		y3 := pr.clean(pr.negative(pr.product(factors{e, run}, factors{eight, y2})))
		pr.remark("y₃ < %s", pr.says(y3.bound))
		pr.storeNumber(m["ay"], y3, pr.f.coordinate())
	}, func(pr program) {
		pr.storeNumber(m["az"], pr.factor(pr.times(2, pr.product(factors{z, y}))), pr.f.coordinate())
	})
}

// jacobianIn returns the point in the operands whose names begin with the given
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
	var square1, cube1, square2, cube2 number
	pr.squares(func(pr program) {
		square1, cube1 = pr.powers(z1, m["t0"], m["t1"])
	}, func(pr program) {
		square2, cube2 = pr.powers(z2, m["t2"], m["t3"])
	})
	var c chord
	pr.together(func(pr program) {
		u := pr.product(factors{x1, square2})
		kept := pr.keep(m["t7"], u)
		c.u = pr.keep(m["t4"], pr.factor(u))
		h := pr.minus(pr.product(factors{x2, square1}), kept)
		c.h = pr.keep(m["t0"], pr.factor(h))
	}, func(pr program) {
		s := pr.product(factors{y1, cube2})
		kept := pr.keep(m["t8"], s)
		c.s = pr.keep(m["t5"], pr.factor(s))
		r := pr.minus(pr.product(factors{y2, cube1}), kept)
		c.r = pr.keep(m["t1"], pr.factor(r))
	})
	c.z = func(pr program) number { return pr.keep(m["t6"], pr.factor(pr.product(factors{z1, z2}))) }
	c.write(pr, m)
}

// powers returns z² and z³.
func (pr program) powers(z number, square, cube memory) (number, number) {
	z2 := pr.keep(square, pr.factor(pr.square(z)))
	return z2, pr.keep(cube, pr.factor(pr.product(factors{z, z2})))
}

// jacobianMixed is jacobianSums for an affine point (x₂, y₂).
func jacobianMixed(pr program, m map[string]memory) {
	x1, y1, z1 := pr.jacobianIn(m, "a")
	x2, y2 := pr.inMemory(m["bx"], pr.f.coordinate()), pr.inMemory(m["by"], pr.f.coordinate())
	square, cube := pr.powers(z1, m["t2"], m["t3"])
	c := chord{u: x1, s: y1, z: func(program) number { return z1 }}
	pr.together(func(pr program) {
		c.h = pr.keep(m["t0"], pr.factor(pr.differenceFrom(m["t5"], x1, factors{x2, square})))
	}, func(pr program) {
		c.r = pr.keep(m["t1"], pr.factor(pr.differenceFrom(m["t6"], y1, factors{y2, cube})))
	})
	c.write(pr, m)
}

// differenceFrom returns a·b/R less n, plus a multiple of p, as raw limbs. It
// uses scratch memory m.
func (pr program) differenceFrom(m memory, n number, product factors) number {
	start := pr.keep(m, pr.negative(n))
	return pr.productFrom(&start, product)
}

// chord is the parts of a sum that determine its result; z returns z₁z₂.
type chord struct {
	u, s, h, r number
	z          func(pr program) number
}

// write sets (x₁, y₁, z₁) to (x₃, y₃, z₃) of jacobianSums.
func (c chord) write(pr program, m map[string]memory) {
	var h2, h3, rawCube, r2, v number
	pr.squares(func(pr program) {
		h2 = pr.keep(m["t2"], pr.factor(pr.square(c.h)))
	}, func(pr program) {
		r2 = pr.keep(m["t3"], pr.square(c.r))
	})
	pr.together(func(pr program) {
		product := factors{c.u, h2}
		start := pr.lessThan(pr.f.reduced(productsOf([]factors{product})))
		v = pr.keep(m["t7"], pr.productFrom(&start, product))
	}, func(pr program) {
		cube := pr.product(factors{c.h, h2})
		rawCube = pr.keep(m["t8"], cube)
		h3 = pr.keep(m["t9"], pr.factor(cube))
	})
	pr.together(func(pr program) {
		x3 := pr.small(pr.sum([]number{r2}, []number{rawCube, v, v}))
		pr.remark("x₃ < %s", pr.says(x3.bound))
		pr.storeNumber(m["ax"], x3, pr.f.coordinate())
		run := pr.keep(m["t10"], pr.factor(pr.sum([]number{x3}, []number{v})))
		y3 := pr.clean(pr.negative(pr.product(factors{c.r, run}, factors{c.s, h3})))
		pr.remark("y₃ < %s", pr.says(y3.bound))
		pr.storeNumber(m["ay"], y3, pr.f.coordinate())
	}, func(pr program) {
		pr.storeNumber(m["az"], pr.factor(pr.product(factors{c.z(pr), c.h})), pr.f.coordinate())
	})
}

// rescale sets (x, y) to (xz², yz³): the image of the point on the isomorphic curve
// y² = x³ + b·z⁶. The product of z and 1 makes z small, and so the results. x and y
// may be numbers that were only multiplied.
func rescale(pr program, m map[string]memory) {
	c := pr.f.coordinate()
	x, y := pr.factorInMemory(m["ax"], c), pr.factorInMemory(m["ay"], c)
	z := pr.keep(m["t0"], pr.factor(pr.byConstant(pr.factorInMemory(m["az"], c), pr.f.one())))
	z2 := pr.keep(m["t1"], pr.factor(pr.square(z)))
	pr.together(func(pr program) {
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
	square, cube := pr.powers(z1, m["t0"], m["t1"])
	pr.storeNumber(m["ax"], pr.small(pr.sum([]number{pr.product(factors{x2, square})}, []number{x1})), pr.f.coordinate())
	pr.storeNumber(m["ay"], pr.small(pr.sum([]number{pr.product(factors{y2, cube})}, []number{y1})), pr.f.coordinate())
}
