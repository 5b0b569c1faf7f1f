// Package driver is a stub of package token/driver of a node: the types that a
// validator driver meets, with the exact signatures of main of 2026-07-29 (addendum
// v015 of the specification, section 6). Code that compiles against the stub compiles
// against the node. The build tag panurus_v014 selects the interface of 6c2a93e and
// v0.14.2, without resource limits.
package driver

import (
	"context"
	"errors"

	"github.com/LFDT-Panurus/panurus/token/token"
)

// ErrVersionBelowMinimum says that the version of a request is below the minimum.
var ErrVersionBelowMinimum = errors.New("token request version is below the minimum")

// Types of the node. Its Identity is an alias of an identity of its view package.
type (
	TokenDriverName       string
	TokenDriverVersion    uint32
	Identity              = identity
	GetStateFnc           = func(id token.ID) ([]byte, error)
	TokenRequestAnchor    string
	ValidationAttributes  = map[ValidationAttributeID][]byte
	ValidationAttributeID = string

	identity []byte
)

// PublicParameters are the public parameters of a network.
type PublicParameters interface {
	TokenDriverName() TokenDriverName
	TokenDriverVersion() TokenDriverVersion
	TokenDataHiding() bool
	GraphHiding() bool
	MaxTokenValue() uint64
	CertificationDriver() string
	Auditors() []Identity
	Issuers() []Identity
	Precision() uint64
	String() string
	Serialize() ([]byte, error)
	Validate() error
	Extras() map[string][]byte
}

// Validator decides on token requests.
type Validator interface {
	UnmarshalActions(raw []byte) ([]any, error)
	VerifyTokenRequestFromRaw(ctx context.Context, getState GetStateFnc, anchor TokenRequestAnchor,
		raw []byte) ([]any, ValidationAttributes, error)
	SetMinProtocolVersion(version uint32)
}
