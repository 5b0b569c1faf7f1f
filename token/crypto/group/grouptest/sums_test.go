package grouptest_test

import (
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bls12381"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
	"github.com/zkatbench/zkatbench/token/crypto/group/internal/rep"
)

// FuzzSums computes sums on the vector kernels, on the portable ones, and as a
// multiple of the generator, and requires equal bytes. The input chooses the
// curve, the kind of sum, its shape, and points and scalars; many of them are
// equal, opposite, zero, or mapped to each other by the endomorphism.
func FuzzSums(f *testing.F) {
	curves := []*sumsOf{newSumsOf(bn254.New(), bn254.New().Portable(), 1),
		newSumsOf(bls12381.New(7), bls12381.New(7).Portable(), 1)}
	for curve := range byte(len(curves)) {
		for kind := range byte(len(sumKinds)) {
			f.Add(append([]byte{curve, kind}, shapes[3]...))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		in := &choices{bytes: b}
		curves[in.below(len(curves))].check(t, b[min(len(b), 1):])
	})
}

// shapes are inputs without the kind: long sums after shorter ones, a very long one, many short
// ones, some of medium length, and small ones.
var shapes = [][]byte{{3, 90, 2, 1, 0, 0, 4, 7}, {0, 99, 1, 1, 0, 0, 2, 6}, {39, 1, 0, 1, 160, 9},
	{29, 11, 5, 4, 9, 77, 0xfe, 31, 2, 90}, {0, 0}, {0, 1, 1, 0, 0}, {3, 5, 7, 0xff, 6, 1, 200},
	{3, 40, 2, 0, 5, 200, 7}}

// everyKind computes sums of every kind and shape, and random ones, with tables of
// several sizes.
func (c *suite) everyKind(t *testing.T) {
	for i, budget := range nightly.Pick([]int{1}, []int{1, 1 << 20}, []int{1, 100 << 10, 1 << 20}) {
		sums := newSumsOf(c.Group, c.Group, budget)
		if i == 0 {
			for _, shape := range c.shapes[:min(len(c.shapes), nightly.Pick(3, 8, 8))] {
				for kind := range byte(len(sumKinds)) {
					sums.check(t, append([]byte{kind}, shape...))
				}
			}
		}
		for input := range sumInputs(c.rand, nightly.Pick(1, 4, 20)) {
			sums.check(t, input)
		}
	}
}

// sumInputs yields random inputs for every kind of sum.
func sumInputs(rnd *rand.Rand, trials int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := range trials * len(sumKinds) {
			input := []byte{byte(i)}
			for range 60 {
				input = append(input, byte(rnd.Uint32()))
			}
			if !yield(input) {
				return
			}
		}
	}
}

// check computes a sum on both kernels and compares it with a multiple of the generator.
func (c *sumsOf) check(t *testing.T, input []byte) {
	t.Helper()
	for _, g := range slices.Compact([]group.Group{c.native, c.portable}) {
		got, want := c.sums(g, input)
		for k := range want {
			require.Equal(t, c.multiple(want[k]), g.AppendPoint(nil, got[k]), "sum %d, kernel %d", k, c.on(g))
		}
	}
}

// multiple returns the encoding of s·G.
func (c *sumsOf) multiple(s group.Scalar) []byte {
	if c.multiples[s] == nil {
		c.multiples[s] = c.portable.AppendPoint(nil, group.MulPoint(c.portable, c.portable.Generator(), s))
	}
	return c.multiples[s]
}

// sums computes the sums that an input chooses, and their discrete logarithms.
func (c *sumsOf) sums(g group.Group, input []byte) ([]group.Point, []group.Scalar) {
	in := &choices{bytes: input}
	kind := in.below(len(sumKinds))
	return sumKinds[kind](g, c, c.draw(in))
}

// choices are decisions that an input makes. It is read again from the start when
// it ends, changed by the number of the pass.
type choices struct {
	bytes []byte
	read  int
}

