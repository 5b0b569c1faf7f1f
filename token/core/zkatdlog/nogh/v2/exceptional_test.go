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

// exception is a challenge that is given a value.
type exception struct {
	challenge int
	value     group.Scalar
	digit     uint64 // all digits of the outputs
	ordinary  bool   // the value is not exceptional
}

// exceptions are all exceptional values, and some next to them.
func exceptions(g group.Group) (all []exception) {
	for challenge := 1; challenge < 7; challenge++ {
		all = append(all, exception{challenge: challenge})
	}
	for digit := range uint64(group.DigitBase) {
		// Without the digit itself, no reciprocal that the proof needs is missing.
		all = append(all, exception{value: g.Neg(g.Uint64(digit)), digit: (digit + 1) % group.DigitBase})
	}
	return append(all, exception{value: g.Uint64(1), ordinary: true},
		exception{value: g.Neg(g.Uint64(group.DigitBase)), ordinary: true})
}

// TestExceptionalChallengesAreRefused rigs each challenge. The prover returns an
// error. The verifier rejects a proof even if both equations hold.
func TestExceptionalChallengesAreRefused(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for i, x := range exceptions(g) {
		t.Run(fmt.Sprintf("%d: challenge %d", i, x.challenge), func(t *testing.T) {
			rig := &rigged{Group: g, challenge: x.challenge, value: x.value}
			view := params(t, g, 32).On(rig)
			in := newInstanceOf(t, view, twoToTwo, 31)
			equal := []uint64{x.digit * 0x11111111, x.digit * 0x11111111}
			setValues(in.w, equal, equal)
			in.commit()
			lr := newLiar(t, view, in.st, in.w)
			rig.drawn = 0
			proof, err := in.proveWith(t, lr.nonces)
			if x.ordinary {
				require.NoError(t, err)
				rig.drawn = 0
				require.NoError(t, view.Verify(in.st, proof))
				return
			}
			require.ErrorIs(t, err, ErrExceptional)
			require.Nil(t, proof)
			const omega = 5
			if x.challenge == omega {
				lr.zt = believed // the type equation is 0 = 0
			}
			rig.drawn = 0
			proof, _, _ = lr.prove()
			require.True(t, lr.holdsWithoutRules(t, proof))
			rig.drawn = 0
			require.ErrorIs(t, view.Verify(in.st, proof), ErrRejected)
		})
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
