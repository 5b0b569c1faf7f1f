package badinput_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// meaning makes well-formed requests with an invalid meaning.
type meaning struct {
	*fixture.Network
	t    *testing.T
	kind rangeproof.Kind
}

func newMeaning(t *testing.T, curve string, kind rangeproof.Kind) meaning {
	t.Helper()
	n := networktest.New(t, fixture.Config{Group: vectors.Curve(t, curve), Systems: []rangeproof.Kind{kind},
		TableBytes: 1 << 18})
	return meaning{n, t, kind}
}

// parts makes the actions of a request of two inputs and outputs each.
func (m meaning) parts(kind string, seed uint64) []*v1.Part {
	parts := networktest.Parts(m.t, m.Network, kind, 2, 2, seed)
	return parts
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
	g := m.Params.Group()
	a := networktest.Transfer(m.t, g, p.Action.Raw)
	edit(a, p)
	p.Action.Raw = a.Encode(g)
	return m.sign(p)
}

func (m meaning) decoded(seed uint64) *transfer.Action {
	a := networktest.Transfer(m.t, m.Params.Group(), m.parts("transfers", seed)[0].Action.Raw)
	return a
}

func (m meaning) issue(edit func(a *issue.Action, p *v1.Part)) *request.Request {
	p := m.parts("issues", 1)[0]
	g := m.Params.Group()
	a := networktest.Issue(m.t, g, p.Action.Raw)
	edit(a, p)
	p.Action.Raw = a.Encode(g)
	return m.sign(p)
}

func (m meaning) stranger() *x509.Wallet {
	w := networktest.Wallet(m.t, 99, "stranger")
	return w
}

type mistake struct {
	name string
	make func(m meaning) *request.Request
	rule string
	err  error
}

var mistakes = []mistake{
	{"no actions", func(m meaning) *request.Request { return m.sign() }, "request", validator.ErrNoActions},
	{"input of an owner without verifier", func(m meaning) *request.Request {
		return m.transfer("transfers", func(a *transfer.Action, _ *v1.Part) {
			a.Inputs[0].Token.Owner = identity.Typed{Type: 99, Raw: []byte("?")}.Encode()
		})
	}, "signatures", identity.ErrUnknownType},
	{"issue with an output added", func(m meaning) *request.Request {
		return m.issue(func(a *issue.Action, _ *v1.Part) { a.Outputs = append(a.Outputs, a.Outputs[0]) })
	}, "proofs", wire.ErrCount},
	{"issue that burns a clear token and a hidden one", func(m meaning) *request.Request {
		in := m.decoded(2).Inputs[0]
		return m.issue(func(a *issue.Action, _ *v1.Part) {
			a.Inputs = []issue.Input{
				{ID: token.ID{TxID: "old"}, Token: []byte("a clear token")},
				{ID: in.ID, Token: in.Token.Encode(m.Params.Group())},
			}
		})
	}, "issue: inputs", validator.ErrBurn},
}

// TestMeaning checks that well-formed requests are refused by the rule that
// they violate, with its error.
func TestMeaning(t *testing.T) {
	for _, kind := range kinds {
		m := newMeaning(t, "BN254", kind)
		v := m.Validator(validator.Options{})
		for _, c := range mistakes {
			_, err := v.Validate(anchor, c.make(m).Encode())
			m.refused(err, c.name, c.rule, c.err)
			if c.err == validator.ErrBurn {
				accepted, err := m.Validator(validator.Options{Follow: request.V0_14}).Validate(anchor,
					c.make(m).Encode())
				require.NoError(t, err, c.name)
				require.Equal(t, []validator.Difference{validator.HiddenBurned}, accepted.Differences)
			}
		}
	}
}

// TestAuditorsSignAnywhere: the signature of an auditor may stand anywhere.
func TestAuditorsSignAnywhere(t *testing.T) {
	m := newMeaning(t, "BN254", rangeproof.CSP)
	v := m.Validator(validator.Options{})
	for place := range m.sign(m.parts("transfers", 1)...).Signatures {
		r := m.signatures(func(l []request.Signature) []request.Signature {
			return slices.Insert(l[1:], place, l[0])
		})
		_, err := v.Validate(anchor, r.Encode())
		require.NoError(t, err, place)
	}
}

func (m meaning) refused(err error, name, rule string, want error) {
	refused := new(validator.RefusedError)
	require.ErrorAs(m.t, err, &refused, "%s: %s", m.kind, name)
	require.Equal(m.t, rule, refused.Rule, "%s: %s: %v", m.kind, name, err)
	require.ErrorIs(m.t, err, want, "%s: %s", m.kind, name)
}

// TestAnchorStartsWithDigest checks that a validator that requires the digest
// accepts only requests for its parameters.
func TestAnchorStartsWithDigest(t *testing.T) {
	m := newMeaning(t, "BN254", rangeproof.CSP)
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
