//go:build !panurus_v014

package driver

// ResourceLimits bound a request. Zero and negative limits mean the default.
type ResourceLimits struct {
	MaxRequestBytes, MaxActions, MaxSignatures, MaxSignatureBytes, MaxActionBytes, MaxInputs, MaxOutputs,
	MaxMetadataEntries, MaxMetadataKeyBytes, MaxMetadataValueBytes, MaxProofBytes int
}

// ValidatorDriver makes validators from public parameters.
type ValidatorDriver interface {
	PublicParametersFromBytes(raw []byte) (PublicParameters, error)
	NewValidator(pp PublicParameters, limits ResourceLimits) (Validator, error)
}
