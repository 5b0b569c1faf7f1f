package v1_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/identity"
	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
)

// TestEveryOutputIsHashed: of many outputs each has an owner by hash with an opening of
// its own.
func TestEveryOutputIsHashed(t *testing.T) {
	const n = 12
	h := newHashedNetwork(t, identity.X509, allowHashed)
	order := v1.IssueOrder{Issuer: h.Issuer.Identity(), Type: "EUR", Hashed: true}
	owner := h.wallets(1)[0].Identity()
	for range n {
		order.Receive = append(order.Receive, token.Receive{Owner: owner, Value: 7})
	}
	part, err := h.service.Issue(order)
	require.NoError(t, err)
	assembled, err := v1.Assemble("tx", part)
	require.NoError(t, err)
	a, err := issue.Decode(h.Params.Group(), assembled.Request.Actions[0].Raw, token.DefaultLimits)
	require.NoError(t, err)
	require.Len(t, a.Outputs, n)
	for j, out := range a.Outputs {
		typed, err := identity.Decode(out.Owner)
		require.NoError(t, err)
		require.Equal(t, identity.Hashed, typed.Type, "output %d", j)
	}
	require.Len(t, part.Owners, n)
}
