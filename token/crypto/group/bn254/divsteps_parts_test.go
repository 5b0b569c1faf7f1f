package bn254

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/stretchr/testify/require"
)

// value returns the integer in the first n limbs.
func (x *signedLimbs) value(n int) *big.Int {
	v := new(big.Int)
	for i := n - 1; i >= 0; i-- {
		v.Lsh(v, jumpBits).Add(v, big.NewInt(x[i]))
	}
	return v
}

// edgeWord returns a small number, one near a power of 2, or a random one.
func edgeWord(rnd *rand.Rand) uint64 {
	switch rnd.IntN(4) {
	case 0:
		return uint64(rnd.IntN(5))
	case 1:
		return 1<<rnd.IntN(64) + uint64(rnd.IntN(5)) - 2
	}
	return rnd.Uint64()
}

// limbsForTest returns an integer of either sign in n limbs.
func limbsForTest(rnd *rand.Rand, n int) (x signedLimbs) {
	for i := range n {
		x[i] = int64(edgeWord(rnd) & jumpMask)
	}
	x[n-1] = int64(edgeWord(rnd)) >> 2
	return x
}

// rowForTest returns a row with absolute values that add up to 2^jumpBits at most.
func rowForTest(rnd *rand.Rand) jumpRow {
	r := jumpRow{int64(edgeWord(rnd)) >> 3, int64(edgeWord(rnd)) >> 3}
	if rnd.IntN(8) == 0 {
		r = jumpRow{1 << jumpBits, 0}
	}
	return r
}

// TestRowsOfJumps: z = ⌊(a·x + b·y)/2^jumpBits⌋, of exact divisions and others, for each
// number of limbs. The limbs that are not computed stay.
func TestRowsOfJumps(t *testing.T) {
	rnd := rand.New(rand.NewPCG(31, 32))
	check := func(r jumpRow, x, y signedLimbs, n int) {
		want := new(big.Int).Mul(big.NewInt(r.a), x.value(n))
		want.Add(want, new(big.Int).Mul(big.NewInt(r.b), y.value(n)))
		want.Rsh(want, jumpBits)
		const guard = 0x5eed
		var z signedLimbs
		for i := range z {
			z[i] = guard
		}
		r.apply(&z, &x, &y, n)
		require.Zero(t, want.Cmp(z.value(n)), "%v in %d limbs", r, n)
		for i := range n - 1 {
			require.Zero(t, z[i]&^jumpMask)
		}
		for i := n; i < jumpLimbs; i++ {
			require.EqualValues(t, guard, z[i])
		}
	}
	for n := 2; n <= jumpLimbs; n++ {
		for range 2000 {
			check(rowForTest(rnd), limbsForTest(rnd, n), limbsForTest(rnd, n), n)
		}
		for _, r := range []jumpRow{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}} {
			for x := int64(-2); x <= 2; x++ {
				var small signedLimbs
				small[0] = x & jumpMask
				for i := 1; i < n; i++ {
					small[i] = x >> jumpBits & jumpMask
				}
				small[n-1] = x >> jumpBits
				check(r, small, small, n)
				check(r, small, signedLimbs{}, n)
			}
		}
	}
}

// TestRowsOfJumpsModP: 2^jumpBits·z = a·x + b·y + k·p with |k| ≤ 2^(jumpBits-1).
func TestRowsOfJumpsModP(t *testing.T) {
	rnd := rand.New(rand.NewPCG(33, 34))
	p := fp.Modulus()
	most := new(big.Int).Lsh(p, jumpBits-1)
	for range 2000 {
		r := rowForTest(rnd)
		a, b := elementOfWords(limbsValue(rnd)), elementOfWords(limbsValue(rnd))
		x, y := limbsOf((*[fp.Limbs]uint64)(&a)), limbsOf((*[fp.Limbs]uint64)(&b))
		if rnd.IntN(2) == 0 {
			x = x.times(-1, 0)
		}
		var z signedLimbs
		r.applyModP(&z, &x, &y)
		sum := new(big.Int).Mul(big.NewInt(r.a), x.value(jumpLimbs))
		sum.Add(sum, new(big.Int).Mul(big.NewInt(r.b), y.value(jumpLimbs)))
		added := new(big.Int).Lsh(z.value(jumpLimbs), jumpBits)
		added.Sub(added, sum)
		require.LessOrEqual(t, added.CmpAbs(most), 0)
		require.Zero(t, added.Mod(added, p).Sign())
		for i := range jumpLimbs - 1 {
			require.Zero(t, z[i]&^jumpMask)
		}
	}
}

// limbsValue returns a positive number of full length.
func limbsValue(rnd *rand.Rand) *big.Int {
	v := new(big.Int)
	for range fp.Limbs {
		v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(edgeWord(rnd)))
	}
	return v
}

