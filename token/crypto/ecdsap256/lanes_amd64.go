//go:build !purego

package ecdsap256

import (
	"math/big"
	"sync"

	curve "github.com/consensys/gnark-crypto/ecc/secp256r1"
	"github.com/consensys/gnark-crypto/ecc/secp256r1/fp"
	"github.com/consensys/gnark-crypto/ecc/secp256r1/fr"
	"golang.org/x/sys/cpu"
)

// hasLanes reports whether the processor has the instructions of the kernels.
var hasLanes = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512IFMA && cpu.X86.HasBMI2

// Layout of the memory shared with the kernels (group/internal/kernels).
const (
	lanes      = 8
	limbBits   = 52
	limbs      = 5
	places     = 1024 + lanes // limb l of element i is word l·places + i
	blockWords = limbs * lanes
	chains     = 2
	tempBlocks = 16
)

// coords is a vector of coordinates in limbs of 52 bits, in Montgomery form with
// R = 2²⁶⁰.
type coords [limbs * places]uint64

// points is a vector of points (x/z², y/z³).
type points struct{ x, y, z coords }

// laneArgs is the argument of most kernels.
type laneArgs struct {
	ax, ay, bx, by *uint64
	d, p           *uint64
	n              int
	_              [4]*uint64
	az, bz         *uint64
	temp           *uint64
}

//go:noescape
func laneDoubles(a *laneArgs)

//go:noescape
func laneTwistedDoubles(a *laneArgs)

//go:noescape
func laneSums(a *laneArgs)

//go:noescape
func laneMixed(a *laneArgs)

//go:noescape
func laneProducts(a *laneArgs)

//go:noescape
func laneAffines(a *laneArgs)

// laneGatherEach reads references and tables of whole blocks: of n places, rounded up to eight.
//
//go:noescape
func laneGatherEach(x, y *uint64, tables **entry, refs *uint32, n int)

//go:noescape
func laneStore(dst, x, y *uint64, n int)

// scratch is the memory of one list.
type scratch struct {
	a, b, c points
	twist   coords
	d, p    [(places/lanes + 1 + chains) * blockWords]uint64
	temp    [tempBlocks * blockWords]uint64
	rows    [places]entry
	claims  [batch]claim
	keys    [batch]entry
	tables  [batch]*entry // of the places of a sum
	refs    [batch]uint32
	inverse [chains * lanes]fp.Element
}

// pool keeps the scratch memory of a list for the next one.
var pool = sync.Pool{New: func() any { return new(scratch) }}

// inLanes sets the verdicts of at most batch signatures and reports which ones it
// decided.
func (k *keys) inLanes(list []Signature, verdicts []bool) (decided []bool) {
	s := pool.Get().(*scratch)
	defer pool.Put(s)
	claims := s.claims[:0]
	for i := range list {
		c, ok := claimOf(&list[i])
		c.index = i
		if ok {
			claims = append(claims, c)
		}
	}
	claims = k.lookUp(claims, s)
	multipliers(claims, list)
	var unknown, known []*claim
	for i := range claims {
		if c := &claims[i]; c.table == nil {
			unknown = append(unknown, c)
		} else {
			known = append(known, c)
		}
	}
	decided = make([]bool, len(list))
	if rest := len(unknown) % lanes; 0 < rest && rest <= lanes/2 {
		s.decideInHalves(unknown[len(unknown)-rest:], verdicts, decided)
		unknown = unknown[:len(unknown)-rest]
	}
	if len(unknown) > 0 {
		s.decide(unknown, verdicts, decided)
	}
	if len(known) > 0 {
		s.decide(known, verdicts, decided)
	}
	clear(s.tables[:])
	clear(s.claims[:])
	return decided
}

// lookUp finds the tables of known keys, and builds the tables of keys that were seen
// often. It returns the claims with keys on the curve.
func (k *keys) lookUp(claims []claim, s *scratch) (valid []claim) {
	valid = claims[:0]
	built := map[point][]entry{}
	for i := range claims {
		c := &claims[i]
		var table []entry
		var build bool
		if !c.once {
			table, build = k.see(c.key)
		}
		if table == nil && !c.onCurve() {
			continue
		}
		if build {
			table = s.table(entryOf(&c.x, &c.y), keyWidth)
			built[c.key] = table
			k.add(c.key, table)
		}
		c.table = table
		valid = append(valid, *c)
	}
	for i := range valid { // earlier signatures by keys that are known by now
		if c := &valid[i]; c.table == nil {
			c.table = built[c.key]
		}
	}
	return valid
}

