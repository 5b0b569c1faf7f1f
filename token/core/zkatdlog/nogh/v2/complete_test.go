package v2 // check and maxBlocks are private: errors at each of 128 tokens are too slow with proofs

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestEqualDigits: one digit in all slots, so that a multiplicity is as large as
// it can be: 256 for 16 blocks, which takes three nibbles.
func TestEqualDigits(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for _, outputs := range []int{1, maxBlocks - 1, maxBlocks} {
		for _, digit := range []uint64{0, 7, 15} {
			in := newInstance(t, g, shape{bits: 64, outputs: outputs}, 8)
			for o := range in.w.Outputs {
				in.w.Outputs[o].Value = digit * 0x1111111111111111
			}
			in.commit()
			require.NoError(t, in.p.Verify(in.st, in.prove(t)), "%d outputs, digit %d", outputs, digit)
		}
	}
}

// TestStatementsOutOfBoundsAreRefused checks prover, decoder and verifier. Each
// statement violates one rule, which the error names.
func TestStatementsOutOfBoundsAreRefused(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	wide := newInstance(t, g, shape{bits: 16, inputs: maxInputs, outputs: maxOutputs}, 9).st
	inputs := append(wide.Inputs[:maxInputs:maxInputs], wide.Inputs[0])
	outputs := append(wide.Outputs[:maxOutputs:maxOutputs], wide.Outputs[0])
	for name, c := range map[string]struct {
		bits   int
		change func(*Statement)
		says   string
	}{
		"no kind":      {32, func(st *Statement) { st.Kind = 0 }, "kind 0 is neither"},
		"unknown kind": {32, func(st *Statement) { st.Kind = 3 }, "kind 3 is neither"},
		"issue with an input": {32, func(st *Statement) {
			st.Kind, st.Inputs = Issue, st.Inputs[:1]
		}, "an issue has 1 inputs"},
		"issue with value": {32, func(st *Statement) {
			st.Kind, st.Inputs, st.PublicValue = Issue, nil, 1
		}, "a public value"},
		"transfer of nothing": {32, func(st *Statement) { st.Inputs = nil }, "no inputs"},
		"no outputs":          {32, func(st *Statement) { st.Outputs = nil }, "0 outputs of 32 bits"},
		"too many inputs": {32, func(st *Statement) {
			st.Inputs = inputs
		}, "65 inputs are more than 64"},
		"too many outputs": {16, func(st *Statement) { st.Outputs = outputs }, "between 1 and 64"},
		"too many blocks of 32": {32, func(st *Statement) {
			st.Outputs = outputs[:2*maxBlocks+1]
		}, "between 1 and 32"},
		"too many blocks of 64": {64, func(st *Statement) {
			st.Outputs = outputs[:maxBlocks+1]
		}, "between 1 and 16"},
		"long context": {32, func(st *Statement) {
			st.Context = make([]byte, maxContext+1)
		}, "65537 bytes of context"},
		"hidden type": {32, func(st *Statement) { st.Type = g.Uint64(1) }, "a hidden type"},
	} {
		t.Run(name, func(t *testing.T) {
			in := newInstance(t, g, shape{bits: c.bits, inputs: 2, outputs: 2}, 9)
			proof := in.prove(t)
			c.change(in.st)
			_, prove := in.p.Prove(in.st, in.w, nil)
			_, decode := in.p.Decode(in.st, proof)
			for _, err := range []error{prove, decode, in.p.Verify(in.st, proof)} {
				require.ErrorIs(t, err, ErrStatement)
				vectors.Formatted(t, err)
				require.ErrorContains(t, err, c.says)
			}
		})
	}
}

