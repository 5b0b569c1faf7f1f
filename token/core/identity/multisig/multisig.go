// Package multisig implements owners of several identities that all sign
// (specification, section 15, type 5). The identity is the container of the
// members' typed identities, a signature the container of their signatures in
// the same order. Members may be of any registered type.
package multisig

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

const messageName wire.Name = "multisig identity"

// MaxMembers bounds the members of one identity.
const MaxMembers = 256

// Encode returns the typed identity of members, which are typed identities.
func Encode(members ...[]byte) []byte {
	return identity.Typed{Type: identity.Multisig, Raw: wire.AppendContainer(nil, members...)}.Encode()
}

// Members reads the inside of an identity. Errors are *wire.DecodeError.
func Members(raw []byte) ([][]byte, error) { return wire.Container(messageName, raw, 1, MaxMembers) }

// Join returns the signature of the members' signatures.
func Join(signatures ...[]byte) []byte { return wire.AppendContainer(nil, signatures...) }

// verifier verifies the signatures of all members. It opens a member after the
// signatures of all members before it are read.
type verifier struct {
	registry identity.Registry
	members  [][]byte
}

var _ identity.Openable = verifier{}

// New returns a function that makes a verifier. Members follow the rule and are
// opened with r.
func New(r identity.Registry, rule identity.MemberRule) func(raw []byte) (identity.Verifier, error) {
	return func(raw []byte) (identity.Verifier, error) {
		members, err := Members(raw)
		if err == nil {
			err = rule.Check(members)
		}
		if err != nil {
			return nil, err
		}
		return verifier{registry: r, members: members}, nil
	}
}

// BeginOpen implements identity.Openable.
func (v verifier) BeginOpen() (identity.Task, error) { return v.registry.BeginOpenAll(v.members) }

// Begin implements identity.Verifier.
func (v verifier) Begin(message identity.Message, signature []byte) (identity.Task, error) {
	signatures, err := wire.Container("multisig signature", signature, len(v.members), len(v.members))
	if err != nil {
		return nil, err
	}
	for i, s := range signatures {
		if len(s) == 0 {
			return nil, wire.Name("multisig signature").Bad(fmt.Sprintf("member %d", i), wire.ErrMissing)
		}
	}
	return identity.BeginAll(len(v.members), identity.Member, func(i int) (identity.Task, error) {
		return v.registry.Begin(v.members[i], message, signatures[i])
	})
}
