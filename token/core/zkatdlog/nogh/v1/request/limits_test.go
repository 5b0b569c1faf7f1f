package request_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
)

// TestLimitsThatAreNotSetAreTheDefaults checks each field separately.
func TestLimitsThatAreNotSetAreTheDefaults(t *testing.T) {
	require.Equal(t, request.DefaultLimits, request.Limits{}.WithDefaults())
	all := request.Limits{
		Bytes: 1, Actions: 2, Signatures: 3, Verifications: 4, Tokens: transfer.Limits{Inputs: 5, Outputs: 6, Metadata: 7},
	}
	require.Equal(t, all, all.WithDefaults())
	want := request.DefaultLimits
	want.Tokens.Outputs = 32
	require.Equal(t, want, request.Limits{Tokens: transfer.Limits{Outputs: 32}}.WithDefaults())
	want = request.DefaultLimits
	want.Bytes = 1 << 20
	require.Equal(t, want, request.Limits{Bytes: 1 << 20}.WithDefaults())
}
