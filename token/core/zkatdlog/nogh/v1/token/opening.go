package token

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/pedersen"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// Kinds of errors of this package. Each text follows the name of a field.
var (
	ErrKind     = errors.New("is not the expected one")
	ErrQuantity = errors.New("is not a quantity")
	ErrRange    = errors.New("is outside the range of values")
)

// Opening is the owner's secret knowledge of a token, the "metadata" of section
// 4.4. Issuer is set in openings of issued tokens and empty in others. Value is
// any scalar: the format does not bound it, so receivers must call Uint64.
//
// Five packages have a type Opening, each for the commitment of that package: this one
// for a token, v2 for a token in a statement, hashed for an owner, idemix for one
// pseudonym, and credential for both pseudonyms of a presentation. They are named with
// their packages, as in token.Opening.
type Opening struct {
	Type            string
	Value, Blinding group.Scalar
	Issuer          []byte
}

// Open returns pedersen.ErrOpening unless o reproduces the commitment of t.
func (o Opening) Open(k *pedersen.Key, t Token) error {
	if k.Group() == nil {
		return pedersen.ErrOpening
	}
	return k.Open(t.Data, TypeScalar(k.Group(), o.Type), o.Value, o.Blinding)
}

// Opens reports which openings reproduce the commitments of their tokens, with one sum
// over the table of k.
func Opens(k *pedersen.Key, openings []Opening, tokens []Token) []bool {
	opened := make([]bool, len(openings))
	g := k.Group()
	if g == nil {
		return opened
	}
	ts, vs, rs := make([]group.Scalar, len(openings)), make([]group.Scalar, len(openings)),
		make([]group.Scalar, len(openings))
	defer clear(vs)
	defer clear(rs)
	for i, o := range openings {
		ts[i], vs[i], rs[i] = TypeScalar(g, o.Type), o.Value, o.Blinding
	}
	for i, p := range k.Commitments(ts, vs, rs) {
		opened[i] = g.Equal(p, tokens[i].Data)
	}
	return opened
}

// Uint64 returns the value, or ErrRange if it has more than 64 bits.
func (o Opening) Uint64(g group.Codec) (uint64, error) {
	const high = group.ScalarLen - 8
	room := rooms.Get().(*[group.ScalarLen]byte)
	defer rooms.Put(room)
	defer clear(room[:])
	b := g.AppendScalar(room[:0], o.Value)
	for _, c := range b[:high] {
		if c != 0 {
			return 0, wire.Name("opening").Bad("value", ErrRange)
		}
	}
	return binary.BigEndian.Uint64(b[high:]), nil
}

// rooms are buffers for one scalar, wiped.
var rooms = sync.Pool{New: func() any { return new([group.ScalarLen]byte) }}

// Encode returns the typed opening. The issuer message is always present,
// possibly empty.
func (o Opening) Encode(g group.Group) []byte {
	fields := wire.AppendBytes(nil, 1, o.Type)
	fields = wire.AppendJSONScalarField(fields, 2, g, o.Value)
	fields = wire.AppendJSONScalarField(fields, 3, g, o.Blinding)
	fields = wire.AppendMessage(fields, 4, func(dst []byte) []byte {
		return wire.AppendBytes(dst, 1, o.Issuer)
	})
	return wire.AppendTyped(make([]byte, 0, wire.TypedLen(len(fields))), kindHidden, fields)
}

// DecodeOpening reads a typed opening. Errors are *wire.DecodeError.
func DecodeOpening(g group.Group, b []byte) (Opening, error) {
	content, err := typed("opening", b, kindHidden)
	if err != nil {
		return Opening{}, err
	}
	m := wire.NewMessage("opening", content)
	o := Opening{
		Type:     m.Text(1, "type"),
		Value:    m.JSONScalar(2, "value", g),
		Blinding: m.JSONScalar(3, "blinding factor", g),
	}
	issuer := m.Sub(4, "issuer")
	o.Issuer = issuer.Bytes(1, "raw")
	issuer.Done()
	if err := m.Done(); err != nil {
		return Opening{}, err
	}
	return o, nil
}

// Format implements fmt.Formatter for every verb: it writes no field.
func (Opening) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "token opening") }
