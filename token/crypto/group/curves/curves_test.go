package curves_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/group/mathlib"
)

func TestEveryNameHasBothBackends(t *testing.T) {
	for _, name := range curves.Names {
		for _, backend := range curves.Backends {
			g, err := curves.Find(name, backend)
			require.NoError(t, err)
			require.Equal(t, name, g.Name())
			same, err := curves.Find(name, backend)
			require.NoError(t, err)
			require.Same(t, g, same)
		}
		g, err := curves.ByName(name)
		require.NoError(t, err)
		byID, err := curves.ByID(g.ID())
		require.NoError(t, err)
		require.Same(t, g, byID)
	}
}

func TestUnknownCurvesAreRefused(t *testing.T) {
	_, err := curves.ByName("P384")
	require.ErrorIs(t, err, group.ErrUnknownCurve)
	require.ErrorContains(t, err, "BN254, BLS12_381_BBS_GURVY")
	for _, id := range []int{-1, 9, 100} {
		_, err := curves.ByID(id)
		require.ErrorIs(t, err, group.ErrUnknownCurve)
	}
	_, err = curves.Find("BN254", "gpu")
	require.EqualError(t, err, `backend "gpu" is not one of native, portable, mathlib`)
}

// FuzzDecodePoint decodes any bytes as a point on both backends of every curve:
// the verdicts must agree, and a point must have a single encoding.
func FuzzDecodePoint(f *testing.F) {
	for i, name := range curves.Names {
		g, err := curves.ByName(name)
		require.NoError(f, err)
		f.Add(i, g.AppendPoint(nil, g.Generator()))
		f.Add(i, g.AppendPoint(nil, group.Point{}))
		f.Add(i, make([]byte, g.PointLen()-1))
	}
	f.Fuzz(func(t *testing.T, i int, b []byte) {
		name := curves.Names[uint(i)%uint(len(curves.Names))]
		var verdicts []error
		for _, backend := range curves.Backends {
			g, err := curves.Find(name, backend)
			require.NoError(t, err)
			p, err := g.DecodePoint(b)
			if err == nil {
				require.Equal(t, b, g.AppendPoint(nil, p))
			}
			verdicts = append(verdicts, err)
		}
		if !errors.Is(verdicts[0], verdicts[1]) {
			t.Fatalf("%s: native says %v, mathlib %v: %x", name, verdicts[0], verdicts[1], b)
		}
	})
}

// TestYardsticks: each curve of mathlib has one, and other names are refused.
func TestYardsticks(t *testing.T) {
	for _, name := range mathlib.Names {
		work, err := curves.Yardstick(name)
		require.NoError(t, err, name)
		work()
	}
	_, err := curves.Yardstick("secp256k1")
	require.ErrorIs(t, err, group.ErrUnknownCurve)
}
