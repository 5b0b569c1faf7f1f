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
	limits := request.Resources{MaxInputs: 1, MaxOutputs: 1, MaxMetadataEntries: 1,
		MaxProofBytes: 1}.WithDefaults()
	require.NoError(t, limits.CheckAction(token.Sizes{Inputs: 1, Outputs: 1, Proof: 1,
		Metadata: map[string][]byte{"a": nil}}))
	for name, sizes := range map[string]token.Sizes{
		"maxInputs": {Inputs: 2}, "maxOutputs": {Outputs: 2}, "maxProofBytes": {Proof: 2},
		"maxMetadataEntries": {Metadata: map[string][]byte{"a": nil, "b": nil}},
	} {
		t.Run(name, func(t *testing.T) {
			err := limits.CheckAction(sizes)
			require.EqualError(t, err, "beyond a resource limit: "+name+" is 1, found 2")
			require.ErrorIs(t, err, request.ErrResources)
		})
	}
}
