package v1_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/fixture"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group/curves"
)

func orders(t *testing.T, curve string) (*fixture.Network, v1.Service, v1.TransferOrder) {
	t.Helper()
	g, err := curves.ByName(curve)
	require.NoError(t, err)
	n, err := fixture.NewNetwork(fixture.Config{Group: g, Bits: 16, TableBytes: 1})
	require.NoError(t, err)
	service, order, err := n.TransferOrder(1, 2, 2, false)
	require.NoError(t, err)
	return n, service, order
}

// brokenTokens panic when they are loaded.
type brokenTokens struct{}

func (brokenTokens) Load(token.ID) (v1.Held, error) { panic("broken") }

func TestServiceErrors(t *testing.T) {
	_, service, order := orders(t, "BN254")
	twice := order
	twice.Spend = []token.ID{order.Spend[0], order.Spend[0]}
	_, err := service.Transfer(twice)
	require.ErrorIs(t, err, v1.ErrRepeated)

	unknown := order
	unknown.Spend = []token.ID{{TxID: "nowhere"}}
	_, err = service.Transfer(unknown)
	require.ErrorIs(t, err, fixture.ErrNotHeld)

	_, err = service.Transfer(v1.TransferOrder{})
	require.ErrorIs(t, err, transfer.ErrNothing)

	service.Tokens = brokenTokens{}
	_, err = service.Transfer(order)
	require.ErrorContains(t, err, "panicked")
}

// TestMetadataIsWhatTheReferenceWrites checks that redeemed outputs have one
// receiver without identity.
func TestMetadataIsWhatTheReferenceWrites(t *testing.T) {
	n, _, _ := orders(t, "BN254")
	a, err := n.Request("tx", fixture.Shape{Kind: "redeems", Inputs: 1, Outputs: 2}, 1)
	require.NoError(t, err)
	md := a.Metadata.Actions[0]
	require.Len(t, md.Outputs[0].Receivers, 1)
	require.Empty(t, md.Outputs[0].Receivers[0].Identity)
	require.True(t, bytes.Equal(md.Issuer.Identity, n.Issuer.Identity()))
}
