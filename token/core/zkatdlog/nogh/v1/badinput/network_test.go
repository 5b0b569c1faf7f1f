package badinput_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/badinput"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

const anchor = "tx"

// full is a request that sets every field of the wire format: an issue that
// burns a clear token, and a redeem with an upgraded input.
type full struct {
	network   *fixture.Network
	validator *validator.Validator
	parts     []*v1.Part
	honest    *request.Request
	tree      *badinput.Node
}

func newFull(t testing.TB, curve string, kind rangeproof.Kind) *full {
	t.Helper()
	n, err := fixture.NewNetwork(fixture.Config{
		Group: vectors.Curve(t, curve), Bits: 16, Systems: []rangeproof.Kind{kind}, TableBytes: 1 << 18,
	})
	require.NoError(t, err)
	f := &full{network: n, validator: n.Validator(validator.Options{}), parts: []*v1.Part{issuePart(t, n), redeemPart(t, n)}}
	var actions []request.Action
	for _, p := range f.parts {
		actions = append(actions, p.Action)
	}
	f.honest = f.sign(t, actions)
	_, err = f.validator.Validate(anchor, f.honest.Encode())
	require.NoError(t, err)
	f.tree, err = badinput.Parse(f.honest.Encode())
	require.NoError(t, err)
	require.Equal(t, f.honest.Encode(), f.tree.Encode(nil))
	return f
}

// treeV2 returns an accepted request with v2 proofs: an issue and a redeem.
func treeV2(t testing.TB, curve string) *badinput.Node {
	t.Helper()
	n, err := fixture.NewNetwork(fixture.Config{
		Group: vectors.Curve(t, curve), Bits: 16, TableBytes: 1 << 18, Protocols: params.Protocols{V2: true},
	})
	require.NoError(t, err)
	issuing, issueOrder, err := n.IssueOrder(1, 2)
	require.NoError(t, err)
	issued, err := issuing.Issue(issueOrder)
	require.NoError(t, err)
	redeeming, order, err := n.TransferOrder(2, 2, 2, true)
	require.NoError(t, err)
	redeemed, err := redeeming.Transfer(order)
	require.NoError(t, err)
	r, err := n.SignedUnseen(anchor, issued, redeemed)
	require.NoError(t, err)
	_, err = n.Validator(validator.Options{}).Validate(anchor, r.Encode())
	require.NoError(t, err)
	tree, err := badinput.Parse(r.Encode())
	require.NoError(t, err)
	return tree
}

// sign makes a request of actions signed by all issuers and owners, which do
// not check the actions.
func (f *full) sign(t testing.TB, actions []request.Action) *request.Request {
	t.Helper()
	parts := make([]*v1.Part, len(actions))
	for i := range parts {
		part := *f.parts[i]
		part.Action, parts[i] = actions[i], &part
	}
	r, err := f.network.SignedUnseen(anchor, parts...)
	require.NoError(t, err)
	return r
}

var public = map[string][]byte{"pub.note": []byte("a note")}

func issuePart(t testing.TB, n *fixture.Network) *v1.Part {
	t.Helper()
	service, order, err := n.IssueOrder(1, 2)
	require.NoError(t, err)
	order.Metadata = public
	part, err := service.Issue(order)
	require.NoError(t, err)
	g := n.Params.Group()
	a, err := issue.Decode(g, part.Action.Raw, token.DefaultLimits)
	require.NoError(t, err)
	a.Inputs = []issue.Input{{ID: token.ID{TxID: "old", Index: 3}, Token: []byte("a clear token")}}
	part.Action.Raw = a.Encode(g)
	return part
}

func redeemPart(t testing.TB, n *fixture.Network) *v1.Part {
	t.Helper()
	service, order, err := n.TransferOrder(2, 2, 2, true)
	require.NoError(t, err)
	order.Metadata = public
	part, err := service.Transfer(order)
	require.NoError(t, err)
	g := n.Params.Group()
	a, err := transfer.Decode(g, part.Action.Raw, token.DefaultLimits)
	require.NoError(t, err)
	in := &a.Inputs[0]
	held, err := service.Tokens.Load(in.ID)
	require.NoError(t, err)
	clear, err := token.NewClear(g, held.Token, held.Opening)
	require.NoError(t, err)
	in.Upgrade = &transfer.Upgrade{Clear: clear, Blinding: held.Opening.Blinding}
	part.Action.Raw = a.Encode(g)
	return part
}
