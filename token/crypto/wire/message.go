package wire

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Message reads one canonical protobuf message field by field, in the order of
// the field numbers, without reflection or copies. Map entries may be in any
// order.
//
// Message keeps the first error of the whole message; afterwards all methods
// return zero values. Byte slices are views into the message.
type Message struct {
	all   *outermost
	depth int // 0 is the outermost message
	start int // offset of the message in the outermost one
	size  int
	rest  []byte
	last  lastField
}

// outermost is shared by an outermost message and the messages in it, so that
// these are plain values.
type outermost struct {
	message Name
	path    []place // of the current message, from the first one inside
	room    [4]place
	err     error
}

// place is the place of a message in the message that contains it.
type place struct {
	field string
	index int // in a repeated field, otherwise -1
}

// lastField is the field of a message that was read last.
type lastField struct {
	number protowire.Number
	name   string
}

// NewMessage returns a Message. Errors contain the name message.
func NewMessage(message Name, b []byte) Message {
	all := &outermost{message: message}
	all.path = all.room[:0]
	return Message{all: all, size: len(b), rest: b}
}

// shared returns m.all, also of the zero value, which is an empty message.
func (m *Message) shared() *outermost {
	if m.all == nil {
		m.all = new(outermost)
	}
	return m.all
}

// Fail records an error of a field. If a field is missing because the previous
// one is repeated, the error is ErrTwice for the previous field.
func (m *Message) Fail(field string, err error) {
	if m.shared().err != nil {
		return
	}
	if err == ErrMissing && m.again() {
		field, err = m.last.name, ErrTwice
	}
	m.shared().err = &DecodeError{What: m.shared().message, Field: m.path(field), Offset: m.offset(),
		Err: err}
}

func (m *Message) offset() int { return m.start + m.size - len(m.rest) }

// path returns field with the names of the enclosing messages.
func (m *Message) path(field string) string { return join(m.shared().path[:m.depth], field) }

// join returns "outputs[1].data" for a field and the places that enclose it.
func join(path []place, field string) string {
	var b strings.Builder
	for _, p := range path {
		b.WriteString(p.field)
		if p.index >= 0 {
			fmt.Fprintf(&b, "[%d]", p.index)
		}
		b.WriteByte('.')
	}
	return b.String() + field
}

// Done returns the first error, or ErrNotCanonical if fields remain: unknown
// fields, or known ones out of order. If the last field is repeated, the error
// is ErrTwice.
func (m *Message) Done() error {
	if m.shared().err == nil && len(m.rest) > 0 {
		if m.again() {
			m.Fail(m.last.name, ErrTwice)
		} else {
			m.Fail("message", ErrNotCanonical)
		}
	}
	return m.shared().err
}

// again reports whether the next field repeats the last one.
func (m *Message) again() bool { return m.last.number != 0 && m.Has(m.last.number) }

// Has reports whether the next field has the number n.
func (m *Message) Has(n protowire.Number) bool {
	if m.shared().err != nil {
		return false
	}
	number, _, _ := protowire.ConsumeTag(m.rest) // 0 without a tag
	return number == n
}

// Count returns the number of fields n that come next, or fails with
// ErrTooLarge if there are more than most. It checks only the framing.
func (m *Message) Count(n protowire.Number, field string, most int) int {
	count := 0
	for rest := m.rest; m.shared().err == nil && count <= most; count++ {
		number, kind, size := protowire.ConsumeTag(rest)
		if number != n {
			break
		}
		value := protowire.ConsumeFieldValue(number, kind, rest[size:])
		if protowire.ParseError(value) != nil {
			m.Fail(field, ErrMalformed)
			return 0
		}
		rest = rest[size+value:]
	}
	if count > most {
		m.Fail(field, ErrTooLarge)
		return 0
	}
	return count
}

// take consumes the tag of the next field, which has the number n, if it has
// the given wire type.
func (m *Message) take(n protowire.Number, kind protowire.Type, field string) bool {
	_, got, size := protowire.ConsumeTag(m.rest)
	switch {
	case got != kind:
		m.Fail(field, ErrMalformed)
		return false
	case size != protowire.SizeTag(n):
		m.Fail(field, ErrNotCanonical)
		return false
	}
	m.rest = m.rest[size:]
	m.last = lastField{n, field}
	return true
}

// Uint reads a varint field of at most max; 0 if it is absent.
func (m *Message) Uint(n protowire.Number, field string, max uint64) uint64 {
	if !m.Has(n) || !m.take(n, protowire.VarintType, field) {
		return 0
	}
	v, size := protowire.ConsumeVarint(m.rest)
	switch {
	case protowire.ParseError(size) != nil:
		m.Fail(field, ErrMalformed)
	case size != protowire.SizeVarint(v):
		m.Fail(field, ErrNotCanonical)
	case v == 0:
		m.Fail(field, ErrDefault)
	case v > max:
		m.Fail(field, ErrTooLarge)
	}
	if m.shared().err != nil {
		return 0
	}
	m.rest = m.rest[size:]
	return v
}

