package grouptest

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/bls12381"
	"github.com/zkatbench/zkatbench/token/crypto/group/bn254"
)

// FuzzSums computes sums on the vector kernels, on the portable ones, and as a
// multiple of the generator, and requires equal bytes. The input chooses the
// curve, the kind of sum, its shape, and points and scalars; many of them are
// equal, opposite, zero, or mapped to each other by the endomorphism.
func FuzzSums(f *testing.F) {
	curves := []*sumsOf{newSumsOf(bn254.New(), bn254.New().Portable()),
		newSumsOf(bls12381.New(7), bls12381.New(7).Portable())}
	for curve := range byte(len(curves)) {
		for kind := range byte(len(sumKinds)) {
			for _, shape := range [][]byte{{0, 0}, {0, 1, 1, 0, 0}, {3, 5, 7, 0xff, 6, 1, 200},
				{29, 11, 5, 4, 9, 77, 0xfe, 31, 2, 90}, {0, 90, 0xff, 3, 0x80}} {
				f.Add(append([]byte{curve, kind}, shape...))
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		in := &choices{bytes: b}
		curves[in.below(len(curves))].check(t, in)
	})
}

// everyKind computes random sums of every kind.
func (c *suite) everyKind(t *testing.T) {
	sums := newSumsOf(c.Group, c.Group)
	for range trials(t, 10) {
		for kind := range sumKinds {
			b := []byte{byte(kind)}
			for range 60 {
				b = append(b, byte(c.rand.Uint32()))
			}
			sums.check(t, &choices{bytes: b})
		}
	}
}

// check computes a sum on both kernels and compares it with a multiple of the generator.
func (c *sumsOf) check(t *testing.T, in *choices) {
	t.Helper()
	kind := in.below(len(sumKinds))
	s := c.draw(in)
	native, want := sumKinds[kind](c.native, c, s)
	portable, _ := sumKinds[kind](c.portable, c, s)
	for k := range want {
		multiple := c.portable.AppendPoint(nil, group.MulPoint(c.portable, c.portable.Generator(), want[k]))
		require.Equal(t, multiple, c.native.AppendPoint(nil, native[k]), "kind %d, sum %d, native", kind, k)
		require.Equal(t, multiple, c.portable.AppendPoint(nil, portable[k]), "kind %d, sum %d, portable",
			kind, k)
	}
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
	proper           int // the number of the first point other than the identity
	digits           [2]group.DigitTable
	bits             [2]group.BitTable
}

func newSumsOf(native, portable group.Group) *sumsOf {
	c := &sumsOf{native: native, portable: portable, proper: 1}
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
	zero := make([]group.Point, len(c.points))
	copy(zero[2:], c.points)
	for i, g := range []group.Group{native, portable} {
		c.table[i] = g.NewTable(c.points, 1)
		c.digits[i] = g.NewDigitTable(c.points[c.proper:])
		c.bits[i] = g.NewBitTable(c.points, zero)
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

// draw chooses few long sums or many short ones.
func (c *sumsOf) draw(in *choices) (d drawn) {
	rows, terms := 1+in.below(40), in.below(100)
	for rows*terms > 400 {
		rows = (rows + 1) / 2
	}
	for range rows {
		n := terms
		if in.next() == 0xff {
			n = terms / 2
		}
		row, scalars := make([]int32, n), make([]group.Scalar, n)
		for i := range row {
			row[i], scalars[i] = int32(in.below(len(c.points))), c.scalar(in)
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
		ones, powers := make([]group.Scalar, 100), make([]group.Scalar, 100)
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
			if n := len(c.points) - len(row); r%2 == 0 && n > 0 {
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
		rows := make([][]uint8, len(d.rows))
		for r, row := range d.rows {
			start := 0
			if len(row) > 0 {
				start = int(row[0])
			}
			sum := c.logs[start]
			for i, v := range row[:min(len(row), len(c.points)-c.proper)] {
				digit := uint8(v) % group.DigitBase
				rows[r] = append(rows[r], digit)
				sum = g.Add(sum, g.Mul(c.logs[c.proper+i], g.Uint64(uint64(digit))))
			}
			got, want = append(got, c.points[start]), append(want, sum)
		}
		g.AddDigits(got, c.digits[c.on(g)], rows)
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
		sum := group.Scalar{}
		for i := range c.logs {
			switch {
			case d.bits>>i&1 == 1:
				sum = g.Add(sum, c.logs[i])
			case i >= 2:
				sum = g.Add(sum, c.logs[i-2])
			}
		}
		return []group.Point{g.SumBits(c.bits[c.on(g)], d.bits)}, []group.Scalar{sum}
	},
	// SubPointVec, DecodePoints
	func(g group.Group, c *sumsOf, d drawn) (got []group.Point, want []group.Scalar) {
		for r, row := range d.rows {
			other := d.rows[(r+1)%len(d.rows)]
			n := min(len(row), len(other))
			bs, ps := make([][]byte, n), make([]group.Point, n)
			for i := range bs {
				bs[i] = g.AppendPoint(nil, c.points[row[i]])
				want = append(want, g.Sub(c.logs[row[i]], c.logs[other[i]]))
			}
			if _, err := g.DecodePoints(ps, bs); err != nil {
				panic(err)
			}
			g.SubPointVec(ps, ps, c.of(other[:n]))
			got = append(got, ps...)
		}
		return got, want
	},
}