// TestJumps: the matrix of a jump maps f and g to their values after jumpBits steps, one by one
// as they are defined.
func TestJumps(t *testing.T) {
	rnd := rand.New(rand.NewPCG(35, 36))
	one := big.NewInt(1)
	for i := range 3000 {
		start := i%70 - 34
		f, g := limbsValue(rnd), limbsValue(rnd)
		f.SetBit(f, 0, 1)
		if i%5 == 0 {
			g.SetUint64(edgeWord(rnd))
		}
		low := new(big.Int).Lsh(one, 64)
		delta, m := jumpOf(start, new(big.Int).Mod(f, low).Uint64(), new(big.Int).Mod(g, low).Uint64())
		wantDelta, wantF, wantG := start, new(big.Int).Set(f), new(big.Int).Set(g)
		for range jumpBits {
			switch {
			case wantG.Bit(0) == 1 && wantDelta > 0:
				wantDelta = 1 - wantDelta
				wantF, wantG = wantG, new(big.Int).Sub(wantG, wantF)
			case wantG.Bit(0) == 1:
				wantDelta++
				wantG = new(big.Int).Add(wantG, wantF)
			default:
				wantDelta++
			}
			wantG.Rsh(wantG, 1)
		}
		require.Equal(t, wantDelta, delta)
		for k, want := range []*big.Int{wantF, wantG} {
			got := new(big.Int).Mul(big.NewInt(m[k].a), f)
			got.Add(got, new(big.Int).Mul(big.NewInt(m[k].b), g))
			require.Zero(t, got.Cmp(new(big.Int).Lsh(want, jumpBits)), "row %d from δ = %d", k, start)
		}
	}
}

// TestShorten: a limb is dropped if both numbers need it for their signs only, and never
// below two.
func TestShorten(t *testing.T) {
	tops := []int64{0, -1, 1, -2, 2, 1 << 61, -1 << 62, 1<<63 - 1}
	for n := 2; n <= jumpLimbs; n++ {
		for _, topF := range tops {
			for _, topG := range tops {
				f, g := signedLimbs{5, 6, 7}, signedLimbs{8, 9, 10}
				f[n-1], g[n-1] = topF, topG
				wantF, wantG, want := f.value(n), g.value(n), n
				if n > 2 && topF>>1 == topF && topG>>1 == topG {
					want = n - 1
				}
				require.Equal(t, want, shorten(&f, &g, n))
				require.Zero(t, wantF.Cmp(f.value(want)))
				require.Zero(t, wantG.Cmp(g.value(want)))
			}
		}
	}
}

// TestWords compares the cutting of integers into limbs, and products of limbs, with
// math/big.
func TestWords(t *testing.T) {
	rnd := rand.New(rand.NewPCG(37, 38))
	word := new(big.Int).SetUint64(^uint64(0))
	for range 200 {
		v := limbsValue(rnd)
		var words [fp.Limbs]uint64
		setLimbs(words[:], v)
		for bit := range uint(64 * fp.Limbs) {
			want := new(big.Int).Rsh(v, bit)
			require.Equal(t, want.And(want, word).Uint64(), wordAt(&words, bit), "bit %d", bit)
		}
		x := limbsOf(&words)
		require.Zero(t, v.Cmp(x.value(jumpLimbs)))
		for i := range x {
			require.Zero(t, x[i]&^jumpMask)
		}
		a, b := int64(edgeWord(rnd)), int64(edgeWord(rnd))
		hi, lo := edgeWord(rnd)>>2, edgeWord(rnd)
		sum := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		sum.Add(sum, new(big.Int).SetUint64(lo)).Add(sum, new(big.Int).Lsh(new(big.Int).SetUint64(hi), 64))
		hi, lo = addProduct(hi, lo, a, b)
		signed := func(hi, lo uint64) *big.Int {
			v := new(big.Int).Lsh(big.NewInt(int64(hi)), 64)
			return v.Add(v, new(big.Int).SetUint64(lo))
		}
		if sum.BitLen() < 127 {
			require.Zero(t, sum.Cmp(signed(hi, lo)))
			hi, lo = shiftLimb(hi, lo)
			require.Zero(t, new(big.Int).Rsh(sum, jumpBits).Cmp(signed(hi, lo)))
		}
		odd := edgeWord(rnd) | 1
		require.EqualValues(t, 1, odd*inverseOfOdd(odd))
	}
	for i := range jumpLimbs {
		var x signedLimbs
		require.True(t, isZero(x[:]))
		x[i] = -1 << i
		require.False(t, isZero(x[:]))
		require.True(t, isZero(x[:i]))
	}
}
