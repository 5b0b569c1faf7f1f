package audit_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

func party(t *testing.T, seed uint64, name string) request.Party {
	t.Helper()
	w, err := x509.NewWallet(fixture.Random(seed), name)
	require.NoError(t, err)
	info, err := w.AuditInfo()
	require.NoError(t, err)
	return request.Party{Identity: w.Identity(), AuditInfo: info}
}

// TestOwnersOfSeveral: of an owner made of others all are looked at, and
// receivers are the recipient of a script and all members of several.
func TestOwnersOfSeveral(t *testing.T) {
	n, _ := made(t, 16, "transfers")
	a, b := party(t, 1, "alice"), party(t, 2, "bob")
	script, err := htlc.Script{
		Sender: a.Identity, Recipient: b.Identity, Deadline: time.Unix(0, 0).UTC(), HashInfo: htlc.NewLock([]byte("secret")),
	}.Encode()
	require.NoError(t, err)
	own, err := htlc.Script{
		Sender: a.Identity, Recipient: a.Identity, Deadline: time.Unix(0, 0).UTC(), HashInfo: htlc.NewLock([]byte("secret")),
	}.Encode()
	require.NoError(t, err)
	either, err := policy.Policy{Text: "$0 OR $1", Members: [][]byte{a.Identity, b.Identity}}.Encode()
	require.NoError(t, err)
	both := []request.Party{a, b}
	infoOf := func(owner []byte) []byte {
		info, err := audit.Info(owner, func(id []byte) ([]byte, error) {
			return map[string][]byte{string(a.Identity): a.AuditInfo, string(b.Identity): b.AuditInfo}[string(id)], nil
		})
		require.NoError(t, err)
		return info
	}
	info := infoOf(either)
	for _, c := range []struct {
		name      string
		owner     []byte
		info      []byte
		receivers []request.Party
		want      error
	}{
		{"script", script, infoOf(script), []request.Party{b}, nil},
		{"script received by the sender", script, infoOf(script), []request.Party{a}, audit.ErrParty},
		{"script received by both", script, infoOf(script), both, audit.ErrParty},
		{"script to its sender", own, infoOf(own), both[:1], nil},
		{"multisig", multisig.Encode(a.Identity, b.Identity), info, both, nil},
		{"multisig received by one", multisig.Encode(a.Identity, b.Identity), info, both[:1], audit.ErrParty},
		{"policy", either, info, both, nil},
		{"policy of others", either, infoOf(multisig.Encode(b.Identity, a.Identity)), both, x509.ErrNoMatch},
		{"policy of one", either, infoOf(multisig.Encode(a.Identity)), both, wire.ErrCount},
		{"members with bytes after them", either, append(infoOf(either), ' '), both, wire.ErrNotCanonical},
		{"members with an unknown key", either, append(bytes.TrimSuffix(infoOf(either), []byte("}")), `,"More":1}`...), both, wire.ErrNotCanonical},
		{"script with the information of members", script, info, []request.Party{b}, wire.ErrNotCanonical},
		{"equal members", multisig.Encode(a.Identity, a.Identity), infoOf(multisig.Encode(a.Identity, a.Identity)), []request.Party{a, a}, identity.ErrRepeated},
		{"nested", multisig.Encode(a.Identity, either), infoOf(multisig.Encode(a.Identity, either)),
			[]request.Party{a, {Identity: either, AuditInfo: info}}, nil},
		{"no identity", []byte{1}, info, both, wire.ErrMalformed},
		{"unknown type", identity.Typed{Type: 99}.Encode(), info, both, identity.ErrUnknownType},
		{"plain", a.Identity, a.AuditInfo, both[:1], nil},
		{"plain without audit information", a.Identity, nil, both[:1], wire.ErrMalformed},
		{"receiver without audit information", a.Identity, a.AuditInfo, []request.Party{{Identity: a.Identity}}, wire.ErrMalformed},
	} {
		parts, err := n.Parts(fixture.Shape{Kind: "transfers", Inputs: 1, Outputs: 1}, 1)
		require.NoError(t, err)
		p, g := parts[0], n.Params.Group()
		act, err := transfer.Decode(g, p.Action.Raw, token.DefaultLimits)
		require.NoError(t, err)
		act.Outputs[0].Owner = c.owner
		p.Action.Raw = act.Encode(g)
		p.Metadata.Outputs[0].AuditInfo, p.Metadata.Outputs[0].Receivers = c.info, c.receivers
		err = endorsed(t, n, p)
		require.ErrorIs(t, err, c.want, c.name)
		if c.want == wire.ErrCount {
			require.ErrorContains(t, err, "audit information: members has the wrong number of entries")
		}
	}
}

