package transfer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/pb"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// everything is an action with all fields set and an invalid proof.
func everything(g group.Group, kind rangeproof.Kind) *transfer.Action {
	a := &transfer.Action{
		Inputs: []transfer.Input{
			{ID: token.ID{TxID: "tx"}, Token: token.Token{Owner: []byte("alice"), Data: g.Generator()}},
			{
				ID: token.ID{TxID: "tx", Index: 300}, Token: token.Token{Owner: make([]byte, 200), Data: g.Generator()},
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

// message converts a to the generated type.
func message(g group.Group, a *transfer.Action) *pb.TransferAction {
	hidden := func(t token.Token) *pb.Token {
		return &pb.Token{Owner: t.Owner, Data: &pb.G1{Raw: wire.AppendJSONPoint(nil, g, t.Data)}}
	}
	m := &pb.TransferAction{Version: 1, Metadata: a.Metadata, Issuer: &pb.Identity{Raw: a.Issuer}}
	for _, in := range a.Inputs {
		input := &pb.TransferActionInput{TokenId: &pb.TokenID{TxId: in.ID.TxID, Index: in.ID.Index}, Input: hidden(in.Token)}
		if u := in.Upgrade; u != nil {
			input.UpgradeWitness = &pb.TransferActionInputUpgradeWitness{
				Output:         &pb.ClearToken{Owner: u.Clear.Owner, Type: u.Clear.Type, Quantity: u.Clear.Quantity},
				BlindingFactor: &pb.Zr{Raw: wire.AppendJSONScalar(nil, g, u.Blinding)},
			}
		}
		m.Inputs = append(m.Inputs, input)
	}
	for _, out := range a.Outputs {
		m.Outputs = append(m.Outputs, &pb.TransferActionOutput{Token: hidden(out)})
	}
	m.Proof = &pb.Proof{ProofType: &pb.Proof_Proof{Proof: a.Proof.Raw}}
	if a.Proof.Kind == rangeproof.CSP {
		m.Proof = &pb.Proof{ProofType: &pb.Proof_CspBasedProof{CspBasedProof: a.Proof.Raw}}
	}
	return m
}

func TestBytesAreThoseOfTheGeneratedCode(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for _, kind := range kinds {
		a := everything(g, kind)
		want, err := wire.Marshal(message(g, a))
		require.NoError(t, err)
		require.Equal(t, want, a.Encode(g))
		again, err := transfer.Decode(g, want, transfer.DefaultLimits)
		require.NoError(t, err)
		require.Equal(t, want, again.Encode(g))
	}
}

// TestMalformedActions changes one field of the generated message at a time.
func TestMalformedActions(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for name, change := range map[string]func(m *pb.TransferAction){
		"no version":             func(m *pb.TransferAction) { m.Version = 0 },
		"version 2":              func(m *pb.TransferAction) { m.Version = 2 },
		"no inputs":              func(m *pb.TransferAction) { m.Inputs = nil },
		"no outputs":             func(m *pb.TransferAction) { m.Outputs = nil },
		"no token id":            func(m *pb.TransferAction) { m.Inputs[0].TokenId = nil },
		"no transaction id":      func(m *pb.TransferAction) { m.Inputs[0].TokenId.TxId = "" },
		"no input token":         func(m *pb.TransferAction) { m.Inputs[1].Input = nil },
		"no input owner":         func(m *pb.TransferAction) { m.Inputs[1].Input.Owner = nil },
		"no input point":         func(m *pb.TransferAction) { m.Inputs[1].Input.Data = nil },
		"empty input point":      func(m *pb.TransferAction) { m.Inputs[1].Input.Data.Raw = nil },
		"no clear token":         func(m *pb.TransferAction) { m.Inputs[1].UpgradeWitness.Output = nil },
		"no clear owner":         func(m *pb.TransferAction) { m.Inputs[1].UpgradeWitness.Output.Owner = nil },
		"no clear type":          func(m *pb.TransferAction) { m.Inputs[1].UpgradeWitness.Output.Type = "" },
		"no clear quantity":      func(m *pb.TransferAction) { m.Inputs[1].UpgradeWitness.Output.Quantity = "" },
		"no blinding factor":     func(m *pb.TransferAction) { m.Inputs[1].UpgradeWitness.BlindingFactor = nil },
		"empty blinding factor":  func(m *pb.TransferAction) { m.Inputs[1].UpgradeWitness.BlindingFactor.Raw = nil },
		"no output token":        func(m *pb.TransferAction) { m.Outputs[0].Token = nil },
		"no output point":        func(m *pb.TransferAction) { m.Outputs[0].Token.Data = nil },
		"point without JSON":     func(m *pb.TransferAction) { m.Outputs[0].Token.Data.Raw = g.AppendPoint(nil, g.Generator()) },
		"point of another curve": func(m *pb.TransferAction) { m.Outputs[0].Token.Data.Raw[len(`{"curve":`)] = '7' },
		"no proof":               func(m *pb.TransferAction) { m.Proof = nil },
		"no variant of proof":    func(m *pb.TransferAction) { m.Proof.ProofType = nil },
		"empty proof":            func(m *pb.TransferAction) { m.Proof.ProofType = &pb.Proof_Proof{} },
		"empty issuer":           func(m *pb.TransferAction) { m.Issuer.Raw = nil },
	} {
		t.Run(name, func(t *testing.T) {
			m := message(g, everything(g, rangeproof.CSP))
			change(m)
			b, err := wire.Marshal(m)
			require.NoError(t, err)
			_, err = transfer.Decode(g, b, transfer.DefaultLimits)
			var bad *wire.DecodeError
			require.ErrorAs(t, err, &bad)
		})
	}
}

// TestRecordedActions decodes, encodes and verifies the transfers of the
// recorded requests, one batch for each file.
func TestRecordedActions(t *testing.T) {
	for name, file := range vectors.RequestFiles(t) {
		p, err := params.Decode(file.Params, params.Options{Group: curves.ByID, TableBytes: 1, AllowForeignGenerators: true})
		require.NoError(t, err)
		var actions []*transfer.Action
		for id, c := range file.Cases {
			r, err := request.Decode(c.Request, request.DefaultLimits)
			require.NoError(t, err)
			for _, typed := range r.Actions {
				if typed.Kind != request.Transfer {
					continue
				}
				a, err := transfer.Decode(p.Group(), typed.Raw, transfer.DefaultLimits)
				require.NoError(t, err, "%s %s", name, id)
				if len(a.Metadata) < 2 { // more entries may be in any order
					require.Equal(t, typed.Raw, a.Encode(p.Group()), "%s %s", name, id)
				}
				actions = append(actions, a)
			}
		}
		require.NotEmpty(t, actions, name)
		require.NoError(t, transfer.VerifyBatch(p, actions), name)
	}
}
