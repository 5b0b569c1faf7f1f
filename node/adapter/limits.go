//go:build !panurus_v014

package adapter

import (
	"github.com/LFDT-Panurus/panurus/token/driver"
)

// NewValidator implements driver.ValidatorDriver of v0.15 and later.
func (d Driver) NewValidator(pp driver.PublicParameters, limits driver.ResourceLimits) (driver.Validator,
	error) {
	ours, err := resources(limits)
	if err != nil {
		return nil, err
	}
	own, err := d.Own.NewValidator(pp, limits)
	if err != nil {
		return nil, err
	}
	return d.validator(pp, own, ours)
}
