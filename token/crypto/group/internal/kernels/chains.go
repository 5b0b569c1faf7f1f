package main

import "math/big"

// The kernels of chains. A chain is a sum in the coordinates (X, Y, ZZ, ZZZ) of
// the point (X/ZZ, Y/ZZZ), with ZZ³ = ZZZ² (Explicit-Formulas Database, "XYZZ
// coordinates"). It takes no inversion, so that short sums cost no more a term than long
// ones. If the slope of an addition is undefined, ZZ and ZZZ become 0 modulo p and stay 0 in
// all later additions, so that one look at the result finds the exception.
//
// In memory are X, -Y, -ZZ and ZZZ. With these signs, nearly all differences are
// products with a start. X and -Y are below coordinate(). The others are
// below chainedZ() and are only multiplied: the bits above 52 of their limbs are
// undefined.

// chainedZ is 2p + 1, the bound of -ZZ and ZZZ.
func (f *field) chainedZ() *big.Int { return new(big.Int).Add(f.product(), big.NewInt(1)) }

// chainBegin makes a chain of the affine point (x, y).
func chainBegin(pr program, m map[string]memory) {
	one := pr.f.one()
	y := pr.clean(pr.negative(pr.inMemory(m["ay"], pr.f.coordinate())))
	pr.storeNumber(m["ay"], y, pr.f.coordinate())
	pr.storeNumber(m["azz"], pr.fixed(new(big.Int).Sub(pr.f.p, one)), pr.f.chainedZ())
	pr.storeNumber(m["azzz"], pr.fixed(one), pr.f.chainedZ())
}

// chain adds the affine point (x₂, y₂) to (X₁, Y₁, ZZ₁, ZZZ₁):
//
//	P = x₂·ZZ₁ - X₁,  R = y₂·ZZZ₁ - Y₁,  Q = X₁·P²
//	X₃ = R² - P³ - 2Q,  Y₃ = R·(Q - X₃) - Y₁·P³,  ZZ₃ = ZZ₁·P²,  ZZZ₃ = ZZZ₁·P³
func chain(pr program, m map[string]memory) {
	a := pr.chainIn(m, "a")
	x2, y2 := pr.inMemory(m["bx"], pr.f.coordinate()), pr.inMemory(m["by"], pr.f.coordinate())
	l := links{y: a.y}
	pr.interleave(func(pr program) {
		l.step(pr, m, pr.productFrom(&a.x, factors{a.zz, x2}))
		l.cubed(pr, m)
		pr.storeNumber(m["azzz"], pr.factor(pr.negative(pr.product(factors{a.zzz, l.cube}))), pr.f.chainedZ())
		pr.storeNumber(m["azz"], pr.factor(pr.product(factors{a.zz, l.square})), pr.f.chainedZ())
	}, func(pr program) {
		l.rise(pr, m, pr.productFrom(&a.y, factors{a.zzz, y2}))
		pr.await(&l.square)
		q := factors{a.x, l.square}
		start := pr.lessThan(pr.f.reduced(productsOf([]factors{q})))
		l.q = pr.keep(m["t5"], pr.productFrom(&start, q))
		l.third(pr, m)
	})
}

// join adds (X₂, Y₂, ZZ₂, ZZZ₂) to (X₁, Y₁, ZZ₁, ZZZ₁):
//
//	U = X₁·ZZ₂,  P = X₂·ZZ₁ - U,  S = Y₁·ZZZ₂,  R = Y₂·ZZZ₁ - S,  Q = U·P²
//	X₃ = R² - P³ - 2Q,  Y₃ = R·(Q - X₃) - S·P³,  ZZ₃ = ZZ₁·ZZ₂·P²,  ZZZ₃ = ZZZ₁·ZZZ₂·P³
func join(pr program, m map[string]memory) {
	a, b := pr.chainIn(m, "a"), pr.chainIn(m, "b")
	var l links
	pr.interleave(func(pr program) {
		minusU := pr.product(factors{a.x, b.zz})
		kept := pr.keep(m["t4"], minusU)
		u := pr.keep(m["t7"], pr.factor(minusU))
		l.step(pr, m, pr.minus(pr.product(factors{b.x, a.zz}), kept))
		minusQ := pr.product(factors{u, l.square})
		l.q = pr.keep(m["t5"], pr.sum([]number{pr.multiple(new(big.Int))}, []number{minusQ}))
		l.cubed(pr, m)
		zzz := pr.keep(m["t8"], pr.factor(pr.product(factors{a.zzz, b.zzz})))
		pr.storeNumber(m["azzz"], pr.factor(pr.negative(pr.product(factors{zzz, l.cube}))), pr.f.chainedZ())
	}, func(pr program) {
		minusS := pr.product(factors{a.y, b.zzz})
		kept := pr.keep(m["t9"], minusS)
		l.y = pr.keep(m["t10"], pr.factor(minusS))
		l.rise(pr, m, pr.minus(kept, pr.product(factors{b.y, a.zzz})))
		zz := pr.keep(m["t11"], pr.factor(pr.product(factors{a.zz, b.zz})))
		pr.await(&l.square)
		pr.storeNumber(m["azz"], pr.factor(pr.negative(pr.product(factors{zz, l.square}))), pr.f.chainedZ())
		l.third(pr, m)
	})
}

