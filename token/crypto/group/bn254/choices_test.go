package bn254

import (
	"math/big"
	"math/bits"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// TestHeightsOfChains: a power of 2 with two terms in each chain at least, as small as
// gives chainsWanted chains in all, if so many terms are there.
func TestHeightsOfChains(t *testing.T) {
	for rows := 1; rows <= chainsWanted+1; rows++ {
		for terms := 1; terms <= 4*chainsWanted+1; terms++ {
			h := chainHeight(rows, terms)
			require.Equal(t, 1, bits.OnesCount(uint(h)))
			require.True(t, h == 1 || 2*h <= terms && h/2*rows < chainsWanted, "%d rows of %d terms: %d", rows, terms, h)
			require.True(t, h*rows >= chainsWanted || 4*h > terms, "%d rows of %d terms: %d", rows, terms, h)
		}
	}
}

// TestWidthsOfBuckets: the width with the least cost, where a term costs one addition and
// a bucket three, and widths beyond 13 are never the best.
func TestWidthsOfBuckets(t *testing.T) {
	widths := map[int]bool{}
	for step := 1; step < 2_000_000; step += 1 + step/40 {
		n, best, least := step, 0, 0.0
		for width := 3; width <= 14; width++ {
			windows := 0
			for bit := 0; bit <= halfBits; bit += width { // with a bit for the carry
				windows++
			}
			cost := float64(windows) * (float64(n) + 3*float64(int(1)<<(width-1)))
			if best == 0 || cost < least {
				best, least = width, cost
			}
		}
		require.Equal(t, best, bucketWidth(n), "%d terms", n)
		widths[best] = true
	}
	require.True(t, widths[3] && widths[13])
	for width, digits := range map[int]int{3: 43, 4: 33, 8: 17, 11: 12, 14: 10} {
		require.Equal(t, digits, digitsOf(width))
	}
}

// TestLengthsOfPieces: no other length takes less time by the steps of the longest chain in
// each block of lanes, or the additions in batches, and joinCost for each piece; the shortest one of equals is taken.
// There are no pieces below chainsFrom additions.
func TestLengthsOfPieces(t *testing.T) {
	for _, count := range []int{minWindows, 20, maxWindows} {
		table := &table{windows: windowsOf(count)}
		for _, lengths := range [][]int{
			{0}, {1}, {2}, {1, 1}, {3}, {7}, {20}, {60}, {156}, {157}, {158}, {1, 2, 3, 4}, {30, 1, 1, 9}, {5, 5, 5, 5, 5, 5, 5},
			repeated(1, 100), repeated(1, 143), repeated(1, 144), repeated(1, 145), repeated(1, 157), repeated(2, 78), {100, 57}, {100, 58},
		} {
			rows, total, longest := make([]group.Row, len(lengths)), 0, 0
			for r, n := range lengths {
				rows[r].Scalars = make([]group.Scalar, n)
				total, longest = total+n, max(longest, n)
			}
			wantLength, wantPieces, least := 0, 0, 0
			if 2*total*count >= chainsFrom {
				for n := 1; n <= longest; n++ {
					pieces := 0
					for _, own := range lengths {
						for at := 0; at < own; at += n {
							pieces++
						}
					}
					sums := 2 * pieces
					if sums > chainsAhead {
						continue
					}
					height, chains, blocks := chainHeight(sums, n*count), 0, 0
					for steps := 0; steps < n*count; steps += height {
						chains++
					}
					for at := 0; at < sums*height; at += lanes {
						blocks++
					}
					adds := chains * blocks * lanes
					if n*count >= batchesFrom*(batchLen/sums) {
						adds = sums * n * count
					}
					if cost := adds + joinCost*pieces; least == 0 || cost < least {
						wantLength, wantPieces, least = n, pieces, cost
					}
				}
			}
			length, pieces := fixedSums{t: table, rows: rows}.pieceLength()
			require.Equal(t, [2]int{wantLength, wantPieces}, [2]int{length, pieces}, "%v, %d windows", lengths, count)
		}
	}
}

func repeated(n, count int) (lengths []int) {
	for range count {
		lengths = append(lengths, n)
	}
	return lengths
}

// TestWindowsOfTables: windows follow each other and cover a half, the wider ones first, and
// a table takes the fewest that its memory holds.
func TestWindowsOfTables(t *testing.T) {
	for count := 5; count <= halfBits; count++ {
		bit, multiples, last := uint32(0), 0, uint32(halfBits)
		for _, w := range windowsOf(count) {
			require.Equal(t, window{
				bit: bit, width: w.width, word: bit / 32, right: bit % 32, left: 32 - bit%32, up: 32 - w.width, mask: 1<<w.width - 1,
			}, w)
			require.LessOrEqual(t, w.width, last)
			require.Contains(t, []int{halfBits / count, (halfBits + count - 1) / count}, int(w.width))
			bit, last, multiples = bit+w.width, w.width, multiples+1<<w.width/2
		}
		require.EqualValues(t, halfBits, bit)
		require.Equal(t, multiples, multiplesOf(windowsOf(count)))
	}
	for _, n := range []int{1, 7} {
		require.Len(t, windowsFor(n, 0), maxWindows)
		for count := minWindows; count < maxWindows; count++ {
			need := n * multiplesOf(windowsOf(count)) * pointBytes
			require.Len(t, windowsFor(n, need), count)
			require.Len(t, windowsFor(n, need-1), count+1)
		}
		require.Len(t, windowsFor(n, 1<<60), minWindows)
	}
}

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
		for _, k := range []uint64{1, 2, 3, 4, 5, 7, 8, 9, 11, 33, 1<<32 + 1, 1<<63 + 5, 1<<64 - 1, effectiveCofactor, effectiveCofactor + 1, effectiveCofactor + 2} {
			product := times(&ps[i], k)
			require.Equal(t, multiple(ps[i], new(big.Int).SetUint64(k)), affineOf(&product), "%d times point %d", k, i)
		}
		g, p := newForTest(), curvePoint(&ps[i])
		cleared := times(&ps[i], effectiveCofactor)
		require.Equal(t, cleared.Z.IsZero(), g.IsTorsion(p))
	}
	require.True(t, newForTest().IsTorsion(group.CurvePoint{}))
}

