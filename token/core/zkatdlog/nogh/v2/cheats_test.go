package v2

import (
	"testing"

	"github.com/stretchr/testify/require"

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
	lie   func(lr *liar)
	rules func(lr *liar) removed
}

func without(f func(lr *liar, w *weights)) func(*liar) removed {
	return func(lr *liar) removed {
		return removed{weights: func(w *weights) { f(lr, w) }}
	}
}

// The rules with a separate weight.
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
	noTypes = func(*liar) removed { return removed{types: true} }
)

// plus adds to one coordinate.
func (c coordinates) plus(g group.Group, i int, v group.Scalar) { c[i] = g.Add(c[i], v) }

// raise adds v to the value of a token.
func (lr *liar) raise(token int, v group.Scalar) { lr.tokens[token].plus(lr.g, atG1, v) }

var cheats = []cheat{
	{"value 2^N, digits cut off", shape{bits: 32, inputs: 1, outputs: 1}, func(lr *liar) {
		lr.setValue(0, 0)
		lr.tokens[0][atG1], lr.tokens[1][atG1] = lr.g.Uint64(1<<32), lr.g.Uint64(1<<32)
	}, noSum},
	{"value 2^N, top digit 16", shape{bits: 32, inputs: 1, outputs: 1}, func(lr *liar) {
		lr.setValue(0, 0)
		lr.digits[7] = lr.g.Uint64(16)
		lr.tokens[0][atG1], lr.tokens[1][atG1] = lr.g.Uint64(1<<32), lr.g.Uint64(1<<32)
	}, noLookup},
	{"digits 1 and -16 in place of 0 and 0", shape{bits: 32, inputs: 1, outputs: 1}, func(lr *liar) {
		lr.setValue(0, 0)
		lr.digits[1], lr.digits[0] = lr.g.Uint64(1), lr.g.Neg(lr.g.Uint64(16))
		lr.tokens[0][atG1], lr.tokens[1][atG1] = group.Scalar{}, group.Scalar{}
	}, noLookup},
	{"digit -1 with matching sum", shape{bits: 64, inputs: 2, outputs: 2}, func(lr *liar) {
		lr.setValue(0, 0)
		lr.digits[0] = lr.g.Neg(lr.g.Uint64(1))
		lr.raise(0, lr.g.Neg(lr.g.Add(lr.tokens[2][atG1], lr.g.Uint64(1))))
		lr.tokens[2][atG1] = lr.g.Neg(lr.g.Uint64(1))
	}, noLookup},
	{"multiplicity off by one", shape{bits: 64, inputs: 2, outputs: 2}, func(lr *liar) {
		lr.setCounts = func(lr *liar) { lr.counts[3] = lr.g.Add(lr.counts[3], lr.g.Uint64(1)) }
	}, noLookup},
	{"multiplicities of other digits", shape{bits: 64, inputs: 2, outputs: 2}, func(lr *liar) {
		lr.setCounts = func(lr *liar) { lr.counts[0], lr.counts[15] = lr.counts[15], lr.counts[0] }
	}, noLookup},
	{"reciprocals with the right sum and product 2", shape{bits: 64, inputs: 2, outputs: 2}, func(lr *liar) {
		lr.setRecips = func(lr *liar) {
			more := lr.recips[0]
			lr.recips[0] = lr.g.Add(lr.recips[0], more)
			lr.recips[1] = lr.g.Sub(lr.recips[1], more)
		}
	}, noProduct},
	{"one unit too much", shape{bits: 64, inputs: 2, outputs: 2}, func(lr *liar) {
		lr.raise(0, lr.g.Uint64(1))
	}, noBalance},
	{"q - 1 units too much", shape{bits: 64, inputs: 2, outputs: 2}, func(lr *liar) {
		lr.raise(1, lr.g.Neg(lr.g.Uint64(1)))
	}, noBalance},
	{"public value off by one", shape{bits: 32, inputs: 2, outputs: 2, publicValue: 5}, func(lr *liar) {
		lr.st.PublicValue++
	}, noBalance},
	{"input of another type", shape{bits: 32, inputs: 2, outputs: 2}, func(lr *liar) {
		lr.tokens[1].plus(lr.g, atG0, lr.g.Uint64(1))
		lr.zt = believed
	}, noTypes},
	{"output of another type, made up for by z_t", shape{bits: 32, inputs: 2, outputs: 2}, func(lr *liar) {
		lr.tokens[2].plus(lr.g, atG0, lr.g.Uint64(1))
		lr.zt = believed
	}, noTypes},
	{"two types that cancel", shape{bits: 32, inputs: 2, outputs: 2}, func(lr *liar) {
		lr.tokens[0].plus(lr.g, atG0, lr.g.Uint64(1))
		lr.tokens[1].plus(lr.g, atG0, lr.g.Neg(lr.g.Uint64(1)))
		lr.zt = believed
	}, noTypes},
	{"two types in an issue", shape{bits: 32, outputs: 2}, func(lr *liar) {
		lr.tokens[1].plus(lr.g, atG0, lr.g.Uint64(1))
		lr.zt = believed
	}, noTypes},
	{"a part on H in every token, absorbed by the main equation", shape{bits: 32, inputs: 2, outputs: 2},
		func(lr *liar) {
			for _, c := range lr.tokens {
				c.plus(lr.g, atErrors+lr.l.slot(lr.l.top+3), lr.g.Uint64(7))
			}
		}, noTypes},
	{"output with a part in G3", shape{bits: 32, inputs: 2, outputs: 2}, func(lr *liar) {
		lr.tokens[2].plus(lr.g, atSlots+3, lr.g.Uint64(1))
		lr.noMask = 3
	}, func(*liar) removed { return removed{types: true, field: true} }},
	{"output with a part in H0", shape{bits: 32, inputs: 2, outputs: 2}, func(lr *liar) {
		lr.tokens[2].plus(lr.g, atErrors, lr.g.Uint64(1))
	}, func(*liar) removed { return removed{types: true, field: true} }},
	{"junk on H in D1", shape{bits: 32, inputs: 2, outputs: 2}, func(lr *liar) {
		lr.raise(2, lr.g.Uint64(1))
		lr.raise(0, lr.g.Uint64(1))
		lr.commitDigits = func(lr *liar) {
			lr.d[0].plus(lr.g, atErrors+lr.l.slot(lr.l.top+2), lr.g.Uint64(99))
		}
	}, func(*liar) removed { return removed{field: true} }},
	{"another public type", shape{bits: 32, inputs: 2, outputs: 2, publicType: true}, func(lr *liar) {
		lr.st.Type = lr.g.Add(lr.st.Type, lr.g.Uint64(1))
	}, func(*liar) removed { return removed{zt: true} }},
}

