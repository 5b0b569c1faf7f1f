package v2

import (
	"errors"
	"fmt"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// shapes are statements of every kind.
func shapes(short bool) (all []shape) {
	for _, bits := range []int{16, 32, 64} {
		outputs := []int{1, 2, 3, 4, 8, min(MaxOutputs, MaxBlocks*64/bits)}
		if short {
			outputs = []int{1, 3}
		}
		for _, m := range outputs {
			for _, n := range []int{0, 1, 2, m + 2} {
				if n > MaxInputs {
					n = MaxInputs
				}
				s := shape{bits: bits, inputs: n, outputs: m}
				all = append(all, s)
				s.publicType = true
				all = append(all, s)
				if n > 1 {
					s.publicValue = ^uint64(0)
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// TestHonestProofsAreAccepted checks completeness, including encoding and
// decoding.
func TestHonestProofsAreAccepted(t *testing.T) {
	for _, curve := range vectorCurves {
		g := vectors.Curve(t, curve)
		for i, s := range shapes(testing.Short()) {
			t.Run(fmt.Sprintf("%s/%+v", curve, s), func(t *testing.T) {
				in := newInstance(t, g, s, byte(i))
				proof := in.prove(t)
				require.Len(t, proof, in.p.ProofLen(s.outputs, s.publicType))
				decoded, err := in.p.Decode(in.st, proof)
				require.NoError(t, err)
				require.Equal(t, proof, decoded.Encode(g))
				require.NoError(t, in.p.Verify(in.st, proof))
				if s.outputs <= 2 && s.inputs <= 2 {
					require.NoError(t, in.p.verifySlowly(in.st, proof))
				}
			})
		}
	}
}

// TestOtherCurves proves on curves without a native backend.
func TestOtherCurves(t *testing.T) {
	if testing.Short() {
		t.Skip("slow curves")
	}
	for _, curve := range []string{"FP256BN_AMCL", "BLS12_381_BBS"} {
		in := newInstance(t, vectors.Curve(t, curve), shape{bits: 32, inputs: 1, outputs: 2}, 3)
		require.NoError(t, in.p.Verify(in.st, in.prove(t)), curve)
	}
}

// TestStatementsOutOfBoundsAreRefused checks prover, decoder and verifier.
func TestStatementsOutOfBoundsAreRefused(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for name, change := range map[string]func(*Statement){
		"no kind":             func(st *Statement) { st.Kind = 0 },
		"unknown kind":        func(st *Statement) { st.Kind = 3 },
		"issue with inputs":   func(st *Statement) { st.Kind = Issue },
		"transfer of nothing": func(st *Statement) { st.Inputs = nil },
		"no outputs":          func(st *Statement) { st.Outputs = nil },
		"too many inputs":     func(st *Statement) { st.Inputs = make([]group.CurvePoint, MaxInputs+1) },
		"too many outputs":    func(st *Statement) { st.Outputs = make([]group.Point, MaxOutputs+1) },
		"too many blocks":     func(st *Statement) { st.Outputs = make([]group.Point, 2*MaxBlocks+1) },
		"long context":        func(st *Statement) { st.Context = make([]byte, MaxContext+1) },
		"input identity":      func(st *Statement) { st.Inputs[0] = group.CurvePoint{} },
		"output identity":     func(st *Statement) { st.Outputs[1] = group.Point{} },
		"hidden type":         func(st *Statement) { st.Type = g.Uint64(1) },
	} {
		in := newInstance(t, g, shape{bits: 32, inputs: 2, outputs: 2}, 9)
		proof := in.prove(t)
		change(in.st)
		_, err := in.p.Prove(in.st, in.w, nil)
		require.ErrorIs(t, err, ErrStatement, name)
		_, err = in.p.Decode(in.st, proof)
		require.ErrorIs(t, err, ErrStatement, name)
		require.ErrorIs(t, in.p.Verify(in.st, proof), ErrStatement, name)
	}
	in := newInstance(t, g, shape{bits: 32, outputs: 2}, 9)
	in.st.PublicValue = 1
	require.ErrorIs(t, in.p.Verify(in.st, []byte{version}), ErrStatement)
}

// TestWitnessesThatDoNotFitAreRefused checks that no proof is output.
func TestWitnessesThatDoNotFitAreRefused(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for name, change := range map[string]func(*Witness){
		"an opening too few":  func(w *Witness) { w.Inputs = w.Inputs[1:] },
		"an opening too many": func(w *Witness) { w.Outputs = append(w.Outputs, Opening{}) },
		"out of range": func(w *Witness) {
			w.Outputs[0].Value, w.Inputs[0].Value = 1<<32, w.Inputs[0].Value+1<<32-w.Outputs[0].Value
		},
		"no balance":   func(w *Witness) { w.Inputs[1].Value++ },
		"another type": func(w *Witness) { w.Type = g.Add(w.Type, g.Uint64(1)) },
	} {
		in := newInstance(t, g, shape{bits: 32, inputs: 2, outputs: 2, publicType: true}, 10)
		change(in.w)
		proof, err := in.p.Prove(in.st, in.w, nil)
		require.ErrorIs(t, err, ErrWitness, name)
		require.Nil(t, proof)
	}
}

// TestWrongOpeningsGiveProofsThatAreRejected shows that the prover does not
// recompute commitments.
func TestWrongOpeningsGiveProofsThatAreRejected(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	in := newInstance(t, g, shape{bits: 32, inputs: 2, outputs: 2}, 12)
	in.w.Inputs[0].Blinding = g.Uint64(5)
	require.ErrorIs(t, in.p.Verify(in.st, in.prove(t)), ErrRejected)
}

func TestAFailingSourceIsAnError(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 32, inputs: 1, outputs: 1}, 13)
	proof, err := in.p.Prove(in.st, in.w, iotest.ErrReader(errors.New("no entropy")))
	require.ErrorIs(t, err, group.ErrRandom)
	require.Nil(t, proof)
}

func TestWitnessesShowNothing(t *testing.T) {
	w := Witness{Outputs: []Opening{{Value: 4711}}}
	for _, text := range []string{fmt.Sprint(w), fmt.Sprintf("%+v %#v", w, w), fmt.Sprintf("%v %#v", w.Outputs, w.Outputs[0])} {
		require.NotContains(t, text, "4711")
	}
}
