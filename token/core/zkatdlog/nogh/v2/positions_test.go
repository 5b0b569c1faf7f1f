package v2

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// lie is one change of an honest prover, at one position, and the rule that
// refuses it.
type lie struct {
	name  string
	tell  func(lr *liar)
	rules func(lr *liar) removed
}

// liesAt returns lies at every position of a shape: at each output, its first
// and last digit, each block, each multiplicity, each input; at pairs of tokens
// at each distance; and at each generator of the proof.
func liesAt(l layout, transfer bool) (all []lie) {
	tell := func(rules func(*liar) removed, tell func(*liar), name string, args ...any) {
		all = append(all, lie{fmt.Sprintf(name, args...), tell, rules})
	}
	for o := range l.outputs {
		tell(noSum, func(lr *liar) { lr.raiseBoth(o, lr.power(4*l.perOutput)) }, "output %d is 2^N more", o)
		for _, digit := range []int{0, l.perOutput - 1} {
			tell(noLookup, func(lr *liar) {
				lr.setDigit(o, digit, lr.g.Uint64(16))
			}, "digit %d of output %d is 16", digit, o)
			tell(noLookup, func(lr *liar) {
				lr.setDigit(o, digit, lr.g.Neg(lr.g.Uint64(1)))
			}, "digit %d of output %d is -1", digit, o)
		}
	}
	for slot := range slots {
		tell(noLookup, func(lr *liar) {
			lr.setCounts = func(lr *liar) { lr.counts[slot] = lr.g.Add(lr.counts[slot], lr.g.Uint64(1)) }
		}, "multiplicity %d", slot)
	}
	for at := 0; at < slots*l.blocks; at += slots - 1 {
		tell(noProduct, func(lr *liar) {
			lr.moveReciprocal(at, (at+slots-1)%len(lr.digits))
		}, "reciprocal %d", at)
	}
	for a := range l.tokens() {
		if transfer {
			tell(noBalance, func(lr *liar) { lr.changeValue(a) }, "token %d does not balance", a)
		}
		if l.tokens() > 1 {
			tell(noTypes, func(lr *liar) { lr.changeType(a, 1) }, "type of token %d", a)
		}
		if l.tokens() > 2 {
			for _, b := range []int{0, a + 1} {
				if b != a && b < l.tokens() {
					tell(noTypes, func(lr *liar) {
						lr.changeType(a, 1)
						lr.changeType(b, -1)
					}, "types of tokens %d and %d", a, b)
				}
			}
		}
	}
	for at := atSlots; at < l.generators(); at++ {
		token := at % l.tokens()
		tell(func(*liar) removed { return removed{types: true, field: true} }, func(lr *liar) {
			lr.tokens[token].plus(lr.g, at, lr.g.Uint64(1))
		}, "a part on generator %d in token %d", at, token)
	}
	if transfer {
		tell(noBalance, func(lr *liar) { lr.st.PublicValue++ }, "public value")
	}
	return all
}

// power returns 2ᵉ.
func (lr *liar) power(e int) group.Scalar {
	return lr.g.Mul(lr.g.Uint64(1<<(e/2)), lr.g.Uint64(1<<(e-e/2)))
}

// raiseBoth adds v to an output and, for balance, to an input.
func (lr *liar) raiseBoth(output int, v group.Scalar) {
	lr.raise(lr.l.inputs+output, v)
	if lr.l.inputs > 0 {
		lr.raise(output%lr.l.inputs, v)
	}
}

// setDigit replaces a digit of an output and changes its value accordingly.
func (lr *liar) setDigit(output, digit int, v group.Scalar) {
	at := &lr.digits[slots*lr.l.block(output)+lr.l.firstSlot(output)+digit]
	lr.raiseBoth(output, lr.g.Mul(lr.g.Sub(v, *at), lr.power(4*digit)))
	*at = v
}

// moveReciprocal doubles a reciprocal and takes the difference from another.
func (lr *liar) moveReciprocal(to, from int) {
	lr.setRecips = func(lr *liar) {
		more := lr.recips[to]
		lr.recips[to] = lr.g.Add(lr.recips[to], more)
		lr.recips[from] = lr.g.Sub(lr.recips[from], more)
	}
}

