package issue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/pb"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// everything is an action with all fields set and an invalid proof.
func everything(g group.Group, kind rangeproof.Kind) *issue.Action {
	a := &issue.Action{
		Issuer:   []byte("bank"),
		Inputs:   []issue.Input{{ID: token.ID{TxID: "tx", Index: 300}, Token: make([]byte, 200)}},
		Outputs:  []token.Token{{Owner: []byte("alice"), Data: g.Generator()}, {Owner: make([]byte, 200), Data: g.Generator()}},
		Metadata: map[string][]byte{"pub.b": []byte("1"), "pub.a": {}},
	}
	a.Proof.Kind, a.Proof.Raw = kind, []byte("no proof")
	return a
}

// message converts a to the generated type.
func message(g group.Group, a *issue.Action) *pb.IssueAction {
	m := &pb.IssueAction{Version: 1, Issuer: &pb.Identity{Raw: a.Issuer}, Metadata: a.Metadata}
	for _, in := range a.Inputs {
		m.Inputs = append(m.Inputs, &pb.IssueActionInput{Id: &pb.TokenID{TxId: in.ID.TxID, Index: in.ID.Index}, Token: in.Token})
	}
	for _, out := range a.Outputs {
		data := &pb.G1{Raw: wire.AppendJSONPoint(nil, g, out.Data)}
		m.Outputs = append(m.Outputs, &pb.IssueActionOutput{Token: &pb.Token{Owner: out.Owner, Data: data}})
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
		want, err := wire.Marshal(message(g, everything(g, kind)))
		require.NoError(t, err)
		require.Equal(t, want, everything(g, kind).Encode(g))
		again, err := issue.Decode(g, want, issue.DefaultLimits)
		require.NoError(t, err)
		require.Equal(t, want, again.Encode(g))
	}
}

// TestMalformedActions changes one field of the generated message at a time.
func TestMalformedActions(t *testing.T) {
	g := vectors.Curve(t, "BN254")
	for name, change := range map[string]func(m *pb.IssueAction){
		"no version":          func(m *pb.IssueAction) { m.Version = 0 },
		"version 2":           func(m *pb.IssueAction) { m.Version = 2 },
		"no issuer":           func(m *pb.IssueAction) { m.Issuer = nil },
		"empty issuer":        func(m *pb.IssueAction) { m.Issuer.Raw = nil },
		"no input id":         func(m *pb.IssueAction) { m.Inputs[0].Id = nil },
		"no transaction id":   func(m *pb.IssueAction) { m.Inputs[0].Id.TxId = "" },
		"empty input token":   func(m *pb.IssueAction) { m.Inputs[0].Token = nil },
		"no outputs":          func(m *pb.IssueAction) { m.Outputs = nil },
		"no output token":     func(m *pb.IssueAction) { m.Outputs[0].Token = nil },
		"no output point":     func(m *pb.IssueAction) { m.Outputs[0].Token.Data = nil },
		"no output owner":     func(m *pb.IssueAction) { m.Outputs[0].Token.Owner = nil },
		"no proof":            func(m *pb.IssueAction) { m.Proof = nil },
		"no variant of proof": func(m *pb.IssueAction) { m.Proof.ProofType = nil },
		"empty proof":         func(m *pb.IssueAction) { m.Proof.ProofType = &pb.Proof_CspBasedProof{} },
	} {
		t.Run(name, func(t *testing.T) {
			m := message(g, everything(g, rangeproof.CSP))
			change(m)
			b, err := wire.Marshal(m)
			require.NoError(t, err)
			_, err = issue.Decode(g, b, issue.DefaultLimits)
			var bad *wire.DecodeError
			require.ErrorAs(t, err, &bad)
		})
	}
}

// TestRecordedActions decodes, encodes and verifies the issues of the recorded
// requests, one batch for each file.
func TestRecordedActions(t *testing.T) {
	count := 0
	for name, file := range vectors.RequestFiles(t) {
		p, err := params.Decode(file.Params, params.Options{Group: curves.ByID, TableBytes: 1, AllowForeignGenerators: true})
		require.NoError(t, err)
		var actions []*issue.Action
		for id, c := range file.Cases {
			r, err := request.Decode(c.Request, request.DefaultLimits)
			require.NoError(t, err)
			for _, typed := range r.Actions {
				if typed.Kind != request.Issue {
					continue
				}
				a, err := issue.Decode(p.Group(), typed.Raw, issue.DefaultLimits)
				require.NoError(t, err, "%s %s", name, id)
				if len(a.Metadata) < 2 { // more entries may be in any order
					require.Equal(t, typed.Raw, a.Encode(p.Group()), "%s %s", name, id)
				}
				actions = append(actions, a)
			}
		}
		require.NoError(t, issue.VerifyBatch(p, actions), name)
		count += len(actions)
	}
	require.Positive(t, count)
}
