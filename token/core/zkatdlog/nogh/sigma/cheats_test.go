package sigma_test

import (
	"crypto/rand"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/bindtest"
	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// example is a true statement with its witness: inputs of value 10, 20, …, all
// of it in the last output and 0 in the others.
type example struct {
	k   *pedersen.Key
	st  sigma.TypeAndSumStatement
	w   sigma.TypeAndSumWitness
	src nonce.Source
}

func newExample(t testing.TB, k *pedersen.Key, inputs, outputs int) example {
	t.Helper()
	g := k.Group()
	draw := func(n int) []group.Scalar {
		s := make([]group.Scalar, n)
		require.NoError(t, group.Sample(g, rand.Reader, s))
		return s
	}
	hedge, err := nonce.NewHedge(g, rand.Reader, nil)
	require.NoError(t, err)
	e := example{k: k, src: hedge.Stream("test", 0), w: sigma.TypeAndSumWitness{
		Type: draw(1)[0], TypeBlinding: draw(1)[0],
		InputBlindings: draw(inputs), OutputBlindings: draw(outputs),
	}}
	total := uint64(0)
	for i, r := range e.w.InputBlindings {
		v := uint64(10 * (i + 1))
		total += v
		e.w.Values = append(e.w.Values, g.Uint64(v))
		e.st.Inputs = append(e.st.Inputs, k.Commit(e.w.Type, g.Uint64(v), r))
	}
	for j, r := range e.w.OutputBlindings {
		v := uint64(0)
		if j == outputs-1 {
			v = total
		}
		e.st.Outputs = append(e.st.Outputs, k.Commit(e.w.Type, g.Uint64(v), r))
	}
	return e
}

func (e example) prove(t testing.TB) sigma.TypeAndSum {
	t.Helper()
	p, err := sigma.ProveTypeAndSum(e.k, e.st, e.w, e.src)
	require.NoError(t, err)
	return p
}

// trials is how often each cheating prover is tried.
func trials() int { return nightly.Pick(1, 2, 1000) }

// eachKey runs f on each curve.
func eachKey(t *testing.T, f func(t *testing.T, k *pedersen.Key)) {
	for _, curve := range []string{"BN254", "BLS12_381_BBS_GURVY"} {
		t.Run(curve, func(t *testing.T) { f(t, vectors.Key(vectors.Curve(t, curve))) })
	}
}

// sumForgers change the numbers of points and responses of an honest proof, and points to the
// identity. TestFrozenChallenge changes each value.
var sumForgers = map[string]func(e *example, p *sigma.TypeAndSum){
	"CT is the identity":             func(_ *example, p *sigma.TypeAndSum) { p.CT = group.Point{} },
	"a value response is missing":    func(_ *example, p *sigma.TypeAndSum) { p.ZV = p.ZV[:1] },
	"a blinding response is missing": func(_ *example, p *sigma.TypeAndSum) { p.ZR = p.ZR[:1] },
	"a value response too many": func(_ *example, p *sigma.TypeAndSum) {
		p.ZV = append(slices.Clone(p.ZV), group.Scalar{})
	},
	"both have a response too many": func(_ *example, p *sigma.TypeAndSum) {
		p.ZR, p.ZV = append(slices.Clone(p.ZR), group.Scalar{}), append(slices.Clone(p.ZV), group.Scalar{})
	},
	"outputs exchanged":         func(e *example, _ *sigma.TypeAndSum) { slices.Reverse(e.st.Outputs) },
	"an output dropped":         func(e *example, _ *sigma.TypeAndSum) { e.st.Outputs = e.st.Outputs[1:] },
	"an input is the identity":  func(e *example, _ *sigma.TypeAndSum) { e.st.Inputs[0] = group.Point{} },
	"an output is the identity": func(e *example, _ *sigma.TypeAndSum) { e.st.Outputs[0] = group.Point{} },
}

func TestForgedTypeAndSumIsRejected(t *testing.T) {
	eachKey(t, func(t *testing.T, k *pedersen.Key) {
		for name, forge := range sumForgers {
			t.Run(name, func(t *testing.T) {
				e := newExample(t, k, 2, 2)
				p := e.prove(t)
				forge(&e, &p)
				require.ErrorIs(t, verifySum(k, e.st, p), sigma.ErrRejected)
			})
		}
	})
}

func TestOutputsMustAddUpToInputs(t *testing.T) {
	eachKey(t, func(t *testing.T, k *pedersen.Key) {
		for _, surplus := range []uint64{1, 1 << 32, ^uint64(0)} {
			for range trials() {
				e := newExample(t, k, 2, 2)
				more := group.MulPoint(k.Group(), k.Base(pedersen.G1), k.Group().Uint64(surplus))
				e.st.Outputs[0] = k.Group().AddPoints(e.st.Outputs[0], more)
				require.ErrorIs(t, verifySum(k, e.st, e.prove(t)), sigma.ErrRejected, "surplus %d", surplus)
			}
		}
	})
}

// TestTrueProofsOfRefusedStatements makes proofs with equations that hold, for
// the identity as CT and for a transfer without inputs.
func TestTrueProofsOfRefusedStatements(t *testing.T) {
	eachKey(t, func(t *testing.T, k *pedersen.Key) {
		e := newExample(t, k, 2, 2)
		same, err := sigma.ProveSameType(k, sigma.SameTypeWitness{}, e.src)
		require.NoError(t, err)
		require.True(t, group.IsIdentity(same.CT))
		require.ErrorIs(t, verifySame(k, same), sigma.ErrRejected, "CT of an issue")

		// Tokens of type 0; strings do not hash to it.
		e.w.Type, e.w.TypeBlinding = group.Scalar{}, group.Scalar{}
		for i := range e.st.Inputs {
			e.st.Inputs[i] = k.Commit(e.w.Type, e.w.Values[i], e.w.InputBlindings[i])
		}
		e.st.Outputs = []group.Point{e.st.Inputs[0], e.st.Inputs[1]}
		e.w.OutputBlindings = e.w.InputBlindings
		p := e.prove(t)
		require.True(t, group.IsIdentity(p.CT))
		require.ErrorIs(t, verifySum(k, e.st, p), sigma.ErrRejected, "CT of a transfer")

		st, p := spendNothing(k, e)
		require.ErrorIs(t, verifySum(k, st, p), sigma.ErrRejected, "no inputs")
	})
}

// spendNothing proves that an output of value 0 comes from no input.
func spendNothing(k *pedersen.Key, e example) (sigma.TypeAndSumStatement, sigma.TypeAndSum) {
	g, one := k.Group(), k.Group().Uint64(1)
	var zero group.Scalar
	p := sigma.TypeAndSum{CT: k.Commit(one, zero, one)}
	out := k.Commit(one, zero, e.w.OutputBlindings[0])
	derived := g.SubPoints(out, p.CT)
	secret := g.Sub(one, e.w.OutputBlindings[0])
	tr := transcript.NewV1(g, 0)
	tr.Points([]group.Point{k.Base(pedersen.H), k.Base(pedersen.H)}) // all nonces 1, but 0 for the type
	tr.Points([]group.Point{derived, p.CT, g.SubPoints(group.Point{}, derived)})
	p.C = tr.Challenge()
	p.ZT, p.ZB, p.ZS = p.C, g.Add(p.C, one), g.Add(g.Mul(p.C, secret), one)
	return sigma.TypeAndSumStatement{Outputs: []group.Point{out}}, p
}

func TestWitnessOfTheWrongShapeIsAnError(t *testing.T) {
	k := vectors.Key(vectors.Curve(t, "BN254"))
	e := newExample(t, k, 2, 2)
	for i, w := range []sigma.TypeAndSumWitness{
		{}, {Values: e.w.Values}, {Values: e.w.Values, InputBlindings: e.w.InputBlindings},
		{Values: e.w.Values[:1], InputBlindings: e.w.InputBlindings, OutputBlindings: e.w.OutputBlindings},
	} {
		_, err := sigma.ProveTypeAndSum(k, e.st, w, e.src)
		require.ErrorIs(t, err, sigma.ErrWitness, fmt.Sprint(i))
	}
	_, err := sigma.ProveTypeAndSum(k, sigma.TypeAndSumStatement{Outputs: e.st.Outputs},
		sigma.TypeAndSumWitness{OutputBlindings: e.w.OutputBlindings}, e.src)
	require.ErrorIs(t, err, sigma.ErrWitness, "no inputs")
	_, err = sigma.ProveTypeAndSum(new(pedersen.Key), e.st, e.w, e.src)
	require.ErrorIs(t, err, sigma.ErrWitness, "no key")
}

func TestFailingSourceIsAnErrorAndNoProof(t *testing.T) {
	k := vectors.Key(vectors.Curve(t, "BN254"))
	e := newExample(t, k, 2, 2)
	p, err := sigma.ProveTypeAndSum(k, e.st, e.w, &nonce.Fixed{})
	require.ErrorIs(t, err, group.ErrRandom)
	require.Zero(t, p.C)
	same, err := sigma.ProveSameType(k, sigma.SameTypeWitness{}, &nonce.Fixed{})
	require.ErrorIs(t, err, group.ErrRandom)
	require.Zero(t, same.C)
}

// TestForgedSameTypeIsRejected adds to each value of a proof.
func TestForgedSameTypeIsRejected(t *testing.T) {
	eachKey(t, func(t *testing.T, k *pedersen.Key) {
		g, e := k.Group(), newExample(t, k, 1, 1)
		made, err := sigma.ProveSameType(k,
			sigma.SameTypeWitness{Type: e.w.Type, Blinding: e.w.TypeBlinding}, e.src)
		require.NoError(t, err)
		require.NoError(t, verifySame(k, made))
		for i := range bindtest.Fields[group.Scalar](&made) {
			p := made
			f := bindtest.Fields[group.Scalar](&p)[i]
			*f.At = g.Add(*f.At, g.Uint64(1))
			require.ErrorIs(t, verifySame(k, p), sigma.ErrRejected, f.Name)
		}
		p := made
		p.CT = g.AddPoints(p.CT, g.Generator())
		require.ErrorIs(t, verifySame(k, p), sigma.ErrRejected, "CT")
	})
}
