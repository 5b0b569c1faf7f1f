package badinput_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// TestClearTokensOnTheLedger checks that an upgraded input and an input of an
// issue spend clear tokens of the ledger, byte for byte.
func TestClearTokensOnTheLedger(t *testing.T) {
	f := newFull(t, "BN254", rangeproof.CSP)
	g := f.network.Params.Group()
	burns := networktest.Issue(t, g, f.parts[0].Action.Raw)
	spends := networktest.Transfer(t, g, f.parts[1].Action.Raw)
	upgraded, hidden, burned := spends.Inputs[0], spends.Inputs[1], burns.Inputs[0]
	clear, err := upgraded.Upgrade.Clear.Encode()
	require.NoError(t, err)
	validate := func(upgradedBytes, burnedBytes []byte) (*validator.Accepted, *ledger.Memory, error) {
		l := &ledger.Memory{}
		l.Put(hidden.ID, hidden.Token.Encode(g))
		l.Put(upgraded.ID, upgradedBytes)
		l.Put(burned.ID, burnedBytes)
		accepted, err := f.network.Validator(validator.Options{Ledger: l}).Validate(anchor, f.honest.Encode())
		return accepted, l, err
	}
	accepted, l, err := validate(clear, burned.Token)
	require.NoError(t, err)
	require.NoError(t, l.Apply(accepted))
	require.Equal(t, len(burns.Outputs)+len(spends.Outputs)-1, l.Len(),
		"all inputs are spent, one output is redeemed")
	_, _, err = validate(upgraded.Token.Encode(g), burned.Token)
	require.ErrorIs(t, err, validator.ErrNotOnLedger, "a hidden token with an upgrade witness")
	_, _, err = validate(clear, append(burned.Token[:len(burned.Token):len(burned.Token)], 0))
	require.ErrorIs(t, err, validator.ErrNotOnLedger, "bytes other than the burned ones")
}

// TestNobodyIssues checks that without issuers in the network, anyone issues
// and redeems, and that an issuer named in a redeem is an error, since its
// signature would not be checked.
func TestNobodyIssues(t *testing.T) {
	m := newMeaning(t, "BN254", rangeproof.CSP)
	open, err := params.Setup(params.Config{
		Group: m.Params.Group(), Bits: m.Params.Bits(), Auditors: m.Params.Auditors(), TableBytes: 1 << 18,
	})
	require.NoError(t, err)
	r := m.sign(m.parts("redeems", 1)...)
	_, err = validator.New(open, validator.Options{}).Validate(anchor, r.Encode())
	m.refused(err, "redeem", "transfer: redeem", validator.ErrIdleIssuer)

	p := m.parts("redeems", 1)[0]
	a := networktest.Transfer(t, m.Params.Group(), p.Action.Raw)
	a.Issuer, p.Signers = nil, p.Signers[:len(a.Inputs)]
	p.Action = request.Action{Kind: request.Transfer, Raw: a.Encode(m.Params.Group())}
	raw := m.sign(p).Encode()
	_, err = validator.New(open, validator.Options{}).Validate(anchor, raw)
	require.NoError(t, err)
	_, err = m.Validator(validator.Options{}).Validate(anchor, raw)
	m.refused(err, "redeem", "transfer: redeem", validator.ErrNoIssuer)

	raw = m.issue(func(a *issue.Action, p *v1.Part) {
		a.Issuer, p.Signers[0] = m.stranger().Identity(), m.stranger()
	}).Encode()
	_, err = validator.New(open, validator.Options{}).Validate(anchor, raw)
	require.NoError(t, err)

	raw = m.issue(func(a *issue.Action, p *v1.Part) {
		a.Issuer, p.Signers[0] = m.stranger().Identity(), m.stranger()
		a.Inputs = []issue.Input{{ID: token.ID{TxID: "old"}, Token: []byte("a clear token")}}
	}).Encode()
	_, err = validator.New(open, validator.Options{}).Validate(anchor, raw)
	m.refused(err, "burns a clear token of somebody", "issue: inputs", validator.ErrBurnNoIssuer)
	accepted, err := validator.New(open, validator.Options{Follow: request.V0_15}).Validate(anchor, raw)
	require.NoError(t, err)
	require.Equal(t, []validator.Difference{validator.BurnedByAnyone}, accepted.Differences)
}

// TestNobodyAudits checks that a network without auditors accepts only requests
// without an auditor's signature.
func TestNobodyAudits(t *testing.T) {
	m := newMeaning(t, "BN254", rangeproof.CSP)
	unaudited, err := params.Setup(params.Config{
		Group: m.Params.Group(), Bits: m.Params.Bits(), Issuers: m.Params.Issuers(), TableBytes: 1 << 18,
	})
	require.NoError(t, err)
	v, r := validator.New(unaudited, validator.Options{}), m.sign(m.parts("transfers", 1)...)
	_, err = v.Validate(anchor, r.Encode())
	m.refused(err, "an auditor's signature", "auditors", validator.ErrNotAuditor)
	r.Signatures = r.Signatures[1:]
	_, err = v.Validate(anchor, r.Encode())
	require.NoError(t, err)
}
