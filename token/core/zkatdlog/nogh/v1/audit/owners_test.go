package audit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
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
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

func party(t *testing.T, seed uint64, name string) request.Party {
	t.Helper()
	w := networktest.Wallet(t, seed, name)
	info, err := w.AuditInfo()
	require.NoError(t, err)
	return request.Party{Identity: w.Identity(), AuditInfo: info}
}

// lockedFor returns the owner of a token with a script.
func lockedFor(t *testing.T, sender, recipient request.Party) []byte {
	t.Helper()
	id, err := htlc.Script{Sender: sender.Identity, Recipient: recipient.Identity,
		Deadline: time.Unix(0, 0).UTC(), HashInfo: htlc.NewLock([]byte("secret"))}.Encode()
	require.NoError(t, err)
	return id
}

// membersInfo is the audit information of an owner from that of its members.
func membersInfo(t *testing.T, infos ...[]byte) []byte {
	t.Helper()
	type member struct{ AuditInfo []byte }
	var all struct{ IdentityAuditInfos []member }
	for _, info := range infos {
		all.IdentityAuditInfos = append(all.IdentityAuditInfos, member{info})
	}
	text, err := json.Marshal(all)
	require.NoError(t, err)
	return text
}

// sentTo makes a transfer to owners who are also the receivers.
func sentTo(t *testing.T, n *fixture.Network, owners ...request.Party) *v1.Assembly {
	t.Helper()
	p := networktest.Parts(t, n, "transfers", 1, len(owners), 1)[0]
	networktest.EditTransfer(t, n, p, func(a *transfer.Action) {
		for j, owner := range owners {
			a.Outputs[j].Owner = owner.Identity
			p.Metadata.Outputs[j].AuditInfo = owner.AuditInfo
			p.Metadata.Outputs[j].Receivers = []request.Party{owner}
		}
	})
	return networktest.Assemble(t, p)
}

