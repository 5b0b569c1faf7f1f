package request_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
)

// TestLimitsThatAreNotSetAreTheDefaults checks each field separately.
func TestLimitsThatAreNotSetAreTheDefaults(t *testing.T) {
	require.Equal(t, request.DefaultLimits, request.Limits{}.WithDefaults())
	all := request.Limits{
		Bytes: 1, Actions: 2, Signatures: 3, Verifications: 4,
		Tokens: token.Limits{Inputs: 5, Outputs: 6, Metadata: 7},
	}
	require.Equal(t, all, all.WithDefaults())
	want := request.DefaultLimits
	want.Tokens.Outputs = 32
	require.Equal(t, want, request.Limits{Tokens: token.Limits{Outputs: 32}}.WithDefaults())
	want = request.DefaultLimits
	want.Bytes = 1 << 20
	require.Equal(t, want, request.Limits{Bytes: 1 << 20}.WithDefaults())
}

// TestResourcesThatAreNotSetAreTheDefaults: a positive field is kept, also the least one.
func TestResourcesThatAreNotSetAreTheDefaults(t *testing.T) {
	fill := func(n int) (r request.Resources) {
		fields := reflect.ValueOf(&r).Elem()
		for i := range fields.NumField() {
			fields.Field(i).SetInt(int64(n))
		}
		return r
	}
	require.Equal(t, request.DefaultResources, fill(0).WithDefaults())
	require.Equal(t, request.DefaultResources, fill(-1).WithDefaults())
	require.Equal(t, fill(1), fill(1).WithDefaults())
	require.Equal(t, fill(2), fill(2).WithDefaults())
}

// TestResourceErrorsNameTheLimit, its value and the size beyond it.
func TestResourceErrorsNameTheLimit(t *testing.T) {
	err := request.DefaultResources.CheckAction(token.Sizes{Inputs: 257})
	require.EqualError(t, err, "beyond a resource limit: maxInputs is 256, found 257")
	require.ErrorIs(t, err, request.ErrResources)
	require.NoError(t, request.DefaultResources.CheckAction(token.Sizes{Inputs: 256}))
}
