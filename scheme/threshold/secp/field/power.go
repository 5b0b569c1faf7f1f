package field

// squares returns x^(2ⁿ).
func squares(x Element, n int) Element {
	for range n {
		x.Square(&x)
	}
	return x
}

// join returns x^(2ⁿ)·y: n zeros are appended to the exponent of x.
func join(x Element, n int, y *Element) Element {
	x = squares(x, n)
	x.Mul(&x, y)
	return x
}

// powers returns x², x to 2²-1 and 2²²-1 (2 and 22 ones in binary), and x to 223
// ones, a zero and 22 ones. The exponents of Inverse and Sqrt begin with the last.
func powers(x *Element) (ones2, head Element) {
	ones2 = join(*x, 1, x)
	ones3 := join(ones2, 1, x)
	ones6 := join(ones3, 3, &ones3)
	ones9 := join(ones6, 3, &ones3)
	ones11 := join(ones9, 2, &ones2)
	ones22 := join(ones11, 11, &ones11)
	ones44 := join(ones22, 22, &ones22)
	ones88 := join(ones44, 44, &ones44)
	ones176 := join(ones88, 88, &ones88)
	ones220 := join(ones176, 44, &ones44)
	ones223 := join(ones220, 3, &ones3)
	return ones2, join(ones223, 23, &ones22)
}

// Inverse sets z = x⁻¹ = x^(p-2), and 0 for 0. The exponent ends with 0000101101.
func (z *Element) Inverse(x *Element) *Element {
	ones2, head := powers(x)
	r := join(head, 5, x)
	r = join(r, 3, &ones2)
	*z = join(r, 2, x)
	return z
}

// Sqrt sets z to a square root of x and returns true, or returns false if x is not a
// square. The root is x^((p+1)/4), with an exponent that ends with 00001100.
func (z *Element) Sqrt(x *Element) bool {
	ones2, head := powers(x)
	root := squares(join(head, 6, &ones2), 2)
	var square Element
	ok := square.Square(&root).Equal(x)
	*z = root
	return ok
}

// Invert inverts each element in place with one inversion for all (Montgomery,
// Math. Comp. 48). A zero among them makes all 0.
func Invert(elements []Element) {
	// Element i becomes the product of the elements before it, then its inverse.
	product := One
	rest := make([]Element, len(elements))
	for i := range elements {
		rest[i] = elements[i]
		elements[i], product = product, *new(Element).Mul(&product, &elements[i])
	}
	product.Inverse(&product)
	for i := len(elements) - 1; i >= 0; i-- {
		elements[i].Mul(&elements[i], &product)
		product.Mul(&product, &rest[i])
	}
}
