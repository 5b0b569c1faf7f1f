package adapter_test

import "github.com/LFDT-Panurus/panurus/token/driver"

// nodeParameters are the parameters as a node holds them.
type nodeParameters struct {
	driver.PublicParameters
	raw []byte
}

func (p nodeParameters) Serialize() ([]byte, error) { return p.raw, nil }

// nodeDriver is the node's driver, which decodes parameters and actions.
type nodeDriver struct {
	driver.Validator
	unread error // of UnmarshalActions
}

func (nodeDriver) PublicParametersFromBytes(raw []byte) (driver.PublicParameters, error) {
	return nodeParameters{raw: raw}, nil
}
func (d nodeDriver) UnmarshalActions([]byte) ([]any, error) { return []any{"action"}, d.unread }