// TestOwnersNestFourDeep.
func TestOwnersNestFourDeep(t *testing.T) {
	n, _ := made(t, 16, "transfers")
	a, b := party(t, 1, "alice"), party(t, 2, "bob")
	type memberInfo struct{ AuditInfo []byte }
	owner := a
	for depth := range 6 {
		parts, err := n.Parts(fixture.Shape{Kind: "transfers", Inputs: 1, Outputs: 1}, 1)
		require.NoError(t, err)
		p, g := parts[0], n.Params.Group()
		act, err := transfer.Decode(g, p.Action.Raw, token.DefaultLimits)
		require.NoError(t, err)
		act.Outputs[0].Owner = owner.Identity
		p.Action.Raw = act.Encode(g)
		p.Metadata.Outputs[0].AuditInfo, p.Metadata.Outputs[0].Receivers = owner.AuditInfo, nil
		want := audit.ErrParty // without receivers
		if depth > 4 {
			want = audit.ErrDepth
		}
		require.ErrorIs(t, endorsed(t, n, p), want, depth)
		info, err := json.Marshal(struct{ IdentityAuditInfos []memberInfo }{[]memberInfo{{owner.AuditInfo}, {b.AuditInfo}}})
		require.NoError(t, err)
		owner = request.Party{Identity: multisig.Encode(owner.Identity, b.Identity), AuditInfo: info}
	}
}

// TestMetadataIsAboutTheActions: one entry for each, and for each burned token.
func TestMetadataIsAboutTheActions(t *testing.T) {
	n, p := made(t, 16, "issues")
	for name, c := range map[string]struct {
		edit func(md *request.Metadata)
		want error
	}{
		"as it is": {func(*request.Metadata) {}, nil},
		"none":     {func(md *request.Metadata) { md.Actions = nil }, audit.ErrActions},
		"two": {func(md *request.Metadata) {
			md.Actions = append(md.Actions, md.Actions[0])
			md.Actions[1].ActionID = 1
		}, audit.ErrActions},
		"of another number": {func(md *request.Metadata) { md.Actions[0].ActionID = 1 }, audit.ErrActions},
		"with audit information of another issuer": {func(md *request.Metadata) {
			issuer := *md.Actions[0].Issuer
			issuer.AuditInfo = party(t, 3, "carol").AuditInfo
			md.Actions[0].Issuer = &issuer
		}, x509.ErrNoMatch},
		"with an output too many": {func(md *request.Metadata) {
			md.Actions[0].Outputs = append(md.Actions[0].Outputs, md.Actions[0].Outputs[0])
		}, audit.ErrOutputs},
		"without issuer":         {func(md *request.Metadata) { md.Actions[0].Issuer = nil }, audit.ErrIssuer},
		"with an input too many": {func(md *request.Metadata) { md.Actions[0].Inputs = []request.InputMetadata{{}} }, wire.ErrMissing},
		"with an unknown input": {func(md *request.Metadata) {
			in := request.InputMetadata{}
			in.ID.TxID = "tx"
			md.Actions[0].Inputs = []request.InputMetadata{in}
		}, audit.ErrInputs},
	} {
		a, err := v1.Assemble("tx", p)
		require.NoError(t, err)
		c.edit(a.Metadata)
		_, err = n.Audit().Check(a.AuditRequest())
		require.ErrorIs(t, err, c.want, name)
	}
	o := p.Openings[0]
	o.Issuer = nil
	p.Metadata.Outputs[0].Opening = o.Encode(n.Params.Group())
	require.ErrorIs(t, endorsed(t, n, p), audit.ErrIssuer, "opening of a transfer")
}
