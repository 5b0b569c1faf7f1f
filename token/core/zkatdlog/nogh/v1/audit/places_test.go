package audit_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/htlc"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	"github.com/zkatbench/zkatbench/token/core/identity/policy"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// mixed makes a network, and the parts of a transfer, an issue and a redeem.
func mixed(t *testing.T) (*fixture.Network, func() []*v1.Part) {
	t.Helper()
	n, err := fixture.NewNetwork(fixture.Config{Group: vectors.Curve(t, "BN254"), Bits: 16, TableBytes: 1})
	require.NoError(t, err)
	return n, func() (parts []*v1.Part) {
		for i, kind := range []string{"transfers", "issues", "redeems"} {
			made, err := n.Parts(fixture.Shape{Kind: kind, Inputs: 2, Outputs: 2}, uint64(i))
			require.NoError(t, err)
			parts = append(parts, made...)
		}
		return parts
	}
}

// TestRefusalsNameThePlace: one wrong part in the metadata of a later action. The error
// names the first wrong part, whether it is checked at once or later.
func TestRefusalsNameThePlace(t *testing.T) {
	n, parts := mixed(t)
	g := n.Params.Group()
	opening := func(p *v1.Part, j int, edit func(o *token.Opening)) {
		o := p.Openings[j]
		edit(&o)
		p.Metadata.Outputs[j].Opening = o.Encode(g)
	}
	for _, c := range []struct {
		name string
		at   int
		edit func(p *v1.Part)
		want string
	}{
		{"another opening before a later error", 0, func(p *v1.Part) {
			opening(p, 0, func(o *token.Opening) { o.Blinding = g.Add(o.Blinding, g.Uint64(1)) })
			p.Metadata.Outputs[1].Opening = []byte("?")
		}, "action 0: output 0: " + pedersen.ErrOpening.Error()},
		{"another opening behind a right one", 0, func(p *v1.Part) {
			opening(p, 1, func(o *token.Opening) { o.Blinding = g.Add(o.Blinding, g.Uint64(1)) })
		}, "action 0: output 1: " + pedersen.ErrOpening.Error()},
		{"the last opening of an issue", 1, func(p *v1.Part) {
			opening(p, len(p.Openings)-1, func(o *token.Opening) {
				o.Blinding = g.Add(o.Blinding, g.Uint64(1))
			})
		}, "action 1: output 1: " + pedersen.ErrOpening.Error()},
		{"no opening", 0, func(p *v1.Part) { p.Metadata.Outputs[1].Opening = []byte("?") },
			"action 0: output 1: opening"},
	} {
		all := parts()
		c.edit(all[c.at])
		a, err := v1.Assemble("tx", all...)
		require.NoError(t, err)
		_, err = n.Audit().Check(a.AuditRequest())
		refused := new(audit.RefusedError)
		require.ErrorAs(t, err, &refused, c.name)
		require.Equal(t, c.at, refused.Action, c.name)
		require.Contains(t, err.Error(), "audit: "+c.want, c.name)
		if c.name == "no opening" {
			require.ErrorAs(t, err, new(*wire.DecodeError))
		}
	}
	a, err := v1.Assemble("tx", parts()...)
	require.NoError(t, err)
	fewer := &request.Metadata{Actions: a.Metadata.Actions[:2]}
	more := &request.Metadata{Actions: append(slices.Clone(a.Metadata.Actions), a.Metadata.Actions[2])}
	more.Actions[3].ActionID = 3
	for name, r := range map[string]audit.Request{
		"request":  {Anchor: "tx", Metadata: a.Metadata.Encode(), Inputs: a.Inputs},
		"metadata": {Anchor: "tx", Raw: a.Request.Encode(), Inputs: a.Inputs},
		"anchor":   {Raw: a.Request.Encode(), Metadata: a.Metadata.Encode(), Inputs: a.Inputs},
		"fewer":    {Anchor: "tx", Raw: a.Request.Encode(), Metadata: fewer.Encode(), Inputs: a.Inputs},
		"more":     {Anchor: "tx", Raw: a.Request.Encode(), Metadata: more.Encode(), Inputs: a.Inputs},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := n.Audit().Check(r)
			refused := new(audit.RefusedError)
			require.ErrorAs(t, err, &refused)
			require.Equal(t, -1, refused.Action)
			require.NotErrorAs(t, err, new(*executor.PanicError))
		})
	}
}

