//go:build !purego

//lint:file-ignore SA1019 Multiples and keys of the tests are computed from coordinates.

package ecdsap256

import (
	"math/big"
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/secp256r1/fp"
	"github.com/consensys/gnark-crypto/ecc/secp256r1/fr"
	"github.com/stretchr/testify/require"
)

// intOf returns the integer in words.
func intOf(words []uint64) *big.Int {
	v := new(big.Int)
	for _, w := range slices.Backward(words) {
		v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(w))
	}
	return v
}

// shortened returns the low bits of a number, of any length.
func (g source) shortened() *big.Int { return new(big.Int).Rsh(g.number(), uint(g.IntN(257))) }

// TestSignedDigits: the references represent odd digits that add up to a number or, if it
// is even, to n minus it, with the opposite sign.
func TestSignedDigits(t *testing.T) {
	g := newSource(23)
	value := func(s signed, width, windows int) *big.Int {
		sum := new(big.Int)
		for i := windows - 1; i >= 0; i-- {
			ref := s.ref(i, width)
			require.Less(t, ref, uint32(1)<<width)
			digit := int64(2*(ref>>1) + 1)
			if ref&1 == 1 {
				digit = -digit
			}
			sum.Lsh(sum, uint(width)).Add(sum, big.NewInt(digit))
		}
		return sum
	}
	numbers := []*big.Int{
		new(big.Int), big.NewInt(1), big.NewInt(2),
		new(big.Int).Sub(n, big.NewInt(1)), new(big.Int).Sub(n, big.NewInt(2)),
	}
	for range 300 {
		numbers = append(numbers, g.number(), new(big.Int).Mod(g.shortened(), n))
	}
	for _, u := range numbers {
		var e fr.Element
		e.SetBigInt(u)
		for _, width := range []int{keyWidth, baseWidth} {
			sum := value(signedOf(&e), width, 256/width)
			require.LessOrEqual(t, sum.CmpAbs(n), 0)
			require.EqualValues(t, 1, sum.Bit(0))
			require.Zero(t, sum.Mod(sum, n).Cmp(u), "%x", u)
		}
		odd := new(big.Int).Rsh(u, 256-halfBits+1)
		odd.SetBit(odd, 0, 1)
		require.Zero(t, value(signedOdd(wordsOf(odd), halfBits), keyWidth, halfWindows).Cmp(odd))
	}
}

// TestElementsInLanes: every lane of two blocks has another number, which is read, and
// inverted with zeros among them.
func TestElementsInLanes(t *testing.T) {
	g := newSource(24)
	r := new(big.Int).Lsh(big.NewInt(1), limbs*limbBits)
	for n, want := range map[int]int{0: 0, 1: 8, 8: 8, 9: 16, places: places} {
		require.Equal(t, want, roundUp(n))
	}
	for zeros := range 5 {
		p, vs := make([]uint64, chains*blockWords), make([]*big.Int, chains*lanes)
		for i := range vs {
			if vs[i] = new(big.Int).Mod(g.number(), field); zeros > 0 && i%5 == zeros-1 {
				vs[i].SetUint64(0)
			}
			var e fp.Element
			w := wordsOf(vs[i])
			copy(e[:], w[:])
			for l := range limbs {
				want := new(big.Int).Rsh(vs[i], uint(l*limbBits))
				require.Equal(t, want.Mod(want, new(big.Int).Lsh(big.NewInt(1), limbBits)).Uint64(),
					limbOf(&e, l))
				p[i/lanes*blockWords+l*lanes+i%lanes] = limbOf(&e, l) | uint64(i)<<(limbBits+1)
			}
		}
		for i := range vs {
			e := fromLane(p[i/lanes*blockWords:], i%lanes)
			require.Zero(t, intOf(e[:]).Cmp(vs[i]), "lane %d", i)
		}
		new(scratch).invert(p)
		for i := range vs {
			e := fromLane(p[i/lanes*blockWords:], i%lanes)
			want := new(big.Int) // v·2²⁶⁰ has the inverse 1/v·2²⁶⁰
			if vs[i].Sign() > 0 {
				want.ModInverse(vs[i], field)
				want.Mul(want, r).Mul(want, r).Mod(want, field)
			}
			require.Zero(t, intOf(e[:]).Cmp(want), "lane %d", i)
		}
	}
}

// TestTablesOfKeys compares entries of a table with crypto/elliptic.
func TestTablesOfKeys(t *testing.T) {
	needLanes(t)
	g := newSource(25)
	k := g.key()
	var x, y fp.Element
	x.SetBigInt(k.X)
	y.SetBigInt(k.Y)
	require.Len(t, baseTable(), baseWindows*baseEntries)
	for name, c := range map[string]struct {
		table   []entry
		x, y    *big.Int
		width   int
		windows []int
	}{
		"key": {new(scratch).table(entryOf(&x, &y), keyWidth), k.X, k.Y, keyWidth,
			[]int{0, 1, 7, 62, 63}},
		"generator": {baseTable(), p256.Params().Gx, p256.Params().Gy, baseWidth, []int{0, 1, 30, 31}},
	} {
		size := 1 << (c.width - 1)
		require.Len(t, c.table, 256/c.width*size)
		for _, w := range c.windows {
			for _, j := range []int{0, 1, 2, 6, size - 1} {
				by := new(big.Int).Lsh(big.NewInt(int64(2*j+1)), uint(c.width*w))
				wx, wy := p256.ScalarMult(c.x, c.y, by.Mod(by, n).Bytes())
				x.SetBigInt(wx)
				y.SetBigInt(wy)
				require.Equal(t, entryOf(&x, &y), c.table[w*size+j], "%s: window %d, multiple %d", name, w,
					2*j+1)
			}
		}
	}
}