func (c *choices) next() byte {
	if len(c.bytes) == 0 {
		return 0
	}
	at := c.read
	c.read++
	return c.bytes[at%len(c.bytes)] + 151*byte(at/len(c.bytes))
}

func (c *choices) below(n int) int { return int(c.next()) % n }

// sumsOf is a curve on both kernels, with points of known discrete logarithm.
type sumsOf struct {
	native, portable group.Group
	points           []group.Point
	logs             []group.Scalar
	lambda           group.Scalar // a third root of one, other than one if there is another
	table            [2]group.Table
	apart            []group.Scalar          // logarithms of
	pointsApart      []group.Point           // points of which no few have equal sums
	multiples        map[group.Scalar][]byte // of the generator, encoded
}

func newSumsOf(native, portable group.Group, budget int) *sumsOf {
	c := &sumsOf{native: native, portable: portable, apart: make([]group.Scalar, 64),
		multiples: map[group.Scalar][]byte{}}
	g, q := portable, portable.Order()
	third, rest := new(big.Int).DivMod(new(big.Int).Sub(q, big.NewInt(1)), big.NewInt(3), new(big.Int))
	c.lambda = g.Uint64(1)
	for base := int64(2); rest.Sign() == 0 && c.lambda == g.Uint64(1); base++ {
		c.lambda = g.Reduce(new(big.Int).Exp(big.NewInt(base), third, q).Bytes())
	}
	c.logs = []group.Scalar{{}}
	for _, s := range []group.Scalar{g.Uint64(1), g.Uint64(2), g.Uint64(3), c.lambda,
		g.Mul(c.lambda, c.lambda), g.Inv(g.Uint64(7)), g.Inv(g.Uint64(11))} {
		if s != (group.Scalar{}) {
			c.logs = append(c.logs, s, g.Neg(s))
		}
	}
	for _, s := range c.logs {
		c.points = append(c.points, group.MulPoint(g, g.Generator(), s))
	}
	c.table = [2]group.Table{native.NewTable(c.points, budget), portable.NewTable(c.points, budget)}
	g.Powers(c.apart, g.Inv(g.Uint64(13)))
	for _, s := range c.apart {
		c.pointsApart = append(c.pointsApart, group.MulPoint(g, g.Generator(), s))
	}
	return c
}

// on returns 0 for the native kernels and 1 for the portable ones.
func (c *sumsOf) on(g group.Group) int {
	if g == c.native {
		return 0
	}
	return 1
}

// drawn is the terms of several sums: indices of points, and scalars.
type drawn struct {
	rows    [][]int32
	scalars [][]group.Scalar
	bits    uint64
}

// draw chooses one very long sum, few long ones, or more short ones than are computed
// together. Neighbours among them may be without terms. The points may be few, with one
// scalar, so that sums within sums are equal or cancel.
func (c *sumsOf) draw(in *choices) (d drawn) {
	rows, terms := 1+in.below(40), in.below(100)
	switch in.below(8) {
	case 0:
		rows, terms = rows+120, 1+terms%2
	case 1:
		rows, terms = 1, 12*terms
	}
	for rows > 1 && rows*terms > 400 {
		rows = (rows + 1) / 2
	}
	bases, equal := len(c.points), in.below(4) == 0
	if equal {
		bases = 2 + in.below(bases-1)
	}
	gap, last := in.below(rows+1), in.below(8)
	for r := range rows {
		n := terms
		if in.below(4) == 0 {
			n = terms / 2
		}
		if r >= gap && r < gap+last {
			n = 0
		}
		row, scalars := make([]int32, n), make([]group.Scalar, n)
		for i := range row {
			row[i], scalars[i] = int32(len(c.points)-1-in.below(bases)), c.scalar(in)
			if equal {
				scalars[i] = scalars[0]
			}
			d.bits = d.bits<<5 ^ uint64(in.next())
		}
		d.rows, d.scalars = append(d.rows, row), append(d.scalars, scalars)
	}
	return d
}

