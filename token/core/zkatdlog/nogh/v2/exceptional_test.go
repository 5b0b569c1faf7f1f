package v2 // prover and claim are private: prover and liar have to get the same challenges

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// rigged is a group where one challenge of a proof has a chosen value.
// Challenges are reduced from 48 bytes and counted in the order of drawing: e, χ,
// ζ, λ, y, ω, x.
type rigged struct {
	group.Group
	challenge, drawn int
	value            group.Scalar
}

func (r *rigged) Reduce(b []byte) group.Scalar {
	if len(b) != 48 {
		return r.Group.Reduce(b)
	}
	r.drawn++
	if r.drawn-1 == r.challenge {
		return r.value
	}
	return r.Group.Reduce(b)
}

// TestExceptionalChallengesAreRefused rigs each challenge. The prover returns an
// error. The verifier rejects a proof even if both equations hold.
func TestExceptionalChallengesAreRefused(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	p := params(t, g, 32)
	const ofE, ofOmega = 0, 5
	type exception struct {
		challenge int
		value     group.Scalar
		digit     uint64 // all digits of the outputs
	}
	var exceptions []exception
	for challenge := 1; challenge < 7; challenge++ {
		exceptions = append(exceptions, exception{challenge: challenge})
	}
	for digit := range uint64(group.DigitBase) {
		// Without the digit itself, no reciprocal that the proof needs is missing.
		exceptions = append(exceptions, exception{ofE, g.Neg(g.Uint64(digit)), (digit + 1) % group.DigitBase})
	}
	// The values next to the exceptional ones are ordinary.
	for _, x := range append(exceptions, exception{ofE, g.Uint64(1), 0},
		exception{ofE, g.Neg(g.Uint64(group.DigitBase)), 0}) {
		ordinary := x.challenge == ofE &&
			(x.value == g.Uint64(1) || x.value == g.Neg(g.Uint64(group.DigitBase)))
		name := fmt.Sprintf("challenge %d is %v", x.challenge, x.value)
		rig := &rigged{Group: g, challenge: x.challenge, value: x.value}
		view := p.On(rig)
		in := newInstanceOf(t, view, shape{bits: 32, inputs: 2, outputs: 2}, 31)
		equal := []uint64{x.digit * 0x11111111, x.digit * 0x11111111}
		setValues(in.w, equal, equal)
		in.commit()
		lr := newLiar(t, view, in.st, in.w)
		pr := new(prover)
		pr.begin(view, in.st, in.w)
		copy(pr.nonces.all, lr.nonces)
		rig.drawn = 0
		proof, err := proofOf(pr)
		if ordinary {
			require.NoError(t, err, name)
			rig.drawn = 0
			require.NoError(t, view.Verify(in.st, proof), name)
			continue
		}
		require.ErrorIs(t, err, ErrExceptional, name)
		require.Nil(t, proof, name)

		if x.challenge == ofOmega {
			lr.zt = believed // the type equation is 0 = 0
		}
		rig.drawn = 0
		proof, _, _ = lr.prove()
		require.True(t, lr.holdsWithoutRules(t, proof), name)
		rig.drawn = 0
		require.ErrorIs(t, view.Verify(in.st, proof), ErrRejected, name)
	}
}

// holdsWithoutRules reports whether both equations hold for a proof and the
// challenges of its prover.
func (lr *liar) holdsWithoutRules(t *testing.T, proof []byte) bool {
	t.Helper()
	c := &claim{ch: lr.ch, st: lr.st}
	require.NoError(t, c.decode(lr.g, lr.l, proof))
	lr.p.prepare(c)
	return lr.p.hold(lr.p.group, []*claim{c})
}
