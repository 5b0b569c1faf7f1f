package lead254

// lanes is how many products run side by side in Montgomery's trick, so that
// it too is made of vector operations; only this many are inverted serially.
const lanes = 64

// treeFrom is the least number of additions of one level that are worth an
// inversion; what is left below it is added one by one.
const treeFrom = 24

// space is the scratch memory of one call. It is pooled and keeps no secret
// longer than until the next call has overwritten it; wipe clears it.
type space struct {
	x, y    elements // points as columns, [depth][rows]
	d, p, l elements // differences, products, slopes
	cur     elements
	odd     []exception
	digits  []uint16
	sums    []jacobian
	flat    []affine
	multi   []affine // multiples of the points of an MSM
	twice   []affine
	chain   []jacobian // sums for each window
}

// exception is an addition that the common formula cannot do, with its result.
type exception struct {
	at  int
	sum affine
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// columns makes room for depth×rows points.
func (s *space) columns(depth, rows int) {
	n := depth * rows
	s.x, s.y = grow(s.x, n), grow(s.y, n)
	half := (n + 1) / 2
	s.d, s.p, s.l = grow(s.d, half), grow(s.p, half), grow(s.l, half)
	s.cur = grow(s.cur, lanes)
}

// wipe clears what depends on secrets: the points that were chosen by digits,
// the digits, and sums on the way.
func (s *space) wipe() {
	clear(s.x)
	clear(s.y)
	clear(s.d)
	clear(s.p)
	clear(s.l)
	clear(s.cur)
	clear(s.digits)
	clear(s.sums)
	clear(s.flat)
	clear(s.multi)
	clear(s.twice)
	clear(s.chain)
}

// reduce adds up the points of each row: place [i][r] of the columns holds
// point i of row r. The sums are left in s.sums.
//
// Each level adds the upper half of the depth to the lower half, all rows at
// once, in affine coordinates with one shared inversion: 6 multiplications an
// addition instead of 11, and all of them vector operations.
func (s *space) reduce(depth, rows int) {
	for depth > 1 && depth/2*rows >= treeFrom {
		half := depth / 2
		s.addHalves(half * rows)
		if depth%2 == 1 {
			last := (depth - 1) * rows
			copy(s.x[half*rows:], s.x[last:last+rows])
			copy(s.y[half*rows:], s.y[last:last+rows])
		}
		depth = half + depth%2
	}
	s.sums = grow(s.sums, rows)
	for r := range rows {
		s.sums[r].FromAffine(&affine{X: s.x[r], Y: s.y[r]})
		for i := 1; i < depth; i++ {
			s.sums[r].AddMixed(&affine{X: s.x[i*rows+r], Y: s.y[i*rows+r]})
		}
	}
}

// addHalves sets point i to point i + point n+i for i < n.
func (s *space) addHalves(n int) {
	x1, y1, x2, y2 := s.x[:n], s.y[:n], s.x[n:2*n], s.y[n:2*n]
	d, l, p := s.d[:n], s.l[:n], s.p[:n]
	d.Sub(x2, x1)
	s.setAside(d, n)
	invert(p, d, s.cur)
	l.Sub(y2, y1)
	l.Mul(l, p) // the slopes
	d.Mul(l, l)
	d.Sub(d, x1)
	d.Sub(d, x2) // the new abscissas
	x1.Sub(x1, d)
	x1.Mul(x1, l)
	y1.Sub(x1, y1)
	copy(s.x[:n], d)
	for _, e := range s.odd {
		s.x[e.at], s.y[e.at] = e.sum.X, e.sum.Y
	}
}

// setAside finds the additions that the formula cannot do — abscissas are
// equal, or a point is the identity — computes them alone, and puts 1 where
// the others would divide by 0.
func (s *space) setAside(d elements, n int) {
	s.odd = s.odd[:0]
	for i := range d {
		if !d[i].IsZero() && !s.y[i].IsZero() && !s.y[n+i].IsZero() {
			continue // no point but the identity has ordinate 0: the order is odd
		}
		a, b := affine{X: s.x[i], Y: s.y[i]}, affine{X: s.x[n+i], Y: s.y[n+i]}
		var j jacobian
		j.FromAffine(&a)
		j.AddMixed(&b)
		e := exception{at: i}
		e.sum.FromJacobian(&j)
		s.odd = append(s.odd, e)
		d[i].SetOne()
	}
}

// invert sets dstᵢ = 1/dᵢ for d without zeros, by Montgomery's trick on as many
// lanes as cur has: dst first holds running products, lane by lane.
func invert(dst, d, cur elements) {
	n := len(d)
	w := min(len(cur), n)
	copy(dst[:w], d[:w])
	for s := w; s < n; s += w {
		m := min(w, n-s)
		part := dst[s : s+m]
		part.Mul(dst[s-w:s-w+m], d[s:s+m])
	}
	// The last w places hold the product of each lane.
	cur = cur[:w]
	invertSerially(cur, dst[n-w:])
	s := n - w
	for ; s >= w; s -= w {
		part := dst[s : s+w]
		part.Mul(cur, dst[s-w:s])
		cur.Mul(cur, d[s:s+w])
	}
	// Places w … w+s-1 are left, in the last s lanes of cur, then 0 … w-1.
	if s > 0 {
		upper, tail := dst[w:w+s], cur[w-s:]
		upper.Mul(tail, dst[:s])
		tail.Mul(tail, d[w:w+s])
	}
	copy(dst[s:w], cur[:w-s])
	copy(dst[:s], cur[w-s:])
}

// invertSerially sets dstᵢ = 1/aᵢ with one inversion.
func invertSerially(dst, a elements) {
	var product element
	product.SetOne()
	for i := range a {
		dst[i] = product
		product.Mul(&product, &a[i])
	}
	product.Inverse(&product)
	for i := len(a) - 1; i >= 0; i-- {
		dst[i].Mul(&dst[i], &product)
		product.Mul(&product, &a[i])
	}
}

// normalise writes the sums as affine points with one inversion.
func (s *space) normalise(rows int) []affine {
	s.flat = grow(s.flat, rows)
	s.d, s.p, s.cur = grow(s.d, rows), grow(s.p, rows), grow(s.cur, lanes)
	d := s.d[:rows]
	for r := range d {
		d[r] = s.sums[r].Z
		if d[r].IsZero() {
			d[r].SetOne()
		}
	}
	invert(s.p[:rows], d, s.cur)
	for r := range d {
		if s.sums[r].Z.IsZero() {
			s.flat[r] = affine{}
			continue
		}
		var zz element
		zz.Square(&s.p[r])
		s.flat[r].X.Mul(&s.sums[r].X, &zz)
		zz.Mul(&zz, &s.p[r])
		s.flat[r].Y.Mul(&s.sums[r].Y, &zz)
	}
	return s.flat
}
