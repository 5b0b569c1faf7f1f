package badinput_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
)

// meaning makes well-formed requests with an invalid meaning.
type meaning struct {
	*fixture.Network
	t *testing.T
}

func newMeaning(t *testing.T) meaning {
	t.Helper()
	return meaning{networktest.New(t, fixture.Config{TableBytes: 1 << 18}), t}
}

// parts makes the actions of a request of two inputs and outputs each.
func (m meaning) parts(kind string, seed uint64) []*v1.Part {
	return networktest.Parts(m.t, m.Network, kind, 2, 2, seed)
}

func (m meaning) sign(parts ...*v1.Part) *request.Request {
	r, err := m.SignedUnseen(anchor, parts...)
	require.NoError(m.t, err)
	return r
}

// signatures returns an honest transfer with the signatures of an auditor and
// two owners, changed by edit.
func (m meaning) signatures(edit func(list []request.Signature) []request.Signature) *request.Request {
	r := m.sign(m.parts("transfers", 1)...)
	r.Signatures = edit(r.Signatures)
	return r
}

// transfer returns a transfer or redeem that edit changes before all parties
// sign it.
func (m meaning) transfer(kind string, edit func(a *transfer.Action, p *v1.Part)) *request.Request {
	p := m.parts(kind, 1)[0]
	networktest.EditTransfer(m.t, m.Network, p, func(a *transfer.Action) { edit(a, p) })
	return m.sign(p)
}

func (m meaning) issue(edit func(a *issue.Action, p *v1.Part)) *request.Request {
	p := m.parts("issues", 1)[0]
	networktest.EditIssue(m.t, m.Network, p, func(a *issue.Action) { edit(a, p) })
	return m.sign(p)
}

func (m meaning) stranger() *x509.Wallet { return networktest.Wallet(m.t, 99, "stranger") }

// TestMeaning: well-formed requests are refused by the rule that they violate, with its error.
func TestMeaning(t *testing.T) {
	m := newMeaning(t)
	strict := m.Validator(validator.Options{})
	_, err := strict.Validate(anchor, m.sign().Encode())
	m.refused(err, "request", validator.ErrNoActions)

	hidden := networktest.Transfer(t, m.Params.Group(), m.parts("transfers", 2)[0].Action.Raw).Inputs[0]
	burning := m.issue(func(a *issue.Action, _ *v1.Part) {
		a.Inputs = []issue.Input{
			{ID: token.ID{TxID: "old"}, Token: []byte("a clear token")},
			{ID: hidden.ID, Token: hidden.Token.Encode(m.Params.Group())},
		}
	}).Encode()
	_, err = strict.Validate(anchor, burning)
	m.refused(err, "issue: inputs", validator.ErrBurn)
	accepted, err := m.Validator(validator.Options{Follow: request.V0_14}).Validate(anchor, burning)
	require.NoError(t, err)
	require.Equal(t, []validator.Difference{validator.HiddenBurned}, accepted.Differences)
}

// TestAuditorsSignAnywhere: the signature of an auditor may stand anywhere.
func TestAuditorsSignAnywhere(t *testing.T) {
	m := newMeaning(t)
	v := m.Validator(validator.Options{})
	for place := range m.sign(m.parts("transfers", 1)...).Signatures {
		r := m.signatures(func(l []request.Signature) []request.Signature {
			return slices.Insert(l[1:], place, l[0])
		})
		_, err := v.Validate(anchor, r.Encode())
		require.NoError(t, err, place)
	}
}

func (m meaning) refused(err error, rule string, want error) {
	m.t.Helper()
	networktest.Refused(m.t, err, rule, want)
}

// TestAnchorStartsWithDigest checks that a validator that requires the digest
// accepts only requests for its parameters.
func TestAnchorStartsWithDigest(t *testing.T) {
	m := newMeaning(t)
	v := m.Validator(validator.Options{AnchorStartsWithDigest: true})
	parts := m.parts("transfers", 1)
	prefix := m.Params.AnchorPrefix()
	for name, want := range map[string]error{
		prefix + "tx": nil, prefix: nil, "tx": validator.ErrForeignAnchor,
		"tx" + prefix: validator.ErrForeignAnchor,
		prefix[1:]:    validator.ErrForeignAnchor,
	} {
		t.Run(name, func(t *testing.T) {
			r, err := m.SignedUnseen(name, parts...)
			require.NoError(t, err)
			_, err = v.Validate(name, r.Encode())
			require.ErrorIs(t, err, want)
		})
	}
}
