// Package params is the public parameters of a v1 network.
//
//	params.go      Params: what everything else asks for
//	setup.go       new parameters from the documented strings
//	generators.go  generators by name, and what makes them acceptable
//	codec.go       bytes ↔ Params, each rule of the specification in order
//	section.go     the part of the message for each range-proof system
//	protocols.go   the protocols that a network accepts; the parameters of v2
//	shared.go      one set of tables for equal parameters
//
// Section numbers are those of the specification. Params are immutable and
// shared by all goroutines; tables of multiples are built on first use, or by
// Precompute, once for each set of parameters: those that are loaded twice share
// them.
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

// Identifier is the name and version of the driver in the envelope.
const (
	Driver     = "zkatdlognogh"
	Version    = 1
	Identifier = "zkatdlognogh.v1"
)

var (
	// ErrInvalid says that parameters break a rule.
	ErrInvalid = errors.New("public parameters")
	// ErrNoSystem says that parameters lack a range-proof system.
	ErrNoSystem = errors.New("public parameters have no such range-proof system")
)

// IdemixKey is the public key of an Idemix issuer on a curve of its own.
type IdemixKey struct {
	PublicKey []byte
	Curve     int // identifier on the wire
}

// Params is the public parameters. Byte strings that it returns must not be
// changed.
type Params struct {
	group     group.Group
	bits      int
	engine    *engine // which views keep alive
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

// Check returns ErrInvalid unless p comes from Setup or Decode.
func (p *Params) Check() error {
	if p == nil || p.engine == nil {
		return fmt.Errorf("%w: not made by Setup or Decode", ErrInvalid)
	}
	return nil
}

// Group is the group of all commitments and proofs.
func (p *Params) Group() group.Group { return p.group }

// Bits is n: values are below 2ⁿ.
func (p *Params) Bits() int { return p.bits }

// MaxValue is 2ⁿ - 1.
func (p *Params) MaxValue() uint64 { return ^uint64(0) >> (64 - p.bits) }

// Pedersen is the commitment key.
func (p *Params) Pedersen() *pedersen.Key { return p.pedersen }

// Kind is the range-proof system that provers use: CSP if the parameters have
// it, as the peer does; "" of the zero value.
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

// Issuers are the identities that may issue; none means that all may.
func (p *Params) Issuers() [][]byte { return p.issuers }

// Auditors are the identities of which one must sign each request.
func (p *Params) Auditors() [][]byte { return p.auditors }

// IdemixKeys are the keys that credentials of Idemix owners come from.
func (p *Params) IdemixKeys() []IdemixKey { return p.idemix }

// Encode returns the serialised parameters, the JSON envelope.
func (p *Params) Encode() []byte { return slices.Clone(p.encoded) }

// Digest is SHA-256 of the serialised parameters.
func (p *Params) Digest() [32]byte { return p.digest }

// AnchorPrefix is the digest in hexadecimal, 64 characters: anchors that start
// with it bind requests to these parameters, for validators that demand it.
func (p *Params) AnchorPrefix() string { return hex.EncodeToString(p.digest[:]) }

// Precompute builds all tables now and returns the memory that they take.
func (p *Params) Precompute() (bytes int) {
	for _, s := range p.systems {
		bytes += s.Precompute()
	}
	if engine, err := p.V2(); err == nil {
		bytes += engine.TableBytes()
	}
	return bytes + p.pedersen.Table().Bytes()
}

// On returns the parameters for g, a view of the same group that counts or
// tells phases apart. Tables are shared with p.
func (p *Params) On(g group.Group) *Params {
	view := *p
	view.group, view.pedersen = g, p.pedersen.On(g)
	view.systems = make([]rangeproof.System, len(p.systems))
	for i, s := range p.systems {
		view.systems[i] = s.On(g)
	}
	return &view
}
