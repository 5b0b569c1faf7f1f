//go:build panurus_v014

package driver

// ValidatorDriver makes validators from public parameters.
type ValidatorDriver interface {
	PublicParametersFromBytes(raw []byte) (PublicParameters, error)
	NewValidator(pp PublicParameters) (Validator, error)
}
