package limb_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/scheme/p256/limb"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]limb.Size{
		"29":       {Bits: 29},
		"9x29":     {Limbs: 9, Bits: 29},
		"1x29":     {Limbs: 1, Bits: 29},
		"9x29\n28": {Bits: 28},
		"x29\n9":   {Limbs: 9, Bits: 29},
		"9\nx29":   {Limbs: 9, Bits: 29},
	} {
		t.Run(text, func(t *testing.T) {
			got, err := limb.ParseSize(text)
			require.NoError(t, err, text)
			require.Equal(t, want, got, text)
		})
	}
	for _, text := range []string{"", "1", "33", "x", "0x29", "9x", "9x29x2", "-9x29", "x29\n0"} {
		_, err := limb.ParseSize(text)
		require.ErrorIs(t, err, limb.ErrSize, text)
	}
}

func TestParseReduction(t *testing.T) {
	for text, want := range map[string]limb.Reduction{
		"1": {Passes: 1}, "4+top": {Passes: 4, ExtraTop: true},
	} {
		t.Run(text, func(t *testing.T) {
			got, err := limb.ParseReduction(text)
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Equal(t, text, got.String())
		})
	}
	for _, text := range []string{"", "0", "5", "+top", "1+", "1+top+top"} {
		_, err := limb.ParseReduction(text)
		require.ErrorIs(t, err, limb.ErrReduction, text)
	}
}

// TestNewSetting: a size without a number of limbs has as many as the modulus needs.
func TestNewSetting(t *testing.T) {
	m, _ := limb.NamedModulus("p256")
	s, err := limb.NewSetting(m, limb.Size{Bits: 29}, 2, limb.Reduction{Passes: 1})
	require.NoError(t, err)
	require.Equal(t, "9x29", s.Name())
	require.Equal(t, 2, s.MaxAdds)
	_, err = limb.NewSetting(m, limb.Size{Limbs: 3, Bits: 29}, 2, limb.Reduction{Passes: 1})
	require.ErrorContains(t, err, "3 limbs of 29 bits")
	m, err = limb.ParseModulus("2^58-27") // its leading term is where the third limb begins
	require.NoError(t, err)
	_, err = limb.NewGeometry(m, 29, 3)
	require.NoError(t, err)
	_, err = limb.NewGeometry(m, 29, 4)
	require.ErrorContains(t, err, "one limb fewer")
}