// toLanes is 2⁴: elements of gnark-crypto are x·2²⁵⁶ mod p.
var toLanes = fp.NewElement(1 << (limbBits*limbs - 64*fp.Limbs))

func entryOf(x, y *fp.Element) entry {
	var u, v fp.Element
	return entry{*u.Mul(x, &toLanes), *v.Mul(y, &toLanes)}
}

// Tables of G: entry j of window i is (2j+1)·2^(8i)·G.
const (
	baseWidth   = 8
	baseWindows = 256 / baseWidth
	baseEntries = 1 << (baseWidth - 1) // of a window
)

// base is the generator.
var base = func() entry {
	_, g := curve.Generators()
	return entryOf(&g.X, &g.Y)
}()

// baseTable is the table of G.
var baseTable = sync.OnceValue(func() []entry {
	return new(scratch).table(base, baseWidth)
})

// ones is R mod p in limbs.
var ones = func() (limb [limbs]uint64) {
	var one fp.Element
	one.SetOne()
	one.Mul(&one, &toLanes)
	for l := range limb {
		limb[l] = limbOf(&one, l)
	}
	return limb
}()

// limbOf returns limb l of an integer in words.
func limbOf(e *fp.Element, l int) uint64 {
	return (*wide)(e).window(l*limbBits) & (1<<limbBits - 1)
}

// roundUp returns the number of places in the blocks of n places.
func roundUp(n int) int { return (n + lanes - 1) &^ (lanes - 1) }

func (p *points) setOnes(n int) {
	for l, limb := range ones {
		plane := p.z[l*places:][:n]
		for i := range plane {
			plane[i] = limb
		}
	}
}

// copy sets n places from place to on to the places of src from place from on.
func (p *points) copy(to int, src *points, from, n int) {
	p.x.copy(to, &src.x, from, n)
	p.y.copy(to, &src.y, from, n)
	p.z.copy(to, &src.z, from, n)
}

func (v *coords) copy(to int, src *coords, from, n int) {
	for l := range limbs {
		copy(v[l*places+to:][:n], src[l*places+from:])
	}
}

// args are the arguments of kernels for n points of p from place at on.
func (s *scratch) args(p *points, at, n int) laneArgs {
	return laneArgs{ax: &p.x[at], ay: &p.y[at], az: &p.z[at], d: &s.d[0], p: &s.p[0], temp: &s.temp[0], n: n}
}

// double doubles the first n points of p.
func (s *scratch) double(p *points, n int) {
	a := s.args(p, 0, n)
	laneDoubles(&a)
}

// doubleTwisted doubles the first n points of p on the curves y² = x³ - 3d²x + b·d³ with
// d in s.twist.
func (s *scratch) doubleTwisted(p *points, n int) {
	a := s.args(p, 0, n)
	a.bx = &s.twist[0]
	laneTwistedDoubles(&a)
}

// add adds the first n points of q to the points of p from place at on. It panics if q is p: kernels
// are proved for operands in different memory.
func (s *scratch) add(p *points, at int, q *points, n int) {
	if p == q {
		panic("ecdsap256: operands of a kernel overlap")
	}
	a := s.args(p, at, n)
	a.bx, a.by, a.bz = &q.x[0], &q.y[0], &q.z[0]
	laneSums(&a)
}

// gather sets n affine points to the entries of s.refs in s.tables.
func (s *scratch) gather(p *points, n int) {
	laneGatherEach(&p.x[0], &p.y[0], &s.tables[0], &s.refs[0], n)
}

// next adds the entries of s.refs in s.tables to n points of s.a. The first ones are
// the points.
func (s *scratch) next(first bool, n int) {
	if first {
		s.gather(&s.a, n)
		s.a.setOnes(n)
		return
	}
	s.gather(&s.b, n)
	a := s.args(&s.a, 0, n)
	a.bx, a.by = &s.b.x[0], &s.b.y[0]
	laneMixed(&a)
}

// table returns the table of the affine point p for digits of the given width.
func (s *scratch) table(p entry, width int) []entry {
	windows, size := 256/width, 1<<(width-1)
	for i := range lanes {
		s.tables[i], s.refs[i] = &p, 0
	}
	s.next(true, lanes)
	for i := range windows {
		if i > 0 {
			for range width {
				s.double(&s.a, lanes)
			}
		}
		s.c.copy(i, &s.a, 0, 1)
	}
	s.a.copy(0, &s.c, 0, windows)
	table, columns := make([]entry, windows*size), s.rows[:]
	if len(table) > len(columns) {
		columns = make([]entry, len(table))
	}
	s.oddMultiples(s.double, windows, size, columns)
	for i := range windows {
		for j := range size {
			table[i*size+j] = columns[j*windows+i]
		}
	}
	return table
}