// TestIssuersInOpenings: an opening names the issuer of its action. Auditors of v0.15 ask
// only whether there is one, rules of v0.14 do not ask.
func TestIssuersInOpenings(t *testing.T) {
	n, parts := mixed(t)
	g := n.Params.Group()
	for _, c := range []struct {
		at             int
		issuer         []byte
		strict, follow error
	}{
		{0, nil, nil, nil},
		{0, []byte{1}, audit.ErrIssuer, audit.ErrIssuer},
		{1, n.Issuer.Identity(), nil, nil},
		{1, []byte{1}, audit.ErrIssuer, nil},
		{1, nil, audit.ErrIssuer, audit.ErrIssuer},
	} {
		all := parts()
		for j, o := range all[c.at].Openings {
			o.Issuer = c.issuer
			all[c.at].Metadata.Outputs[j].Opening = o.Encode(g)
		}
		a, err := v1.Assemble("tx", all...)
		require.NoError(t, err)
		for version, want := range map[request.Version]error{request.Strict: c.strict,
			request.V0_15: c.follow, request.V0_14: nil} {
			_, err = audit.New(n.Params, audit.Options{Follow: version}).Check(a.AuditRequest())
			require.ErrorIs(t, err, want, "%s: action %d, issuer %x", version, c.at, c.issuer)
		}
	}
}

// TestIssuersOfRedeemsAreListed, unless the auditor follows v0.14.
func TestIssuersOfRedeemsAreListed(t *testing.T) {
	n, parts := mixed(t)
	all := parts()
	p := all[2]
	other := n.Auditor.Identity()
	a, err := transfer.Decode(n.Params.Group(), p.Action.Raw, token.DefaultLimits)
	require.NoError(t, err)
	a.Issuer = other
	p.Action.Raw = a.Encode(n.Params.Group())
	p.Metadata.Issuer = &request.Party{Identity: other}
	made, err := v1.Assemble("tx", all...)
	require.NoError(t, err)
	for version, want := range map[request.Version]error{request.Strict: audit.ErrListed,
		request.V0_15: audit.ErrListed, request.V0_14: nil} {
		_, err = audit.New(n.Params, audit.Options{Follow: version}).Check(made.AuditRequest())
		require.ErrorIs(t, err, want, version)
	}
}

// TestResourceLimitsOfActions apply unless the auditor follows v0.14.
func TestResourceLimitsOfActions(t *testing.T) {
	n, parts := mixed(t)
	g := n.Params.Group()
	long := map[string][]byte{"pub.note": make([]byte, request.DefaultResources.MaxMetadataValueBytes+1)}
	transfers, issues := parts(), parts()
	sent, err := transfer.Decode(g, transfers[0].Action.Raw, token.DefaultLimits)
	require.NoError(t, err)
	sent.Metadata = long
	transfers[0].Action.Raw = sent.Encode(g)
	issued, err := issue.Decode(g, issues[1].Action.Raw, token.DefaultLimits)
	require.NoError(t, err)
	issued.Metadata = long
	issues[1].Action.Raw = issued.Encode(g)
	for action, all := range [][]*v1.Part{transfers, issues} {
		a, err := v1.Assemble("tx", all...)
		require.NoError(t, err)
		for version, want := range map[request.Version]error{
			request.Strict: request.ErrResources, request.V0_15: request.ErrResources, request.V0_14: nil,
		} {
			_, err = audit.New(n.Params, audit.Options{Follow: version}).Check(a.AuditRequest())
			require.ErrorIs(t, err, want, "%s: action %d", version, action)
		}
	}
}

// TestIssuesHaveAnIssuer in the action and in the metadata.
func TestIssuesHaveAnIssuer(t *testing.T) {
	n, parts := mixed(t)
	for _, c := range []struct {
		issuer []byte
		want   error
	}{{n.Issuer.Identity(), audit.ErrIssuer}, {[]byte{}, wire.ErrMissing}} {
		all := parts()
		act, err := issue.Decode(n.Params.Group(), all[1].Action.Raw, token.DefaultLimits)
		require.NoError(t, err)
		act.Issuer = c.issuer
		all[1].Action.Raw, all[1].Metadata.Issuer = act.Encode(n.Params.Group()), nil
		a, err := v1.Assemble("tx", all...)
		require.NoError(t, err)
		_, err = n.Audit().Check(a.AuditRequest())
		require.ErrorIs(t, err, c.want, "%x", c.issuer)
	}
}

// TestResourceLimitsOfRequests apply to strict auditors.
func TestResourceLimitsOfRequests(t *testing.T) {
	n, parts := mixed(t)
	for length, refused := range map[int]error{
		request.DefaultResources.MaxSignatureBytes:     nil,
		request.DefaultResources.MaxSignatureBytes + 1: request.ErrResources,
	} {
		a, err := v1.Assemble("tx", parts()...)
		require.NoError(t, err)
		a.Request.Signatures = []request.Signature{{Raw: make([]byte, length)}}
		r := a.AuditRequest()
		r.Raw = a.Request.Encode()
		for version, want := range map[request.Version]error{request.Strict: refused, request.V0_15: nil,
			request.V0_14: nil} {
			_, err = audit.New(n.Params, audit.Options{Follow: version}).Check(r)
			require.ErrorIs(t, err, want, "%s: %d bytes", version, length)
		}
	}
}

