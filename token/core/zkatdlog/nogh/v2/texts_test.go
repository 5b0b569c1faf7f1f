package v2

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// TestTextsOfErrors: an error names the bound and the value beyond it.
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

// TestIssuesHaveNoInput: not one either.
func TestIssuesHaveNoInput(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 32, inputs: 1, outputs: 1}, 32)
	in.st.Kind = Issue
	require.ErrorIs(t, in.p.check(in.st), ErrStatement)
}

// TestReasonsOfDecodeErrors: each error has its reason and the place of the defect.
func TestReasonsOfDecodeErrors(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	in := newInstance(t, g, shape{bits: 64, inputs: 1, outputs: 1}, 33)
	proof := in.prove(t)
	filled := func(at, n int, b byte) []byte {
		return slices.Concat(proof[:at], slices.Repeat([]byte{b}, n), proof[at+n:])
	}
	point, scalars := g.PointLen(), 1+5*g.PointLen()
	_, outside := g.DecodeCurvePoint(filled(1, point, 0xff)[1 : 1+point])
	_, large := g.DecodeScalar(slices.Repeat([]byte{0xff}, group.ScalarLen))
	require.Error(t, outside)
	require.Error(t, large)
	for _, c := range []struct {
		b    []byte
		want wire.DecodeError
	}{
		{proof[1:], wire.DecodeError{What: messageName, Offset: -1, Err: wire.ErrLength}},
		{filled(0, 1, 1), wire.DecodeError{What: messageName, Field: "version", Err: wire.ErrMalformed}},
		{filled(1, point, 0xff), wire.DecodeError{What: messageName, Field: "M", Offset: 1, Err: outside}},
		{filled(scalars-point, point, 0), wire.DecodeError{What: messageName, Field: "Q", Offset: scalars - point, Err: group.ErrIdentity}},
		{filled(scalars+32, 32, 0xff), wire.DecodeError{What: messageName, Field: "response 1", Offset: scalars + 32, Err: large}},
	} {
		_, err := in.p.Decode(in.st, c.b)
		require.Equal(t, &c.want, err)
	}
}

// TestParametersSayWhatTheyAre: curve, bits, digest, generators and memory.
func TestParametersSayWhatTheyAre(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	small, err := New(g, 16, 1)
	require.NoError(t, err)
	p := params(t, g, 32)
	require.Equal(t, g, p.Group())
	require.Equal(t, 16, small.Bits())
	require.Equal(t, uint64(1<<16-1), small.maxValue())
	require.Equal(t, digest(g, 16, derive(g)), small.Digest())
	require.Equal(t, small.common.Bytes()+small.generators.Bytes()+small.digits.Bytes(), small.TableBytes())
	large, err := New(g, 16, 4<<20)
	require.NoError(t, err)
	require.Less(t, small.TableBytes(), large.TableBytes())
	require.Less(t, large.TableBytes(), 5<<20)
	for i, want := range derive(g)[:3] {
		require.True(t, g.Equal(want, p.TokenGenerators()[i]), "generator %d", i)
	}
}

// TestRandomnessOfTheSystem: without a source each proof is another one.
func TestRandomnessOfTheSystem(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 16, inputs: 1, outputs: 1}, 34)
	first, err := in.p.Prove(in.st, in.w, nil)
	require.NoError(t, err)
	second, err := in.p.Prove(in.st, in.w, nil)
	require.NoError(t, err)
	require.NotEqual(t, first, second)
	require.NoError(t, in.p.VerifyBatch([]Claim{{in.st, first}, {in.st, second}}))
}

// TestEachClaimOfNoParametersHasAnError: of claims without a verifier.
func TestEachClaimOfNoParametersHasAnError(t *testing.T) {
	require.NoError(t, round.Run(vectors.Curve(t, "BN254"), func(r round.Round) error {
		errs := new(Params).VerifyClaims(r, make([]Claim, 3))
		require.Len(t, errs, 3)
		for _, err := range errs {
			require.ErrorIs(t, err, ErrParams)
		}
		return nil
	}))
}

// TestStatementsAreRead: room behind the inputs of a statement belongs to the caller.
func TestStatementsAreRead(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 16, inputs: 2, outputs: 1}, 35)
	inputs := append(slices.Clone(in.st.Inputs), make([]group.CurvePoint, 9)...)
	in.st.Inputs = inputs[:2]
	require.NoError(t, in.p.Verify(in.st, in.prove(t)))
	require.Equal(t, make([]group.CurvePoint, 9), inputs[2:])
}

// phased is a group that notes the phases that are entered.
type phased struct {
	group.Group
	names *[]string
	work  *[group.HashedBlocks + 1]int
}

func (p phased) Phase(name string) group.Group {
	*p.names = append(*p.names, name)
	return p
}
func (p phased) CountWork(w group.Work, n int)                { p.work[w] += n }
func (phased) CountSignatures(int, func(int) group.Signature) {}

// TestPhases: operations are counted in these parts.
func TestPhases(t *testing.T) {
	in := newInstance(t, vectors.Curve(t, "BN254"), shape{bits: 16, inputs: 1, outputs: 1}, 36)
	var names []string
	var work [group.HashedBlocks + 1]int
	p := in.p.On(phased{in.p.group, &names, &work})
	proof, err := p.Prove(in.st, in.w, newRandom(1))
	require.NoError(t, err)
	clear(work[:])
	require.NoError(t, p.Verify(in.st, proof))
	var c claim
	require.NoError(t, c.read(in.p, in.st, proof))
	require.Equal(t, c.tr.Blocks, work[group.HashedBlocks], "only blocks are counted as hashed ones")
	require.Subset(t, names, []string{"digits", "reciprocals", "masks", "scalars", "equation"})
}