// doubling is scratch.double or scratch.doubleTwisted.
type doubling func(p *points, n int)

// oddMultiples sets dst[j·n + i] to (2j+1)·P for the point P in place i of s.a, for n
// points in whole blocks, with doubles on their curves. No point is the identity.
func (s *scratch) oddMultiples(double doubling, n, count int, dst []entry) {
	s.c.copy(0, &s.a, 0, n)
	double(&s.c, n)
	atOnce := (places - lanes) / n // multiples of all points in s.a
	for first := 0; first < count; first += atOnce {
		end := min(first+atOnce, count)
		for j := first; j < end; j++ {
			switch {
			case j == 0:
				continue
			case j == first: // after the last one of the group before
				s.a.copy(0, &s.b, 0, n)
			default:
				s.a.copy((j-first)*n, &s.a, (j-first-1)*n, n)
			}
			s.add(&s.a, (j-first)*n, &s.c, n)
		}
		s.b.copy(0, &s.a, (end-1-first)*n, n)
		s.affine((end - first) * n)
		laneStore(&dst[first*n].x[0], &s.a.x[0], &s.a.y[0], (end-first)*n)
	}
}

// affine makes the first n points of s.a affine, with one inversion.
func (s *scratch) affine(n int) {
	for i := range chains * blockWords {
		s.p[i] = ones[i%blockWords/lanes]
	}
	a := s.args(&s.a, 0, n)
	laneProducts(&a)
	s.invert(s.p[n/lanes*blockWords:])
	laneAffines(&a)
}

// inverseToLanes is 2⁵²⁰: lanes hold v = x·2²⁶⁰ and need 2⁵²⁰/v. An element of
// gnark-crypto with the words v has the inverse 2⁵¹²/v.
var inverseToLanes = func() (e fp.Element) {
	e.SetBigInt(new(big.Int).Lsh(big.NewInt(1), 2*limbBits*limbs))
	return e
}()

// invert inverts all elements of two blocks, with one inversion. 0 stays.
func (s *scratch) invert(p []uint64) {
	var results [len(s.inverse)]fp.Element
	product := fp.One()
	for i := range s.inverse {
		e := fromLane(p[i/lanes*blockWords:], i%lanes)
		s.inverse[i] = e
		if !e.IsZero() {
			results[i] = product // of all before
			product.Mul(&product, &e)
		}
	}
	inverse := wide(product).inverse(&fieldOrder)
	product.Mul((*fp.Element)(&inverse), &inverseToLanes)
	for i := len(results) - 1; i >= 0; i-- {
		e := &results[i]
		e.Mul(e, &product)
		if !e.IsZero() {
			product.Mul(&product, &s.inverse[i])
		}
		for l := range limbs {
			p[i/lanes*blockWords+l*lanes+i%lanes] = limbOf(e, l)
		}
	}
}

// fromLane returns the integer in one lane of a block, below 2p, modulo p in words.
// The bits above 52 of its limbs are undefined.
func fromLane(block []uint64, lane int) fp.Element {
	var w [fp.Limbs + 1]uint64
	for l := range limbs {
		limb, bit := block[l*lanes+lane]&(1<<limbBits-1), l*limbBits
		w[bit/64] |= limb << (bit % 64)
		w[bit/64+1] |= limb >> (64 - bit%64)
	}
	if less := wide(w[:fp.Limbs]); less.minus(&fieldOrder) <= w[fp.Limbs] {
		return fp.Element(less)
	}
	return fp.Element(w[:fp.Limbs])
}

// fieldOrder is p.
var fieldOrder = wordsOf(fp.Modulus())

// decide sets the verdicts of claims: whether x(R) mod n = r. Either all keys must have
// tables, or all must lack them. It does not decide if R has z = 0.
func (s *scratch) decide(claims []*claim, verdicts, decided []bool) {
	unknown := claims[0].table == nil
	if unknown {
		products := make([]multiple, len(claims)) // u₂Q
		for i, c := range claims {
			products[i] = multiple{entryOf(&c.x, &c.y), signedOf(&c.u2)}
		}
		s.ladder(s.double, products, keyWindows)
	}
	s.sum(claims)
	if unknown {
		s.add(&s.a, 0, &s.c, roundUp(len(claims)))
	}
	laneStore(&s.rows[0].x[0], &s.a.x[0], &s.a.z[0], roundUp(len(claims)))
	for i, c := range claims {
		x, z := fp.Element(s.rows[i].x), fp.Element(s.rows[i].y)
		if !z.IsZero() {
			verdicts[c.index], decided[c.index] = c.matches(&x, &z), true
		}
	}
}

