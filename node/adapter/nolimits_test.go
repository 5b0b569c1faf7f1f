//go:build panurus_v014

package adapter_test

import (
	"github.com/LFDT-Panurus/panurus/token/driver"

	"github.com/zkatbench/zkatbench/node/adapter"
)

func (d nodeDriver) NewValidator(driver.PublicParameters) (driver.Validator, error) { return d, nil }

func newValidator(d adapter.Driver, pp driver.PublicParameters) (driver.Validator, error) {
	return d.NewValidator(pp)
}
