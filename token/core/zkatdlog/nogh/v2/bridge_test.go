package v2 // claim is private: the scalars of its equations are compared with the model

import (
	"bytes"
	"crypto/rand"
	"flag"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/crypto/transcript"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

var bridge = flag.String("bridge", "", "folder for Data.v: the scalars of proofs, for docs/proof/Check.v")

// freshProofs is the number of proofs in Data.v besides the recorded ones.
func freshProofs() int {
	if *bridge != "" {
		return 100
	}
	return nightly.Pick(8, 20, 100)
}

// wideShapes are shapes of the first fresh proofs, up to 16 blocks and 64 tokens of a
// kind.
var wideShapes = []shape{
	{bits: 16, inputs: 10, outputs: 29}, {bits: 32, inputs: 17, outputs: 9, publicType: true},
	{bits: 64, outputs: 16},
	{bits: 16, inputs: 64, outputs: 64, publicValue: 5},
}

// TestBridge writes the inputs and the scalars of proofs as a Coq file: the recorded ones,
// fresh ones from random seeds, some of them wide, and verdicts over a toy group.
// docs/proof/Check.v computes the same from the specification and compares (docs/proof.md, "The engine").
func TestBridge(t *testing.T) {
	var records []string
	for i, curve := range vectorCurves {
		g := vectors.Curve(t, curve)
		for _, v := range load(t, "positive", curve) {
			in := instance{params(t, g, v.Statement.Bits), v.Statement.statement(t, g), v.witness(t, g)}
			records = append(records, in.record(t, v.Seed))
		}
		for f := range freshProofs() / len(vectorCurves) {
			s := shape{bits: []int{16, 32, 64}[f%3], inputs: f % 4, outputs: 1 + f/4%5, publicType: f%2 == i}
			if s.inputs > 0 {
				s.publicValue = uint64(f % 3 * 1000)
			}
			if f < len(wideShapes) {
				s = wideShapes[f]
			}
			seed := make([]byte, 32)
			_, err := rand.Read(seed)
			require.NoError(t, err)
			records = append(records, newInstance(t, g, s, byte(f)).record(t, seed))
		}
	}
	var b strings.Builder
	b.WriteString("From Coq Require Import NArith.\nFrom Bignums Require Import BigN.\nFrom mathcomp " +
		"Require Import all_ssreflect.\nFrom V2 Require Import Compare.\n")
	for i, r := range records {
		fmt.Fprintf(&b, "Definition proof%d := %s.\n", i, r)
	}
	b.WriteString("Definition proofs := [:: ")
	for i := range records {
		fmt.Fprintf(&b, "proof%d; ", i)
	}
	text := strings.TrimSuffix(b.String(), "; ") + "].\nDefinition verdicts := [::\n" +
		strings.Join(verdicts(t), ";\n") + "].\n"
	dir := *bridge
	if dir == "" {
		dir = t.TempDir()
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "Data.v"), []byte(text), 0o666))
}

