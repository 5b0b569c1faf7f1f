package main

// The kernels of points in Jacobian coordinates, (x/z², y/z³). All coordinates
// are below coordinate(). Once z is 0 modulo p it stays so, in doubles and in
// sums, and the sum of two points with the same x has z = 0.

// jacobianDoubles sets (x, y, z) to its double (Explicit-Formulas Database,
// dbl-2009-l, with 4xy² as one product):
//
//	e = 3x²,  d = 4xy²,  x₃ = e² - 2d,  y₃ = e(d - x₃) - 8y⁴,  z₃ = 2yz
func jacobianDoubles(pr program, m map[string]memory) {
	c := pr.f.coordinate()
	x, y, z := pr.inMemory(m["ax"], c), pr.inMemory(m["ay"], c), pr.inMemory(m["az"], c)
	y2 := pr.square(y)
	eight := pr.keep(m["t0"], pr.times(8, y2))
	minus := pr.keep(m["t1"], pr.negative(y2, pr.f.multipleFrom(y2.bound)))
	d := pr.keep(m["t2"], pr.times(4, pr.mul(x, y2)))
	pr.storeNumber(m["az"], pr.times(2, pr.mul(z, y)), c)
	e := pr.times(3, pr.square(x))
	pr.keep(m["t3"], e)
	x3 := pr.minusSmall(pr.square(e), d, d)
	pr.remark("x₃ < %s", pr.says(x3.bound))
	pr.storeNumber(m["ax"], x3, c)
	y3 := pr.mulAdd(number{from: m["t3"], bound: e.bound}, pr.minus(d, x3), eight, minus)
	pr.remark("y₃ < %s", pr.says(y3.bound))
	pr.storeNumber(m["ay"], y3, c)
}

// jacobianSums sets (x₁, y₁, z₁) to its sum with (x₂, y₂, z₂), where the two
// have different x:
//
//	u = x₁z₂²,  s = y₁z₂³,  h = x₂z₁² - u,  r = y₂z₁³ - s,
//	x₃ = r² - h³ - 2uh²,  y₃ = r(uh² - x₃) - sh³,  z₃ = z₁z₂h
func jacobianSums(pr program, m map[string]memory) {
	c := pr.f.coordinate()
	in := func(name string) number { return pr.inMemory(m[name], c) }
	z2 := pr.square(in("bz"))
	u := pr.keep(m["t0"], pr.mul(in("ax"), z2))
	cube := pr.mul(in("bz"), z2)
	s := pr.keep(m["t1"], pr.mul(in("ay"), cube))
	z1 := pr.square(in("az"))
	h := pr.minus(pr.mul(in("bx"), z1), u)
	h = pr.keep(m["t2"], h)
	cube = pr.mul(in("az"), z1)
	r := pr.keep(m["t3"], pr.minus(pr.mul(in("by"), cube), s))
	z := pr.mul(in("az"), pr.inRegisters(in("bz")))
	pr.storeNumber(m["az"], pr.mul(h, z), c)
	pr.chord(m, u, s, h, r)
}

// jacobianMixed is jacobianSums for an affine point (x₂, y₂).
func jacobianMixed(pr program, m map[string]memory) {
	c := pr.f.coordinate()
	in := func(name string) number { return pr.inMemory(m[name], c) }
	z1 := pr.square(in("az"))
	h := pr.keep(m["t2"], pr.minus(pr.mul(in("bx"), z1), in("ax")))
	cube := pr.mul(in("az"), z1)
	r := pr.keep(m["t3"], pr.minus(pr.mul(in("by"), cube), in("ay")))
	pr.storeNumber(m["az"], pr.mul(in("az"), pr.inRegisters(h)), c)
	pr.chord(m, in("ax"), in("ay"), h, r)
}

// chord sets (x₁, y₁) to x₃ and y₃ of jacobianSums.
func (pr program) chord(m map[string]memory, u, s, h, r number) {
	c := pr.f.coordinate()
	h2 := pr.square(h)
	v := pr.keep(m["t0"], pr.mul(u, h2))
	h3 := pr.keep(m["t2"], pr.mul(h, h2))
	x3 := pr.minusSmall(pr.square(r), h3, v, v)
	pr.remark("x₃ < %s", pr.says(x3.bound))
	pr.storeNumber(m["ax"], x3, c)
	run := pr.keep(m["t4"], pr.minus(v, x3))
	y3 := pr.mulAdd(r, run, pr.keep(m["t1"], pr.negative(s, pr.f.multipleFrom(s.bound))), h3)
	pr.remark("y₃ < %s", pr.says(y3.bound))
	pr.storeNumber(m["ay"], y3, c)
}

// rescale sets (x, y) to (xz², yz³): the image of the point on the isomorphic curve
// y² = x³ + b·z⁶. The product of z and 1 makes z small, and so the results.
func rescale(pr program, m map[string]memory) {
	c := pr.f.coordinate()
	z := pr.keep(m["t0"], pr.mulConst(pr.inMemory(m["az"], c), pr.f.one()))
	z2 := pr.square(z)
	pr.storeNumber(m["ax"], pr.mul(pr.inMemory(m["ax"], c), z2), pr.f.product())
	pr.storeNumber(m["ay"], pr.mul(pr.inMemory(m["ay"], c), pr.mul(z, z2)), pr.f.product())
}

// jacobianOffsets sets (x₁, y₁) to (x₂z₁² - x₁, y₂z₁³ - y₁), which is (0, 0)
// modulo p if and only if (x₁, y₁, z₁) is the affine point (x₂, y₂) or has
// z₁ = 0.
func jacobianOffsets(pr program, m map[string]memory) {
	c := pr.f.coordinate()
	z := pr.inMemory(m["az"], c)
	z2 := pr.square(z)
	dx := pr.minusSmall(pr.mul(pr.inMemory(m["bx"], c), z2), pr.inMemory(m["ax"], c))
	pr.storeNumber(m["ax"], dx, c)
	cube := pr.mul(z, z2)
	dy := pr.minusSmall(pr.mul(pr.inMemory(m["by"], c), cube), pr.inMemory(m["ay"], c))
	pr.storeNumber(m["ay"], dy, c)
}
