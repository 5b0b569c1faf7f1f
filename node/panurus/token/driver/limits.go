//go:build !panurus_v014

package driver

// ResourceLimits bound a request. Zero and negative limits mean the default. The last two are
// of commit 714a6b46; main of July does not have them.
type ResourceLimits struct {
	MaxRequestBytes, MaxActions, MaxSignatures, MaxSignatureBytes, MaxActionBytes, MaxInputs, MaxOutputs,
	MaxMetadataEntries, MaxMetadataKeyBytes, MaxMetadataValueBytes, MaxProofBytes,
	MaxIdentityDepth, MaxIdentityComponents int
}

// ValidatorDriver makes validators from public parameters.
type ValidatorDriver interface {
	PublicParametersFromBytes(raw []byte) (PublicParameters, error)
	NewValidator(pp PublicParameters, limits ResourceLimits) (Validator, error)
}