// record makes the proof of the instance with a seed and returns it as a record
// of docs/proof/Compare.v: statement, witness, nonces, challenges, the coefficients of
// the messages, the responses of the prover, and the scalars of both equations of the verifier.
func (in instance) record(t testing.TB, seed []byte) string {
	t.Helper()
	p, g := in.p, in.p.group
	proof, err := p.Prove(in.st, in.w, bytes.NewReader(seed))
	require.NoError(t, err)
	require.NoError(t, p.Verify(in.st, proof))
	c := new(claim)
	require.NoError(t, c.read(p, in.st, proof))
	p.prepare(c)

	var values []string
	secrets, blindings := []group.Scalar{in.w.Type}, []group.Scalar(nil)
	for _, o := range append(append([]Opening(nil), in.w.Inputs...), in.w.Outputs...) {
		secrets = append(secrets, g.Uint64(o.Value), o.Blinding)
		blindings = append(blindings, o.Blinding)
		values = append(values, fmt.Sprint(o.Value))
	}
	var tr transcript.Chain
	p.begin(&tr, in.st)
	state := tr.State()
	hedge, err := nonce.NewHedge(g, bytes.NewReader(seed), state[:], secrets...)
	require.NoError(t, err)
	nonces := make([]group.Scalar, c.responses.scalars(nonceParts))
	require.NoError(t, hedge.Stream("zkatdlog-nogh-v2", 0).Scalars(nonces))

	var messages []string
	for _, coefficients := range in.coefficients(t, c, nonces) {
		messages = append(messages, numbers(g, coefficients...))
	}
	list := func(s ...group.Scalar) string { return numbers(g, s...) }
	responses := proof[1+len(c.points)*g.PointLen():]
	return fmt.Sprintf("{|\n order := %d%%bigN; bits := %d; inputs := %d; outputs := %d; transfer := %t; "+
		"hidden := %t; public_value := %d%%bigN;\n"+
		" witness_type := %d%%bigN; values := [:: %s]%%num; blindings := %s; nonces := %s;\n challenges := "+
		"%s; inverses := %s;\n messages := [:: %s];\n responses := %s;\n"+
		" main_left := %s; type_left := %s;\n main_right := %s; type_right := %s |}",
		g.Order(), p.bits, len(in.st.Inputs), len(in.st.Outputs), in.st.Kind == Transfer, !in.st.PublicType,
		in.st.PublicValue,
		number(g, in.w.Type), strings.Join(values, "; "), list(blindings...), list(nonces...),
		list(c.ch.drawn()...),
		list(inverses(g, c.ch.e)...), strings.Join(messages, "; "),
		list(vectors.Scalars(t, g, split(responses)...)...),
		list(c.fixed...), list(c.typeFixed[:]...), list(c.mainVariable...), list(c.typeVariable...))
}

// coefficients returns the coefficients of M, D, R, S, Q for the generators, by the
// tests' second prover. The engine's points must be these combinations.
func (in instance) coefficients(t testing.TB, c *claim, nonces []group.Scalar) []coordinates {
	t.Helper()
	st := *in.st
	lr := newLiar(t, in.p, &st, in.w)
	lr.nonces = nonces
	lr.start(c.ch)
	require.Equal(t, c.points, lr.commitments())
	return append(append(append([]coordinates{lr.m}, lr.d...), lr.r...), lr.s, lr.q)
}

func number(g group.Group, s group.Scalar) *big.Int {
	return new(big.Int).SetBytes(g.AppendScalar(nil, s))
}

// numbers is a list of scalars in Coq.
func numbers(g group.Group, s ...group.Scalar) string {
	texts := make([]string, len(s))
	for i := range s {
		texts[i] = number(g, s[i]).String()
	}
	return "[:: " + strings.Join(texts, "; ") + "]%bigN"
}

// inverses has 1/e, 1/(e + 1), …, and 0 for 0.
func inverses(g group.Group, e group.Scalar) []group.Scalar {
	all := make([]group.Scalar, slots)
	for i := range all {
		pole := number(g, g.Add(e, g.Uint64(uint64(i))))
		if pole.Sign() != 0 {
			all[i] = g.Reduce(pole.ModInverse(pole, g.Order()).Bytes())
		}
	}
	return all
}

// list returns the challenges in the order of drawing.
func (c *challenges) list() []*group.Scalar {
	return []*group.Scalar{&c.e, &c.chi, &c.zeta, &c.lambda, &c.y, &c.omega, &c.x}
}

// drawn returns the challenges in the order of drawing.
func (c *challenges) drawn() (all []group.Scalar) {
	for _, s := range c.list() {
		all = append(all, *s)
	}
	return all
}

// split divides encoded scalars.
func split(b []byte) (all []vectors.Hex) {
	for ; len(b) > 0; b = b[group.ScalarLen:] {
		all = append(all, b[:group.ScalarLen])
	}
	return all
}
