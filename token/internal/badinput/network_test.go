package badinput_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
	"github.com/zkatbench/zkatbench/token/internal/badinput"
	"github.com/zkatbench/zkatbench/token/internal/networktest"
	"github.com/zkatbench/zkatbench/token/internal/vectors"
)

const anchor = "tx"

// full is a request that sets every field of the wire format: an issue that
// burns a clear token, and a redeem with an upgraded input.
type full struct {
	name      string
	network   *fixture.Network
	validator *validator.Validator
	parts     []*v1.Part
	honest    *request.Request
	tree      *badinput.Node
}

func newFull(t testing.TB, curve string, kind rangeproof.Kind) *full {
	t.Helper()
	n := networktest.New(t, fixture.Config{Group: vectors.Curve(t, curve), Systems: []rangeproof.Kind{kind},
		TableBytes: 1 << 18})
	return completed(t, n, string(kind), issuePart(t, n), redeemPart(t, n))
}

// newFullV2 is a request with v2 proofs: an issue and a redeem.
func newFullV2(t testing.TB, curve string) *full {
	t.Helper()
	n := networktest.New(t, fixture.Config{Group: vectors.Curve(t, curve), TableBytes: 1 << 18,
		Protocols: params.Protocols{V2: true}})
	issues, redeems := networktest.Parts(t, n, "issues", 2, 3, 7), networktest.Parts(t, n, "redeems", 2, 3, 7)
	return completed(t, n, "v2", append(issues, redeems...)...)
}

// completed makes the request of parts.
func completed(t testing.TB, n *fixture.Network, name string, parts ...*v1.Part) *full {
	t.Helper()
	f := &full{name: name, network: n, validator: n.Validator(validator.Options{})}
	a, err := v1.Assemble(anchor, parts...)
	require.NoError(t, err)
	for i, p := range parts {
		part := *p
		part.Action = a.Request.Actions[i]
		f.parts = append(f.parts, &part)
	}
	f.honest = f.sign(t, a.Request.Actions)
	_, err = f.validator.Validate(anchor, f.honest.Encode())
	require.NoError(t, err)
	f.tree, err = badinput.Parse(f.honest.Encode())
	require.NoError(t, err)
	require.Equal(t, f.honest.Encode(), f.tree.Encode(nil))
	return f
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
	networktest.EditIssue(t, n, part, func(a *issue.Action) {
		a.Inputs = []issue.Input{{ID: token.ID{TxID: "old", Index: 3}, Token: []byte("a clear token")}}
	})
	return part
}

func redeemPart(t testing.TB, n *fixture.Network) *v1.Part {
	t.Helper()
	service, order, err := n.TransferOrder(2, 2, 2, true)
	require.NoError(t, err)
	order.Metadata = public
	part, err := service.Transfer(order)
	require.NoError(t, err)
	networktest.EditTransfer(t, n, part, func(a *transfer.Action) {
		in := &a.Inputs[0]
		held, err := service.Tokens.Load(in.ID)
		require.NoError(t, err)
		in.Upgrade = &transfer.Upgrade{Clear: part.Inputs[in.ID], Blinding: held.Opening.Blinding}
	})
	return part
}
