// Package networktest makes networks, wallets and changed actions for tests, and fails the
// test if it cannot.
package networktest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix"
	"github.com/zkatbench/zkatbench/token/core/identity/idemix/library"
	"github.com/zkatbench/zkatbench/token/core/identity/x509"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
	"github.com/zkatbench/zkatbench/token/internal/pb"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

// kept has the parameters of all networks, so that equal ones share tables until the tests
// of a process end.
var kept sync.Map

// New returns a network. By default it is on BN254, with values of 16 bits and the
// smallest tables.
func New(t testing.TB, c fixture.Config) *fixture.Network {
	t.Helper()
	if c.Group == nil {
		c.Group = vectors.Curve(t, "BN254")
	}
	c.Bits, c.TableBytes = cmp.Or(c.Bits, 16), cmp.Or(c.TableBytes, 1)
	n, err := fixture.NewNetwork(c)
	require.NoError(t, err)
	kept.Store(n.Params, true)
	return n
}

// Parts makes the actions of a request of a kind.
func Parts(t testing.TB, n *fixture.Network, kind string, inputs, outputs int, seed uint64) []*v1.Part {
	t.Helper()
	parts, err := n.Parts(fixture.Shape{Kind: kind, Inputs: inputs, Outputs: outputs}, seed)
	require.NoError(t, err)
	return parts
}

// Mixed makes one action of each kind, with two inputs and two outputs.
func Mixed(t testing.TB, n *fixture.Network, kinds ...string) (parts []*v1.Part) {
	t.Helper()
	for i, kind := range kinds {
		parts = append(parts, Parts(t, n, kind, 2, 2, uint64(i))...)
	}
	return parts
}

// Request makes a request of a kind under the anchor tx, signed by all.
func Request(t testing.TB, n *fixture.Network, kind string, inputs, outputs int, seed uint64) *v1.Assembly {
	t.Helper()
	a, err := n.Request("tx", fixture.Shape{Kind: kind, Inputs: inputs, Outputs: outputs}, seed)
	require.NoError(t, err)
	return a
}

// Assemble makes a request of parts under the anchor tx.
func Assemble(t testing.TB, parts ...*v1.Part) *v1.Assembly {
	t.Helper()
	a, err := v1.Assemble("tx", parts...)
	require.NoError(t, err)
	return a
}

// Signed is Assemble, signed without checks by the signers and the auditor.
func Signed(t testing.TB, n *fixture.Network, parts ...*v1.Part) *request.Request {
	t.Helper()
	r, err := n.SignedUnseen("tx", parts...)
	require.NoError(t, err)
	return r
}

// Transfer reads a transfer.
func Transfer(t testing.TB, g group.Group, raw []byte) *transfer.Action {
	t.Helper()
	a, err := transfer.Decode(g, raw, token.DefaultLimits)
	require.NoError(t, err)
	return a
}

// Issue reads an issue.
func Issue(t testing.TB, g group.Group, raw []byte) *issue.Action {
	t.Helper()
	a, err := issue.Decode(g, raw, token.DefaultLimits)
	require.NoError(t, err)
	return a
}

// EditTransfer changes the transfer of a part.
func EditTransfer(t testing.TB, n *fixture.Network, p *v1.Part, edit func(a *transfer.Action)) {
	t.Helper()
	a := Transfer(t, n.Params.Group(), p.Action.Raw)
	edit(a)
	p.Action.Raw = a.Encode(n.Params.Group())
}

// EditIssue changes the issue of a part.
func EditIssue(t testing.TB, n *fixture.Network, p *v1.Part, edit func(a *issue.Action)) {
	t.Helper()
	a := Issue(t, n.Params.Group(), p.Action.Raw)
	edit(a)
	p.Action.Raw = a.Encode(n.Params.Group())
}

// EditParams returns the bytes of parameters with a change of their inner message.
func EditParams(t testing.TB, p *params.Params, edit func(raw []byte) []byte) []byte {
	t.Helper()
	var e struct {
		Identifier string `json:"identifier"`
		Raw        []byte `json:"raw"`
	}
	require.NoError(t, json.Unmarshal(p.Encode(), &e))
	e.Raw = edit(e.Raw)
	b, err := json.Marshal(e)
	require.NoError(t, err)
	return b
}

// EditFields returns an edit of the fields of a message.
func EditFields(t testing.TB, message string, edit func(m pb.Fields)) func(raw []byte) []byte {
	return func(raw []byte) []byte {
		m, err := pb.Decode(message, raw)
		require.NoError(t, err)
		edit(m)
		raw, err = pb.Encode(message, m)
		require.NoError(t, err)
		return raw
	}
}

// Verdicts returns the errors of a request alone and in a batch.
func Verdicts(v *validator.Validator, anchor string, raw []byte) [2]error {
	_, alone := v.Validate(anchor, raw)
	return [2]error{alone, v.ValidateBatch([]validator.Submission{{Anchor: anchor, Raw: raw}})[0].Err}
}

// Refused requires a refusal by a rule for a reason, nil for any, and returns it.
func Refused(t testing.TB, err error, rule string, reason error) *validator.RefusedError {
	t.Helper()
	refused := new(validator.RefusedError)
	require.ErrorAs(t, err, &refused)
	require.Equal(t, rule, refused.Rule, "%v", err)
	if reason != nil {
		require.ErrorIs(t, err, reason)
	}
	return refused
}

// Wallet returns the X.509 wallet of a seed.
func Wallet(t testing.TB, seed uint64, name string) *x509.Wallet {
	t.Helper()
	w, err := x509.NewWallet(fixture.Random(seed), name)
	require.NoError(t, err)
	return w
}

// Idemix returns an issuer on a curve, and wallets of users.
func Idemix(t testing.TB, curve, users int) (*library.Issuer, []*library.Wallet) {
	t.Helper()
	issuer, err := library.NewIssuer(curve)
	require.NoError(t, err)
	wallets := make([]*library.Wallet, users)
	for i := range wallets {
		user, err := issuer.Enrol(fmt.Sprint("user ", i), "100")
		require.NoError(t, err)
		wallets[i], err = user.NewWallet()
		require.NoError(t, err)
	}
	return issuer, wallets
}

// Recorded reads the parameters of recorded requests.
func Recorded(t testing.TB, raw []byte) *params.Params {
	t.Helper()
	p, err := params.Decode(raw,
		params.Options{Group: curves.ByID, TableBytes: 1 << 20, AllowForeignGenerators: true})
	require.NoError(t, err)
	kept.Store(p, true)
	return p
}

// IdemixKeys returns the keys of the issuers of owners in a network.
func IdemixKeys(t testing.TB, p *params.Params) *idemix.Keys {
	t.Helper()
	var list []idemix.Key
	for _, k := range p.IdemixKeys() {
		list = append(list, idemix.Key(k))
	}
	ks, err := idemix.New(list)
	require.NoError(t, err)
	return ks
}

// Typed reads an identity with its type.
func Typed(t testing.TB, id []byte) identity.Typed {
	t.Helper()
	typed, err := identity.Decode(id)
	require.NoError(t, err)
	return typed
}