// TestWitnessesThatDoNotFitAreRefused checks that no proof is output. Each witness
// violates one rule, which the error names; TestEveryTokenIsChecked changes each value.
func TestWitnessesThatDoNotFitAreRefused(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	const openings, balance = "one opening for each token", "do not balance"
	for name, c := range map[string]struct {
		bits   int
		change func(*Witness)
		says   string
	}{
		"an opening of an input too few": {32, func(w *Witness) { w.Inputs = w.Inputs[1:] }, openings},
		"an opening of an input too many": {32, func(w *Witness) {
			w.Inputs = append(w.Inputs, Opening{})
		}, openings},
		"an opening of an output too few": {32, func(w *Witness) { w.Outputs = w.Outputs[1:] }, openings},
		"an opening of an output too many": {32, func(w *Witness) {
			w.Outputs = append(w.Outputs, Opening{})
		}, openings},
		"balance modulo 2⁶⁴": {64, func(w *Witness) {
			setValues(w, []uint64{0, 2}, []uint64{1 << 63, 1 << 63})
		}, balance},
		"without public value": {32, func(w *Witness) {
			setValues(w, []uint64{1, 1}, []uint64{1, 1})
		}, balance},
		"another type": {32, func(w *Witness) {
			w.Type = g.Add(w.Type, g.Uint64(1))
		}, "the type is not the public one"},
	} {
		t.Run(name, func(t *testing.T) {
			in := newInstance(t, g,
				shape{bits: c.bits, inputs: 2, outputs: 2, publicType: true, publicValue: 2},
				10)
			c.change(in.w)
			proof, err := in.p.Prove(in.st, in.w, nil)
			require.ErrorIs(t, err, ErrWitness)
			require.ErrorContains(t, err, c.says)
			require.Nil(t, proof)
		})
	}
}

// TestEveryTokenIsChecked: of 64 inputs and 64 outputs, an identity and an
// opening outside the range are refused at each place, and each value counts.
func TestEveryTokenIsChecked(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 16, inputs: maxInputs, outputs: maxOutputs},
		9)
	require.NoError(t, in.p.check(in.st))
	require.NoError(t, in.p.checkWitness(in.st, in.w))
	refused := func(reason error, says string, args ...any) {
		t.Helper()
		err := in.p.check(in.st)
		if err == nil {
			err = in.p.checkWitness(in.st, in.w)
		}
		require.ErrorIs(t, err, reason)
		require.ErrorContains(t, err, fmt.Sprintf(says, args...))
	}
	for i := range maxInputs {
		was := in.st.Inputs[i]
		in.st.Inputs[i] = group.CurvePoint{}
		refused(ErrStatement, "input %d ", i)
		in.st.Inputs[i] = was
		in.w.Inputs[i].Value++
		refused(ErrWitness, "balance")
		in.w.Inputs[i].Value--
	}
	for o := range maxOutputs {
		was := in.st.Outputs[o]
		in.st.Outputs[o] = group.Point{}
		refused(ErrStatement, "output %d ", o)
		issue := Statement{Kind: Issue, Outputs: in.st.Outputs}
		require.ErrorIs(t, in.p.check(&issue), ErrStatement)
		in.st.Outputs[o] = was
		value := in.w.Outputs[o].Value
		in.w.Outputs[o].Value = 1 << 16
		refused(ErrWitness, "output %d has", o)
		in.w.Outputs[o].Value = value ^ 1
		refused(ErrWitness, "balance")
		in.w.Outputs[o].Value = value
	}
}

// setValues replaces the values of a witness of two inputs and two outputs.
func setValues(w *Witness, inputs, outputs []uint64) {
	for i := range inputs {
		w.Inputs[i].Value, w.Outputs[i].Value = inputs[i], outputs[i]
	}
}

func TestAFailingSourceIsAnError(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 32, inputs: 1, outputs: 1}, 13)
	proof, err := in.p.Prove(in.st, in.w, iotest.ErrReader(errors.New("no entropy")))
	require.ErrorIs(t, err, group.ErrRandom)
	require.Nil(t, proof)
}

func TestWitnessesShowNothing(t *testing.T) {
	w := Witness{Inputs: []Opening{{Value: 4711}}, Outputs: []Opening{{Value: 4711}}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x"} {
		require.Equal(t, "v2 witness", fmt.Sprintf(verb, w), verb)
		require.Equal(t, "v2 witness", fmt.Sprintf(verb, &w), verb)
		require.Equal(t, "v2 opening", fmt.Sprintf(verb, w.Outputs[0]), verb)
		require.NotContains(t, fmt.Sprintf(verb, w.Outputs), "4711", verb)
	}
}

// TestStatementsAreRead: room behind the inputs of a statement belongs to the caller.
func TestStatementsAreRead(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 16, inputs: 2, outputs: 1}, 35)
	inputs := append(slices.Clone(in.st.Inputs), make([]group.CurvePoint, 9)...)
	in.st.Inputs = inputs[:2]
	require.NoError(t, in.p.Verify(in.st, in.prove(t)))
	require.Equal(t, make([]group.CurvePoint, 9), inputs[2:])
}