// matches reports whether x(R) mod n = r for R = (x/z², …): whether x = r·z² for the
// integer r, or for r + n if this is below p. Words hold x·2²⁶⁰ mod p and z·2²⁶⁰ mod p,
// which are 2⁴x and 2⁴z as elements of gnark-crypto.
func (c *claim) matches(x, z *fp.Element) bool {
	var r, scaled, square, product fp.Element
	b := c.r.Bytes()
	r.SetBytes(b[:]) // below n, and so below p
	scaled.Mul(x, &toLanes)
	square.Square(z)
	if product.Mul(&r, &square).Equal(&scaled) {
		return true
	}
	if r.Cmp(&room) >= 0 {
		return false
	}
	r.Add(&r, &orderInP)
	return product.Mul(&r, &square).Equal(&scaled)
}

// orderInP is n, and room is p - n.
var orderInP, room = func() (e, room fp.Element) {
	e.SetBigInt(fr.Modulus())
	return e, *room.Neg(&e)
}()

// multiple is a point times a number.
type multiple struct {
	point entry
	by    signed
}

// ladder sets point i of s.c to product i, with doubles on their curves. Numbers have the
// given number of windows. Products that fill half of the lanes or less have two lanes,
// for the lower and the upper half of their windows.
func (s *scratch) ladder(double doubling, products []multiple, windows int) {
	const multiples = 1 << (keyWidth - 1)
	m, parts := len(products), 1
	if 2*m <= lanes {
		parts, windows = 2, windows/2
	}
	n := roundUp(m * parts)
	for i := range n {
		s.keys[i] = base // in places without a product
		if i < m*parts {
			s.keys[i] = products[i%m].point
		}
		s.tables[i], s.refs[i] = &s.keys[i], 0
	}
	s.next(true, n)
	if parts == 2 {
		s.c.copy(0, &s.a, 0, m)
		for range keyWidth * windows {
			double(&s.a, n)
		}
		s.a.copy(0, &s.c, 0, m)
	}
	s.oddMultiples(double, n, multiples, s.rows[:n*multiples])
	for i := range n {
		s.tables[i] = &s.rows[i]
	}
	for w := windows - 1; w >= 0; w-- {
		first := w == windows-1
		for part := range parts {
			for i := range products {
				ref := products[i].by.ref(w+part*windows, keyWidth)
				s.refs[part*m+i] = (ref&^1)*uint32(n) | ref&1
			}
		}
		for range keyWidth {
			if !first {
				double(&s.a, n)
			}
		}
		s.next(first, n)
	}
	s.fold(m, parts)
	s.c.copy(0, &s.a, 0, n)
}

// fold adds the parts of m sums in s.a, m places apart. There is a power of 2 of them.
func (s *scratch) fold(m, parts int) {
	for ; parts > 1; parts /= 2 {
		half := parts / 2 * m
		s.b.copy(0, &s.a, half, half)
		s.add(&s.a, 0, &s.b, roundUp(half))
	}
}

// sum sets point i of s.a to the tables' part of u₁G + u₂Q of claim i. If
// there are few claims, each has several lanes, which are added in the end.
func (s *scratch) sum(claims []*claim) {
	m, parts := len(claims), 1
	for 2*parts*m <= lanes {
		parts *= 2
	}
	n := roundUp(m * parts)
	digits := make([]signed, m)
	table := baseTable()
	for i := range n {
		s.tables[i], s.refs[i] = &table[0], 0 // in places without a claim, which are read as well
	}
	for i, c := range claims {
		digits[i] = signedOf(&c.u1)
	}
	for w := 0; w < baseWindows; w += parts {
		s.fill(digits, w, parts, baseWidth)
		s.next(w == 0, n)
	}
	if claims[0].table != nil {
		for i, c := range claims {
			digits[i] = signedOf(&c.u2)
			for part := range parts {
				s.tables[part*m+i] = &c.table[0]
			}
		}
		for w := 0; w < keyWindows; w += parts {
			s.fill(digits, w, parts, keyWidth)
			s.next(false, n)
		}
	}
	s.fold(m, parts)
}

// fill sets the references of windows w, w+1, …, w+parts-1.
func (s *scratch) fill(digits []signed, w, parts, width int) {
	m := len(digits)
	for part := range parts {
		first := uint32(w+part) << width // twice the entries of a window, times w+part
		for i := range digits {
			s.refs[part*m+i] = first + digits[i].ref(w+part, width)
		}
	}
}
