package v1_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
)

// TestServiceKeepsResourceLimits: requests that v0.15 refuses by default are not made,
// unless the network has other limits.
func TestServiceKeepsResourceLimits(t *testing.T) {
	n, service, order := orders(t)
	order.Metadata = map[string][]byte{"pub.note": make([]byte, 4096)}
	_, err := service.Transfer(order)
	require.NoError(t, err)
	order.Metadata["pub.note"] = make([]byte, 4097)
	_, err = service.Transfer(order)
	require.ErrorIs(t, err, request.ErrResources)
	require.ErrorContains(t, err, "maxMetadataValueBytes")
	service.Resources.MaxMetadataValueBytes = 5000
	part, err := service.Transfer(order)
	require.NoError(t, err)
	_, err = n.Signed("tx", part)
	require.ErrorIs(t, err, request.ErrResources, "the auditor keeps the defaults")

	service.Resources = request.Resources{MaxSignatureBytes: 10}
	order.Metadata = nil
	part, err = service.Transfer(order)
	require.NoError(t, err)
	_, err = n.Signed("tx", part)
	require.ErrorContains(t, err, "maxSignatureBytes")
	part.Resources = request.Resources{MaxRequestBytes: 10}
	_, err = n.Signed("tx", part)
	require.ErrorContains(t, err, "maxRequestBytes")
}
