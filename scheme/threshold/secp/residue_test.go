package secp_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// TestResiduesAreScalars compares residues with the library's scalars.
func TestResiduesAreScalars(t *testing.T) {
	scalars := edges(t)
	var sum secp.InnerProduct
	want := new(secp.Scalar)
	for _, s := range scalars {
		r := secp.ResidueOf(s)
		require.True(t, s.Equals(r.Scalar()))
		require.Equal(t, secp.Encode(s), r.Append(nil))
		back, err := secp.DecodeResidue(secp.Encode(s))
		require.NoError(t, err)
		require.Equal(t, r, back)
		for _, other := range scalars {
			o := secp.ResidueOf(other)
			require.Equal(t, secp.ResidueOf(secp.Add(s, other)), r.Plus(&o))
			require.Equal(t, secp.ResidueOf(secp.Sub(s, other)), r.Minus(&o))
			sum.Add(&r, &o)
			want.Add(secp.Mul(s, other))
			require.Equal(t, secp.ResidueOf(want), sum.Residue())
		}
	}
}

func TestReductionOfResidues(t *testing.T) {
	r := source(11)
	wides := [][64]byte{{}, [64]byte(bytes.Repeat([]byte{0xff}, 64)), {31: 1}, {0: 0x80}}
	for range 100 {
		var wide [64]byte
		r.Read(wide[:])
		wides = append(wides, wide)
		clear(wide[1:33])
		wides = append(wides, wide)
	}
	for _, wide := range wides {
		require.Equal(t, secp.ResidueOf(secp.Reduce(wide[:])), secp.ReduceResidue(&wide))
		drawn, err := secp.UniformResidue(bytes.NewReader(wide[:]))
		require.NoError(t, err)
		require.Equal(t, secp.ReduceResidue(&wide), drawn)
	}
	_, err := secp.UniformResidue(bytes.NewReader(make([]byte, 63)))
	require.ErrorIs(t, err, secp.ErrRandom)
	full := secp.InnerProduct{}
	for i := range full {
		full[i] = ^uint64(0)
	}
	// 2⁵⁷⁶ - 1 = 2⁶⁴·2⁵¹² - 1
	want := secp.Int(1)
	for range 576 {
		want = secp.Add(want, want)
	}
	require.Equal(t, secp.ResidueOf(secp.Sub(want, secp.Int(1))), full.Residue())
}

func FuzzDecodeResidue(f *testing.F) {
	f.Add(bytes.Repeat([]byte{0xff}, 32))
	f.Add(make([]byte, 31))
	f.Add(secp.Encode(secp.Int(7)))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := secp.DecodeScalar(b)
		r, other := secp.DecodeResidue(b)
		require.Equal(t, err, other)
		if err == nil {
			require.Equal(t, b, r.Append(nil))
			require.True(t, s.Equals(r.Scalar()))
		}
	})
}
