package bn254

import (
	"math/big"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TestEntriesOfTables compares all multiples with the values of their places, of
// points with and without the identity among them.
func TestEntriesOfTables(t *testing.T) {
	g := newForTest()
	for _, identity := range []int{-1, 0, 2} {
		ps := g.pointsForTest(3)
		if identity >= 0 {
			ps[identity] = group.Point{}
		}
		made := g.NewTable(ps, 1).(*table)
		require.Equal(t, len(ps), made.Len())
		require.Len(t, made.windows, maxWindows)
		require.Equal(t, len(ps)*multiplesOf(made.windows)*pointBytes, made.Bytes())
		require.Equal(t, identity >= 0, made.identity != nil)
		for i := range ps {
			require.Equal(t, ps[i], made.Point(i))
			base := affine(&ps[i])
			if i == identity {
				require.True(t, made.identity[i])
				generator := g.Generator()
				base = affine(&generator)
			} else if made.identity != nil {
				require.False(t, made.identity[i])
			}
			for _, w := range made.windows {
				twice := *new(curve.G1Affine).Double(&base)
				odd := base
				for m := range 1 << (w.width - 1) {
					require.Equal(t, odd, made.entries[int(w.first)/2+i<<(w.width-1)+m])
					odd.Add(&odd, &twice)
				}
				for range w.width {
					base.Double(&base)
				}
			}
		}
	}
	require.Len(t, g.NewTable(g.pointsForTest(1), 0).(*table).windows, minWindows)
}

// TestProductsBySmallNumbers compares with doubling and adding, for numbers around powers
// of two, on the whole curve.
func TestProductsBySmallNumbers(t *testing.T) {
	ps := append(hashed(2), onTheCurve(t)...)
	for i := range ps {
		for _, k := range []uint64{1, 2, 3, 4, 5, 7, 8, 9, 11, 33, 1<<32 + 1, 1<<63 + 5, 1<<64 - 1,
			effectiveCofactor, effectiveCofactor + 1, effectiveCofactor + 2} {
			product := times(&ps[i], k)
			require.Equal(t, multiple(ps[i], new(big.Int).SetUint64(k)), affineOf(&product),
				"%d times point %d", k, i)
		}
		g, p := newForTest(), curvePoint(&ps[i])
		cleared := times(&ps[i], effectiveCofactor)
		require.Equal(t, cleared.Z.IsZero(), g.IsTorsion(p))
	}
	require.True(t, newForTest().IsTorsion(group.CurvePoint{}))
}

// TestDigitTables: multiples 1 to 16, and minus the sum of the points before.
func TestDigitTables(t *testing.T) {
	g := newForTest()
	ps := g.pointsForTest(24)
	made := g.NewDigitTable(ps).(*digitTable)
	require.Equal(t, 24, made.Len())
	require.Equal(t, (24*group.DigitBase+25)*pointBytes, made.Bytes())
	require.Equal(t, 3*256*pointBytes, g.NewBitTable(ps[:17], ps[:17]).Bytes(), "one table for eight bits")
	var offset group.Point
	for i := range ps {
		require.Equal(t, offset, point(&made.offsets[i]))
		offset = g.SubPoints(offset, ps[i])
		for d := range uint64(group.DigitBase) {
			require.Equal(t, group.MulPoint(g, ps[i], g.Uint64(d+1)), point(&made.multiples[i][d]))
			require.Equal(t, made.multiples[i][d], selectPoint(&made.multiples[i], uint8(d)))
		}
	}
	require.Equal(t, offset, point(&made.offsets[24]))

	ws := g.take()
	defer ws.put()
	for _, p := range ps {
		ws.bases = append(ws.bases, affine(&p))
	}
	if sums := ws.sumDigits(); sums != nil {
		require.Fail(t, "24 points take too few additions for chains")
	}
	for i := range 3 * len(ps) {
		p := ps[i%len(ps)]
		p = group.MulPoint(g, p, g.Uint64(uint64(i+2)))
		ws.bases = append(ws.bases, affine(&p))
	}
	if _, ok := ws.acc.points.(chained); ok {
		sums := ws.sumDigits()
		require.Len(t, sums, len(ws.bases)/digitsPiece)
		for k, sum := range sums {
			var want curve.G1Jac
			addAll(&want, ws.bases[k*digitsPiece:(k+1)*digitsPiece])
			require.Equal(t, affineOf(&want), sum)
		}
	} else {
		require.Nil(t, ws.sumDigits())
	}
}
