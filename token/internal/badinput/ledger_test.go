package badinput_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// TestNobodyIssues checks that without issuers in the network, anyone issues
// and redeems, and that an issuer named in a redeem is an error, since its
// signature would not be checked.
func TestNobodyIssues(t *testing.T) {
	m := newMeaning(t)
	open, err := params.Setup(params.Config{
		Group: m.Params.Group(), Bits: m.Params.Bits(), Auditors: m.Params.Auditors(), TableBytes: 1 << 18,
	})
	require.NoError(t, err)
	r := m.sign(m.parts("redeems", 1)...)
	_, err = validator.New(open, validator.Options{}).Validate(anchor, r.Encode())
	m.refused(err, "transfer: redeem", validator.ErrIdleIssuer)

	raw := m.transfer("redeems", func(a *transfer.Action, p *v1.Part) {
		a.Issuer, p.Signers = nil, p.Signers[:len(a.Inputs)]
	}).Encode()
	_, err = validator.New(open, validator.Options{}).Validate(anchor, raw)
	require.NoError(t, err)
	_, err = m.Validator(validator.Options{}).Validate(anchor, raw)
	m.refused(err, "transfer: redeem", validator.ErrNoIssuer)

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
	m.refused(err, "issue: inputs", validator.ErrBurnNoIssuer)
	accepted, err := validator.New(open, validator.Options{Follow: request.V0_15}).Validate(anchor, raw)
	require.NoError(t, err)
	require.Equal(t, []validator.Difference{validator.BurnedByAnyone}, accepted.Differences)
}

// TestNobodyAudits checks that a network without auditors accepts only requests
// without an auditor's signature.
func TestNobodyAudits(t *testing.T) {
	m := newMeaning(t)
	unaudited, err := params.Setup(params.Config{
		Group: m.Params.Group(), Bits: m.Params.Bits(), Issuers: m.Params.Issuers(), TableBytes: 1 << 18,
	})
	require.NoError(t, err)
	v, r := validator.New(unaudited, validator.Options{}), m.sign(m.parts("transfers", 1)...)
	_, err = v.Validate(anchor, r.Encode())
	m.refused(err, "auditors", validator.ErrNotAuditor)
	r.Signatures = r.Signatures[1:]
	_, err = v.Validate(anchor, r.Encode())
	require.NoError(t, err)
}
