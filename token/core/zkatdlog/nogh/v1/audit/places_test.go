package audit_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/multisig"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// mixed makes a network, and the parts of a transfer, an issue and a redeem.
func mixed(t *testing.T) (*fixture.Network, func() []*v1.Part) {
	t.Helper()
	n := networktest.New(t, fixture.Config{})
	return n, func() []*v1.Part { return networktest.Mixed(t, n, "transfers", "issues", "redeems") }
}

// TestTheFirstWrongPartIsNamed, whether it is checked at once or later. Package v1 tests
// every part.
func TestTheFirstWrongPartIsNamed(t *testing.T) {
	n, parts := mixed(t)
	g, all := n.Params.Group(), parts()
	o := all[0].Openings[0]
	o.Blinding = g.Add(o.Blinding, g.Uint64(1))
	all[0].Metadata.Outputs[0].Opening = o.Encode(g)
	all[0].Metadata.Outputs[1].Opening = []byte("?")
	_, err := n.Audit().Check(networktest.Assemble(t, all...).AuditRequest())
	require.ErrorIs(t, err, pedersen.ErrOpening)
	require.ErrorContains(t, err, "audit: action 0: output 0: ")
}

// TestRefusalsOfTheWholeRequest: the action of the error is -1.
func TestRefusalsOfTheWholeRequest(t *testing.T) {
	n, parts := mixed(t)
	a := networktest.Assemble(t, parts()...)
	fewer := &request.Metadata{Actions: a.Metadata.Actions[:2]}
	more := &request.Metadata{Actions: append(slices.Clone(a.Metadata.Actions), a.Metadata.Actions[2])}
	more.Actions[3].ActionID = 3
	for name, edit := range map[string]func(r *audit.Request){
		"request":  func(r *audit.Request) { r.Raw = nil },
		"metadata": func(r *audit.Request) { r.Metadata = nil },
		"anchor":   func(r *audit.Request) { r.Anchor = "" },
		"fewer":    func(r *audit.Request) { r.Metadata = fewer.Encode() },
		"more":     func(r *audit.Request) { r.Metadata = more.Encode() },
	} {
		t.Run(name, func(t *testing.T) {
			r := a.AuditRequest()
			edit(&r)
			_, err := n.Audit().Check(r)
			refused := new(audit.RefusedError)
			require.ErrorAs(t, err, &refused)
			require.Equal(t, -1, refused.Action)
			require.NotErrorAs(t, err, new(*executor.PanicError))
		})
	}
}

// TestRulesOfVersions: rules that are not the same in all versions.
func TestRulesOfVersions(t *testing.T) {
	n, parts := mixed(t)
	long := map[string][]byte{"pub.note": make([]byte, request.DefaultResources.MaxMetadataValueBytes+1)}
	issuer := func(at int, issuer []byte) func(all []*v1.Part) { // of the openings
		return func(all []*v1.Part) {
			for j, o := range all[at].Openings {
				o.Issuer = issuer
				all[at].Metadata.Outputs[j].Opening = o.Encode(n.Params.Group())
			}
		}
	}
	for name, c := range map[string]struct {
		edit          func(all []*v1.Part)
		strict, v0_15 error // v0.14 has none of the rules
	}{
		"transfer without issuer": {issuer(0, nil), nil, nil},
		"issuer of a transfer":    {issuer(0, []byte{1}), audit.ErrIssuer, audit.ErrIssuer},
		"issuer of an issue":      {issuer(1, n.Issuer.Identity()), nil, nil},
		"another issuer":          {issuer(1, []byte{1}), audit.ErrIssuer, nil},
		"issue without issuer":    {issuer(1, nil), audit.ErrIssuer, audit.ErrIssuer},
		"issuer of a redeem": {func(all []*v1.Part) {
			other := n.Auditor.Identity()
			networktest.EditTransfer(t, n, all[2], func(a *transfer.Action) { a.Issuer = other })
			all[2].Metadata.Issuer = &request.Party{Identity: other}
		}, audit.ErrListed, audit.ErrListed},
		"long metadata of a transfer": {func(all []*v1.Part) {
			networktest.EditTransfer(t, n, all[0], func(a *transfer.Action) { a.Metadata = long })
		}, request.ErrResources, request.ErrResources},
		"long metadata of an issue": {func(all []*v1.Part) {
			networktest.EditIssue(t, n, all[1], func(a *issue.Action) { a.Metadata = long })
		}, request.ErrResources, request.ErrResources},
	} {
		t.Run(name, func(t *testing.T) {
			all := parts()
			c.edit(all)
			a := networktest.Assemble(t, all...)
			for version, want := range map[request.Version]error{request.Strict: c.strict,
				request.V0_15: c.v0_15, request.V0_14: nil} {
				t.Run(string(version), func(t *testing.T) {
					_, err := audit.New(n.Params, audit.Options{Follow: version}).Check(a.AuditRequest())
					require.ErrorIs(t, err, want, version)
				})
			}
		})
	}
}

