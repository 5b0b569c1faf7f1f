//go:build !panurus_v014

package adapter_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/LFDT-Panurus/panurus/token/driver"

	"github.com/zkatbench/zkatbench/node/adapter"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
)

func (d nodeDriver) NewValidator(driver.PublicParameters, driver.ResourceLimits) (driver.Validator, error) {
	return d, nil
}

func newValidator(d adapter.Driver, pp driver.PublicParameters) (driver.Validator, error) {
	return d.NewValidator(pp, driver.ResourceLimits{})
}

// TestEveryLimitIsPassed walks the limits of the node. Each reaches the validator under its
// name. Limits of the validator that the node lacks keep their defaults.
func TestEveryLimitIsPassed(t *testing.T) {
	var limits driver.ResourceLimits
	v := reflect.ValueOf(&limits).Elem()
	for i := range v.NumField() {
		v.Field(i).SetInt(int64(100 + i))
	}
	r, err := adapter.Resources(limits)
	require.NoError(t, err)
	passed := reflect.ValueOf(r)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		require.EqualValues(t, 100+i, passed.FieldByName(name).Int(), name)
	}
	require.Equal(t, v.NumField(), passed.NumField(), "no limit of ours is without one of the node")
	_, err = adapter.Resources(struct{ MaxColours int }{7})
	require.ErrorContains(t, err, "MaxColours")
}

// TestLimits: each limit of the node applies, at the size of the request and below.
func TestLimits(t *testing.T) {
	n, raw := newRequest(t)
	pp, err := testDriver.PublicParametersFromBytes(n.Params.Encode())
	require.NoError(t, err)
	for name, set := range map[string]func(*driver.ResourceLimits, int){
		"bytes":           func(l *driver.ResourceLimits, less int) { l.MaxRequestBytes = len(raw) - less },
		"signatures":      func(l *driver.ResourceLimits, less int) { l.MaxSignatures = 3 - less },
		"inputs":          func(l *driver.ResourceLimits, less int) { l.MaxInputs = 2 - less },
		"outputs":         func(l *driver.ResourceLimits, less int) { l.MaxOutputs = 2 - less },
		"signature bytes": func(l *driver.ResourceLimits, less int) { l.MaxSignatureBytes = 72 - 71*less },
		"action bytes": func(l *driver.ResourceLimits, less int) {
			l.MaxActionBytes = len(raw) - (len(raw)-1)*less
		},
		"proof bytes": func(l *driver.ResourceLimits, less int) {
			l.MaxProofBytes = len(raw) - (len(raw)-1)*less
		},
	} {
		t.Run(name, func(t *testing.T) {
			for less, want := range []error{nil, request.ErrResources} {
				var limits driver.ResourceLimits
				set(&limits, less)
				v, err := testDriver.NewValidator(pp, limits)
				require.NoError(t, err)
				_, _, err = v.VerifyTokenRequestFromRaw(t.Context(), nil, "tx", raw)
				require.ErrorIs(t, err, want)
			}
		})
	}
}
