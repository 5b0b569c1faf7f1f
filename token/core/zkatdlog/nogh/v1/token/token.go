// Package token defines tokens as stored on the ledger, their openings, and
// tokens in clear form.
//
// Token is an owner and a commitment to type and value, Opening the secrets of
// the owner, Clear a token in clear form, and ID its transaction and index.
//
// Notation: t = HashToZr(type), v the value, r the blinding factor, and
// Com(t, v, r) = t·g₀ + v·g₁ + r·h. Section numbers refer to the
// specification. Decoders accept one encoding per value, and their results
// are views into the bytes read.
package token

import (
	"crypto/sha256"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// The numbers of typed tokens (section 4.3).
const (
	kindClear  = 1
	kindHidden = 2
	kindV2     = 3 // a hidden token that a v2 action made
)

// Token is a ledger output: Data = Com(t, v, r). Without Owner it is redeemed.
type Token struct {
	Owner []byte
	Data  group.Point
	// V2 says that a v2 action made the token. The ledger stores it under a separate
	// kind. So v1 actions, which cannot name that kind, do not spend it, and v2
	// actions know the tokens of v1.
	V2 bool
}

// IsRedeemed reports whether t is without owner.
func (t Token) IsRedeemed() bool { return len(t.Owner) == 0 }

// TypeScalar returns t = HashToZr of the type (section 4.1).
func TypeScalar(g group.Field, typ string) group.Scalar {
	room := rooms.Get().(*[group.ScalarLen]byte)
	defer rooms.Put(room)
	defer clear(room[:])
	*room = sha256.Sum256([]byte(typ))
	return g.Reduce(room[:])
}

// Commit returns Com(t, v, r) for a type and a value.
func Commit(k *pedersen.Key, typ string, value uint64, blinding group.Scalar) group.Point {
	g := k.Group()
	return k.Commit(TypeScalar(g, typ), g.Uint64(value), blinding)
}

// AppendField appends t as the message field n.
func (t Token) AppendField(dst []byte, n protowire.Number, g group.Group) []byte {
	return wire.AppendMessage(dst, n, func(dst []byte) []byte { return t.appendFields(dst, g) })
}

func (t Token) appendFields(dst []byte, g group.Group) []byte {
	return wire.AppendJSONPointField(wire.AppendBytes(dst, 1, t.Owner), 2, g, t.Data)
}

// ReadField reads the message field n of m, which must be present, into t.
func (t *Token) ReadField(m *wire.Message, n protowire.Number, field string, ps *wire.Points) {
	sub := m.Sub(n, field)
	t.readFields(&sub, ps)
}

func (t *Token) readFields(m *wire.Message, ps *wire.Points) {
	t.Owner = m.Bytes(1, "owner")
	m.JSONPoint(2, "data", ps, &t.Data)
	if m.Done() != nil {
		*t = Token{}
	}
}

// Encode returns the typed token, the bytes that a ledger stores.
func (t Token) Encode(g group.Group) []byte {
	const framing = 64
	fields, kind := t.appendFields(make([]byte, 0, framing+len(t.Owner)+2*g.PointLen()), g), kindHidden
	if t.V2 {
		kind = kindV2
	}
	return wire.WrapTyped(fields, 0, kind)
}

// Decode reads a typed token of v1 or v2. Errors are *wire.DecodeError.
func Decode(g group.Group, b []byte) (Token, error) {
	kind, content, err := wire.Typed("token", b)
	if err == nil && kind != kindHidden && kind != kindV2 {
		err = wire.Name("token").Bad("type", ErrKind)
	}
	if err != nil {
		return Token{}, err
	}
	m := wire.NewMessage("token", content)
	var t Token
	t.readFields(&m, wire.OneByOne(g))
	t.V2 = kind == kindV2
	return t, m.Done()
}

// IsHidden reports whether b has the envelope of a hidden token. It does no
// curve work.
func IsHidden(b []byte) bool {
	kind, _, err := wire.Typed("token", b)
	return err == nil && (kind == kindHidden || kind == kindV2)
}

// typed reads a typed value of the given kind.
func typed(messageName wire.Name, b []byte, want int) ([]byte, error) {
	kind, content, err := wire.Typed(messageName, b)
	if err == nil && kind != want {
		err = messageName.Bad("type", ErrKind)
	}
	return content, err
}
