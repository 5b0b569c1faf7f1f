package grouptest

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

func (c *suite) tables(t *testing.T) {
	ps, logs := c.points(20)
	for _, budget := range []int{1, 100 << 10, 1 << 20} {
		table := c.NewTable(ps, budget)
		require.Equal(t, len(ps), table.Len())
		for i, p := range ps {
			require.True(t, c.Equal(p, table.Point(i)))
		}
		for _, s := range c.edges() {
			i := c.rand.IntN(len(ps))
			c.is(t, new(big.Int).Mul(s.v, logs[i]), group.FixedSum(c, table, i, s.s), "%v·P, %d bytes", s.v, budget)
		}
		for n := range len(ps) + 1 {
			first, ss := c.rand.IntN(len(ps)-n+1), c.some(n)
			c.is(t, inner(logs[first:first+n], ss), group.FixedSum(c, table, first, scalars(ss)...), "%d terms", n)
		}
	}
	c.nothing(t)
	c.FixedMSM(nil, c.NewTable(nil, 0), nil)
	require.True(t, group.IsIdentity(group.FixedSum(c, c.NewTable(nil, 0), 0)))
}

// nothing puts sums equal to the identity between others, in several places:
// sums of terms that cancel, and of zero terms.
func (c *suite) nothing(t *testing.T) {
	p, q := c.HashToPoint([]byte("p")), c.HashToPoint([]byte("q"))
	ps := []group.Point{p, c.SubPoints(group.Point{}, p), q, {}}
	table := c.NewTable(ps, 1)
	a, b := c.random().s, c.random().s
	something := c.AddPoints(group.MulPoint(c, p, a), group.MulPoint(c, q, b))
	for _, index := range [][]int32{{0, 1}, {3, 3}} {
		for _, n := range []int{2, 3, 20, 60} {
			for zero := 0; zero < n; zero += max(1, n/3) {
				rows, terms, dst := make([]group.Row, n), make([]group.Terms, n), make([]group.Point, n)
				for i := range rows {
					at, ss := []int32{0, 2}, []group.Scalar{a, b}
					if i == zero {
						at, ss = index, []group.Scalar{a, a}
					}
					rows[i] = group.Row{Index: at, Scalars: ss}
					terms[i] = group.Terms{Points: []group.Point{ps[at[0]], ps[at[1]]}, Scalars: ss}
				}
				for _, compute := range []func(){
					func() { c.FixedMSM(dst, table, rows) }, func() { c.MSMs(dst, terms) },
				} {
					compute()
					for i := range dst {
						want := something
						if i == zero {
							want = group.Point{}
						}
						require.True(t, c.Equal(want, dst[i]), "sum %d of %d", i, n)
					}
				}
			}
		}
	}
}

// ragged mixes rows of all shapes in one call, more than fit into one batch.
func (c *suite) ragged(t *testing.T) {
	ps, logs := c.points(30)
	table := c.NewTable(ps, 1)
	for _, count := range []int{1, 2, 3, 65, 150} {
		rows, want := make([]group.Row, count), make([]*big.Int, count)
		for k := range rows {
			n := []int{1, 0, 3, 1, 17, 1}[c.rand.IntN(6)]
			ss := c.some(n)
			rows[k] = group.Row{Scalars: scalars(ss)}
			if k%2 == 0 {
				rows[k].First = c.rand.IntN(len(ps) - n)
				want[k] = inner(logs[rows[k].First:rows[k].First+n], ss)
				continue
			}
			rows[k].Index = make([]int32, n)
			want[k] = new(big.Int)
			for i := range n {
				at := c.rand.IntN(len(ps)) // the same index can occur twice
				rows[k].Index[i] = int32(at)
				want[k].Add(want[k], new(big.Int).Mul(logs[at], ss[i].v))
			}
		}
		dst := slices.Repeat([]group.Point{c.Generator()}, count) // all are replaced, those of empty rows too
		c.FixedMSM(dst, table, rows)
		for k := range dst {
			c.is(t, want[k], dst[k], "row %d of %d", k, count)
		}
	}
}

func (c *suite) bitTables(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 16, 33, 64} {
		one, oneLogs := c.points(n)
		zero, zeroLogs := c.points(n)
		if n == 16 { // choices that cancel, and zero choices
			for i := range zero {
				zero[i], zeroLogs[i] = c.SubPoints(group.Point{}, one[i]), new(big.Int).Neg(oneLogs[i])
			}
			clear(one[:4])
			copy(oneLogs, []*big.Int{{}, {}, {}, {}})
		}
		table := c.NewBitTable(one, zero)
		require.Equal(t, n, table.Len())
		for _, v := range []uint64{0, 1, ^uint64(0), 0x8000000000000001, c.rand.Uint64(), c.rand.Uint64()} {
			want := new(big.Int)
			for i := range n {
				chosen := zeroLogs[i]
				if v>>i&1 == 1 {
					chosen = oneLogs[i]
				}
				want.Add(want, chosen)
			}
			c.is(t, want, c.SumBits(table, v), "%d bits of %x", n, v)
		}
	}
}

// exceptions puts equal points, opposite points and the identity into every
// place of short sums, where a shared inversion would fail.
func (c *suite) exceptions(t *testing.T) {
	p := c.HashToPoint([]byte("p"))
	minus := c.SubPoints(group.Point{}, p)
	one := c.Uint64(1)
	for _, n := range []int{2, 3, 4, 5, 8, 9, 16, 17, 33} {
		all := make([]group.Point, n)
		ones := make([]group.Scalar, n)
		for i := range all {
			all[i], ones[i] = p, one
		}
		c.agree(t, all, ones) // P + P everywhere
		for i := range all {
			if i%2 == 1 {
				all[i] = minus
			}
		}
		c.agree(t, all, ones) // P - P everywhere
		for i := range all {
			all[i] = c.HashToPoint([]byte{byte(i)})
		}
		for i := range all {
			was := all[i]
			for _, odd := range []group.Point{{}, all[(i+n/2)%n], c.SubPoints(group.Point{}, all[(i+n/2)%n])} {
				all[i] = odd
				c.agree(t, all, ones)
			}
			all[i] = was
		}
	}
}

// agree checks that all methods to compute Σ sᵢ·Pᵢ give the result of adding
// one by one.
func (c *suite) agree(t *testing.T, ps []group.Point, ss []group.Scalar) {
	t.Helper()
	var want group.Point
	for i := range ps {
		want = c.AddPoints(want, group.MulPoint(c, ps[i], ss[i]))
	}
	require.True(t, c.Equal(want, group.Sum(c, ps)), "Sum")
	require.True(t, c.Equal(want, group.MSM(c, ps, ss)), "MSM")
	if len(ps)%8 == 0 {
		require.True(t, c.Equal(want, group.FixedSum(c, c.NewTable(ps, 1), 0, ss...)), "FixedSum")
	}
}

// concurrency computes the same sums concurrently over one table.
func (c *suite) concurrency(t *testing.T) {
	ps, logs := c.points(20)
	table, bits := c.NewTable(ps, 1), c.NewBitTable(ps, make([]group.Point, len(ps)))
	ss := c.some(len(ps))
	want, wantBits := c.point(inner(logs, ss)), group.Sum(c, ps)
	parallel(func(int) {
		for range 20 {
			fixed, msm := group.FixedSum(c, table, 0, scalars(ss)...), group.MSM(c, ps, scalars(ss))
			if !c.Equal(fixed, want) || !c.Equal(msm, want) || !c.Equal(c.SumBits(bits, ^uint64(0)), wantBits) {
				t.Error("a different sum in another goroutine")
			}
		}
	})
}