// scalar chooses a short scalar, one with few bits, a multiple of λ, or any.
func (c *sumsOf) scalar(in *choices) group.Scalar {
	g := c.portable
	s := g.Uint64(uint64(in.next()))
	switch in.below(8) {
	case 0:
	case 1:
		s = g.Neg(s)
	case 2:
		s = g.Mul(c.lambda, s)
	case 3:
		s = g.Inv(s)
	case 4:
		s = power(g, in.next())
	case 5:
		s = g.Sub(power(g, in.next()), s)
	case 6:
		s = group.Scalar{}
	default:
		var b [group.ScalarLen]byte
		for i := range b {
			b[i] = in.next()
		}
		s = g.Reduce(b[:])
	}
	return s
}

// power returns 2ⁿ.
func power(g group.Group, n byte) group.Scalar {
	return g.Reduce(new(big.Int).Lsh(big.NewInt(1), uint(n)).Bytes())
}

// log returns the discrete logarithm of a sum.
func (c *sumsOf) log(row []int32, scalars []group.Scalar) (sum group.Scalar) {
	for i, p := range row {
		sum = c.portable.Add(sum, c.portable.Mul(c.logs[p], scalars[i]))
	}
	return sum
}

// of returns the points of a row.
func (c *sumsOf) of(row []int32) (ps []group.Point) {
	for _, i := range row {
		ps = append(ps, c.points[i])
	}
	return ps
}

