// Package params defines the public parameters of a v1 network.
//
// New parameters follow from documented strings; encoded ones are read with
// each rule of the specification in order. They also say which protocols a
// network accepts.
//
// Section numbers refer to the specification. Params are immutable and can be
// shared by goroutines. Tables of multiples are built on first use, or by
// Precompute, once for each set of parameters: parameters loaded several times
// share their tables.
package params

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
)

// identifier is the name and version of the driver in the envelope.
const (
	driver     = "zkatdlognogh"
	version    = 1
	identifier = "zkatdlognogh.v1"
)

var (
	// ErrInvalid reports parameters that violate a rule.
	ErrInvalid = errors.New("public parameters")
	// ErrNoSystem reports a range-proof system missing from the parameters.
	ErrNoSystem = errors.New("public parameters have no such range-proof system")
)

// IdemixKey is the public key of an Idemix issuer, with its curve.
type IdemixKey struct {
	PublicKey []byte
	Curve     int // identifier on the wire
}

// Params are the public parameters. Callers must not change the byte slices
// that its methods return.
type Params struct {
	group     group.Group
	bits      int
	engine    *engine // kept alive by views
	pedersen  *pedersen.Key
	systems   []rangeproof.System // the preferred one first
	idemix    []IdemixKey
	auditors  [][]byte
	issuers   [][]byte
	metadata  map[string][]byte
	protocols Protocols
	encoded   []byte
	digest    [32]byte
}

// Check returns ErrInvalid unless p was made by Setup or Decode.
func (p *Params) Check() error {
	if p == nil || p.engine == nil {
		return fmt.Errorf("%w: not made by Setup or Decode", ErrInvalid)
	}
	return nil
}

// Group returns the group of all commitments and proofs.
func (p *Params) Group() group.Group { return p.group }

// Bits returns n: values are below 2ⁿ.
func (p *Params) Bits() int { return p.bits }

// MaxValue returns 2ⁿ - 1.
func (p *Params) MaxValue() uint64 { return ^uint64(0) >> (64 - p.bits) }

// Pedersen returns the commitment key.
func (p *Params) Pedersen() *pedersen.Key { return p.pedersen }

// Kind returns the range-proof system for provers: CSP if the parameters
// contain it, as for the peer; "" for the zero value.
func (p *Params) Kind() rangeproof.Kind {
	if len(p.systems) == 0 {
		return ""
	}
	return p.systems[0].Kind()
}

// RangeProof returns the system of a kind, or ErrNoSystem.
func (p *Params) RangeProof(kind rangeproof.Kind) (rangeproof.System, error) {
	for _, s := range p.systems {
		if s.Kind() == kind {
			return s, nil
		}
	}
	return nil, fmt.Errorf("%w: %s", ErrNoSystem, kind)
}

// Issuers returns the identities that may issue; if empty, all identities may.
func (p *Params) Issuers() [][]byte { return p.issuers }

// Auditors returns the identities of the auditors; one of them must sign each
// request.
func (p *Params) Auditors() [][]byte { return p.auditors }

// IdemixKeys returns the issuer keys of the credentials of Idemix owners.
func (p *Params) IdemixKeys() []IdemixKey { return p.idemix }

// Encode returns the serialised parameters, a JSON envelope.
func (p *Params) Encode() []byte { return slices.Clone(p.encoded) }

// Digest returns SHA-256 of the serialised parameters.
func (p *Params) Digest() [32]byte { return p.digest }

// AnchorPrefix returns the digest in hexadecimal, 64 characters. Anchors that
// start with it bind requests to these parameters, for validators that require
// it.
func (p *Params) AnchorPrefix() string { return hex.EncodeToString(p.digest[:]) }

// Precompute builds all tables now and returns their memory in bytes.
func (p *Params) Precompute() (bytes int) {
	if p.protocols.V1 {
		for _, s := range p.systems {
			bytes += s.Precompute()
		}
	}
	if engine, err := p.V2(); err == nil {
		bytes += engine.TableBytes()
	}
	return bytes + p.pedersen.Table().Bytes()
}

// On returns the parameters with g, a view of the same group that counts or
// separates phases. Tables are shared with p.
func (p *Params) On(g group.Group) *Params {
	view := *p
	view.group, view.pedersen = g, p.pedersen.On(g)
	return &view
}
