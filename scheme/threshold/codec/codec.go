// Package codec encodes the bodies of messages of threshold protocols.
//
// Compact is the default: fields one after another, without lengths, since both
// sides know them. Near writes as a MessagePack encoder of numbers would, to be
// comparable with published figures: a byte string is an array of numbers, a byte
// below 0x80 takes one byte and others two.
package codec

import (
	"bytes"
	"errors"
	"fmt"
)

// Codec is an encoding of message bodies. The zero value is Compact.
type Codec struct{ near bool }

// The codecs.
var (
	Compact = Codec{}
	Near    = Codec{near: true}
)

// Names are the names of the codecs.
var Names = []string{"compact", "near"}

// ByName returns the codec called name.
func ByName(name string) (Codec, error) {
	switch name {
	case "compact":
		return Compact, nil
	case "near":
		return Near, nil
	}
	return Codec{}, fmt.Errorf("codec %q is not one of compact, near", name)
}

// String returns the name of the codec.
func (c Codec) String() string {
	if c.near {
		return "near"
	}
	return "compact"
}

// Prefix begins each value of FROST under Near: version and suite.
var Prefix = []byte{0, 'E', 'd', '2', '5', '5', '1', '9', 1, 0}

// Shape describes a body: the lengths of its fields in bytes, and how Near lays
// out their bytes.
type Shape struct {
	Fields []int
	// Prefixed says that a FROST value begins with Prefix under Near.
	Prefixed bool
	// Near is the layout of all fields together; nil is an array of byte strings,
	// or a byte string for a single field without prefix.
	Near Layout
}

// Plain is a shape without prefix.
func Plain(fields ...int) Shape { return Shape{Fields: fields} }

// Frost is the shape of a FROST value.
func Frost(fields ...int) Shape { return Shape{Fields: fields, Prefixed: true} }

// As returns the shape with another layout under Near. The layout must have as
// many bytes as the fields.
func (s Shape) As(l Layout) Shape {
	s.Near = l
	if l.size() != s.size() {
		panic(fmt.Sprintf("codec: a layout of %d bytes for fields of %d", l.size(), s.size()))
	}
	return s
}

// layout returns the layout under Near.
func (s Shape) layout() Layout {
	if s.Near != nil {
		return s.Near
	}
	parts := make([]Layout, len(s.Fields))
	for i, n := range s.Fields {
		parts[i] = Bytes(n)
	}
	if len(parts) == 1 && !s.Prefixed {
		return parts[0]
	}
	return Array(parts...)
}

// size is the number of bytes of all fields.
func (s Shape) size() (n int) {
	for _, f := range s.Fields {
		n += f
	}
	return n
}

// ErrBody says that a body does not have its one encoding.
var ErrBody = errors.New("body has another shape")

// Pack encodes fields of the lengths that the shape has.
func (c Codec) Pack(s Shape, fields ...[]byte) (body []byte) {
	if len(fields) != len(s.Fields) {
		panic(fmt.Sprintf("codec: %d fields for a shape of %d", len(fields), len(s.Fields)))
	}
	for i, f := range fields {
		if len(f) != s.Fields[i] {
			panic(fmt.Sprintf("codec: field %d has %d bytes instead of %d", i, len(f), s.Fields[i]))
		}
	}
	all := bytes.Join(fields, nil)
	if !c.near {
		return all
	}
	if s.Prefixed {
		body = append(body, Prefix...)
	}
	return s.layout().pack(body, all)
}

// unpack decodes a body. It accepts exactly the bytes that Pack writes: ErrBody.
func (c Codec) unpack(s Shape, body []byte) (fields [][]byte, err error) {
	all := body
	if c.near {
		r := reader{body}
		if s.Prefixed && string(r.take(len(Prefix))) != string(Prefix) {
			return nil, ErrBody
		}
		var ok bool
		all, ok = s.layout().unpack(&r, s.size())
		if !ok || len(r.rest) > 0 {
			return nil, ErrBody
		}
	}
	if len(all) != s.size() {
		return nil, ErrBody
	}
	fields = make([][]byte, len(s.Fields))
	for i, n := range s.Fields {
		fields[i], all = all[:n:n], all[n:]
	}
	return fields, nil
}

// Decoder returns a function that decodes a body and gives its fields to use.
func (c Codec) Decoder(s Shape, use func(fields [][]byte) error) func(body []byte) error {
	return func(body []byte) error {
		fields, err := c.unpack(s, body)
		if err != nil {
			return err
		}
		return use(fields)
	}
}
