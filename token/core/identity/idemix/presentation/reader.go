package presentation

import (
	"encoding/binary"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
)

// reader reads the framing and all lengths of a message, then the scalars. Points
// are collected, and decoded by Scheme.Points.
type reader struct {
	wire.Message
	group   group.Group
	scalars []pendingScalar
	equals  []pendingEqual
	points
}

type pendingScalar struct {
	field string
	raw   []byte
	to    *group.Scalar
}

type pendingEqual struct {
	field string
	a, b  *group.Scalar
}

func newReader(messageName wire.Name, g group.Group, b []byte) *reader {
	return &reader{Message: wire.NewMessage(messageName, b), group: g,
		points: points{messageName: messageName}}
}

// exact reads a bytes field of n bytes.
func exact(m *wire.Message, number protowire.Number, field string, n int) []byte {
	b := m.Present(number, field)
	if len(b) != n {
		m.Fail(field, wire.ErrLength)
		return nil
	}
	return b
}

// scalar reads a scalar field into to.
func (r *reader) scalar(n protowire.Number, field string, to *group.Scalar) {
	r.laterScalar(field, exact(&r.Message, n, field, group.ScalarLen), to)
}

func (r *reader) laterScalar(field string, raw []byte, to *group.Scalar) {
	r.scalars = append(r.scalars, pendingScalar{field, raw, to})
}

// laterPoint collects a point, which is decoded into to.
func (r *reader) laterPoint(field string, raw []byte, to *group.Point) {
	r.list = append(r.list, point{field: field, raw: raw, to: to})
}

// laterCommitment collects a commitment.
func (r *reader) laterCommitment(field string, raw []byte, to *[]byte) {
	r.list = append(r.list, point{field: field, raw: raw, commitment: to})
}

// same refuses a field that differs from want: bytes fixed by the format, or
// stated in another part of the message.
func (r *reader) same(field string, got, want []byte) {
	if string(got) != string(want) {
		r.Fail(field, ErrDiffers)
	}
}

// equal refuses two scalars that differ, after they are read.
func (r *reader) equal(field string, a, b *group.Scalar) {
	r.equals = append(r.equals, pendingEqual{field, a, b})
}

// finish ends the framing and reads the scalars.
func (r *reader) finish() error {
	if err := r.Done(); err != nil {
		return err
	}
	for _, s := range r.scalars {
		v, err := r.group.DecodeScalar(s.raw)
		if err != nil {
			return r.messageName.Bad(s.field, err)
		}
		*s.to = v
	}
	for _, e := range r.equals {
		if *e.a != *e.b {
			return r.messageName.Bad(e.field, ErrDiffers)
		}
	}
	return nil
}

// parts cuts a byte string of fixed layout into pieces.
type parts struct {
	r     *reader
	field string
	rest  []byte
}

// cut takes the next n bytes.
func (p *parts) cut(n int) []byte {
	if len(p.rest) < n {
		p.r.Fail(p.field, wire.ErrLength)
		return nil
	}
	b := p.rest[:n]
	p.rest = p.rest[n:]
	return b
}

// number takes a number of four bytes, which must be want.
func (p *parts) number(want int) {
	if b := p.cut(4); b != nil && binary.BigEndian.Uint32(b) != uint32(want) {
		p.r.Fail(p.field, wire.ErrCount)
	}
}

// done refuses bytes left over.
func (p *parts) done() {
	if len(p.rest) > 0 {
		p.r.Fail(p.field, wire.ErrTrailing)
	}
}
