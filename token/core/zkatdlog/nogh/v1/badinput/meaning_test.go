package badinput_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/sigma"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/ledger"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
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
	n, err := fixture.NewNetwork(fixture.Config{
		Group: vectors.Curve(t, curve), Bits: 16, Systems: []rangeproof.Kind{kind}, TableBytes: 1 << 18,
	})
	require.NoError(t, err)
	return meaning{n, t, kind}
}

// parts makes the actions of a request of two inputs and outputs each.
func (m meaning) parts(kind string, seed uint64) []*v1.Part {
	parts, err := m.Parts(fixture.Shape{Kind: kind, Inputs: 2, Outputs: 2}, seed)
	require.NoError(m.t, err)
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
	a, err := transfer.Decode(g, p.Action.Raw, token.DefaultLimits)
	require.NoError(m.t, err)
	edit(a, p)
	p.Action.Raw = a.Encode(g)
	return m.sign(p)
}

func (m meaning) decoded(seed uint64) *transfer.Action {
	a, err := transfer.Decode(m.Params.Group(), m.parts("transfers", seed)[0].Action.Raw, token.DefaultLimits)
	require.NoError(m.t, err)
	return a
}

func (m meaning) issue(edit func(a *issue.Action, p *v1.Part)) *request.Request {
	p := m.parts("issues", 1)[0]
	g := m.Params.Group()
	a, err := issue.Decode(g, p.Action.Raw, token.DefaultLimits)
	require.NoError(m.t, err)
	edit(a, p)
	p.Action.Raw = a.Encode(g)
	return m.sign(p)
}

func (m meaning) stranger() *x509.Wallet {
	w, err := x509.NewWallet(fixture.Random(99), "stranger")
	require.NoError(m.t, err)
	return w
}

// moved adds a commitment to the type or the value to the point of the first
// output.
func (m meaning) moved(a *transfer.Action, typ, value uint64) {
	g := m.Params.Group()
	a.Outputs[0].Data = g.AddPoints(a.Outputs[0].Data, m.Params.Pedersen().Commit(g.Uint64(typ), g.Uint64(value), group.Scalar{}))
}

// foreignRanges replaces the range proofs of a by another transfer's.
func (m meaning) foreignRanges(a *transfer.Action) {
	sigmaProof, _, err := a.Proof.Split("proof")
	require.NoError(m.t, err)
	_, ranges, err := m.decoded(2).Proof.Split("proof")
	require.NoError(m.t, err)
	a.Proof.Raw = wire.AppendContainer(nil, sigmaProof, ranges)
}

type mistake struct {
	name string
	make func(m meaning) *request.Request
	rule string
	err  error
}

var mistakes = []mistake{
	{"no actions", func(m meaning) *request.Request { return m.sign() }, "request", validator.ErrNoActions},
	{"no signatures", func(m meaning) *request.Request {
		return m.signatures(func([]request.Signature) []request.Signature { return nil })
	}, "auditors", validator.ErrNoAuditor},
	{"signatures of owners swapped", func(m meaning) *request.Request {
		return m.signatures(func(l []request.Signature) []request.Signature { l[1], l[2] = l[2], l[1]; return l })
	}, "signatures", identity.ErrSignature},
	{"signatures of another request", func(m meaning) *request.Request {
		other := m.sign(m.parts("transfers", 2)...)
		return m.signatures(func(l []request.Signature) []request.Signature { return append(l[:1], other.Signatures[1:]...) })
	}, "signatures", identity.ErrSignature},
	{"input of an owner without verifier", func(m meaning) *request.Request {
		return m.transfer("transfers", func(a *transfer.Action, _ *v1.Part) {
			a.Inputs[0].Token.Owner = identity.Typed{Type: 99, Raw: []byte("?")}.Encode()
		})
	}, "signatures", identity.ErrUnknownType},
	{"foreign proof", func(m meaning) *request.Request {
		return m.transfer("transfers", func(a *transfer.Action, _ *v1.Part) { a.Proof = m.decoded(2).Proof })
	}, "proofs", sigma.ErrRejected},
	{"foreign range proofs", func(m meaning) *request.Request {
		return m.transfer("transfers", func(a *transfer.Action, _ *v1.Part) { m.foreignRanges(a) })
	}, "proofs", rangeproof.ErrRejected},
	{"type mismatch", func(m meaning) *request.Request {
		return m.transfer("transfers", func(a *transfer.Action, _ *v1.Part) { m.moved(a, 1, 0) })
	}, "proofs", sigma.ErrRejected},
	{"sum mismatch", func(m meaning) *request.Request {
		return m.transfer("transfers", func(a *transfer.Action, _ *v1.Part) { m.moved(a, 0, 1) })
	}, "proofs", sigma.ErrRejected},
	{"outputs reordered", func(m meaning) *request.Request {
		return m.transfer("transfers", func(a *transfer.Action, _ *v1.Part) { slices.Reverse(a.Outputs) })
	}, "proofs", sigma.ErrRejected},
	{"inputs reordered", func(m meaning) *request.Request {
		return m.transfer("transfers", func(a *transfer.Action, p *v1.Part) { slices.Reverse(a.Inputs); slices.Reverse(p.Signers) })
	}, "proofs", sigma.ErrRejected},
	{"output added", func(m meaning) *request.Request {
		return m.transfer("transfers", func(a *transfer.Action, _ *v1.Part) { a.Outputs = append(a.Outputs, a.Outputs[0]) })
	}, "proofs", sigma.ErrRejected},
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
				accepted, err := m.Validator(validator.Options{Follow: request.V0_14}).Validate(anchor, c.make(m).Encode())
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
		r := m.signatures(func(l []request.Signature) []request.Signature { return slices.Insert(l[1:], place, l[0]) })
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
		prefix + "tx": nil, prefix: nil, "tx": validator.ErrForeignAnchor, "tx" + prefix: validator.ErrForeignAnchor,
		prefix[1:]: validator.ErrForeignAnchor,
	} {
		r, err := m.SignedUnseen(name, parts...)
		require.NoError(t, err)
		_, err = v.Validate(name, r.Encode())
		require.ErrorIs(t, err, want, name)
	}
}

