package lead254_test

import (
	"crypto/rand"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/lead254"
	"github.com/zkatbench/zkatbench/token/crypto/group/mathlib"
)

func pair(t testing.TB) (n, m group.Group) {
	m, err := mathlib.New(1)
	require.NoError(t, err)
	return lead254.New(), m
}

func TestDifferential(t *testing.T) {
	n, m := pair(t)
	edge := []group.Scalar{{}, n.Uint64(1), n.Uint64(2), n.Neg(n.Uint64(1)), n.Neg(n.Uint64(2))}
	draw := func(k int) (ns, ms []group.Scalar) {
		ns = make([]group.Scalar, k)
		require.NoError(t, group.Sample(n, rand.Reader, ns))
		for i := range ns {
			if i < len(edge) && k > 3 {
				ns[i] = edge[i]
			}
			s, err := m.DecodeScalar(n.AppendScalar(nil, ns[i]))
			require.NoError(t, err)
			ms = append(ms, s)
		}
		return
	}
	for _, k := range []int{1, 2, 3, 4, 5, 6, 7, 13, 28, 34, 96, 97, 200, 300} {
		var np, mp []group.Point
		for i := range k {
			msg := []byte(fmt.Sprint(i % 50))
			np, mp = append(np, n.HashToPoint(msg)), append(mp, m.HashToPoint(msg))
			if i == 9 {
				np[i], mp[i] = group.Point{}, group.Point{}
			}
			if i == 11 {
				np[i], mp[i] = n.SubPoints(group.Point{}, np[10]), m.SubPoints(group.Point{}, mp[10])
			}
		}
		ns, ms := draw(k)
		if k > 12 {
			ns[11], ms[11] = ns[10], ms[10]
		}
		same := func(what string, a, b group.Point) {
			t.Helper()
			require.Equal(t, m.AppendPoint(nil, b), n.AppendPoint(nil, a), "%s %d", what, k)
		}
		same("msm", n.MSM(np, ns), m.MSM(mp, ms))
		same("sum", n.Sum(np), m.Sum(mp))
		same("pow2", n.SumPow2(np), m.SumPow2(mp))
		for _, budget := range []int{1, 1 << 20, 0} {
			nt, mt := n.NewTable(np, budget), m.NewTable(mp, budget)
			var nr, mr []group.Row
			nr, mr = append(nr, group.Row{Scalars: ns}), append(mr, group.Row{Scalars: ms})
			nr, mr = append(nr, group.Row{Scalars: ns}), append(mr, group.Row{Scalars: ms})
			for i := range k {
				nr, mr = append(nr, group.Row{First: i, Scalars: ns[i : i+1]}), append(mr, group.Row{First: i, Scalars: ms[i : i+1]})
			}
			nd, md := make([]group.Point, len(nr)), make([]group.Point, len(mr))
			n.FixedMSM(nd, nt, nr)
			m.FixedMSM(md, mt, mr)
			for i := range nd {
				same(fmt.Sprint("fixed ", budget, i), nd[i], md[i])
			}
		}
	}
	for range 200 {
		var b [64]byte
		rand.Read(b[:])
		for _, l := range []int{0, 1, 31, 32, 33, 48, 64} {
			require.Equal(t, m.AppendScalar(nil, m.Reduce(b[:l])), n.AppendScalar(nil, n.Reduce(b[:l])))
		}
	}
	ff := make([]byte, 64)
	for i := range ff {
		ff[i] = 0xff
	}
	require.Equal(t, m.AppendScalar(nil, m.Reduce(ff)), n.AppendScalar(nil, n.Reduce(ff)))
}

func BenchmarkPrimitives(b *testing.B) {
	n, _ := pair(b)
	ss := make([]group.Scalar, 400)
	group.Sample(n, rand.Reader, ss)
	ps := make([]group.Point, 400)
	for i := range ps {
		ps[i] = n.MulPoint(n.Generator(), ss[i])
	}
	b.Run("mul", func(b *testing.B) {
		for b.Loop() {
			n.MulPoint(ps[0], ss[0])
		}
	})
	for _, k := range []int{2, 14, 28, 34, 96, 384} {
		b.Run(fmt.Sprintf("msm/n=%d", k), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				n.MSM(ps[:k], ss[:k])
			}
		})
	}
	for _, mb := range []int{1, 10, 40} {
		t := n.NewTable(ps[:135], mb<<20)
		for _, sh := range [][2]int{{1, 1}, {1, 3}, {5, 2}, {1, 65}, {2, 65}, {1, 129}, {64, 1}, {32, 1}} {
			rows := make([]group.Row, sh[0])
			for i := range rows {
				rows[i] = group.Row{First: i % 64, Scalars: ss[i : i+sh[1]]}
			}
			dst := make([]group.Point, sh[0])
			b.Run(fmt.Sprintf("fixed/mb=%d/rows=%d/terms=%d", mb, sh[0], sh[1]), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					n.FixedMSM(dst, t, rows)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*sh[0]*sh[1]), "ns/term")
			})
		}
	}
	b.Run("table", func(b *testing.B) {
		for b.Loop() {
			n.NewTable(ps[:135], 40<<20)
		}
	})
}
