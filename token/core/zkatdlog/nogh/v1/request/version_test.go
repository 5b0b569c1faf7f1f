package request_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
)

// TestInOrder: a ledger of v0.14 numbers the outputs of all issues first, the others
// number the actions' outputs in their order.
func TestInOrder(t *testing.T) {
	actions := []request.Action{{Kind: request.Transfer}, {Kind: request.Issue}, {Kind: request.Transfer},
		{Kind: request.Issue}}
	for version, want := range map[request.Version][]int{
		request.Strict: {0, 1, 2, 3}, request.V0_15: {0, 1, 2, 3}, request.V0_14: {1, 3, 0, 2},
	} {
		t.Run(string(version), func(t *testing.T) {
			require.Equal(t, want, version.InOrder(actions), version)
			require.Empty(t, version.InOrder(nil), version)
		})
	}
}

// TestVersionsHaveNames for options.
func TestVersionsHaveNames(t *testing.T) {
	require.Equal(t, "strict", request.Strict.String())
	for _, v := range request.Versions {
		require.Equal(t, string(v), v.String())
	}
}
