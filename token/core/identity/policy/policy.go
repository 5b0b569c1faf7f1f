// Package policy implements owners of several identities. A boolean expression
// states which of them must sign (specification, section 15, type 6).
//
// The language has $i, AND, OR and parentheses.
//
// A signature has one slot for each identity, empty if the identity did not sign.
// A non-empty slot must hold a valid signature.
package policy

import (
	"fmt"
	"unicode/utf8"

	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

const messageName wire.Name = "policy identity"

// Bounds of one identity.
const (
	maxMembers = 256
	maxText    = 4096 // of the expression, in bytes
)

// Policy is the inside of an identity.
type Policy struct {
	Text    string   // the expression; $i is Members[i]
	Members [][]byte // typed identities
}

// Encode returns the typed identity.
func (p Policy) Encode() ([]byte, error) {
	var b cryptobyte.Builder
	b.AddASN1(asn1.SEQUENCE, func(b *cryptobyte.Builder) {
		b.AddASN1(asn1.UTF8String, func(b *cryptobyte.Builder) { b.AddBytes([]byte(p.Text)) })
		b.AddASN1(asn1.SEQUENCE, func(b *cryptobyte.Builder) {
			for _, m := range p.Members {
				b.AddASN1OctetString(m)
			}
		})
	})
	raw, err := b.Bytes()
	return identity.Typed{Type: identity.Policy, Raw: raw}.Encode(), err
}

// Decode reads the inside of an identity. Errors are *wire.DecodeError.
func Decode(raw []byte) (Policy, error) {
	s := cryptobyte.String(raw)
	var outer, text, list cryptobyte.String
	switch {
	case !s.ReadASN1(&outer, asn1.SEQUENCE) || !outer.ReadASN1(&text, asn1.UTF8String) ||
		!outer.ReadASN1(&list, asn1.SEQUENCE):
		return Policy{}, messageName.Bad("value", wire.ErrMalformed)
	case !outer.Empty() || !s.Empty():
		return Policy{}, messageName.Bad("value", wire.ErrTrailing)
	case !utf8.Valid(text):
		return Policy{}, messageName.Bad("expression", wire.ErrMalformed)
	case len(text) > maxText:
		return Policy{}, messageName.Bad("expression", wire.ErrTooLarge)
	}
	p := Policy{Text: string(text)}
	for !list.Empty() {
		var member cryptobyte.String
		if !list.ReadASN1(&member, asn1.OCTET_STRING) {
			return Policy{}, messageName.Bad("members", wire.ErrMalformed)
		}
		if len(p.Members) == maxMembers {
			return Policy{}, messageName.Bad("members", wire.ErrTooLarge)
		}
		p.Members = append(p.Members, member)
	}
	return p, nil
}

// Read is Decode for a policy whose expression is as verifiers accept it. Errors are
// *wire.DecodeError or ErrAmbiguous.
func Read(raw []byte) (Policy, error) {
	p, err := Decode(raw)
	if err == nil {
		_, err = parse(p.Text, len(p.Members))
	}
	return p, err
}

// Join returns the signature with one slot for each member, nil for a member who
// did not sign.
func Join(slots ...[]byte) []byte { return wire.AppendContainer(nil, slots...) }

// verifier verifies that enough members signed, and opens all others. It opens a
// member after the signatures before its own are read, and the members without a
// signature last.
type verifier struct {
	expression expression
	registry   identity.Registry
	members    [][]byte
}

var _ identity.Openable = verifier{}

// New returns a function that makes a verifier. Members follow the rule and are
// opened with r.
func New(r identity.Registry, rule identity.MemberRule) func(raw []byte) (identity.Verifier, error) {
	return func(raw []byte) (identity.Verifier, error) {
		p, err := Decode(raw)
		if err == nil {
			err = rule.Check(p.Members)
		}
		if err != nil {
			return nil, err
		}
		v := verifier{registry: r, members: p.Members}
		v.expression, err = parse(p.Text, len(p.Members))
		return v, err
	}
}

// BeginOpen implements identity.Openable.
func (v verifier) BeginOpen() (identity.Task, error) { return v.registry.BeginOpenAll(v.members) }

// Begin implements identity.Verifier. It evaluates the expression on the filled slots
// before their signatures.
func (v verifier) Begin(message identity.Message, signature []byte) (identity.Task, error) {
	slots, err := wire.Container("policy signature", signature, len(v.members), len(v.members))
	if err != nil {
		return nil, err
	}
	signed := make([]bool, len(slots))
	var order, others []int // the signers first
	for i, slot := range slots {
		signed[i] = len(slot) > 0
		if signed[i] {
			order = append(order, i)
		} else {
			others = append(others, i)
		}
	}
	if !v.expression(signed) {
		return nil, fmt.Errorf("policy is not met: %w", identity.ErrSignature)
	}
	order = append(order, others...)
	named := func(k int, err error) error { return identity.Member(order[k], err) }
	return identity.BeginAll(len(order), named, func(k int) (identity.Task, error) {
		i := order[k]
		if signed[i] {
			return v.registry.Begin(v.members[i], message, slots[i])
		}
		return v.registry.BeginOpen(v.members[i])
	})
}