// TestMisplaced presents honest requests in the wrong context.
func TestMisplaced(t *testing.T) {
	csp, bp := newMeaning(t, "BN254", rangeproof.CSP), newMeaning(t, "BN254", rangeproof.Bulletproof)
	raw := csp.sign(csp.parts("transfers", 1)...).Encode()
	check := func(name string, o validator.Options, n meaning, anchor string, raw []byte, rule string, want error) {
		_, err := n.Validator(o).Validate(anchor, raw)
		csp.refused(err, name, rule, want)
	}
	strict := validator.Options{}
	check("replayed under another anchor", strict, csp, "another", raw, "signatures", identity.ErrSignature)
	check("no anchor", strict, csp, "", raw, "message", request.ErrAnchor)
	check("range proofs of another system", strict, bp, anchor, raw, "transfer: proof system", params.ErrNoSystem)
	other := newMeaning(t, "BLS12_381_BBS_GURVY", rangeproof.CSP)
	_, err := other.Validator(strict).Validate(anchor, raw)
	require.ErrorAs(t, err, new(*wire.DecodeError), "the wrong curve")
	for kind, rule := range map[string]string{"transfers": "transfer: proof system", "issues": "issue: proof system"} {
		_, err = validator.New(bp.Params, strict).Validate(anchor, bp.sign(bp.parts(kind, 1)...).Encode())
		csp.refused(err, "unsound proofs", rule, validator.ErrUnsound)
	}

	parts := csp.parts("transfers", 1)
	l := &ledger.Memory{}
	onLedger := validator.Options{Ledger: l}
	check("tokens of nowhere", onLedger, csp, anchor, raw, "inputs", validator.ErrNotOnLedger)
	a, err := transfer.Decode(csp.Params.Group(), parts[0].Action.Raw, token.DefaultLimits)
	require.NoError(t, err)
	for _, in := range a.Inputs {
		l.Put(in.ID, in.Token.Encode(csp.Params.Group()))
	}
	accepted, err := csp.Validator(onLedger).Validate(anchor, raw)
	require.NoError(t, err)
	require.NoError(t, l.Apply(accepted))
	check("the same request again", onLedger, csp, anchor, raw, "anchor", validator.ErrKnownAnchor)
	again, err := csp.SignedUnseen("later", parts...)
	require.NoError(t, err)
	check("spent tokens", onLedger, csp, "later", again.Encode(), "inputs", validator.ErrNotOnLedger)

	l = &ledger.Memory{}
	for _, in := range a.Inputs {
		l.Put(in.ID, bytes.ToUpper(in.Token.Encode(csp.Params.Group())))
	}
	check("other bytes on the ledger", validator.Options{Ledger: l}, csp, anchor, raw, "inputs", validator.ErrNotOnLedger)
}