// TestResourceLimitsOfRequests apply to strict auditors.
func TestResourceLimitsOfRequests(t *testing.T) {
	n, parts := mixed(t)
	for length, refused := range map[int]error{
		request.DefaultResources.MaxSignatureBytes:     nil,
		request.DefaultResources.MaxSignatureBytes + 1: request.ErrResources,
	} {
		a := networktest.Assemble(t, parts()...)
		a.Request.Signatures = []request.Signature{{Raw: make([]byte, length)}}
		r := a.AuditRequest()
		r.Raw = a.Request.Encode()
		for version, want := range map[request.Version]error{request.Strict: refused, request.V0_15: nil,
			request.V0_14: nil} {
			t.Run(string(version), func(t *testing.T) {
				_, err := audit.New(n.Params, audit.Options{Follow: version}).Check(r)
				require.ErrorIs(t, err, want, "%s: %d bytes", version, length)
			})
		}
	}
}

// TestErrorsOfTasks: a failed task of a matcher returns its party's error, with its place.
func TestErrorsOfTasks(t *testing.T) {
	n, parts := mixed(t)
	a := networktest.Assemble(t, parts()...)
	lost := errors.New("lost")
	var places []string
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
		if call < calls { // all tasks have failed
			require.NoError(t, err)
			break
		}
		require.ErrorIs(t, err, lost, "call %d", calls)
		places = append(places, err.Error())
	}
	require.Equal(t, []string{
		"audit: action 0: input 0: sender: lost",
		"audit: action 0: input 1: sender: lost",
		"audit: action 0: output 0: owner: lost",
		"audit: action 1: issuer: lost",
		"audit: action 1: output 0: owner: lost",
		"audit: action 2: input 0: sender: lost",
		"audit: action 2: input 1: sender: lost",
		"audit: action 2: output 1: owner: lost",
	}, places)
}

// TestInfoOfParties: the first error of a party is returned, owners nest five deep, and a
// malformed owner has no receivers. TestInfoIsThatOfTheReference has the information of right
// owners, and package v1 their receivers.
func TestInfoOfParties(t *testing.T) {
	a, b := party(t, 1, "alice"), party(t, 2, "bob")
	missing := errors.New("missing")
	plain := func(id []byte) ([]byte, error) {
		for _, known := range []request.Party{a, b} {
			if bytes.Equal(id, known.Identity) {
				return known.AuditInfo, nil
			}
		}
		return []byte("partial"), missing
	}
	stranger := identity.Typed{Type: identity.X509, Raw: []byte("stranger")}.Encode()
	for name, c := range map[string]struct {
		id, info []byte
		want     error
	}{
		"missing":          {stranger, []byte("partial"), missing},
		"first missing":    {multisig.Encode(stranger, b.Identity), nil, missing},
		"last missing":     {multisig.Encode(a.Identity, stranger), nil, missing},
		"malformed":        {[]byte{1}, nil, wire.ErrMalformed},
		"malformed member": {multisig.Encode(a.Identity, []byte{1}), nil, wire.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			info, err := audit.Info(c.id, plain)
			require.ErrorIs(t, err, c.want)
			require.Equal(t, c.info, info)
		})
	}
	nested, want := a.Identity, a.AuditInfo
	for depth := range 8 {
		info, err := audit.Info(nested, plain)
		if depth > 5 {
			require.ErrorIs(t, err, request.ErrResources, depth)
			continue
		}
		require.NoError(t, err, depth)
		require.Equal(t, string(want), string(info), depth)
		nested, want = multisig.Encode(nested, b.Identity), membersInfo(t, want, b.AuditInfo)
	}
	for _, id := range [][]byte{nil, {1}, identity.Typed{Type: identity.HTLC, Raw: []byte("?")}.Encode(),
		identity.Typed{Type: identity.Policy, Raw: []byte("?")}.Encode()} {
		_, err := audit.Receivers(id)
		require.ErrorAs(t, err, new(*wire.DecodeError))
	}
}
