package issue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/pb"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// everything is an action with all fields set and an invalid proof.
func everything(g group.Group, kind rangeproof.Kind) *issue.Action {
	a := &issue.Action{
		Issuer: []byte("bank"),
		Inputs: []issue.Input{{ID: token.ID{TxID: "tx", Index: 300}, Token: make([]byte, 200)}},
		Outputs: []token.Token{{Owner: []byte("alice"), Data: g.Generator()},
			{Owner: make([]byte, 200), Data: g.Generator()}},
		Metadata: map[string][]byte{"pub.b": []byte("1"), "pub.a": {}},
	}
	a.Proof.Kind, a.Proof.Raw = kind, []byte("no proof")
	return a
}

// message returns the fields of a.
func message(g group.Group, a *issue.Action) pb.Fields {
	var inputs, outputs []any
	for _, in := range a.Inputs {
		inputs = append(inputs,
			pb.Fields{"id": pb.Fields{"tx_id": in.ID.TxID, "index": in.ID.Index}, "token": in.Token})
	}
	for _, out := range a.Outputs {
		data := pb.Fields{"raw": wire.AppendJSONPoint(nil, g, out.Data)}
		outputs = append(outputs, pb.Fields{"token": pb.Fields{"owner": out.Owner, "data": data}})
	}
	return pb.Fields{
		"version": 1, "issuer": pb.Fields{"raw": a.Issuer}, "inputs": inputs, "outputs": outputs,
		"proof": pb.Fields{variants[a.Proof.Kind]: a.Proof.Raw}, "metadata": a.Metadata,
	}
}

// variants are the fields of the proofs of the systems.
var variants = map[rangeproof.Kind]string{rangeproof.Bulletproof: "proof", rangeproof.CSP: "csp_based_proof"}

func TestBytesAreThoseOfTheGeneratedCode(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for _, kind := range kinds {
		a := everything(g, kind)
		for i := range uint64(9) { // more than eight of each
			a.Inputs = append(a.Inputs,
				issue.Input{ID: token.ID{TxID: "tx", Index: i}, Token: []byte{1, byte(i)}})
			a.Outputs = append(a.Outputs, token.Token{Owner: []byte{2, byte(i)}, Data: g.Generator()})
		}
		want, err := pb.Encode("IssueAction", message(g, a))
		require.NoError(t, err)
		require.Equal(t, want, a.Encode(g))
		again, err := issue.Decode(g, want, token.DefaultLimits)
		require.NoError(t, err)
		require.Equal(t, want, again.Encode(g))
	}
}

// TestMalformedActions changes one field at a time.
func TestMalformedActions(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for name, c := range map[string]struct {
		path  string
		value any
	}{
		"no version":          {"version", nil},
		"version 2":           {"version", 2},
		"no issuer":           {"issuer", nil},
		"empty issuer":        {"issuer.raw", nil},
		"no input id":         {"inputs.0.id", nil},
		"no transaction id":   {"inputs.0.id.tx_id", nil},
		"empty input token":   {"inputs.0.token", nil},
		"no outputs":          {"outputs", nil},
		"no output token":     {"outputs.0.token", nil},
		"no output point":     {"outputs.0.token.data", nil},
		"no output owner":     {"outputs.0.token.owner", nil},
		"no proof":            {"proof", nil},
		"no variant of proof": {"proof.csp_based_proof", nil},
		"empty proof":         {"proof.csp_based_proof", ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := message(g, everything(g, rangeproof.CSP))
			m.Set(c.path, c.value)
			b, err := pb.Encode("IssueAction", m)
			require.NoError(t, err)
			_, err = issue.Decode(g, b, token.DefaultLimits)
			var bad *wire.DecodeError
			require.ErrorAs(t, err, &bad)
		})
	}
}
