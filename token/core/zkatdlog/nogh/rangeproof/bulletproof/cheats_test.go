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
		_, err := bulletproof.New(bulletproof.Config{Group: g, Bits: bits, Left: generators, Right: generators})
		require.ErrorIs(t, err, bulletproof.ErrConfig, fmt.Sprint(bits))
		vectors.Formatted(t, err)
	}
	for _, lengths := range [][2]int{{4, 3}, {3, 4}, {5, 4}, {4, 5}} {
		c := bulletproof.Config{Group: g, Bits: 4, Left: make([]group.Point, lengths[0]), Right: make([]group.Point, lengths[1])}
		_, err := bulletproof.New(c)
		require.ErrorIs(t, err, bulletproof.ErrConfig, fmt.Sprint(lengths))
		require.ErrorContains(t, err, fmt.Sprintf(": %d left and %d right generators for ", lengths[0], lengths[1]))
	}
}

// Forgers change a proof, or the statement, of an honest prover.
var forgers = map[string]func(g group.Group, it *rangeproof.Item, p, other *bulletproof.Proof){
	"T1 and T2 swapped":     func(_ group.Group, _ *rangeproof.Item, p, _ *bulletproof.Proof) { p.T1, p.T2 = p.T2, p.T1 },
	"C and D swapped":       func(_ group.Group, _ *rangeproof.Item, p, _ *bulletproof.Proof) { p.C, p.D = p.D, p.C },
	"a and b swapped":       func(_ group.Group, _ *rangeproof.Item, p, _ *bulletproof.Proof) { p.A, p.B = p.B, p.A },
	"tau and delta swapped": func(_ group.Group, _ *rangeproof.Item, p, _ *bulletproof.Proof) { p.Tau, p.Delta = p.Delta, p.Tau },
	"L and R swapped":       func(_ group.Group, _ *rangeproof.Item, p, _ *bulletproof.Proof) { p.L, p.R = p.R, p.L },
	"rounds swapped": func(_ group.Group, _ *rangeproof.Item, p, _ *bulletproof.Proof) {
		p.L[0], p.L[1], p.R[0], p.R[1] = p.L[1], p.L[0], p.R[1], p.R[0]
	},
	"a round missing": func(_ group.Group, _ *rangeproof.Item, p, _ *bulletproof.Proof) { p.L, p.R = p.L[1:], p.R[1:] },
	"argument of another": func(_ group.Group, _ *rangeproof.Item, p, o *bulletproof.Proof) {
		p.A, p.B, p.L, p.R = o.A, o.B, o.L, o.R
	},
	"polynomials of another": func(_ group.Group, _ *rangeproof.Item, p, o *bulletproof.Proof) {
		p.T1, p.T2, p.Tau, p.That = o.T1, o.T2, o.Tau, o.That
	},
	"commitments of another": func(_ group.Group, _ *rangeproof.Item, p, o *bulletproof.Proof) {
		p.C, p.D, p.Delta = o.C, o.D, o.Delta
	},
	"T1 for another x": func(_ group.Group, _ *rangeproof.Item, p, o *bulletproof.Proof) { p.T1 = o.T1 },
	"another commitment": func(g group.Group, it *rangeproof.Item, _, _ *bulletproof.Proof) {
		it.V = g.AddPoints(it.V, g.Generator())
	},
	"the identity is claimed": func(_ group.Group, it *rangeproof.Item, _, _ *bulletproof.Proof) { it.V = group.Point{} },
	"negated commitment": func(g group.Group, it *rangeproof.Item, _, _ *bulletproof.Proof) {
		it.V = g.SubPoints(group.Point{}, it.V)
	},
	"everything zero": func(_ group.Group, it *rangeproof.Item, p, _ *bulletproof.Proof) {
		it.V = group.Point{}
		p.T1, p.T2, p.C, p.D = group.Point{}, group.Point{}, group.Point{}, group.Point{}
		p.Tau, p.Delta, p.That, p.A, p.B = group.Scalar{}, group.Scalar{}, group.Scalar{}, group.Scalar{}, group.Scalar{}
		clear(p.L)
		clear(p.R)
	},
}

func TestForgedProofIsRejected(t *testing.T) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		for _, bits := range []int{16, 32, 64} {
			p := newProver(t, curve, bits)
			other := p.Prove(t, 5)
			for name, forge := range forgers {
				it := p.Prove(t, 4)
				forge(p.Group, &it, it.Proof.(*bulletproof.Proof), other.Proof.(*bulletproof.Proof))
				require.ErrorIs(t, p.Verify([]rangeproof.Item{it}), rangeproof.ErrRejected, "%s/%d: %s", curve, bits, name)
			}
		}
	}
}
