// Package codec encodes the bodies of messages of threshold protocols.
//
// Compact is the default: fields one after another, without lengths, since both
// sides know them. Near writes as a MessagePack encoder of numbers would, to be
// comparable with published figures: a byte string is an array of numbers, a byte
// below 0x80 takes one byte and others two.
package codec

import (
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

// Shape is the layout of a body: the lengths of its fields in bytes.
type Shape struct {
	Fields []int
	// Prefixed says that a FROST value begins with Prefix under Near.
	Prefixed bool
}

// Plain is a shape without prefix.
func Plain(fields ...int) Shape { return Shape{Fields: fields} }

// Frost is the shape of a FROST value.
func Frost(fields ...int) Shape { return Shape{Fields: fields, Prefixed: true} }

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
	if !c.near {
		for _, f := range fields {
			body = append(body, f...)
		}
		return body
	}
	if s.Prefixed {
		body = append(body, Prefix...)
	}
	if s.wrapped() {
		body = appendHeader(body, len(fields))
	}
	for _, f := range fields {
		body = appendHeader(body, len(f))
		for _, b := range f {
			if b >= 0x80 {
				body = append(body, tagByte)
			}
			body = append(body, b)
		}
	}
	return body
}

// wrapped reports whether Near writes a header around the fields.
func (s Shape) wrapped() bool { return s.Prefixed || len(s.Fields) != 1 }

// Tags of MessagePack.
const (
	tagByte    = 0xcc
	tagArray   = 0xdc
	tagFew     = 0x90
	fewest     = 15 // elements of an array with a header of one byte
	maxElement = 1<<16 - 1
)

func appendHeader(b []byte, n int) []byte {
	if n <= fewest {
		return append(b, tagFew|byte(n))
	}
	if n > maxElement {
		panic(fmt.Sprintf("codec: a field of %d bytes is too long", n))
	}
	return append(b, tagArray, byte(n>>8), byte(n))
}

// Unpack decodes a body. It accepts exactly the bytes that Pack writes: ErrBody.
func (c Codec) Unpack(s Shape, body []byte) (fields [][]byte, err error) {
	r := reader{body}
	fields = make([][]byte, len(s.Fields))
	if c.near && s.Prefixed && string(r.take(len(Prefix))) != string(Prefix) {
		return nil, ErrBody
	}
	if c.near && s.wrapped() && !r.header(len(s.Fields)) {
		return nil, ErrBody
	}
	for i, n := range s.Fields {
		if c.near {
			fields[i] = r.numbers(n)
		} else {
			fields[i] = r.take(n)
		}
		if fields[i] == nil {
			return nil, ErrBody
		}
	}
	if len(r.rest) > 0 {
		return nil, ErrBody
	}
	return fields, nil
}

// reader takes bytes from the front.
type reader struct{ rest []byte }

// take returns n bytes, nil if there are fewer.
func (r *reader) take(n int) []byte {
	if len(r.rest) < n {
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// header reads the header of an array of n elements.
func (r *reader) header(n int) bool {
	want := appendHeader(nil, n)
	return string(r.take(len(want))) == string(want)
}

// numbers reads an array of n numbers below 256, each in its shortest form.
func (r *reader) numbers(n int) []byte {
	if !r.header(n) {
		return nil
	}
	b := make([]byte, n)
	for i := range b {
		v := r.take(1)
		if v == nil {
			return nil
		}
		if v[0] == tagByte {
			if v = r.take(1); v == nil || v[0] < 0x80 {
				return nil
			}
		} else if v[0] >= 0x80 {
			return nil
		}
		b[i] = v[0]
	}
	return b
}
