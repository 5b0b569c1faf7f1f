package curve_test

import (
	"go/format"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/golden"
)

//go:generate go test -run TestOneTextForBothCurves -update .

// TestOneTextForBothCurves: native_bls12381.go is native_bn254.go over the other
// package of gnark-crypto.
func TestOneTextForBothCurves(t *testing.T) {
	text, err := os.ReadFile("native_bn254.go")
	require.NoError(t, err)
	want := strings.NewReplacer(
		`"github.com/consensys/gnark-crypto/ecc/bn254"`,
		`bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"`,
		"ecc/bn254/", "ecc/bls12-381/", "bn254", "bls12381", "BN254", "BLS12381",
	).Replace(string(text))
	formatted, err := format.Source([]byte("// Code generated from native_bn254.go; DO NOT EDIT.\n\n" + want))
	require.NoError(t, err)
	if golden.Updating() {
		require.NoError(t, os.WriteFile("native_bls12381.go", formatted, 0o644))
	}
	got, err := os.ReadFile("native_bls12381.go")
	require.NoError(t, err)
	require.Equal(t, string(formatted), string(got), "run go generate ./scheme/ps18/curve")
}
