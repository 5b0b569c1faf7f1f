package v2 // claim is private: intermediate values of a verifier are recorded

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// further are the folders of known answers in addition to testdata.
var further = flag.String("vectors", "", "further folders of v2 known answers, separated by commas")

// folders are all folders of known answers.
func folders() []string {
	all := []string{"testdata", filepath.Join("testdata", "large")}
	for dir := range strings.SplitSeq(*further, ",") {
		if dir != "" {
			all = append(all, dir)
		}
	}
	return all
}

// vectorCurves are the curves that have known answers.
var vectorCurves = []string{"BN254", "BLS12_381_BBS_GURVY"}

// vectorStatement is a statement in a file.
type vectorStatement struct {
	Curve           string
	Bits            int
	Kind            Kind
	PublicType      bool `json:"public_type"`
	Type            vectors.Hex
	PublicValue     string `json:"public_value"`
	Inputs, Outputs []vectors.Hex
	Context         vectors.Hex
}

type vectorOpening struct {
	Value    string
	Blinding vectors.Hex
}

// vector is one known answer: an honest proof with all its inputs, or a proof
// with a verdict.
type vector struct {
	Name             string
	ParametersDigest vectors.Hex `json:"parameters_digest"`
	Statement        vectorStatement
	Type             vectors.Hex
	InputOpenings    []vectorOpening `json:"input_openings"`
	OutputOpenings   []vectorOpening `json:"output_openings"`
	Seed             vectors.Hex
	Nonces           []vectors.Hex
	Transcript       []struct{ State vectors.Hex }
	Challenges       struct{ E, Chi, Zeta, Lambda, Y, Omega, X vectors.Hex }
	FirstError       vectors.Hex   `json:"l0"`
	Weights          []vectors.Hex `json:"weights_of_a_batch_of_one"`
	Proof            vectors.Hex
	Reason, Detail   string
}

// load reads the vectors of one kind and curve from all folders.
func load(t testing.TB, kind, curve string) (all []vector) {
	t.Helper()
	for _, dir := range folders() {
		raw, err := os.ReadFile(filepath.Join(dir, kind+"-"+curve+".json"))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		require.NoError(t, err)
		var some []vector
		require.NoError(t, json.Unmarshal(raw, &some))
		all = append(all, some...)
	}
	return all
}

// testTableBytes keeps the tables of tests small.
const testTableBytes = 1 << 20

var testParams sync.Map

// params returns shared parameters with small tables.
func params(t testing.TB, g group.Group, bits int) *Params {
	t.Helper()
	key := g.Name() + strconv.Itoa(bits)
	if p, ok := testParams.Load(key); ok {
		return p.(*Params)
	}
	p, err := New(g, bits, testTableBytes)
	require.NoError(t, err)
	testParams.Store(key, p)
	return p
}

// statement reads st for the group.
func (v vectorStatement) statement(t testing.TB, g group.Group) *Statement {
	t.Helper()
	value, err := strconv.ParseUint(v.PublicValue, 10, 64)
	require.NoError(t, err)
	st := &Statement{
		Kind: v.Kind, PublicType: v.PublicType, Type: g.Reduce(v.Type), PublicValue: value,
		Outputs: vectors.Points(t, g, v.Outputs), Context: v.Context,
	}
	for _, b := range v.Inputs {
		p, err := g.DecodeCurvePoint(b)
		require.NoError(t, err)
		st.Inputs = append(st.Inputs, p)
	}
	return st
}

func (v vector) witness(t testing.TB, g group.Group) *Witness {
	t.Helper()
	openings := func(list []vectorOpening) (os []Opening) {
		for _, o := range list {
			value, err := strconv.ParseUint(o.Value, 10, 64)
			require.NoError(t, err)
			os = append(os, Opening{Value: value, Blinding: vectors.Scalar(t, g, o.Blinding)})
		}
		return os
	}
	return &Witness{Type: vectors.Scalar(t, g, v.Type), Inputs: openings(v.InputOpenings),
		Outputs: openings(v.OutputOpenings)}
}

func TestGenerators(t *testing.T) {
	for _, curve := range vectorCurves {
		g := vectors.Curve(t, curve)
		checked := 0
		for _, dir := range folders() {
			raw, err := os.ReadFile(filepath.Join(dir, "generators-"+curve+".json"))
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			require.NoError(t, err)
			var want []vectors.Hex
			require.NoError(t, json.Unmarshal(raw, &want))
			p := params(t, g, 64)
			require.Len(t, want, generators)
			for i, b := range want {
				require.Equal(t, []byte(b), g.AppendPoint(nil, p.generators.Point(i)), "generator %d", i)
			}
			checked++
		}
		require.NotZero(t, checked)
	}
}