// chainProducts sets d = ZZZ, and 1 where a chain is missing, and the next partial
// product to p·d.
func chainProducts(pr program, m map[string]memory) {
	pr.multiplyBy(m, pr.inRegisters(pr.factorInMemory(m["azzz"], pr.f.chainedZ())))
}

// affines sets (X, -Y) to the affine point of the chain. With i = 1/ZZZ,
//
//	y = Y·i,  x = X·(ZZ·i)²,  since (ZZ/ZZZ)² = ZZ²/ZZ³
func affines(pr program, m map[string]memory) {
	a, inv := pr.chainIn(m, "a"), inverse(pr, m)
	pr.storeNumber(m["ay"], pr.clean(pr.negative(pr.product(factors{a.y, inv}))), pr.f.coordinate())
	ratio := pr.keep(m["t1"], pr.factor(pr.product(factors{a.zz, inv})))
	square := pr.keep(m["t1"], pr.factor(pr.square(ratio)))
	pr.storeNumber(m["ax"], pr.clean(pr.product(factors{a.x, square})), pr.f.coordinate())
}

// chainNumbers are the coordinates of a chain: X, -Y, -ZZ and ZZZ.
type chainNumbers struct{ x, y, zz, zzz number }

// chainIn returns the chain in the operands with names that begin with the given one.
func (pr program) chainIn(m map[string]memory, name string) chainNumbers {
	c, z := pr.f.coordinate(), pr.f.chainedZ()
	return chainNumbers{
		x: pr.inMemory(m[name+"x"], c), y: pr.inMemory(m[name+"y"], c),
		zz: pr.factorInMemory(m[name+"zz"], z), zzz: pr.factorInMemory(m[name+"zzz"], z),
	}
}

// links are the parts of an addition that determine its result. Numbers that are
// multiplied and added are kept in both forms.
type links struct {
	d, square     number // -P and P²
	rawCube, cube number // -P³
	r, r2         number // R and R²
	q             number // Q less a multiple of p, not above 0
	y             number // -Y₁ or -S
}

// step sets d and square.
func (l *links) step(pr program, m map[string]memory, d number) {
	pr.remark("P < %s", pr.says(d.bound))
	l.d = pr.keep(m["t0"], pr.factor(d))
	l.square = pr.keep(m["t1"], pr.factor(pr.square(l.d)))
}

// rise sets r and r2.
func (l *links) rise(pr program, m map[string]memory, r number) {
	pr.remark("R < %s", pr.says(r.bound))
	l.r = pr.keep(m["t2"], pr.factor(r))
	l.r2 = pr.keep(m["t3"], pr.square(l.r))
}

// cubed sets cube and rawCube.
func (l *links) cubed(pr program, m map[string]memory) {
	cube := pr.product(factors{l.d, l.square})
	l.rawCube = pr.keep(m["t4"], cube)
	l.cube = pr.keep(m["t6"], pr.factor(cube))
	pr.remark("P³ < %s", pr.says(l.cube.bound))
}

// third sets ax to X₃ and ay to -Y₃.
func (l *links) third(pr program, m map[string]memory) {
	pr.await(&l.cube)
	pr.await(&l.q)
	pr.turn()
	x3 := pr.clean(pr.sum([]number{l.r2, l.rawCube}, []number{l.q, l.q}))
	pr.remark("X₃ < %s", pr.says(x3.bound))
	pr.storeNumber(m["ax"], x3, pr.f.coordinate())
	run := pr.keep(m["t7"], pr.factor(pr.sum([]number{x3}, []number{l.q})))
	y3 := pr.clean(pr.product(factors{l.r, run}, factors{l.y, l.cube}))
	pr.remark("Y₃ < %s", pr.says(y3.bound))
	pr.storeNumber(m["ay"], y3, pr.f.coordinate())
}
