// Package multisig is owners of several identities, all of which sign
// (specification, section 15, type 5): the identity is the container of the
// typed identities of the members, a signature that of one signature each, in
// the same order. Members may be of any type that the registry knows.
package multisig

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

const what = "multisig identity"

// MaxMembers bounds the members of one identity.
const MaxMembers = 64

// Encode returns the typed identity of members, which are typed identities.
func Encode(members ...[]byte) []byte {
	return identity.Typed{Type: identity.Multisig, Raw: wire.AppendContainer(nil, members...)}.Encode()
}

// Members reads the inside of an identity. Errors are *wire.DecodeError.
func Members(raw []byte) ([][]byte, error) { return wire.Container(what, raw, 1, MaxMembers) }

// Join returns the signature of the members' signatures.
func Join(signatures ...[]byte) []byte { return wire.AppendContainer(nil, signatures...) }

// Verifier verifies the signatures of all members.
type Verifier []identity.Verifier

// New returns how to make a Verifier, with the members' from r.
func New(r identity.Registry) func(raw []byte) (identity.Verifier, error) {
	return func(raw []byte) (identity.Verifier, error) {
		members, err := Members(raw)
		if err != nil {
			return nil, err
		}
		return verifiers(r, members)
	}
}

func verifiers(r identity.Registry, members [][]byte) (Verifier, error) {
	vs := make(Verifier, len(members))
	for i, m := range members {
		v, err := r.Verifier(m)
		if err != nil {
			return nil, fmt.Errorf("member %d: %w", i, err)
		}
		vs[i] = v
	}
	return vs, nil
}

// Verify implements identity.Verifier.
func (vs Verifier) Verify(message identity.Message, signature []byte) error {
	signatures, err := wire.Container("multisig signature", signature, len(vs), len(vs))
	if err != nil {
		return err
	}
	for i, v := range vs {
		if err := v.Verify(message, signatures[i]); err != nil {
			return fmt.Errorf("member %d: %w", i, err)
		}
	}
	return nil
}