// TestErrorsOfTasks: a failed task of a matcher returns its party's error.
func TestErrorsOfTasks(t *testing.T) {
	n, parts := mixed(t)
	a, err := v1.Assemble("tx", parts()...)
	require.NoError(t, err)
	lost := errors.New("lost")
	for calls := 1; ; calls++ {
		call := 0
		_, err := audit.New(n.Params, audit.Options{Matchers: audit.Matchers{
			identity.X509: func([]byte, []byte) (identity.Task, error) {
				call++
				fails := call == calls
				return round.TaskOf(func(round.Round) error {
					if fails {
						return lost
					}
					return nil
				}), nil
			},
		}}).Check(a.AuditRequest())
		if call < calls {
			require.NoError(t, err)
			require.Greater(t, calls, 3)
			return
		}
		require.ErrorIs(t, err, lost, "call %d", calls)
	}
}

// TestInfoOfParties: the information of an owner with several lists all of them, in
// JSON; the first error of one is returned. Owners nest four deep.
func TestInfoOfParties(t *testing.T) {
	a, b := party(t, 1, "alice"), party(t, 2, "bob")
	missing := errors.New("missing")
	known := map[string][]byte{string(a.Identity): a.AuditInfo, string(b.Identity): b.AuditInfo}
	plain := func(id []byte) ([]byte, error) {
		if info, ok := known[string(id)]; ok {
			return info, nil
		}
		return []byte("partial"), missing
	}
	script, err := htlc.Script{Sender: a.Identity, Recipient: b.Identity, Deadline: time.Unix(0, 0).UTC(),
		HashInfo: htlc.NewLock(nil)}.Encode()
	require.NoError(t, err)
	marshalled := func(v any) []byte {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		return text
	}
	type info struct{ AuditInfo []byte }
	info2 := marshalled(struct{ IdentityAuditInfos []info }{[]info{{a.AuditInfo}, {b.AuditInfo}}})
	ten := marshalled(struct{ IdentityAuditInfos []info }{slices.Repeat([]info{{a.AuditInfo}, {b.AuditInfo}},
		5)})
	stranger := identity.Typed{Type: identity.X509, Raw: []byte("stranger")}.Encode()
	unnamed, err := policy.Policy{Text: "$0", Members: nil}.Encode()
	if err != nil { // members are written as they are
		unnamed = identity.Typed{Type: identity.Policy, Raw: []byte("?")}.Encode()
	}
	for _, c := range []struct {
		name string
		id   []byte
		want []byte
		err  error
	}{
		{"plain", a.Identity, a.AuditInfo, nil},
		{"script", script, marshalled(struct{ Sender, Recipient []byte }{a.AuditInfo, b.AuditInfo}), nil},
		{"multisig", multisig.Encode(a.Identity, b.Identity), info2, nil},
		{"multisig of ten", multisig.Encode(slices.Repeat([][]byte{a.Identity, b.Identity}, 5)...), ten, nil},
		{"missing", stranger, []byte("partial"), missing},
		{"first missing", multisig.Encode(stranger, b.Identity), nil, missing},
		{"last missing", multisig.Encode(a.Identity, stranger), nil, missing},
		{"malformed", []byte{1}, nil, wire.ErrMalformed},
		{"malformed member", multisig.Encode(a.Identity, []byte{1}), nil, wire.ErrMalformed},
	} {
		got, err := audit.Info(c.id, plain)
		require.ErrorIs(t, err, c.err, c.name)
		require.Equal(t, string(c.want), string(got), c.name)
	}
	_, err = audit.Info(unnamed, plain)
	require.Error(t, err)
	nested, want := a.Identity, a.AuditInfo
	for depth := range 8 {
		got, err := audit.Info(nested, plain)
		if depth > 5 {
			require.ErrorIs(t, err, request.ErrResources, depth)
			continue
		}
		require.NoError(t, err, depth)
		require.Equal(t, string(want), string(got), depth)
		nested, want = multisig.Encode(nested, b.Identity),
			marshalled(struct{ IdentityAuditInfos []info }{[]info{{want}, {b.AuditInfo}}})
	}
	for name, c := range map[string]struct {
		id   []byte
		want [][]byte
	}{
		"plain": {a.Identity, [][]byte{a.Identity}}, "script": {script, [][]byte{b.Identity}},
		"multisig": {multisig.Encode(a.Identity, b.Identity), [][]byte{a.Identity, b.Identity}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := audit.Receivers(c.id)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
	for _, id := range [][]byte{nil, {1}, identity.Typed{Type: identity.HTLC, Raw: []byte("?")}.Encode(),
		unnamed} {
		_, err := audit.Receivers(id)
		require.ErrorAs(t, err, new(*wire.DecodeError))
	}
}
