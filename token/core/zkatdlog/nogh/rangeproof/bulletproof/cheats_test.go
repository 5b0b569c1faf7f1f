package bulletproof_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/bulletproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/rangetest"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// prover is an honest prover with its parameters.
type prover struct {
	rangetest.Prover
	c bulletproof.Config
}

func maker(t testing.TB, g group.Group, bits int) rangeproof.System { return system(t, g, bits) }

func newProver(t testing.TB, curve string, bits int) prover {
	p := rangetest.NewProver(t, maker, curve, bits)
	return prover{Prover: p, c: config(p.Group, bits)}
}

func TestBitLengthsThatAreNoPowerOfTwoAreRefused(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for _, bits := range []int{-1, 0, 3, 7, 20, 33, 63, 65, 128} {
		generators := make([]group.Point, max(bits, 0))
		_, err := bulletproof.New(bulletproof.Config{Group: g, Bits: bits, Left: generators,
			Right: generators})
		require.ErrorIs(t, err, bulletproof.ErrConfig, fmt.Sprint(bits))
		vectors.Formatted(t, err)
	}
	for _, lengths := range [][2]int{{4, 3}, {3, 4}, {5, 4}, {4, 5}} {
		c := bulletproof.Config{Group: g, Bits: 4, Left: make([]group.Point, lengths[0]),
			Right: make([]group.Point, lengths[1])}
		_, err := bulletproof.New(c)
		require.ErrorIs(t, err, bulletproof.ErrConfig, fmt.Sprint(lengths))
		require.ErrorContains(t, err,
			fmt.Sprintf(": %d left and %d right generators for ", lengths[0], lengths[1]))
	}
}

// TestProofsWithoutARoundAreRejected, and proofs of zeros alone.
func TestProofsWithoutARoundAreRejected(t *testing.T) {
	p := newProver(t, "BN254", 16)
	short := p.Prove(t, 4)
	proof := short.Proof.(*bulletproof.Proof)
	proof.L, proof.R = proof.L[1:], proof.R[1:]
	zero := &bulletproof.Proof{L: make([]group.Point, 4), R: make([]group.Point, 4)}
	for _, it := range []rangeproof.Item{short, {Proof: zero}} {
		require.ErrorIs(t, p.Verify([]rangeproof.Item{it}), rangeproof.ErrRejected)
	}
}
