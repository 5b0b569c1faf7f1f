// Package proof contains the common parts of the proofs of issues and
// transfers.
//
// A Protocol is one of two ways to prove actions. Composed, which is v1, has a
// sigma proof and range proofs of all outputs. Whole, which is v2, has one
// proof, which depends on its place. A Draft is an action without its proof.
// The proofs of many actions are verified in one equation.
package proof

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Proof is an encoded proof. The system is the variant of a protobuf field, not
// part of the bytes.
type Proof struct {
	Kind rangeproof.Kind
	Raw  []byte
}

// variant returns the number of the kind on the wire.
func (p Proof) variant() protowire.Number {
	for _, v := range p.Protocol().variants() {
		if v.kind == p.Kind {
			return v.number
		}
	}
	return 0
}

// AppendField appends p as the message field n.
func (p Proof) AppendField(dst []byte, n protowire.Number) []byte {
	return wire.AppendMessage(dst, n, func(dst []byte) []byte {
		return wire.AppendPresent(dst, p.variant(), p.Raw)
	})
}

// Read reads a proof of a protocol from the message field n of m, which must be
// present and not empty. The bytes are a view into the message.
func Read(protocol Protocol, m *wire.Message, n protowire.Number) Proof {
	sub := m.Sub(n, "proof")
	of := protocol.variants()[0]
	for _, v := range protocol.variants() {
		if sub.Has(v.number) {
			of = v
		}
	}
	p := Proof{Kind: of.kind, Raw: sub.Present(of.number, string(of.kind))}
	if sub.Done() == nil && len(p.Raw) == 0 {
		sub.Fail(string(p.Kind), wire.ErrMissing)
	}
	return p
}