// TestBitTables: of each length there are as many bytes as needed, and all values of a byte
// choose as its bits do, with bits beyond the last one ignored.
func TestBitTables(t *testing.T) {
	g := newForTest()
	one, zero := g.pointsForTest(24)[:17], g.pointsForTest(24)[7:]
	for _, n := range []int{0, 1, 7, 8, 9, 16, 17} {
		table := g.NewBitTable(one[:n], zero[:n])
		require.Equal(t, n, table.Len())
		require.Equal(t, (n+7)/8*256*pointBytes, table.Bytes())
		for v := uint64(0); v < 1<<17; v = 3*v + 1 {
			var want group.Point
			for i := range n {
				if v>>i&1 == 1 {
					want = g.AddPoints(want, one[i])
				} else {
					want = g.AddPoints(want, zero[i])
				}
			}
			require.True(t, g.Equal(want, g.SumBits(table, v)), "%b of %d", v, n)
		}
	}
}

// TestDigitTables: multiples 1 to 16, and minus the sum of the points before.
func TestDigitTables(t *testing.T) {
	g := newForTest()
	ps := g.pointsForTest(24)
	made := g.NewDigitTable(ps).(*digitTable)
	require.Equal(t, 24, made.Len())
	require.Equal(t, (24*group.DigitBase+25)*pointBytes, made.Bytes())
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

	// Rows of any lengths, in pieces and without.
	for _, lengths := range [][]int{{}, {0}, {1}, {8}, {24, 24}, {8, 16, 24}, {8, 16, 23}, {0, 24, 24, 24, 3, 24, 0}, {16, 0, 16, 24}} {
		rows, got, want := make([][]uint8, len(lengths)), make([]group.Point, len(lengths)), make([]group.Point, len(lengths))
		for k, n := range lengths {
			got[k] = ps[(3*k+1)%len(ps)]
			want[k] = got[k]
			for i := range n {
				d := uint8((5*k + 7*i) % group.DigitBase)
				rows[k] = append(rows[k], d)
				want[k] = g.AddPoints(want[k], group.MulPoint(g, ps[i], g.Uint64(uint64(d))))
			}
		}
		g.AddDigits(got, made, rows)
		require.Equal(t, want, got, "%v", lengths)
	}
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

// TestTorsionOfCoordinates: a point and its encoding have the same coordinates.
func TestTorsionOfCoordinates(t *testing.T) {
	g := newForTest()
	for _, a := range onTheCurve(t) {
		b := group.AppendCurvePoint(g, nil, curvePoint(&a))
		require.Len(t, b, 2*fp.Bytes)
		p, err := g.DecodeCurvePoint(b)
		require.NoError(t, err)
		require.Equal(t, a, onAffine(&p))
	}
}
