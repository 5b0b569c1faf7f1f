// Package proof contains the common parts of the proofs of issues and
// transfers.
//
//	proof.go    Proof: the bytes of a proof with its range-proof system
//	outputs.go  range proofs of all outputs of an action, made and checked
//	batch.go    many actions in one equation
//	v2.go       proofs of v2: their kind and their context
//
// The proof of an action is Cont(sigma proof, RangeList) (specification,
// section 9). The sigma proof shows that the type is the one committed to in CT
// and, for transfers, that sums are equal; the range proofs show that each Out
// - CT commits to a value in the range, without the generator of the type.
package proof

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Proof is an encoded proof. The system is the variant of a protobuf field, not
// part of the bytes.
type Proof struct {
	Kind rangeproof.Kind
	Raw  []byte
}

// variant is the number of a system on the wire (section 10).
func variant(kind rangeproof.Kind) protowire.Number {
	if kind == V2 {
		return variantV2
	}
	f, _ := systems.Find(kind)
	return protowire.Number(f.Variant)
}

// AppendField appends p as the message field n.
func (p Proof) AppendField(dst []byte, n protowire.Number) []byte {
	return wire.AppendMessage(dst, n, func(dst []byte) []byte {
		return wire.AppendPresent(dst, variant(p.Kind), p.Raw)
	})
}

// ReadField reads the message field n of m, which must be present and not
// empty. The bytes are a view into the message.
func ReadField(m *wire.Message, n protowire.Number) (p Proof) {
	const field = "proof"
	sub := m.Sub(n, field)
	p.Kind = systems.All[0].Kind
	for _, f := range systems.All {
		if sub.Has(protowire.Number(f.Variant)) {
			p.Kind = f.Kind
		}
	}
	p.Raw = sub.Present(variant(p.Kind), string(p.Kind))
	if sub.Done() == nil && len(p.Raw) == 0 {
		sub.Fail(string(p.Kind), wire.ErrMissing)
	}
	return p
}

// Join returns the container of a sigma proof, appended by sigma, and of the
// range proofs, which may be empty for a transfer.
func Join(kind rangeproof.Kind, sigma func(dst []byte) []byte, ranges []rangeproof.Proof) Proof {
	raw := wire.WrapOctets(sigma(make([]byte, 0, sizeHint)), 0)
	at := len(raw)
	if len(ranges) > 0 {
		raw = rangeproof.AppendList(raw, ranges)
	}
	return Proof{Kind: kind, Raw: wire.WrapContainer(wire.WrapOctets(raw, at), 0)}
}

// sizeHint fits the proof of two inputs and outputs of 64 bits for all systems
// and curves.
const sizeHint = 6 << 10

// Split returns views of the two members of the container: the sigma proof and
// the list of range proofs. what names the message in errors.
func (p Proof) Split(what string) (sigma, ranges []byte, err error) {
	var room [2][]byte
	parts, err := wire.ContainerInto(room[:0], what, p.Raw, 2, 2)
	if err != nil {
		return nil, nil, err
	}
	return parts[0], parts[1], nil
}
