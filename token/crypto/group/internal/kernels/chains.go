package main

// The kernels of chains. A chain is a sum in the coordinates (X, Y, ZZ, ZZZ) of
// the point (X/ZZ, Y/ZZZ), with ZZ³ = ZZZ² (Explicit-Formulas Database, "XYZZ
// coordinates"). It takes no inversion, so that short sums are as fast as long
// ones. If an addition has no slope, ZZ and ZZZ become 0 modulo p and stay 0 in
// all later additions, so that one look at the result finds the exception.
//
// X and Y are below coordinate(), ZZ and ZZZ below product().

// chain adds the affine point (x₂, y₂) to (X₁, Y₁, ZZ₁, ZZZ₁):
//
//	P = x₂·ZZ₁ - X₁,  R = y₂·ZZZ₁ - Y₁,  Q = X₁·P²
//	X₃ = R² - P³ - 2Q,  Y₃ = R·(Q - X₃) - Y₁·P³,  ZZ₃ = ZZ₁·P²,  ZZZ₃ = ZZZ₁·P³
func chain(pr program, m map[string]memory) {
	c, z := pr.f.coordinate(), pr.f.product()
	p := pr.minus(pr.mul(pr.inMemory(m["bx"], c), pr.inMemory(m["azz"], z)), pr.inMemory(m["ax"], c))
	pr.remark("P < %s", pr.says(p.bound))
	inX := pr.keep(m["bx"], p)
	square := pr.square(p)
	pr.storeNumber(m["azz"], pr.mul(pr.inMemory(m["azz"], z), square), z)
	q := pr.keep(m["ax"], pr.mul(pr.inMemory(m["ax"], c), square))
	cube := pr.mul(inX, square)
	pr.remark("P³ < %s", pr.says(cube.bound))
	r := pr.keep(m["by"], pr.minus(pr.mul(pr.inMemory(m["by"], c), pr.inMemory(m["azzz"], z)), pr.inMemory(m["ay"], c)))
	pr.storeNumber(m["azzz"], pr.mul(pr.inMemory(m["azzz"], z), cube), z)
	cube = pr.keep(m["bx"], cube)
	pr.third(m, links{r: r, q: q, y: pr.inMemory(m["ay"], c), cube: cube})
}

// join adds (X₂, Y₂, ZZ₂, ZZZ₂) to (X₁, Y₁, ZZ₁, ZZZ₁):
//
//	U = X₁·ZZ₂,  P = X₂·ZZ₁ - U,  S = Y₁·ZZZ₂,  R = Y₂·ZZZ₁ - S,  Q = U·P²
//	X₃ = R² - P³ - 2Q,  Y₃ = R·(Q - X₃) - S·P³,  ZZ₃ = ZZ₁·ZZ₂·P²,  ZZZ₃ = ZZZ₁·ZZZ₂·P³
func join(pr program, m map[string]memory) {
	c, z := pr.f.coordinate(), pr.f.product()
	u := pr.keep(m["ax"], pr.mul(pr.inMemory(m["ax"], c), pr.inMemory(m["bzz"], z)))
	p := pr.minus(pr.mul(pr.inMemory(m["bx"], c), pr.inMemory(m["azz"], z)), u)
	pr.remark("P < %s", pr.says(p.bound))
	inX := pr.keep(m["bx"], p)
	square := pr.square(p)
	q := pr.keep(m["ax"], pr.mul(u, square))
	zz := pr.keep(m["azz"], pr.mul(pr.inMemory(m["azz"], z), pr.inMemory(m["bzz"], z)))
	pr.storeNumber(m["azz"], pr.mul(zz, square), z)
	cube := pr.mul(inX, square)
	pr.remark("P³ < %s", pr.says(cube.bound))
	s := pr.keep(m["ay"], pr.mul(pr.inMemory(m["ay"], c), pr.inMemory(m["bzzz"], z)))
	r := pr.keep(m["by"], pr.minus(pr.mul(pr.inMemory(m["by"], c), pr.inMemory(m["azzz"], z)), s))
	zzz := pr.keep(m["azzz"], pr.mul(pr.inMemory(m["azzz"], z), pr.inMemory(m["bzzz"], z)))
	pr.storeNumber(m["azzz"], pr.mul(zzz, cube), z)
	cube = pr.keep(m["bx"], cube)
	pr.third(m, links{r: r, q: q, y: s, cube: cube})
}

// chainDenominators sets d = ZZZ, and 1 where there is no chain.
func chainDenominators(pr program, m map[string]memory) {
	zzz := pr.inRegisters(pr.inMemory(m["azzz"], pr.f.product()))
	pr.storeNumber(m["d"], pr.padded(zzz), pr.f.denominator())
}

// affines sets (X, Y) to the affine point of the chain. With i = 1/ZZZ,
//
//	y = Y·i,  x = X·(ZZ·i)²,  since (ZZ/ZZZ)² = ZZ²/ZZ³
func affines(pr program, m map[string]memory) {
	c := pr.f.coordinate()
	inv := inverse(pr, m)
	pr.storeNumber(m["ay"], pr.mul(pr.inMemory(m["ay"], c), inv), c)
	ratio := pr.mul(pr.inMemory(m["azz"], pr.f.product()), inv)
	pr.storeNumber(m["ax"], pr.mul(pr.inMemory(m["ax"], c), pr.square(ratio)), c)
}

// links are the parts of an addition that determine X₃ and Y₃: R, Q, Y₁ (or S)
// and P³.
type links struct{ r, q, y, cube number }

// third sets ax to X₃ and ay to Y₃.
func (pr program) third(m map[string]memory, l links) {
	c := pr.f.coordinate()
	minus := pr.keep(m["ay"], pr.negative(l.y, pr.f.multipleFrom(l.y.bound)))
	x3 := pr.minusSmall(pr.square(l.r), l.cube, l.q, l.q)
	pr.remark("X₃ < %s", pr.says(x3.bound))
	run := pr.minus(l.q, x3)
	pr.storeNumber(m["ax"], x3, c)
	y3 := pr.mulAdd(l.r, run, minus, l.cube)
	pr.remark("Y₃ < %s", pr.says(y3.bound))
	pr.storeNumber(m["ay"], y3, c)
}

// keep stores a number with its own bound and returns it as one in memory, which
// frees the registers.
func (pr program) keep(m memory, n number) number {
	pr.storeNumber(m, n, n.bound)
	return pr.inMemory(m, n.bound)
}
