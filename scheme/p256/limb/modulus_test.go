package limb // folds and moduli are private: a verdict does not show a single fold

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseModulus(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"2^256-2^224+2^192+2^96-1", "0xffffffff00000001000000000000000000000000ffffffffffffffffffffffff"},
		{"2^256-1+2^96+2^192-2^224", "0xffffffff00000001000000000000000000000000ffffffffffffffffffffffff"},
		{"2^255 - 19", "57896044618658097711785492504343953926634992332820282019728792003956564819949"},
		{"2^8-3*2^2-1", "243"},
		{"2^8-12-1", "243"},
		{"2^256-19*2^224-2^260", "is not between 2^255 and 2^256"},
		{"2^8-2^8", "is not between"},
		{"2^8-2^7-1", "is not between"},
		{"2^8", "modulus 2^8 does not have the form 2^k plus or minus smaller terms, k up to 1024"},
		{"7*2^8-1", "does not begin with a power of two"},
		{"2^8-x", "is not a term"},
		{"2^8-*2^3", "is not a term"},
		{"2^8-3*", "is not a term"},
		{"2^2000-1", "is not a term"},
		{"2^1025-1", "is not a term"},
		{"2^1024-1", "0x" + strings.Repeat("f", 256)},
		{"2^20-65536", "983040"},
		{"2^20-65537", "is not a term"},
		{"2^8--1", "is not a term"},
		{"2^8-99999999", "is not a term"},
		{"2^8-0", "is not a term"},
		{"2^8-0*2^3-1", "is not a term"},
		{"2^1-1", "does not have the form"},
		{"2^2-1", "3"},
		{"", "does not have the form"},
	} {
		t.Run(c.text, func(t *testing.T) {
			m, err := ParseModulus(c.text)
			if err != nil {
				require.ErrorContains(t, err, c.want)
				return
			}
			require.True(t, slices.IsSortedFunc(m.Terms, func(a, b Term) int { return b.Exp - a.Exp }))
			want, ok := new(big.Int).SetString(c.want, 0)
			require.True(t, ok, "no error: %v", m.P())
			require.Equal(t, want, m.P())
		})
	}
}

// TestFoldsOfManyTerms: the folds of a limb together add at the places of the terms, for a
// modulus of more terms than a standard has.
func TestFoldsOfManyTerms(t *testing.T) {
	m, err := ParseModulus("2^256-2^224+2^192+2^160-2^128+2^120-2^96+3*2^64-2^32+2^16-5*2^3-1")
	require.NoError(t, err)
	g, err := NewGeometry(m, 29, 9)
	require.NoError(t, err)
	sum, above := new(big.Int), uint(2*m.Bits)
	for _, f := range g.folds() {
		sum.Add(sum, new(big.Int).Lsh(big.NewInt(f.coef), above+f.off-uint(f.low*g.Bits)))
	}
	require.Equal(t,
		new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), above), new(big.Int).Lsh(m.P(), above-uint(m.Bits))),
		sum)
}

func TestNamedModuli(t *testing.T) {
	for _, name := range ModulusNames() {
		m, ok := NamedModulus(name)
		require.True(t, ok)
		require.NoError(t, m.validate())
		require.True(t, m.P().ProbablyPrime(20), name)
	}
	require.Len(t, moduli, len(ModulusNames()))
}

func FuzzParseModulus(f *testing.F) {
	f.Add("2^256-2^224+2^192+2^96-1")
	f.Add("2^255-19")
	f.Add("2^8-3*2^2")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseModulus(text)
		if err == nil {
			require.Equal(t, m.Bits, m.P().BitLen())
		}
	})
}