// sumKinds compute the drawn sums, and the discrete logarithms of the results.
var sumKinds = []func(g group.Group, c *sumsOf, d drawn) ([]group.Point, []group.Scalar){
	func(g group.Group, c *sumsOf, d drawn) (got []group.Point, want []group.Scalar) { // MSM
		for r, row := range d.rows {
			got, want = append(got, group.MSM(g, c.of(row), d.scalars[r])),
				append(want, c.log(row, d.scalars[r]))
		}
		return got, want
	},
	func(g group.Group, c *sumsOf, d drawn) (got []group.Point, want []group.Scalar) { // MSMs
		terms := make([]group.Terms, len(d.rows))
		ones, powers := make([]group.Scalar, 1200), make([]group.Scalar, 1200)
		g.Powers(ones, g.Uint64(1))
		g.Powers(powers, g.Uint64(2))
		for r, row := range d.rows {
			plus, pow2 := row[:len(row)*(r%3)/2], row[:len(row)*(r%4)/3]
			terms[r] = group.Terms{Points: c.of(row), Scalars: d.scalars[r], Plus: c.of(plus),
				Pow2: c.of(pow2)}
			sum := g.Add(c.log(plus, ones), c.log(pow2, powers))
			if r%5 == 4 {
				terms[r].Points, terms[r].Scalars = nil, nil
			} else {
				sum = g.Add(sum, c.log(row, d.scalars[r]))
			}
			want = append(want, sum)
		}
		got = slices.Repeat([]group.Point{g.Generator()}, len(terms)) // all are replaced
		g.MSMs(got, terms)
		return got, want
	},
	func(g group.Group, c *sumsOf, d drawn) (got []group.Point, want []group.Scalar) { // FixedMSM
		rows := make([]group.Row, len(d.rows))
		for r, row := range d.rows {
			rows[r] = group.Row{Index: row, Scalars: d.scalars[r]}
			if n := len(c.points) - len(row); (r+len(row))%2 == 0 && n > 0 {
				first := r % n
				rows[r] = group.Row{First: first, Scalars: d.scalars[r]}
				row = slices.Clone(row)
				for i := range row {
					row[i] = int32(first + i)
				}
			}
			want = append(want, c.log(row, d.scalars[r]))
		}
		got = slices.Repeat([]group.Point{g.Generator()}, len(rows)) // all are replaced
		g.FixedMSM(got, c.table[c.on(g)], rows)
		return got, want
	},
	func(g group.Group, c *sumsOf, d drawn) (got []group.Point, want []group.Scalar) { // AddDigits
		logs, points := c.apart, c.pointsApart
		if d.bits&2 == 0 { // few points, not the identity
			logs, points = slices.Repeat(c.logs[1:], 5), slices.Repeat(c.points[1:], 5)
		}
		rows := make([][]uint8, len(d.rows))
		for r, row := range d.rows {
			n, start := min(len(row), len(logs)), 0
			if n > 0 {
				start = int(row[0])
			}
			if d.bits&1 == 1 {
				n -= n % 8 // whole pieces
			}
			sum := c.logs[start]
			for i, v := range row[:n] {
				digit := uint8(int(v)+i) % group.DigitBase
				rows[r] = append(rows[r], digit)
				sum = g.Add(sum, g.Mul(logs[i], g.Uint64(uint64(digit))))
			}
			got, want = append(got, c.points[start]), append(want, sum)
		}
		g.AddDigits(got, g.NewDigitTable(points), rows)
		return got, want
	},
	func(g group.Group, c *sumsOf, d drawn) (got []group.Point, want []group.Scalar) { // Sum, SumPow2
		for _, row := range d.rows {
			ones, powers := make([]group.Scalar, len(row)), make([]group.Scalar, len(row))
			g.Powers(ones, g.Uint64(1))
			g.Powers(powers, g.Uint64(2))
			got = append(got, group.Sum(g, c.of(row)), group.SumPow2(g, c.of(row)))
			want = append(want, c.log(row, ones), c.log(row, powers))
		}
		return got, want
	},
	func(g group.Group, c *sumsOf, d drawn) (got []group.Point, want []group.Scalar) { // SumBits
		one := d.rows[0][:min(len(d.rows[0]), 64)]
		zero, sum := reversed(one), group.Scalar{}
		for i := range one {
			chosen := zero[i]
			if d.bits>>i&1 == 1 {
				chosen = one[i]
			}
			sum = g.Add(sum, c.logs[chosen])
		}
		table := g.NewBitTable(c.of(one), c.of(zero))
		return []group.Point{g.SumBits(table, d.bits)}, []group.Scalar{sum}
	},
	// SubPointVec, DecodePoints
	func(g group.Group, c *sumsOf, d drawn) (got []group.Point, want []group.Scalar) {
		for _, row := range d.rows {
			other := reversed(row)
			bs, ps := make([][]byte, len(row)), make([]group.Point, len(row))
			for i := range bs {
				bs[i] = g.AppendPoint(nil, c.points[row[i]])
				want = append(want, g.Sub(c.logs[row[i]], c.logs[other[i]]))
			}
			if _, err := g.DecodePoints(ps, bs); err != nil {
				panic(err)
			}
			g.SubPointVec(ps, ps, c.of(other))
			got = append(got, ps...)
		}
		return got, want
	},
	func(g group.Group, c *sumsOf, d drawn) (got []group.Point, want []group.Scalar) { // CurveSum
		for r, row := range d.rows {
			points := make([]group.CurvePoint, len(row))
			for i, p := range c.of(row) {
				points[i] = group.OnCurve(p)
			}
			next := (r + 1) % len(d.rows)
			fixed := group.Row{Index: d.rows[next], Scalars: d.scalars[next]}
			sum := g.CurveSum(c.table[c.on(g)], fixed, points, d.scalars[r])
			got = append(got, *rep.Coordinates(&sum))
			want = append(want, g.Add(c.log(row, d.scalars[r]), c.log(fixed.Index, fixed.Scalars)))
		}
		return got, want
	},
}

func reversed(row []int32) []int32 {
	row = slices.Clone(row)
	slices.Reverse(row)
	return row
}
