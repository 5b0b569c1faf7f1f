//go:build !panurus_v014

package adapter_test

import (
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
		"action bytes":    func(l *driver.ResourceLimits, less int) { l.MaxActionBytes = len(raw) - (len(raw)-1)*less },
		"proof bytes":     func(l *driver.ResourceLimits, less int) { l.MaxProofBytes = len(raw) - (len(raw)-1)*less },
	} {
		for less := range 2 {
			var limits driver.ResourceLimits
			set(&limits, less)
			v, err := testDriver.NewValidator(pp, limits)
			require.NoError(t, err)
			_, _, err = v.VerifyTokenRequestFromRaw(t.Context(), nil, "tx", raw)
			if less == 0 {
				require.NoError(t, err, name)
			} else {
				require.ErrorIs(t, err, request.ErrResources, name)
			}
		}
	}
}
