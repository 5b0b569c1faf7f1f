package lead254

import (
	curve "github.com/consensys/gnark-crypto/ecc/bn254"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// table holds the odd multiples of each point for each window:
// at [(point·W + window)·2^(w-1) + i] stands (2i+1)·2^(w·window)·P.
type table struct {
	points  []group.Point
	w       int // bits of a window
	windows int
	entries []affine
}

func (t *table) Len() int                { return len(t.points) }
func (t *table) Point(i int) group.Point { return t.points[i] }
func (t *table) Bytes() int              { return len(t.entries) * affineBytes }

const (
	affineBytes         = pointLen // in memory as on the wire
	leastWindow, widest = 4, 10
)

// windowFor returns the widest window whose table for n points fits budget.
func windowFor(n, budget int) int {
	w := leastWindow
	for w < widest && n*windows(w+1)<<w*affineBytes <= budget {
		w++
	}
	return w
}

// NewTable computes the table: W·w doublings and W·2^(w-1) additions a point,
// the latter in batches over all points and windows.
func (n *native) NewTable(ps []group.Point, budget int) group.Table {
	if budget <= 0 {
		budget = defaultTableBytes
	}
	t := &table{points: append([]group.Point(nil), ps...), w: windowFor(len(ps), budget)}
	t.windows = windows(t.w)
	if len(ps) == 0 {
		return t
	}
	bases := make([]jacobian, 0, 2*len(ps)*t.windows)
	doubles := make([]jacobian, 0, len(ps)*t.windows)
	for i := range ps {
		var j jacobian
		j.FromAffine(point(&ps[i]))
		for range t.windows {
			bases = append(bases, j)
			double := j
			double.DoubleAssign()
			doubles = append(doubles, double)
			for range t.w {
				j.DoubleAssign()
			}
		}
	}
	flat := curve.BatchJacobianToAffineG1(append(bases, doubles...))
	t.entries = oddMultiples(flat[:len(bases)], flat[len(bases):], t.w)
	return t
}

// oddMultiples returns B, 3B, …, (2^w - 1)B for each base B, given the doubles.
func oddMultiples(bases, doubles []affine, w int) []affine {
	n, m := len(bases), 1<<(w-1)
	entries := make([]affine, n*m)
	s := new(space)
	s.columns(2, n)
	for i := range n {
		s.x[i], s.y[i] = bases[i].X, bases[i].Y
		entries[i*m] = bases[i]
	}
	for k := 1; k < m; k++ {
		for i := range n {
			s.x[n+i], s.y[n+i] = doubles[i].X, doubles[i].Y
		}
		s.addHalves(n)
		for i := range n {
			entries[i*m+k] = affine{X: s.x[i], Y: s.y[i]}
		}
	}
	return entries
}

// blockTerms bounds the terms of the rows that are added up at once, so that
// the columns stay in the second-level cache.
const blockTerms = 192

// FixedMSM adds up rows of equal length together.
func (n *native) FixedMSM(dst []group.Point, t group.Table, rows []group.Row) {
	tab := t.(*table)
	s := n.spaces.Get().(*space)
	defer n.spaces.Put(s)
	defer s.wipe()
	for len(rows) > 0 {
		terms := len(rows[0].Scalars)
		count := 1
		for count < len(rows) && len(rows[count].Scalars) == terms && (count+1)*terms <= blockTerms {
			count++
		}
		s.fixed(dst[:count], tab, rows[:count], terms)
		dst, rows = dst[count:], rows[count:]
	}
}

// fixed adds up rows of the same number of terms.
func (s *space) fixed(dst []group.Point, t *table, rows []group.Row, terms int) {
	if terms == 0 {
		clear(dst)
		return
	}
	s.columns(terms*t.windows, len(rows))
	s.digits = grow(s.digits, t.windows)
	for k := range terms {
		for r := range rows {
			recode(s.digits, &rows[r].Scalars[k], t.w)
			s.gather(t, rows[r].At(k), k*t.windows*len(rows)+r, len(rows))
		}
	}
	s.reduce(terms*t.windows, len(rows))
	flat := s.normalise(len(rows))
	for r := range dst {
		dst[r] = wrap(&flat[r])
	}
}

// gather copies the entries that the digits choose for one point into the
// columns, from place at on in steps of stride. It asks for all of them before
// it waits for the first.
func (s *space) gather(t *table, index, at, stride int) {
	size := 1 << (t.w - 1)
	entries := t.entries[index*t.windows*size:][:t.windows*size]
	for j, d := range s.digits {
		prefetch(&entries[j*size+int(d&^negative)])
	}
	for j, d := range s.digits {
		e := &entries[j*size+int(d&^negative)]
		i := at + j*stride
		s.x[i] = e.X
		if d&negative != 0 {
			s.y[i].Neg(&e.Y)
		} else {
			s.y[i] = e.Y
		}
	}
}
