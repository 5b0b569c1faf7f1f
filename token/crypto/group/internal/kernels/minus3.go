package main

import "math/big"

// The kernels of package ecdsap256, in addition to the sums of jacobian.go: points in
// Jacobian coordinates on a curve y² = x³ - 3x + b, of a field with no room for large
// differences.

// signatureKernels are the kernels of package ecdsap256.
var signatureKernels = []kernel{
	{name: "laneDoubles",
		doc:      "laneDoubles doubles (ax, ay, az) on a curve y² = x³ - 3x + b, in whole blocks.",
		operands: []string{"ax", "ay", "az"}, scratch: 6, expanded: true, step: minus3Doubles},
	{name: "laneTwistedDoubles",
		doc: "laneTwistedDoubles doubles (ax, ay, az) on a curve y² = x³ - 3d²x + b·d³ with d = bx, " +
			"in whole blocks.",
		operands: []string{"ax", "ay", "az", "bx"}, scratch: 7, expanded: true, step: twistedDoubles},
	{name: "laneSums",
		doc: "laneSums adds (bx, by, bz) to (ax, ay, az), in whole blocks. Sums of points with the " +
			"same x have az = 0.",
		operands: []string{"ax", "ay", "az", "bx", "by", "bz"}, scratch: 13, step: jacobianSums},
	{name: "laneMixed",
		doc: "laneMixed adds (bx, by) to (ax, ay, az), in whole blocks. Sums of points with the same " +
			"x have az = 0.",
		operands: []string{"ax", "ay", "az", "bx", "by"}, scratch: 13, expanded: true, step: jacobianMixed},
	{name: "laneProducts",
		doc: "laneProducts sets d = az and each block of p, after the first two, to the product of " +
			"the blocks of p and d two places before.",
		operands: []string{"az", "d", "p", "next"}, pairs: true, step: jacobianProducts},
	{name: "laneAffines",
		doc: "laneAffines sets (ax, ay) to (ax/az², ay/az³), given the partial products p of d = az " +
			"with the last two blocks inverted.",
		operands: []string{"ax", "ay", "d", "p", "next"}, backwards: true, pairs: true, scratch: 2,
		step: jacobianAffines},
}

// minus3Doubles sets (x, y, z) to its double (Explicit-Formulas Database,
// dbl-2001-b, with 2yz as one product):
//
//	δ = z²,  γ = y²,  β = xγ,  α = 3(x - δ)(x + δ)
//	x₃ = α² - 8β,  y₃ = α(4β - x₃) - 8γ²,  z₃ = 2yz
func minus3Doubles(pr program, m map[string]memory) {
	pr.doubles(m, func(square number) number { return square })
}

// twistedDoubles is minus3Doubles on a curve y² = x³ - 3d²x + b·d³, with δ = d·z².
func twistedDoubles(pr program, m map[string]memory) {
	d := pr.inMemory(m["bx"], pr.f.coordinate())
	pr.doubles(m, func(square number) number {
		return pr.product(factors{d, pr.keep(m["t6"], pr.factor(square))})
	})
}

// doubles is minus3Doubles with δ made from z².
func (pr program) doubles(m map[string]memory, twisted func(square number) number) {
	x, y, z := pr.jacobianIn(m, "a")
	var alpha, alpha2, two, minus number
	pr.interleave(func(pr program) {
		two = pr.keep(m["t0"], pr.factor(pr.times(2, pr.square(y)))) // 2γ
		beta := pr.keep(m["t1"], pr.times(2, pr.product(factors{x, two})))
		pr.await(&alpha2)
		x3 := pr.small(pr.sum([]number{alpha2}, []number{beta, beta}))
		pr.remark("x₃ < %s", pr.says(x3.bound))
		pr.storeNumber(m["ax"], x3, pr.f.coordinate())
		run := pr.keep(m["t1"], pr.factor(pr.minus(beta, x3)))
		pr.await(&minus)
		y3 := pr.small(pr.productFrom(&minus, factors{alpha, run}))
		pr.remark("y₃ < %s", pr.says(y3.bound))
		pr.storeNumber(m["ay"], y3, pr.f.coordinate())
	}, func(pr program) {
		delta := pr.keep(m["t2"], twisted(pr.square(z)))
		less := pr.keep(m["t3"], pr.factor(pr.minus(x, delta)))
		more := pr.keep(m["t4"], pr.factor(pr.sum([]number{x, delta}, nil)))
		twice := pr.keep(m["t5"], pr.factor(pr.sum([]number{y, y}, nil)))
		alpha = pr.keep(m["t2"], pr.factor(pr.times(3, pr.product(factors{less, more}))))
		pr.remark("α < %s", pr.says(alpha.bound))
		alpha2 = pr.keep(m["t3"], pr.square(alpha))
		pr.await(&two)
		square := pr.times(2, pr.square(two)) // 8γ²
		minus = pr.keep(m["t4"], pr.sum([]number{pr.multiple(new(big.Int))}, []number{square}))
		pr.storeNumber(m["az"], pr.factor(pr.product(factors{z, twice})), pr.f.coordinate())
	})
}

// jacobianProducts sets d = z, and 1 where an element is missing, and the next partial
// product to p·d.
func jacobianProducts(pr program, m map[string]memory) {
	pr.multiplyBy(m, pr.inRegisters(pr.factorInMemory(m["az"], pr.f.coordinate())))
}

// jacobianAffines sets (x, y) to (x/z², y/z³).
func jacobianAffines(pr program, m map[string]memory) {
	x, y, _ := pr.jacobianIn(m, "a")
	inv := inverse(pr, m)
	square := pr.keep(m["t1"], pr.factor(pr.square(inv)))
	pr.storeNumber(m["ax"], pr.clean(pr.product(factors{x, square})), pr.f.coordinate())
	cube := pr.keep(m["t0"], pr.factor(pr.product(factors{inv, square})))
	pr.storeNumber(m["ay"], pr.clean(pr.product(factors{y, cube})), pr.f.coordinate())
}
