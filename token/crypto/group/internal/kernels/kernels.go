package main

import "math/big"

// step is one step of a kernel: it computes eight elements, which its memory operands
// hold at that step.
type step func(pr program, m map[string]memory)

// The kernels. Coordinates in memory are below coordinate(). Partial products of
// an inversion, below product(), and denominators, below denominator(), are only
// multiplied: the bits above 52 of their limbs are undefined.

// denominator is the bound of x₂ - x₁.
func (f *field) denominator() *big.Int {
	c := f.coordinate()
	return c.Lsh(c, 1)
}

// products sets d = x₂ - x₁, and 1 where an element is missing, and the next partial
// product to p·d.
func products(pr program, m map[string]memory) {
	c := pr.f.coordinate()
	pr.multiplyBy(m, pr.factor(pr.minus(pr.inMemory(m["bx"], c), pr.inMemory(m["ax"], c))))
}

// multiplyBy sets the next partial product to p times a denominator. The denominator is a
// number for products only.
func (pr program) multiplyBy(m map[string]memory, d number) {
	if m["d"].last {
		d.limbs = pr.do(d.limbs,
			task{name: "pad", operands: []number{pr.fixed(pr.f.one())},
				body: func(pr program, acc []vec, o []number) {
					for i, v := range acc {
						pr.pad(v, pr.fresh(o[0], i))
					}
				}})
	}
	pr.storeNumber(m["d"], d, pr.f.denominator())
	d = pr.factorInMemory(m["d"], d.bound)
	p := pr.factorInMemory(m["p"], pr.f.product())
	pr.storeNumber(m["next"], pr.factor(pr.product(factors{p, d})), pr.f.product())
}

// inverse returns 1/d, given the inverse of the partial product up to d and the
// partial product before it, which it replaces by its inverse.
func inverse(pr program, m map[string]memory) (inverse number) {
	above := pr.factorInMemory(m["next"], pr.f.coordinate())
	d := pr.factorInMemory(m["d"], pr.f.denominator())
	before := pr.factorInMemory(m["p"], pr.f.product())
	pr.interleave(func(pr program) {
		inverse = pr.keep(m["t0"], pr.factor(pr.product(factors{above, before})))
		pr.remark("1/d < %s", pr.says(inverse.bound))
	}, func(pr program) {
		pr.storeNumber(m["p"], pr.factor(pr.product(factors{above, d})), pr.f.coordinate())
	})
	return inverse
}

// sums sets (x₁, y₁) to the sum of (x₁, y₁) and (x₂, y₂).
func sums(pr program, m map[string]memory) {
	c := pr.f.coordinate()
	inv := inverse(pr, m)
	rise := pr.keep(m["t1"], pr.factor(pr.minus(pr.inMemory(m["by"], c), pr.inMemory(m["ay"], c))))
	slope(pr, m, pr.product(factors{rise, inv}), pr.inMemory(m["bx"], c))
}

// slope sets (x₁, y₁) to the third point of the line, negated:
//
//	x₃ = λ² - x₁ - x₂,  y₃ = λ(x₁ - x₃) - y₁
func slope(pr program, m map[string]memory, lambda, x2 number) {
	c := pr.f.coordinate()
	lambda = pr.keep(m["t0"], pr.factor(lambda))
	pr.remark("slope < %s", pr.says(lambda.bound))
	x1, y1 := pr.inMemory(m["ax"], c), pr.inMemory(m["ay"], c)
	x3 := pr.small(pr.sum([]number{pr.square(lambda)}, []number{x1, x2}))
	pr.remark("x₃ < %s", pr.says(x3.bound))
	kept := pr.keep(m["t2"], x3)
	run := pr.keep(m["t1"], pr.factor(pr.minus(x1, x3)))
	pr.storeNumber(m["ax"], kept, c)
	y3 := pr.small(pr.sum([]number{pr.product(factors{lambda, run})}, []number{y1}))
	pr.remark("y₃ < %s", pr.says(y3.bound))
	pr.storeNumber(m["ay"], y3, c)
}

// scale sets x₁ to the product of x₁ and d < p, which is the same in all steps.
func scale(pr program, m map[string]memory) {
	x, d := pr.inMemory(m["ax"], pr.f.coordinate()), pr.inMemory(m["d"], pr.f.p)
	pr.storeNumber(m["ax"], pr.clean(pr.product(factors{x, d})), pr.f.coordinate())
}

// multiply sets d = d·p, for partial products p.
func multiply(pr program, m map[string]memory) {
	d, p := pr.factorInMemory(m["d"], pr.f.coordinate()), pr.factorInMemory(m["p"], pr.f.product())
	pr.storeNumber(m["d"], pr.clean(pr.product(factors{d, p})), pr.f.product())
}

// enter stores elements that are given in words, and their negatives where minus
// is all ones.
func enter(pr program, to memory, words []vec, minus vec) {
	n := pr.fromWords(words)
	if minus != nil {
		negative := pr.clean(pr.negative(pr.copied(n)))
		for i := range n.limbs {
			n.limbs[i] = pr.selectIf(minus, negative.limbs[i], n.limbs[i])
		}
	}
	pr.storeNumber(to, n, pr.f.coordinate())
}

// leave returns a coordinate in words, reduced. The integer in words is the integer in
// limbs, divided by 2^s modulo p.
func leave(pr program, from memory) []vec {
	x := pr.factorInMemory(from, pr.f.coordinate())
	if pr.f.shift == 0 {
		return pr.toWords(pr.less(pr.clean(pr.byConstant(x, pr.f.one())), pr.f.p))
	}
	return pr.toWords(pr.less(pr.divisible(pr.masked(x)), new(big.Int).Lsh(pr.f.p, uint(pr.f.shift))))
}
