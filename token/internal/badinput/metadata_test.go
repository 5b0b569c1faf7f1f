package badinput_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/audit"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/badinput"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// audited returns the full request as presented to the auditor, with every
// field of the metadata set.
func audited(t *testing.T, f *full) audit.Request {
	t.Helper()
	burns := networktest.Issue(t, f.network.Params.Group(), f.parts[0].Action.Raw)
	f.parts[0].Metadata.Inputs = []request.InputMetadata{{ID: burns.Inputs[0].ID}}
	a, err := v1.Assemble(anchor, f.parts...)
	require.NoError(t, err)
	a.Metadata.Application = map[string][]byte{"key": []byte("value")}
	issuer := a.Metadata.Actions[1].Issuer
	issuer.AuditInfo, err = f.network.Issuer.AuditInfo()
	require.NoError(t, err)
	return a.AuditRequest()
}

// whyNotAudited lists the allowed errors for malformed metadata.
var whyNotAudited = []error{
	audit.ErrActions, audit.ErrInputs, audit.ErrOutputs, audit.ErrIssuer, audit.ErrSigners, audit.ErrParty,
	x509.ErrNoMatch, pedersen.ErrOpening, identity.ErrUnknownType,
}

// compared returns the parts of metadata that the auditor checks: all except
// the application's entries, audit information, which contains more than the auditor
// checks, and empty receivers, which redeemed outputs may have.
func compared(t *testing.T, raw []byte) *request.Metadata {
	t.Helper()
	md, err := request.DecodeMetadata(raw, request.DefaultLimits)
	require.NoError(t, err)
	md.Application = nil
	for i := range md.Actions {
		a := &md.Actions[i]
		if a.Issuer != nil {
			a.Issuer.AuditInfo = nil
		}
		for k := range a.Inputs {
			withoutInfo(a.Inputs[k].Senders)
		}
		for k := range a.Outputs {
			a.Outputs[k].AuditInfo = nil
			withoutInfo(a.Outputs[k].Receivers)
			a.Outputs[k].Receivers = slices.DeleteFunc(a.Outputs[k].Receivers, func(r request.Party) bool {
				return len(r.Identity) == 0
			})
		}
	}
	return md
}

func withoutInfo(parties []request.Party) {
	for i := range parties {
		parties[i].AuditInfo = nil
	}
}

// TestMetadata runs the cases on the metadata of a request, which the auditor
// reads.
func TestMetadata(t *testing.T) {
	f := newFull(t, "BN254", rangeproof.CSP)
	auditor, honest := f.network.Audit(), audited(t, f)
	_, err := auditor.Check(honest)
	require.NoError(t, err)
	root, err := badinput.ParseMetadata(honest.Metadata)
	require.NoError(t, err)
	require.Equal(t, honest.Metadata, root.Encode(nil))
	allFieldsIn(t, []*badinput.Node{root}, "TokenRequestMetadata")

	want, refused, all := compared(t, honest.Metadata), 0, 0
	judge := func(raw []byte, what string) {
		all++
		r := honest
		r.Metadata = raw
		_, err := auditor.Check(r)
		if err == nil {
			require.Equal(t, want, compared(t, raw), what)
			return
		}
		requireTypedAudit(t, err, what)
		refused++
	}
	for c := range cases(f.network.Params.Group(), root) {
		judge(root.Encode(c.Edit), c.Category+" "+c.Node.Path)
	}
	for n := range honest.Metadata {
		judge(honest.Metadata[:n], "truncated")
	}
	require.Greater(t, refused, all*9/10)
	t.Logf("%d cases", all)
}

func requireTypedAudit(t *testing.T, err error, what string) {
	t.Helper()
	require.ErrorAs(t, err, new(*audit.RefusedError), what)
	if errors.As(err, new(*wire.DecodeError)) {
		return
	}
	for _, known := range whyNotAudited {
		if errors.Is(err, known) {
			return
		}
	}
	t.Fatalf("%s: untyped error %v", what, err)
}