// believed is a z_t that satisfies the main equation.
func believed(main group.Scalar) group.Scalar { return main }

// TestEachRuleRefusesItsCheat proves with each dishonest prover. The verifier
// and the slow verifier refuse the proof. A verifier without the violated rule
// accepts it, which shows that the cheat violates only this rule.
func TestEachRuleRefusesItsCheat(t *testing.T) {
	for k, curve := range vectorCurves {
		g := vectors.Curve(t, curve)
		for i, c := range cheats {
			if testing.Short() && i%2 != k {
				continue
			}
			t.Run(curve+"/"+c.name, func(t *testing.T) {
				lr := c.newLiar(t, params(t, g, c.shape.bits), byte(i))
				proof, _, _ := lr.prove()
				require.ErrorIs(t, lr.p.Verify(lr.st, proof), ErrRejected)
				require.ErrorIs(t, lr.p.verifySlowly(lr.st, proof), ErrRejected)

				lr = c.newLiar(t, lr.p, byte(i))
				rules := c.rules(lr)
				lr.adjust = rules.weights
				proof, l0, zt := lr.prove()
				require.True(t, lr.verdictWithout(t, rules, proof, l0, zt), "accepted without the rule")
			})
		}
	}
}

func (c cheat) newLiar(t testing.TB, p *Params, seed byte) *liar {
	in := newInstanceOf(t, p, c.shape, seed)
	lr := newLiar(t, p, in.st, in.w)
	c.lie(lr)
	return lr
}

// TestHiddenIsNotPublic proves a hidden type and claims a public one, and the
// reverse, with z_t removed or added.
func TestHiddenIsNotPublic(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	hidden := newInstance(t, g, shape{bits: 32, inputs: 1, outputs: 1}, 1)
	proof := hidden.prove(t)
	public := *hidden.st
	public.PublicType, public.Type = true, hidden.w.Type
	at := len(proof) - 3*group.ScalarLen
	require.ErrorIs(t, hidden.p.Verify(&public, append(clone(proof[:at]), proof[at+group.ScalarLen:]...)),
		ErrRejected)

	in := instance{hidden.p, &public, hidden.w}
	proof = in.prove(t)
	at = len(proof) - 2*group.ScalarLen
	longer := append(g.AppendScalar(clone(proof[:at]), hidden.w.Type), proof[at:]...)
	require.ErrorIs(t, in.p.Verify(hidden.st, longer), ErrRejected)
}
