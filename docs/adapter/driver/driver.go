// Package driver holds stubs of the interfaces of a node that the adapter
// implements, with the names and signatures of github.com/LFDT-Panurus/panurus,
// package token/driver, of 2026-07-29. A node imports the real package instead.
package driver

import "context"

// ID is the identifier of a token, token.ID of the node.
type ID struct {
	TxID  string
	Index uint64
}

// Types of the node.
type (
	PublicParameters     any
	ResourceLimits       any
	GetStateFnc          func(id ID) ([]byte, error)
	TokenRequestAnchor   string
	ValidationAttributes map[string][]byte
)

// ValidatorDriver makes validators from public parameters.
type ValidatorDriver interface {
	PublicParametersFromBytes(raw []byte) (PublicParameters, error)
	NewValidator(pp PublicParameters, limits ResourceLimits) (Validator, error)
}

// Validator decides on token requests.
type Validator interface {
	UnmarshalActions(raw []byte) ([]any, error)
	VerifyTokenRequestFromRaw(ctx context.Context, getState GetStateFnc, anchor TokenRequestAnchor, raw []byte) ([]any, ValidationAttributes, error)
	SetMinProtocolVersion(version uint32)
}