// Bytes reads a bytes field; nil if it is absent.
func (m *Message) Bytes(n protowire.Number, field string) []byte {
	if !m.Has(n) {
		return nil
	}
	b := m.delimited(n, field)
	if m.shared().err == nil && len(b) == 0 {
		m.Fail(field, ErrDefault)
	}
	return b
}

// Text reads a string field; "" if it is absent.
func (m *Message) Text(n protowire.Number, field string) string {
	return m.text(m.Bytes(n, field), field)
}

func (m *Message) text(b []byte, field string) string {
	if !utf8.Valid(b) {
		m.Fail(field, ErrMalformed)
		return ""
	}
	return string(b)
}

// Present reads a bytes field, present even if empty, such as variants
// of a oneof and parts of a map entry.
func (m *Message) Present(n protowire.Number, field string) []byte {
	if !m.Has(n) {
		m.Fail(field, ErrMissing)
		return nil
	}
	return m.delimited(n, field)
}

// delimited reads the next field, which has the number n.
func (m *Message) delimited(n protowire.Number, field string) []byte {
	if !m.take(n, protowire.BytesType, field) {
		return nil
	}
	length, size := protowire.ConsumeVarint(m.rest)
	switch {
	case protowire.ParseError(size) != nil || length > uint64(len(m.rest)-size):
		m.Fail(field, ErrMalformed)
		return nil
	case size != protowire.SizeVarint(length):
		m.Fail(field, ErrNotCanonical)
		return nil
	}
	b := m.rest[size : size+int(length) : size+int(length)]
	m.rest = m.rest[size+int(length):]
	return b
}

// Sub reads a message field; the error is ErrMissing if it is absent. The
// caller reads the fields of the returned Message and then calls its Done;
// errors in it become errors of m.
func (m *Message) Sub(n protowire.Number, field string) Message {
	return m.sub(n, field, -1)
}

// SubAt is Sub for entry i of a repeated field.
func (m *Message) SubAt(n protowire.Number, field string, i int) Message {
	return m.sub(n, field, i)
}

func (m *Message) sub(n protowire.Number, field string, index int) Message {
	b := m.Present(n, field)
	all := m.shared()
	all.path = append(all.path[:m.depth], place{field, index})
	return Message{all: all, depth: m.depth + 1, start: m.offset() - len(b), size: len(b), rest: b}
}

// JSONPoint reads a G1 message, the JSON form of a point, into to.
func (m *Message) JSONPoint(n protowire.Number, field string, ps *Points, to *group.Point) {
	raw := m.wrapped(n, field)
	if m.shared().err != nil {
		return
	}
	size := ps.g.PointLen()
	raw, err := rawJSON(ps.room(size), ps.g, raw, size)
	if err == nil {
		err = ps.decode(raw, to, false, spot{message: m.all.message, field: field, offset: m.offset()},
			m.all.path[:m.depth])
	}
	if err != nil {
		m.Fail(field, err)
	}
}

// JSONScalar reads a Zr message: the JSON form of a scalar.
func (m *Message) JSONScalar(n protowire.Number, field string, g group.Group) group.Scalar {
	raw := m.wrapped(n, field)
	if m.shared().err != nil {
		return group.Scalar{}
	}
	s, err := decodeJSONScalar(g, raw)
	if err != nil {
		m.Fail(field, err)
	}
	return s
}

// Wrapped reads a message field that contains only raw bytes in field 1; nil if
// the message is absent. The error for an empty message is ErrMissing.
func (m *Message) Wrapped(n protowire.Number, field string) []byte {
	if !m.Has(n) {
		return nil
	}
	return m.wrapped(n, field)
}

func (m *Message) wrapped(n protowire.Number, field string) []byte {
	sub := m.Sub(n, field)
	raw := sub.Bytes(1, "raw")
	if sub.Done() == nil && raw == nil {
		m.Fail(field, ErrMissing)
	}
	return raw
}

// Map reads a map<string, bytes> of at most `most` entries; nil if it is
// absent. Entries may be in any order, since Go's protobuf library writes them
// in random order; duplicate keys are errors.
func (m *Message) Map(n protowire.Number, field string, most int) map[string][]byte {
	count := m.Count(n, field, most)
	if count == 0 {
		return nil
	}
	entries := make(map[string][]byte, count)
	for i := range count {
		sub := m.SubAt(n, field, i)
		key := sub.text(sub.Present(1, "key"), "key")
		value := sub.Present(2, "value")
		if _, twice := entries[key]; twice {
			sub.Fail("key", ErrNotCanonical)
		}
		if sub.Done() != nil {
			return nil
		}
		entries[key] = value
	}
	return entries
}
