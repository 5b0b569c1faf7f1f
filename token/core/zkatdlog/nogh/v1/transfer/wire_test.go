package transfer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/pb"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// everything is an action with all fields set and an invalid proof.
func everything(g group.Group, kind rangeproof.Kind) *transfer.Action {
	a := &transfer.Action{
		Inputs: []transfer.Input{
			{ID: token.ID{TxID: "tx"}, Token: token.Token{Owner: []byte("alice"), Data: g.Generator()}},
			{
				ID:    token.ID{TxID: "tx", Index: 300},
				Token: token.Token{Owner: make([]byte, 200), Data: g.Generator()},
				Upgrade: &transfer.Upgrade{
					Clear:    token.Clear{Owner: make([]byte, 200), Type: "EUR", Quantity: "0x7"},
					Blinding: g.Uint64(9),
				},
			},
		},
		Outputs:  []token.Token{{Data: g.Generator()}, {Owner: []byte("bob"), Data: g.Generator()}},
		Metadata: map[string][]byte{"pub.b": []byte("1"), "pub.a": {}, "": []byte("2")},
		Issuer:   []byte("bank"),
	}
	a.Proof.Kind, a.Proof.Raw = kind, []byte("no proof")
	return a
}

// message returns the fields of a.
func message(g group.Group, a *transfer.Action) pb.Fields {
	hidden := func(t token.Token) pb.Fields {
		return pb.Fields{"owner": t.Owner, "data": pb.Fields{"raw": wire.AppendJSONPoint(nil, g, t.Data)}}
	}
	var inputs, outputs []any
	for _, in := range a.Inputs {
		input := pb.Fields{"token_id": pb.Fields{"tx_id": in.ID.TxID, "index": in.ID.Index},
			"input": hidden(in.Token)}
		if u := in.Upgrade; u != nil {
			input["upgrade_witness"] = pb.Fields{
				"output": pb.Fields{"owner": u.Clear.Owner, "type": u.Clear.Type,
					"quantity": u.Clear.Quantity},
				"blinding_factor": pb.Fields{"raw": wire.AppendJSONScalar(nil, g, u.Blinding)},
			}
		}
		inputs = append(inputs, input)
	}
	for _, out := range a.Outputs {
		outputs = append(outputs, pb.Fields{"token": hidden(out)})
	}
	return pb.Fields{
		"version": 1, "inputs": inputs, "outputs": outputs, "metadata": a.Metadata,
		"proof": pb.Fields{variants[a.Proof.Kind]: a.Proof.Raw}, "issuer": pb.Fields{"raw": a.Issuer},
	}
}

// variants are the fields of the proofs of the systems.
var variants = map[rangeproof.Kind]string{rangeproof.Bulletproof: "proof", rangeproof.CSP: "csp_based_proof"}

func TestBytesAreThoseOfTheGeneratedCode(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for _, kind := range kinds {
		a := everything(g, kind)
		want, err := pb.Encode("TransferAction", message(g, a))
		require.NoError(t, err)
		require.Equal(t, want, a.Encode(g))
		again, err := transfer.Decode(g, want, token.DefaultLimits)
		require.NoError(t, err)
		require.Equal(t, want, again.Encode(g))
	}
}

// TestMalformedActions changes one field at a time.
func TestMalformedActions(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	otherCurve := wire.AppendJSONPoint(nil, g, g.Generator())
	otherCurve[len(`{"curve":`)] = '7'
	for name, c := range map[string]struct {
		path  string
		value any
	}{
		"no version":             {"version", nil},
		"version 2":              {"version", 2},
		"no inputs":              {"inputs", nil},
		"no outputs":             {"outputs", nil},
		"no token id":            {"inputs.0.token_id", nil},
		"no transaction id":      {"inputs.0.token_id.tx_id", nil},
		"no input token":         {"inputs.1.input", nil},
		"no input owner":         {"inputs.1.input.owner", nil},
		"no input point":         {"inputs.1.input.data", nil},
		"empty input point":      {"inputs.1.input.data.raw", nil},
		"no clear token":         {"inputs.1.upgrade_witness.output", nil},
		"no clear owner":         {"inputs.1.upgrade_witness.output.owner", nil},
		"no clear type":          {"inputs.1.upgrade_witness.output.type", nil},
		"no clear quantity":      {"inputs.1.upgrade_witness.output.quantity", nil},
		"no blinding factor":     {"inputs.1.upgrade_witness.blinding_factor", nil},
		"empty blinding factor":  {"inputs.1.upgrade_witness.blinding_factor.raw", nil},
		"no output token":        {"outputs.0.token", nil},
		"no output point":        {"outputs.0.token.data", nil},
		"point without JSON":     {"outputs.0.token.data.raw", g.AppendPoint(nil, g.Generator())},
		"point of another curve": {"outputs.0.token.data.raw", otherCurve},
		"no proof":               {"proof", nil},
		"no variant of proof":    {"proof.csp_based_proof", nil},
		"empty proof":            {"proof.csp_based_proof", ""},
		"empty issuer":           {"issuer.raw", nil},
	} {
		t.Run(name, func(t *testing.T) {
			m := message(g, everything(g, rangeproof.CSP))
			m.Set(c.path, c.value)
			b, err := pb.Encode("TransferAction", m)
			require.NoError(t, err)
			_, err = transfer.Decode(g, b, token.DefaultLimits)
			var bad *wire.DecodeError
			require.ErrorAs(t, err, &bad)
		})
	}
}
