package v2 // layout and generators are private: lies are told at each of their places

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// liesAt returns lies at every position of a shape: at each output, its first
// and last digit, each block, each multiplicity, each input; at pairs of tokens
// at each distance; and at each generator of the proof. Each is one change of an honest
// prover with a hidden type, and the rule that refuses it.
func liesAt(s shape) (all []cheat) {
	l, transfer := s.layout(), s.inputs > 0
	s.publicType = false // a wrong type is a wrong z_t then
	tell := func(rules func(*liar) removed, lie func(*liar), name string, args ...any) {
		all = append(all, cheat{fmt.Sprintf(name, args...), s, rules, lie})
	}
	for o := range l.outputs {
		tell(noSum, func(lr *liar) { lr.raiseBoth(o, lr.power(s.bits)) }, "output %d is 2^N more", o)
		for _, digit := range []int{0, l.perOutput - 1} {
			for _, v := range []int64{16, -1} {
				tell(noLookup, func(lr *liar) { lr.setDigit(o, digit, lr.number(v)) },
					"digit %d of output %d is %d", digit, o, v)
			}
		}
	}
	for slot := range slots {
		tell(noLookup, func(lr *liar) { lr.raiseCount(slot) }, "multiplicity %d", slot)
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
		for _, b := range []int{0, a + 1} {
			if l.tokens() > 2 && b != a && b < l.tokens() {
				tell(noTypes, func(lr *liar) {
					lr.changeType(a, 1)
					lr.changeType(b, -1)
				}, "types of tokens %d and %d", a, b)
			}
		}
	}
	for at := atSlots; at < l.generators(); at++ {
		token := at % l.tokens()
		tell(noTypesOrField, func(lr *liar) { lr.tokens[token].plus(lr.g, at, lr.number(1)) },
			"a part on generator %d in token %d", at, token)
	}
	if transfer {
		tell(noBalance, func(lr *liar) { lr.st.PublicValue++ }, "public value")
	}
	return all
}

func (s shape) layout() layout { return (&Params{bits: s.bits}).layout(s.inputs, s.outputs) }

// number returns v modulo the order.
func (lr *liar) number(v int64) group.Scalar {
	if v < 0 {
		return lr.g.Neg(lr.g.Uint64(uint64(-v)))
	}
	return lr.g.Uint64(uint64(v))
}

// plus adds to one coordinate.
func (c coordinates) plus(g group.Group, i int, v group.Scalar) { c[i] = g.Add(c[i], v) }

// raise adds v to the value of a token.
func (lr *liar) raise(token int, v group.Scalar) { lr.tokens[token].plus(lr.g, atG1, v) }

// raiseCount adds 1 to a multiplicity.
func (lr *liar) raiseCount(slot int) {
	lr.setCounts = func(lr *liar) { lr.counts[slot] = lr.g.Add(lr.counts[slot], lr.number(1)) }
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
		lr.raise(token, lr.number(1))
		return
	}
	at := &lr.digits[slots*lr.l.block(o)+lr.l.firstSlot(o)]
	other := lr.number(1)
	if *at == other {
		other = group.Scalar{}
	}
	lr.raise(token, g.Sub(other, *at))
	*at = other
}

// changeType adds to the type of a token. z_t satisfies the main equation.
func (lr *liar) changeType(token int, by int64) {
	lr.tokens[token].plus(lr.g, atG0, lr.number(by))
	lr.zt = believed
}

// believed is a z_t that satisfies the main equation.
func believed(main group.Scalar) group.Scalar { return main }

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
			p := toyParams(t, 1<<30-35, s.bits)
			ch := toyChallenges(t, p.group)
			lies := liesAt(s)
			in := newInstanceOf(t, p, lies[0].shape, byte(i))
			for k := 0; k < len(lies); k += nightly.Pick(13, 1+len(lies)/25, 1) {
				lr := in.newLiar(t, lies[k])
				lr.start(ch)
				require.False(t, lr.accepts(t, removed{}), lies[k].name)
				rules := lies[k].rules(lr)
				lr = in.newLiar(t, lies[k])
				lr.adjust = rules.weights
				lr.start(ch)
				require.True(t, lr.accepts(t, rules), "%s: accepted without the rule", lies[k].name)
			}
		})
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
		want, err := in.proveWith(t, lr.nonces)
		require.NoError(t, err)
		require.Equal(t, want, proof, "%v", s)
	}
}
