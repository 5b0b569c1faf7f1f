package curve

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/stretchr/testify/require"
)

// TestExponentsAreWhole: a remainder of (p-1)/n and a text that is no number are refused.
func TestExponentsAreWhole(t *testing.T) {
	require.Equal(t, big.NewInt(4), fraction(big.NewInt(13), 3))
	require.PanicsWithValue(t, "curve: an exponent is not whole", func() { fraction(big.NewInt(14), 3) })
	require.Equal(t, big.NewInt(-26), integer("-0x1a"))
	require.PanicsWithValue(t, "curve: 12x is not a number", func() { integer("12x") })
	n := linear(3, big.NewInt(-5), 7)
	require.Equal(t, int64(-8), n.Int64())
}

// TestHalfScalarsStayWhole takes the longest scalars that are not split and the shortest
// that are: the parts k₀ + k₁λ are the scalar.
func TestHalfScalarsStayWhole(t *testing.T) {
	q := fr.Modulus()
	lambda := integer("4407920970296243842393367215006156084916469457145843978461")
	_, _, g, _ := bn254.Generators()
	var multiple bn254.G1Affine
	multiple.ScalarMultiplication(&g, lambda)
	require.Equal(t, multiple.Y, g.Y, "λ belongs to an endomorphism")
	split := twoWay(q, lambda)
	half := (q.BitLen() + 1) / 2
	whole := new(big.Int).Lsh(big.NewInt(1), uint(half)+1)
	whole.Sub(whole, big.NewInt(1))
	require.Equal(t, []big.Int{*whole}, split(whole))
	for _, k := range []*big.Int{new(big.Int).Add(whole, big.NewInt(1)), new(big.Int).Sub(q, big.NewInt(1))} {
		parts := split(k)
		require.Len(t, parts, 2)
		sum := new(big.Int).Mul(&parts[1], lambda)
		sum.Add(sum, &parts[0]).Sub(sum, k)
		require.Zero(t, sum.Mod(sum, q).Sign())
		for _, part := range parts {
			require.LessOrEqual(t, part.BitLen(), half+1)
		}
	}
}

// TestPreparedPoints: a prepared point has its lines and its table.
func TestPreparedPoints(t *testing.T) {
	a, err := Find("BN254", "native")
	require.NoError(t, err)
	f := a.PrepareG2(a.GenG2()).point.(*bn254Fixed)
	require.NotNil(t, f.lines)
	require.NotNil(t, f.table)
	b, err := Find("BLS12_381_BBS_GURVY", "native")
	require.NoError(t, err)
	g := b.PrepareG2(b.GenG2()).point.(*bls12381Fixed)
	require.NotNil(t, g.lines)
	require.NotNil(t, g.table)
	require.IsType(t, new(bn254Native), a, "not counted")
	c, err := Find("BN254", "mathlib")
	require.NoError(t, err)
	require.Nil(t, c.(*onMathlib).phases, "not counted")
}

// TestDigits: odd digits below the bound, of numbers with empty words and with carries.
func TestDigits(t *testing.T) {
	one := big.NewInt(1)
	power := func(n uint) *big.Int { return new(big.Int).Lsh(one, n) }
	for _, k := range []*big.Int{
		new(big.Int), one, big.NewInt(-7), power(63), power(64), power(128), power(190), new(big.Int).Add(power(64), one), new(big.Int).Add(power(129), one),
		new(big.Int).Sub(power(64), one), new(big.Int).Sub(power(128), one), new(big.Int).Sub(power(191), one), new(big.Int).Sub(one, power(128)),
	} {
		for _, odd := range []int{1, 2, 4, 8, 16} {
			sum := new(big.Int)
			digits := wnaf(k, odd)
			for i, d := range digits {
				require.True(t, d == 0 || d%2 != 0 && int(max(d, -d)) < 2*odd, "%v: %v", k, digits)
				sum.Add(sum, new(big.Int).Mul(power(uint(i)), big.NewInt(int64(d))))
			}
			require.Zero(t, k.Cmp(sum), "%v: %v", k, digits)
			require.True(t, len(digits) == 0 || digits[len(digits)-1] != 0)
		}
	}
}
