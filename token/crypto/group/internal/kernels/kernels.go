package main

import "math/big"

// step is one step of a kernel: it computes eight elements, those that its
// memory operands hold at that step.
type step func(pr program, m map[string]memory)

// The kernels. Coordinates in memory are below coordinate(), partial products of
// an inversion below product(), denominators below denominator().

// denominator is the bound of x₂ - x₁ and of 2y.
func (f *field) denominator() *big.Int {
	c := f.coordinate()
	return c.Add(c, f.multipleFrom(c))
}

// denominators sets d = x₂ - x₁, and 1 where there is no element.
func denominators(pr program, m map[string]memory) {
	c := pr.f.coordinate()
	d := pr.minus(pr.inMemory(m["bx"], c), pr.inMemory(m["ax"], c))
	pr.storeNumber(m["d"], pr.padded(d), pr.f.denominator())
}

// doubleDenominators sets d = 2y.
func doubleDenominators(pr program, m map[string]memory) {
	y := pr.inMemory(m["ay"], pr.f.coordinate())
	pr.storeNumber(m["d"], pr.padded(pr.times(2, y)), pr.f.denominator())
}

// padded returns n with 1 in place of the elements that do not exist.
func (pr program) padded(n number) number {
	for i, c := range pr.f.split(pr.f.one()) {
		n.limbs[i] = pr.pad(n.limbs[i], c)
	}
	return n
}

// products sets the next partial product to p·d.
func products(pr program, m map[string]memory) {
	p := pr.inMemory(m["p"], pr.f.product())
	d := pr.inMemory(m["d"], pr.f.denominator())
	pr.storeNumber(m["next"], pr.mul(p, d), pr.f.product())
}

// inverse returns 1/d, given the inverse of the partial product up to d and the
// partial product before it, which it replaces by its inverse.
func inverse(pr program, m map[string]memory) number {
	above := pr.inMemory(m["next"], pr.f.coordinate())
	d := pr.inMemory(m["d"], pr.f.denominator())
	before := pr.inMemory(m["p"], pr.f.product())
	inverse := pr.mul(above, before)
	pr.remark("1/d < %s", pr.says(inverse.bound))
	pr.storeNumber(m["p"], pr.mul(above, d), pr.f.coordinate())
	return inverse
}

// sums sets (x₁, y₁) to the sum of (x₁, y₁) and (x₂, y₂).
func sums(pr program, m map[string]memory) {
	c := pr.f.coordinate()
	inv := inverse(pr, m)
	rise := pr.minus(pr.inMemory(m["by"], c), pr.inMemory(m["ay"], c))
	slope(pr, m, pr.mul(rise, inv), pr.inMemory(m["bx"], c))
}

// doubles sets (x₁, y₁) to twice (x₁, y₁).
func doubles(pr program, m map[string]memory) {
	inv := inverse(pr, m)
	x := pr.inMemory(m["ax"], pr.f.coordinate())
	rise := pr.times(3, pr.square(x))
	slope(pr, m, pr.mul(rise, inv), x)
}

// slope sets (x₁, y₁) to the third point of the line, negated:
//
//	x₃ = λ² - x₁ - x₂,  y₃ = λ(x₁ - x₃) - y₁
func slope(pr program, m map[string]memory, lambda, x2 number) {
	c := pr.f.coordinate()
	pr.remark("slope < %s", pr.says(lambda.bound))
	x1 := pr.inMemory(m["ax"], c)
	x3 := pr.minusSmall(pr.square(lambda), x1, x2)
	pr.remark("x₃ < %s", pr.says(x3.bound))
	run := pr.minus(x1, x3)
	pr.storeNumber(m["ax"], x3, c)
	y3 := pr.minusSmall(pr.mul(run, lambda), pr.inMemory(m["ay"], c))
	pr.remark("y₃ < %s", pr.says(y3.bound))
	pr.storeNumber(m["ay"], y3, c)
}

// scale sets x₁ to the product of x₁ and d < p, which is the same in all steps.
func scale(pr program, m map[string]memory) {
	x, d := pr.inMemory(m["ax"], pr.f.coordinate()), pr.inMemory(m["d"], pr.f.p)
	pr.storeNumber(m["ax"], pr.mul(x, d), pr.f.coordinate())
}

// multiply sets d = d·p, for partial products p.
func multiply(pr program, m map[string]memory) {
	d, p := pr.inMemory(m["d"], pr.f.coordinate()), pr.inMemory(m["p"], pr.f.product())
	pr.storeNumber(m["d"], pr.mul(d, p), pr.f.product())
}

// enter stores elements that are given in words, and their negatives where minus
// is all ones.
func enter(pr program, to memory, words []vec, minus vec) {
	n := pr.fromWords(words)
	if minus != nil {
		multiple := new(big.Int).Lsh(pr.f.p, uint(pr.f.shift()))
		negative := pr.negative(n, multiple)
		for i := range n.limbs {
			n.limbs[i] = pr.selectIf(minus, negative.limbs[i], n.limbs[i])
		}
	}
	pr.storeNumber(to, n, pr.f.coordinate())
}

// leave returns a coordinate in words, reduced.
func leave(pr program, from memory) []vec {
	x := pr.inMemory(from, pr.f.coordinate())
	toWords := pow2(64 * pr.f.words)
	toWords.Mod(toWords, pr.f.p)
	return pr.toWords(pr.canonical(pr.mulConst(x, toWords)))
}