// TestOwnersOfSeveral: of an owner made of others all are looked at, and
// receivers are the recipient of a script and all members of several.
func TestOwnersOfSeveral(t *testing.T) {
	n := networktest.New(t, fixture.Config{})
	a, b := party(t, 1, "alice"), party(t, 2, "bob")
	script, own := lockedFor(t, a, b), lockedFor(t, a, a)
	either, err := policy.Policy{Text: "$0 OR $1", Members: [][]byte{a.Identity, b.Identity}}.Encode()
	require.NoError(t, err)
	both := []request.Party{a, b}
	infoOf := func(owner []byte) []byte {
		info, err := audit.Info(owner, func(id []byte) ([]byte, error) {
			return map[string][]byte{string(a.Identity): a.AuditInfo,
				string(b.Identity): b.AuditInfo}[string(id)], nil
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
		{"policy of others", either, infoOf(multisig.Encode(b.Identity, a.Identity)), both, x509.ErrNoMatch},
		{"members with bytes after them", either, append(infoOf(either), ' '), both, wire.ErrNotCanonical},
		{"members with an unknown key", either,
			append(bytes.TrimSuffix(infoOf(either), []byte("}")), `,"More":1}`...), both,
			wire.ErrNotCanonical},
		{"script with the information of members", script, info, []request.Party{b}, wire.ErrNotCanonical},
		{"equal members", multisig.Encode(a.Identity, a.Identity),
			infoOf(multisig.Encode(a.Identity, a.Identity)), []request.Party{a, a}, identity.ErrRepeated},
		{"nested", multisig.Encode(a.Identity, either), infoOf(multisig.Encode(a.Identity, either)),
			[]request.Party{a, {Identity: either, AuditInfo: info}}, nil},
		{"no identity", []byte{1}, info, both, wire.ErrMalformed},
		{"unknown type", identity.Typed{Type: 99}.Encode(), info, both, identity.ErrUnknownType},
		{"plain without audit information", a.Identity, nil, both[:1], wire.ErrMalformed},
		{"receiver without audit information", a.Identity, a.AuditInfo,
			[]request.Party{{Identity: a.Identity}}, wire.ErrMalformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			made := sentTo(t, n, request.Party{Identity: c.owner, AuditInfo: c.info})
			made.Metadata.Actions[0].Outputs[0].Receivers = c.receivers
			_, err := n.Audit().Check(made.AuditRequest())
			require.ErrorIs(t, err, c.want)
		})
	}
}

// TestUntypedPartiesAreRefused: at every place among the members of an owner.
func TestUntypedPartiesAreRefused(t *testing.T) {
	const members = 10
	n := networktest.New(t, fixture.Config{})
	var all [][]byte
	for i := range members {
		all = append(all, identity.Typed{Type: 77, Raw: []byte{byte(i)}}.Encode())
	}
	info := membersInfo(t, slices.Repeat([][]byte{[]byte("info")}, members)...)
	auditor := audit.New(n.Params, audit.Options{Matchers: audit.Matchers{
		identity.X509: audit.AtOnce(x509.Match), 77: audit.AtOnce(func(_, _ []byte) error { return nil }),
	}})
	for wrong := range members + 1 {
		typed, want := slices.Clone(all), "receivers: " // the parties are right
		if wrong < members {
			typed[wrong], want = []byte("?"), fmt.Sprintf("owner: party %d: ", wrong)
		}
		owner := request.Party{Identity: multisig.Encode(typed...), AuditInfo: info}
		_, err := auditor.Check(sentTo(t, n, owner).AuditRequest())
		require.ErrorContains(t, err, "output 0: "+want)
	}
}

// TestPoliciesAreReadStrictly: an auditor refuses an owner by policy if verifiers refuse the
// expression. Text that is not UTF-8 is refused in every version.
func TestPoliciesAreReadStrictly(t *testing.T) {
	n := networktest.New(t, fixture.Config{})
	member := party(t, 1, "alice")
	for name, c := range map[string]struct {
		text string
		want map[request.Version]error
	}{
		"right": {"$0",
			map[request.Version]error{request.Strict: nil, request.V0_14: nil, request.V0_15: nil,
				request.V714a6b46: nil}},
		"no UTF-8": {"$0\xff",
			map[request.Version]error{request.Strict: wire.ErrMalformed, request.V0_14: wire.ErrMalformed,
				request.V0_15: wire.ErrMalformed}},
		"unread": {"$0 AND",
			map[request.Version]error{request.Strict: wire.ErrMalformed, request.V0_14: nil,
				request.V0_15: nil}},
		"too many": {"$1", map[request.Version]error{request.Strict: wire.ErrMalformed, request.V0_15: nil}},
	} {
		t.Run(name, func(t *testing.T) {
			owner, err := policy.Policy{Text: c.text, Members: [][]byte{member.Identity}}.Encode()
			require.NoError(t, err)
			a := sentTo(t, n, request.Party{Identity: owner, AuditInfo: membersInfo(t, member.AuditInfo)})
			a.Metadata.Actions[0].Outputs[0].Receivers = []request.Party{member}
			for version, want := range c.want {
				t.Run(string(version), func(t *testing.T) {
					_, err := audit.New(n.Params, audit.Options{Follow: version}).Check(a.AuditRequest())
					require.ErrorIs(t, err, want, "%s: %s", name, version)
				})
			}
		})
	}
}

// TestOwnersNestFiveDeep.
func TestOwnersNestFiveDeep(t *testing.T) {
	n := networktest.New(t, fixture.Config{})
	a, b := party(t, 1, "alice"), party(t, 2, "bob")
	owner := a
	for depth := range 8 {
		made := sentTo(t, n, owner)
		made.Metadata.Actions[0].Outputs[0].Receivers = nil
		want := audit.ErrParty // without receivers
		if depth > 5 {
			want = request.ErrResources
		}
		_, err := n.Audit().Check(made.AuditRequest())
		require.ErrorIs(t, err, want, depth)
		owner = request.Party{Identity: multisig.Encode(owner.Identity, b.Identity),
			AuditInfo: membersInfo(t, owner.AuditInfo, b.AuditInfo)}
	}
}
