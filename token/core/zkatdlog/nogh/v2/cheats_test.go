package v2 // setWeights and equations are private: a verifier without one rule has to be made of them

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// removed selects the rules that a verifier omits.
type removed struct {
	weights func(*weights) // sets the weight of a rule to 0, for both sides
	types   bool           // the type equation
	field   bool           // the field equation: l₀ is not checked
	zt      bool           // z_t is not checked although the type is public
}

// verdictWithout verifies a liar's proof without the removed rules.
func (lr *liar) verdictWithout(t *testing.T, rules removed, proof []byte, l0, zt group.Scalar) bool {
	t.Helper()
	c := new(claim)
	if err := c.read(lr.p, lr.st, proof); err != nil {
		require.ErrorIs(t, err, ErrRejected)
		return false
	}
	return lr.p.hold(lr.p.group, []*claim{lr.claimWithout(c, rules, l0, zt)})
}

// claimWithout prepares c without the removed rules.
func (lr *liar) claimWithout(c *claim, rules removed, l0, zt group.Scalar) *claim {
	g := lr.g
	setWeights(g, []*claim{c})
	if rules.weights != nil {
		rules.weights(&c.wt)
	}
	st := *lr.st
	if rules.zt {
		st.Type = zt
	}
	c.equations(g, &st)
	if rules.field {
		c.fixed[atErrors] = l0
	}
	if rules.types {
		clear(c.typeFixed[:])
		clear(c.typeVariable)
	}
	return c
}

// lambdaSumOf recomputes Λ after a change of weights.
func lambdaSumOf(g group.Group, l layout, w *weights) group.Scalar {
	difference := g.Sub(g.Uint64(uint64(l.inputs)), g.Uint64(uint64(l.outputs)))
	return g.Add(sum(g, w.sigma), g.Mul(w.beta, difference))
}

// cheat is one dishonest prover and the rule that refuses it.
type cheat struct {
	name  string
	shape shape
	rules func(lr *liar) removed
	lie   func(lr *liar)
}

func without(f func(lr *liar, w *weights)) func(*liar) removed {
	return func(lr *liar) removed {
		return removed{weights: func(w *weights) { f(lr, w) }}
	}
}

// The rules with a separate weight, and the others.
var (
	noLookup  = without(func(_ *liar, w *weights) { w.zeta = group.Scalar{} })
	noProduct = without(func(_ *liar, w *weights) {
		clear(w.mu)
		w.kappa = group.Scalar{}
	})
	noSum = without(func(lr *liar, w *weights) {
		clear(w.lambda)
		clear(w.sigma)
		w.lambdaSum = lambdaSumOf(lr.g, lr.l, w)
	})
	noBalance = without(func(lr *liar, w *weights) {
		w.beta = group.Scalar{}
		w.lambdaSum = lambdaSumOf(lr.g, lr.l, w)
	})
	noTypes        = func(*liar) removed { return removed{types: true} }
	noField        = func(*liar) removed { return removed{field: true} }
	noTypesOrField = func(*liar) removed { return removed{types: true, field: true} }
)

// Shapes of the cheats.
var (
	oneToOne = shape{bits: 32, inputs: 1, outputs: 1}
	twoToTwo = shape{bits: 32, inputs: 2, outputs: 2}
	wide     = shape{bits: 64, inputs: 2, outputs: 2}
)

