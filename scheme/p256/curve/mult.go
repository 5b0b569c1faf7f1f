package curve

const (
	window  = 4
	entries = 1 << window
)

// Multiply returns k·p and the field operations that it took. k is 32 bytes, most
// significant first, and may be any number. Table entries are selected without
// indices that depend on k.
func (c *Curve[E, F]) Multiply(k *[32]byte, p *Point[E]) (*Point[E], Ops) {
	a := &arith[E, F]{Limits: c.limits}
	var table [entries]Point[E]
	c.fill(a, &table, p)
	r, next, entry := c.infinity(), new(Point[E]), new(Point[E])
	for i := range 2 * len(k) {
		if i > 0 {
			for range window {
				c.double(a, next, r)
				r, next = next, r
			}
		}
		digit := k[i/2] >> (4 * (1 - i%2)) & (entries - 1)
		pick[E, F](entry, &table, int(digit))
		c.add(a, next, r, entry)
		r, next = next, r
	}
	return r, a.ops
}

// fill sets table[i] = i·p, by 7 doublings and 7 additions. Coordinates that no
// product would take as they are get reduced here, once, and not at every use.
func (c *Curve[E, F]) fill(a *arith[E, F], table *[entries]Point[E], p *Point[E]) {
	table[0], table[1] = *c.infinity(), *p
	for i := 2; i < entries; i += 2 {
		c.double(a, &table[i], &table[i/2])
		c.add(a, &table[i+1], &table[i], &table[1])
	}
	for i := range table {
		for _, v := range []*value[E]{&table[i].x, &table[i].y, &table[i].z} {
			a.within(v, a.MaxAdds)
		}
	}
}

// pick sets r to table[digit] and reads all entries. The addition counts of r are
// the largest of the table, so they do not depend on digit.
func pick[E any, F Field[E]](r *Point[E], table *[entries]Point[E], digit int) {
	*r = table[0]
	for i := 1; i < entries; i++ {
		t := &table[i]
		same := isZero(i ^ digit)
		choose[E, F](&r.x, &t.x, same)
		choose[E, F](&r.y, &t.y, same)
		choose[E, F](&r.z, &t.z, same)
	}
}

// isZero returns 1 if x, from 0 to 15, is 0, and otherwise 0.
func isZero(x int) int { return (x - 1) >> window & 1 }

// choose sets r to v if choice is 1, and its count to the larger one.
func choose[E any, F Field[E]](r, v *value[E], choice int) {
	F(&r.e).Select(&v.e, &r.e, choice)
	r.adds = max(r.adds, v.adds)
}
