//go:build !panurus_v014

package adapter

import (
	"github.com/LFDT-Panurus/panurus/token/driver"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
)

// NewValidator implements driver.ValidatorDriver of v0.15 and later.
func (d Driver) NewValidator(pp driver.PublicParameters, limits driver.ResourceLimits) (driver.Validator, error) {
	own, err := d.Own.NewValidator(pp, limits)
	if err != nil {
		return nil, err
	}
	return d.validator(pp, own, request.Resources{
		MaxRequestBytes: limits.MaxRequestBytes, MaxActions: limits.MaxActions,
		MaxSignatures: limits.MaxSignatures, MaxSignatureBytes: limits.MaxSignatureBytes,
		MaxActionBytes: limits.MaxActionBytes, MaxInputs: limits.MaxInputs, MaxOutputs: limits.MaxOutputs,
		MaxMetadataEntries: limits.MaxMetadataEntries, MaxMetadataKeyBytes: limits.MaxMetadataKeyBytes,
		MaxMetadataValueBytes: limits.MaxMetadataValueBytes, MaxProofBytes: limits.MaxProofBytes,
	})
}