// TestOneOfAListIsLeft: a signature that the lanes do not decide, in any place of a list of
// up to half of them, does not keep them from deciding the others.
func TestOneOfAListIsLeft(t *testing.T) {
	needLanes(t)
	g := newSource(26)
	left := wrapped(t, g)
	for length := 1; length <= lanes/2; length++ {
		for place := range length {
			list, want := make([]Signature, length), make([]bool, length)
			for i := range list {
				if want[i] = i != place; want[i] {
					list[i] = g.signature(g.key())
				}
			}
			list[place] = left
			verdicts := make([]bool, length)
			require.Equal(t, want, newKeys(0).inLanes(list, verdicts), "place %d of %d", place, length)
			require.Equal(t, want, verdicts)
		}
	}
}

// TestKeysOfOneSignature: a key not expected again is not counted.
func TestKeysOfOneSignature(t *testing.T) {
	needLanes(t)
	g := newSource(27)
	once, again := g.signature(g.key()), g.signature(g.key())
	once.Once = true
	k := newKeys(4)
	for range often + 1 {
		k.inLanes([]Signature{once, again}, make([]bool, 2))
	}
	require.Len(t, k.tables, 1)
	require.Empty(t, k.young)
	require.EqualValues(t, often+1, k.now)
	for key, e := range k.tables {
		x, y := again.Key.X.FillBytes(make([]byte, 32)), again.Key.Y.FillBytes(make([]byte, 32))
		require.Equal(t, point(slices.Concat(x, y)), key)
		require.Len(t, e.Value.(*known).table, keyEntries)
	}
}

// TestTablesOfEarlierSignatures: a key that signs often in one list has a table for all of
// its signatures there. A key off the curve is left out.
func TestTablesOfEarlierSignatures(t *testing.T) {
	needLanes(t)
	k, g := newKeys(4), newSource(31)
	key, other := g.key(), g.key()
	var claims []claim
	for range often {
		s := g.signature(key)
		c, ok := claimOf(&s)
		require.True(t, ok)
		claims = append(claims, c)
	}
	s := g.signature(other)
	c, ok := claimOf(&s)
	require.True(t, ok)
	off := c
	off.y.SetOne()
	off.once = true
	valid := k.lookUp(append([]claim{off}, append(claims, c)...), new(scratch))
	require.Len(t, valid, often+1)
	for _, c := range valid[:often] {
		require.NotEmpty(t, c.table)
	}
	require.Empty(t, valid[often].table)
}

// TestNewHasLanes: a Verifier keeps keys wherever the processor has the instructions.
func TestNewHasLanes(t *testing.T) {
	require.Equal(t, hasLanes, New(1).keys != nil)
	require.Nil(t, Portable().keys)
}

// TestMatches compares r with abscissas: also n more than r, if this is below p.
func TestMatches(t *testing.T) {
	p, n := fp.Modulus(), fr.Modulus()
	below, sum := new(big.Int).Sub(p, n), func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }
	one := big.NewInt(1)
	largest := new(big.Int).Sub(below, one)
	for what, v := range map[string]struct {
		r, x *big.Int
		want bool
	}{
		"equal":                {one, one, true},
		"another":              {one, big.NewInt(2), false},
		"the largest r":        {new(big.Int).Sub(n, one), new(big.Int).Sub(n, one), true},
		"n more":               {one, sum(n, one), true},
		"n more, the largest":  {largest, sum(n, largest), true},
		"equal where n+r is p": {below, below, true},
		"0 where n+r is p":     {below, new(big.Int), false},
		"1 where n+r is p+1":   {sum(below, one), one, false},
	} {
		for z := range uint64(3) {
			var x, square fp.Element
			lane := fp.NewElement(z + 1)
			x.SetBigInt(v.x)
			x.Mul(&x, square.Square(&lane))
			x.Mul(&x, &toLanes)
			lane.Mul(&lane, &toLanes)
			var c claim
			c.r.SetBigInt(v.r)
			require.Equal(t, v.want, c.matches(&x, &lane), "%s: z = %d", what, z+1)
		}
	}
}

// TestIntegersInWords compares with math/big.
func TestIntegersInWords(t *testing.T) {
	g := newSource(21)
	limit, word := new(big.Int).Lsh(big.NewInt(1), 256), new(big.Int).SetUint64(^uint64(0))
	require256 := func(want *big.Int, got wide) {
		t.Helper()
		require.Zero(t, want.Mod(want, limit).Cmp(intOf(got[:])))
	}
	for range 2000 {
		x, y := g.shortened(), g.shortened()
		a, b, k := wordsOf(x), wordsOf(y), g.IntN(256)
		require256(new(big.Int).Set(x), a)
		require.Equal(t, x.BitLen(), a.bitLen())
		require256(new(big.Int).Lsh(x, uint(k)), a.shifted(k))
		require256(new(big.Int).Lsh(x, uint(k/64*64)), a.shifted(k/64*64))
		require.Equal(t, new(big.Int).And(new(big.Int).Rsh(x, uint(k)), word).Uint64(), a.window(k))
		m := g.Uint64()
		require256(new(big.Int).Mul(x, new(big.Int).SetUint64(m)), a.times(m))
		sum, difference := a, a
		sum.plus(&b)
		require256(new(big.Int).Add(x, y), sum)
		require.Equal(t, x.Cmp(y) < 0, difference.minus(&b) == 1)
		require256(new(big.Int).Sub(x, y), difference)
		if x.Cmp(n) < 0 {
			var want fr.Element
			require.Equal(t, *want.SetBigInt(x), *a.scalar())
		}
	}
}