// changeValue gives a token another value of the range.
func (lr *liar) changeValue(token int) {
	g, o := lr.g, token-lr.l.inputs
	if o < 0 {
		lr.raise(token, g.Uint64(1))
		return
	}
	at := &lr.digits[slots*lr.l.block(o)+lr.l.firstSlot(o)]
	other := g.Uint64(1)
	if *at == other {
		other = group.Scalar{}
	}
	lr.raise(token, g.Sub(other, *at))
	*at = other
}

// changeType adds 1 or -1 to the type of a token.
func (lr *liar) changeType(token, by int) {
	v := lr.g.Uint64(1)
	if by < 0 {
		v = lr.g.Neg(v)
	}
	lr.tokens[token].plus(lr.g, atG0, v)
	lr.zt = believed
}

// newLiarOf returns the prover of an instance with a lie.
func (in instance) newLiarOf(t testing.TB, lie lie) *liar {
	st := *in.st
	lr := newLiar(t, in.p, &st, in.w)
	lie.tell(lr)
	return lr
}

// TestLiesAtEveryPosition tells each lie at each position, in a group where
// points are numbers. The verifier refuses it, and accepts it without the violated
// rule.
func TestLiesAtEveryPosition(t *testing.T) {
	all := []shape{{bits: 16, inputs: 10, outputs: 29}, {bits: 32, outputs: 10},
		{bits: 64, inputs: 2, outputs: 16, publicValue: 3}}
	if !testing.Short() {
		all = append(append(all, fewShapes...), randomShapes(t, nightly.Pick(0, 2, 50))...)
	}
	for i, s := range all {
		t.Run(s.String(), func(t *testing.T) {
			s.publicType = false // a wrong type is a wrong z_t then
			p := toyParams(t, 1<<30-35, s.bits)
			ch := toyChallenges(t, p.group)
			in := newInstanceOf(t, p, s, byte(i))
			for k, lie := range liesAt(p.layout(s.inputs, s.outputs), s.inputs > 0) {
				if k%nightly.Pick(7, 1, 1) != 0 {
					continue
				}
				holds := func(rules removed) bool {
					lr := in.newLiarOf(t, lie)
					lr.adjust = rules.weights
					lr.start(ch)
					c, l0, zt := lr.claimOf(t)
					return lr.holdExactly(lr.claimWithout(c, rules, l0, zt))
				}
				require.False(t, holds(removed{}), lie.name)
				require.True(t, holds(lie.rules(in.newLiarOf(t, lie))), "%s: accepted without the rule",
					lie.name)
			}
		})
	}
}

// TestLiesOnCurves tells the verifier one lie of each few positions on each
// curve; the slow verifier has the same scalars.
func TestLiesOnCurves(t *testing.T) {
	all := []shape{{bits: 16, outputs: 25}, {bits: 16, inputs: 10, outputs: 3},
		{bits: 32, inputs: 17, outputs: 32}, {bits: 64, inputs: 64, outputs: 16}}
	for i, s := range all {
		for _, curve := range vectorCurves {
			in := newInstance(t, vectors.Curve(t, curve), s, byte(i))
			l := in.p.layout(s.inputs, s.outputs)
			for k, lie := range liesAt(l, s.inputs > 0) {
				if k%nightly.Pick(199, 29, 4) != i {
					continue
				}
				lr := in.newLiarOf(t, lie)
				proof, _, _ := lr.prove()
				require.ErrorIs(t, in.p.Verify(lr.st, proof), ErrRejected, "%s %v: %s", curve, s, lie.name)
				instance{in.p, lr.st, in.w}.sameScalars(t, proof)
			}
		}
	}
}

// TestALiarWithNothingToHideIsHonest validates the liar: without changes it
// makes the same proofs as the prover, for every shape.
func TestALiarWithNothingToHideIsHonest(t *testing.T) {
	toys, bn254 := map[int]*Params{}, vectors.Curve(t, "BN254")
	for _, bits := range []int{16, 32, 64} {
		toys[bits] = toyParams(t, 1<<30-35, bits)
	}
	for i, s := range someShapes(t) {
		p := toys[s.bits]
		if i < len(fewShapes) {
			p = params(t, bn254, s.bits)
		}
		in := newInstanceOf(t, p, s, 5)
		lr := newLiar(t, in.p, in.st, in.w)
		proof, _, _ := lr.prove()
		pr := new(prover)
		pr.begin(in.p, in.st, in.w)
		copy(pr.nonces.all, lr.nonces)
		want, err := proofOf(pr)
		require.NoError(t, err)
		require.Equal(t, want, proof, "%v", s)
	}
}