var cheats = []cheat{
	{"value 2^N, digits cut off", oneToOne, noSum, func(lr *liar) { lr.raiseBoth(0, lr.power(32)) }},
	{"value 2^N, top digit 16", oneToOne, noLookup, func(lr *liar) { lr.setDigit(0, 7, lr.number(16)) }},
	{"digits 1 and -16 in place of 0 and 0", oneToOne, noLookup, func(lr *liar) {
		lr.setDigit(0, 1, lr.number(1))
		lr.setDigit(0, 0, lr.number(-16))
	}},
	{"digit -1 with matching sum", wide, noLookup, func(lr *liar) {
		for digit := range lr.l.perOutput {
			lr.setDigit(0, digit, group.Scalar{})
		}
		lr.setDigit(0, 0, lr.number(-1))
	}},
	{"multiplicity off by one", wide, noLookup, func(lr *liar) { lr.raiseCount(3) }},
	{"multiplicities of other digits", wide, noLookup, func(lr *liar) {
		lr.setCounts = func(lr *liar) { lr.counts[0], lr.counts[15] = lr.counts[15], lr.counts[0] }
	}},
	{"reciprocals with the right sum and product 2", wide, noProduct, func(lr *liar) {
		lr.moveReciprocal(0, 1)
	}},
	{"one unit too much", wide, noBalance, func(lr *liar) { lr.raise(0, lr.number(1)) }},
	{"q - 1 units too much", wide, noBalance, func(lr *liar) { lr.raise(1, lr.number(-1)) }},
	{"public value off by one", shape{bits: 32, inputs: 2, outputs: 2, publicValue: 5}, noBalance,
		func(lr *liar) { lr.st.PublicValue++ }},
	{"input of another type", twoToTwo, noTypes, func(lr *liar) { lr.changeType(1, 1) }},
	{"output of another type, made up for by z_t", twoToTwo, noTypes, func(lr *liar) { lr.changeType(2, 1) }},
	{"two types that cancel", twoToTwo, noTypes, func(lr *liar) {
		lr.changeType(0, 1)
		lr.changeType(1, -1)
	}},
	{"two types in an issue", shape{bits: 32, outputs: 2}, noTypes, func(lr *liar) { lr.changeType(1, 1) }},
	{"a part on H in every token, absorbed by the main equation", twoToTwo, noTypes, func(lr *liar) {
		for _, c := range lr.tokens {
			c.plus(lr.g, atErrors+lr.l.slot(lr.l.top+3), lr.number(7))
		}
	}},
	{"output with a part in G3", twoToTwo, noTypesOrField, func(lr *liar) {
		lr.tokens[2].plus(lr.g, atSlots+3, lr.number(1))
		lr.noMask = 3
	}},
	{"output with a part in H0", twoToTwo, noTypesOrField, func(lr *liar) {
		lr.tokens[2].plus(lr.g, atErrors, lr.number(1))
	}},
	{"junk on H in D1", twoToTwo, noField, func(lr *liar) {
		lr.raiseBoth(0, lr.number(1))
		lr.commitDigits = func(lr *liar) {
			lr.d[0].plus(lr.g, atErrors+lr.l.slot(lr.l.top+2), lr.number(99))
		}
	}},
	{"another public type", shape{bits: 32, inputs: 2, outputs: 2, publicType: true},
		func(*liar) removed { return removed{zt: true} },
		func(lr *liar) { lr.st.Type = lr.g.Add(lr.st.Type, lr.number(1)) }},
}

// cheatsOnCurves are the cheats, and lies at a few positions of long proofs.
func cheatsOnCurves() []cheat {
	all := slices.Clone(cheats)
	for i, s := range []shape{{bits: 16, outputs: 25}, {bits: 16, inputs: 10, outputs: 3},
		{bits: 32, inputs: 17, outputs: 32}, {bits: 64, inputs: 64, outputs: 16}} {
		for k, lie := range liesAt(s) {
			if k%nightly.Pick(199, 67, 4) == i {
				all = append(all, lie)
			}
		}
	}
	return all
}

// TestEachRuleRefusesItsCheat proves with each dishonest prover. The verifier
// and the slow verifier refuse the proof. A verifier without the violated rule
// accepts it, which shows that the cheat violates only this rule.
func TestEachRuleRefusesItsCheat(t *testing.T) {
	for k, curve := range vectorCurves {
		g := vectors.Curve(t, curve)
		for i, c := range cheatsOnCurves() {
			if testing.Short() && i%2 != k {
				continue
			}
			t.Run(fmt.Sprint(curve, "/", c.shape, "/", c.name), func(t *testing.T) {
				in := newInstance(t, g, c.shape, byte(i))
				lr := in.newLiar(t, c)
				proof, _, _ := lr.prove()
				instance{in.p, lr.st, in.w}.refuses(t, proof, "equation", "a proof by a cheat")

				lr = in.newLiar(t, c)
				rules := c.rules(lr)
				lr.adjust = rules.weights
				proof, l0, zt := lr.prove()
				require.True(t, lr.verdictWithout(t, rules, proof, l0, zt), "accepted without the rule")
			})
		}
	}
}

// newLiar returns the prover of an instance that cheats.
func (in instance) newLiar(t testing.TB, c cheat) *liar {
	st := *in.st
	lr := newLiar(t, in.p, &st, in.w)
	c.lie(lr)
	return lr
}

// newLiar returns the cheat's prover of an instance of its shape.
func (c cheat) newLiar(t testing.TB, p *Params, seed byte) *liar {
	return newInstanceOf(t, p, c.shape, seed).newLiar(t, c)
}

// TestHiddenIsNotPublic proves a hidden type and claims a public one, and the
// reverse, with z_t removed or added.
func TestHiddenIsNotPublic(t *testing.T) {
	hidden := newInstance(t, vectors.Curve(t, "BN254"), oneToOne, 1)
	st := *hidden.st
	st.PublicType, st.Type = true, hidden.w.Type
	public := instance{hidden.p, &st, hidden.w}
	_, responses := hidden.places()
	zt := responses[len(responses)-3]
	require.ErrorIs(t, public.p.Verify(public.st, zt.with(hidden.prove(t), nil)), ErrRejected)
	proof, added := public.prove(t), place{at: zt.at}
	require.ErrorIs(t, hidden.p.Verify(hidden.st,
		added.with(proof, hidden.p.group.AppendScalar(nil, hidden.w.Type))), ErrRejected)
}
