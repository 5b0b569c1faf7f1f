//go:build panurus_v014

package adapter

import (
	"github.com/LFDT-Panurus/panurus/token/driver"
)

// NewValidator implements driver.ValidatorDriver of 6c2a93e and v0.14.2, which have
// no resource limits. Options.Resources apply.
func (d Driver) NewValidator(pp driver.PublicParameters) (driver.Validator, error) {
	own, err := d.Own.NewValidator(pp)
	if err != nil {
		return nil, err
	}
	return d.validator(pp, own, d.Options.Resources)
}