// TestProofsAreMadeByteForByte makes each recorded proof again, from its nonces
// and from its seed.
func TestProofsAreMadeByteForByte(t *testing.T) {
	for _, curve := range vectorCurves {
		g := vectors.Curve(t, curve)
		all := load(t, "positive", curve)
		require.NotEmpty(t, all)
		for i, v := range all {
			if i%nightly.Pick(4, 1, 1) != 0 {
				continue
			}
			t.Run(v.Name, func(t *testing.T) {
				p := params(t, g, v.Statement.Bits)
				require.Equal(t, []byte(v.ParametersDigest), p.digest[:])
				st, w := v.Statement.statement(t, g), v.witness(t, g)
				proof, err := p.Prove(st, w, bytes.NewReader(v.Seed))
				require.NoError(t, err)
				require.Equal(t, []byte(v.Proof), proof)

				proof, err = instance{p, st, w}.proveWith(t, vectors.Scalars(t, g, v.Nonces...))
				require.NoError(t, err)
				require.Equal(t, []byte(v.Proof), proof)
				v.checkVerifier(t, p, st)
			})
		}
	}
}

// checkVerifier compares intermediate values of the verifier.
func (v vector) checkVerifier(t *testing.T, p *Params, st *Statement) {
	g := p.group
	c := new(claim)
	require.NoError(t, c.read(p, st, v.Proof))
	last := v.Transcript[len(v.Transcript)-1]
	require.Equal(t, []byte(last.State), c.state[:])
	for i, b := range []vectors.Hex{v.Challenges.E, v.Challenges.Chi, v.Challenges.Zeta, v.Challenges.Lambda,
		v.Challenges.Y, v.Challenges.Omega, v.Challenges.X} {
		require.Equal(t, vectors.Scalar(t, g, b), c.ch.drawn()[i], "challenge %d", i)
	}
	p.prepare(c)
	require.Equal(t, vectors.Scalar(t, g, v.FirstError), c.fixed[atErrors])
	main, types := new(weightedSum).weights(g, batchSeed([]*claim{c}), 0)
	require.Equal(t, g.Reduce(v.Weights[0]), main)
	require.Equal(t, g.Reduce(v.Weights[1]), types)
	require.NoError(t, p.Verify(st, v.Proof))
	require.Empty(t, instance{p: p, st: st}.slowVerdict(t, v.Proof, ""))
	proof, err := p.Decode(st, v.Proof)
	require.NoError(t, err)
	require.Equal(t, []byte(v.Proof), proof.Encode(g))
}

// verdict returns the reason of err in the form of the files.
func verdict(err error) string {
	decode := new(wire.DecodeError)
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrStatement):
		return "statement"
	case errors.As(err, &decode):
		return "encoding"
	case errors.Is(err, ErrRejected):
		return "equation"
	}
	return err.Error()
}

// slowVerdict returns the verdict of the slow verifier. It does not compute large sums but at
// night: if their scalars equal the verifier's, and its verdict is known, so is the slow one.
func (in instance) slowVerdict(t *testing.T, proof []byte, known string) string {
	t.Helper()
	if known == "" || known == "equation" {
		in.sameScalars(t, proof)
		if len(in.st.Inputs)+len(in.st.Outputs) > nightly.Pick(2, 2, 128) {
			return known
		}
	}
	return verdict(in.p.verifySlowly(in.st, proof))
}

// TestVerdicts verifies rejected proofs, many of cheating provers, and accepted
// ones with points of small order.
func TestVerdicts(t *testing.T) {
	for k, curve := range vectorCurves {
		g := vectors.Curve(t, curve)
		all := append(load(t, "negative", curve), load(t, "torsion", curve)...)
		require.NotEmpty(t, all)
		for i, v := range all {
			if testing.Short() && i%2 != k {
				continue
			}
			t.Run(curve+"/"+v.Name, func(t *testing.T) {
				p := params(t, g, v.Statement.Bits)
				st := v.Statement.statement(t, g)
				require.Equal(t, v.Reason, verdict(p.Verify(st, v.Proof)), "%s", v.Detail)
				require.Equal(t, v.Reason, instance{p: p, st: st}.slowVerdict(t, v.Proof, v.Reason),
					"%s, slowly", v.Detail)
			})
		}
	}
}
