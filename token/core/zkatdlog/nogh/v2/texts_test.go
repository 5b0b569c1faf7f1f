package v2

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestTextsOfErrors: an error names the bound and what is beyond it.
func TestTextsOfErrors(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	in := newInstance(t, g, shape{bits: 32, inputs: 2, outputs: 3}, 31)
	for want, edit := range map[string]func(st *Statement, w *Witness){
		"v2 statement: kind 3 is neither transfer nor issue":           func(st *Statement, _ *Witness) { st.Kind = 3 },
		"v2 statement: a transfer has no inputs":                       func(st *Statement, _ *Witness) { st.Inputs = nil },
		"v2 statement: an issue has 2 inputs":                          func(st *Statement, _ *Witness) { st.Kind = Issue },
		"v2 statement: an issue has a public value":                    func(st *Statement, _ *Witness) { st.Kind, st.Inputs, st.PublicValue = Issue, nil, 1 },
		"v2 statement: 65 inputs are more than 64":                     func(st *Statement, _ *Witness) { st.Inputs = make([]group.CurvePoint, 65) },
		"v2 statement: 33 outputs of 32 bits are not between 1 and 32": func(st *Statement, _ *Witness) { st.Outputs = make([]group.Point, 33) },
		"v2 statement: 0 outputs of 32 bits are not between 1 and 32":  func(st *Statement, _ *Witness) { st.Outputs = nil },
		"v2 statement: 65537 bytes of context are more than 65536":     func(st *Statement, _ *Witness) { st.Context = make([]byte, 65537) },
		"v2 statement: a hidden type is not 0":                         func(st *Statement, _ *Witness) { st.Type = g.Uint64(1) },
		"v2 statement: input 1 is the identity":                        func(st *Statement, _ *Witness) { st.Inputs[1] = group.CurvePoint{} },
		"v2 statement: output 2 is the identity":                       func(st *Statement, _ *Witness) { st.Outputs[2] = group.Point{} },
		"v2 witness: one opening for each token is needed":             func(_ *Statement, w *Witness) { w.Outputs = w.Outputs[1:] },
		"v2 witness: output 2 has a value outside the range":           func(_ *Statement, w *Witness) { w.Outputs[2].Value = 1 << 32 },
		"v2 witness: inputs and outputs do not balance":                func(_ *Statement, w *Witness) { w.Inputs[1].Value++ },
	} {
		st, w := *in.st, *in.w
		st.Inputs, st.Outputs = slices.Clone(st.Inputs), slices.Clone(st.Outputs)
		w.Inputs, w.Outputs = slices.Clone(w.Inputs), slices.Clone(w.Outputs)
		edit(&st, &w)
		_, err := in.p.Prove(&st, &w, newRandom(1))
		require.EqualError(t, err, want)
	}
	require.EqualError(t, &RejectedError{Index: 3, Err: errors.New("reason")}, "claim 3: reason")
}

// TestTokenGenerators: those of tokens are the first three of all.
func TestTokenGenerators(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	own := params(t, g, 16).TokenGenerators()
	for i, want := range derive(g)[:3] {
		require.True(t, g.Equal(want, own[i]), "generator %d", i)
	}
}
