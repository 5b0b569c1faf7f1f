package v2

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

var record = flag.String("record", "", "folder to write known answers of large shapes to")

// TestRecord writes known answers of large shapes in the form of the other ones.
// testdata/large has the proofs of this test. Preimages come from the slow verifier.
func TestRecord(t *testing.T) {
	if *record == "" {
		t.Skip("writes files only with -record")
	}
	accepted := []shape{
		{bits: 16, outputs: 25}, {bits: 16, inputs: 64, outputs: 64, publicValue: 9}, {bits: 32, inputs: 10, outputs: 32, publicType: true},
		{bits: 32, inputs: 17, outputs: 9}, {bits: 64, outputs: 16, publicType: true}, {bits: 64, inputs: 3, outputs: 16},
	}
	for _, curve := range vectorCurves {
		g := vectors.Curve(t, curve)
		var right, wrong []map[string]any
		for i, s := range accepted {
			in := newInstance(t, g, s, byte(100+i))
			right = append(right, in.answer(t, fmt.Sprintf("%s/%v", curve, s), byte(i)))
		}
		for i, s := range []shape{{bits: 16, inputs: 10, outputs: 26}, {bits: 64, inputs: 3, outputs: 16}} {
			in := newInstance(t, g, s, byte(200+i))
			wrong = append(wrong, in.wrongAnswers(t, s)...)
		}
		var points []string
		for i := range generators {
			points = append(points, hex.EncodeToString(g.AppendPoint(nil, params(t, g, 64).generators.Point(i))))
		}
		for name, content := range map[string]any{"positive": right, "negative": wrong, "generators": points} {
			b, err := json.MarshalIndent(content, "", " ")
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(*record, name+"-"+curve+".json"), append(b, '\n'), 0o600))
		}
	}
}

// hexes encodes each of bs.
func hexes[B ~[]byte](bs ...B) []string {
	texts := make([]string, len(bs))
	for i, b := range bs {
		texts[i] = hex.EncodeToString(b)
	}
	return texts
}

func (in instance) statementAnswer() map[string]any {
	g, n := in.p.group, len(in.st.Inputs)
	tokens := hexes(slowBytes(g, in.st)...)
	return map[string]any{
		"curve": g.Name(), "bits": in.p.bits, "kind": in.st.Kind, "public_type": in.st.PublicType,
		"type": hex.EncodeToString(g.AppendScalar(nil, in.st.Type)), "public_value": fmt.Sprint(in.st.PublicValue),
		"inputs": tokens[:n], "outputs": tokens[n:], "context": hex.EncodeToString(in.st.Context),
	}
}

// answer returns the known answer of an honest proof.
func (in instance) answer(t *testing.T, name string, seed byte) map[string]any {
	t.Helper()
	g := in.p.group
	scalar := func(s group.Scalar) string { return hex.EncodeToString(g.AppendScalar(nil, s)) }
	openings := func(os []Opening) []map[string]string {
		list := make([]map[string]string, len(os))
		for i, o := range os {
			list[i] = map[string]string{"value": fmt.Sprint(o.Value), "blinding": scalar(o.Blinding)}
		}
		return list
	}
	random := bytes.Repeat([]byte{seed, 44}, 16)
	proof, err := in.p.Prove(in.st, in.w, bytes.NewReader(random))
	require.NoError(t, err)
	pr := new(prover)
	pr.begin(in.p, in.st, in.w)
	state := pr.tr.State()
	hedge, err := nonce.NewHedge(g, bytes.NewReader(random), state[:], pr.secrets...)
	require.NoError(t, err)
	hedge.Stream("zkatdlog-nogh-v2", 0).Fill(pr.nonces.all)
	var nonces []string
	for _, s := range pr.nonces.all {
		nonces = append(nonces, scalar(s))
	}
	s, err := in.p.readSlowly(in.st, proof)
	require.NoError(t, err)
	s.link("responses", s.responses)
	var transcript []map[string]string
	for _, l := range s.links {
		transcript = append(transcript, map[string]string{
			"label": l.Label, "preimage": hex.EncodeToString(l.Preimage), "state": hex.EncodeToString(l.State),
		})
	}
	c := new(claim)
	require.NoError(t, c.read(in.p, in.st, proof))
	require.Equal(t, s.state, c.state[:])
	main, types := new(weightedSum).weights(g, batchSeed([]*claim{c}), 0)
	digest := in.p.Digest()
	return map[string]any{
		"name": name, "parameters_digest": hex.EncodeToString(digest[:sha256.Size]), "statement": in.statementAnswer(),
		"type": scalar(in.w.Type), "input_openings": openings(in.w.Inputs), "output_openings": openings(in.w.Outputs),
		"seed": hex.EncodeToString(random), "nonces": nonces, "transcript": transcript,
		"challenges": map[string]string{
			"e": scalar(c.ch.e), "chi": scalar(c.ch.chi), "zeta": scalar(c.ch.zeta), "lambda": scalar(c.ch.lambda),
			"y": scalar(c.ch.y), "omega": scalar(c.ch.omega), "x": scalar(c.ch.x),
		},
		"l0":                        hex.EncodeToString(s.main.left[19].FillBytes(make([]byte, 32))),
		"weights_of_a_batch_of_one": []string{scalar(main)[16:], scalar(types)[16:]},
		"proof":                     hex.EncodeToString(proof),
	}
}

// wrongAnswers returns rejected proofs: the last lie of each kind, and defects of
// encoding and statement in the last places.
func (in instance) wrongAnswers(t *testing.T, s shape) (all []map[string]any) {
	t.Helper()
	add := func(in instance, proof []byte, reason, detail string) {
		require.Equal(t, reason, verdict(in.p.Verify(in.st, proof)), detail)
		all = append(all, map[string]any{
			"name": fmt.Sprintf("%v: %s", s, detail), "statement": in.statementAnswer(), "proof": hex.EncodeToString(proof),
			"reason": reason, "detail": detail,
		})
	}
	digits, last, kinds := regexp.MustCompile(`[0-9]+`), map[string]lie{}, []string(nil)
	for _, l := range liesAt(in.p.layoutOf(in.st), s.inputs > 0) {
		kind := digits.ReplaceAllString(strings.TrimSuffix(l.name, " is 16"), "N")
		if _, known := last[kind]; !known {
			kinds = append(kinds, kind)
		}
		last[kind] = l
	}
	for _, kind := range kinds {
		lr := in.newLiarOf(t, last[kind])
		proof, _, _ := lr.prove()
		add(instance{in.p, lr.st, in.w}, proof, "equation", last[kind].name)
	}
	proof := in.prove(t)
	add(in, proof[:len(proof)-1], "encoding", "a byte too few")
	add(in, append(clone(proof[:len(proof)-32]), bytes.Repeat([]byte{255}, 32)...), "encoding", "the last response is not reduced")
	at := 1 + (in.p.layoutOf(in.st).points()-1)*in.p.group.PointLen()
	changed := clone(proof)
	clear(changed[at:][:in.p.group.PointLen()])
	add(in, changed, "encoding", "Q is the identity")
	st := *in.st
	for len(st.Inputs) <= maxInputs {
		st.Inputs = append(st.Inputs[:len(st.Inputs):len(st.Inputs)], st.Inputs[0])
	}
	add(instance{in.p, &st, in.w}, proof, "statement", "65 inputs")
	return all
}
