package codec

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Layout is how Near writes bytes: headers of arrays, byte strings and words, in
// order.
type Layout []token

// token is a header of an array of n elements, n bytes as numbers, or n bytes as
// words of 64 bits.
type token struct {
	kind byte
	n    int
}

const (
	kindHeader = iota
	kindBytes
	kindWords
)

// Bytes is a byte string of n bytes, as an array of numbers.
func Bytes(n int) Layout { return Layout{{kindHeader, n}, {kindBytes, n}} }

// Words is an array of n words of 64 bits. Each takes 9 bytes, also a small one.
func Words(n int) Layout { return Layout{{kindHeader, n}, {kindWords, 8 * n}} }

// Array is an array of its parts. Structs are arrays of their fields.
func Array(parts ...Layout) Layout {
	return append(Layout{{kindHeader, len(parts)}}, slices.Concat(parts...)...)
}

// Repeat is an array of n equal parts.
func Repeat(n int, part Layout) Layout { return Array(slices.Repeat([]Layout{part}, n)...) }

// size is the number of bytes that the layout holds.
func (l Layout) size() (n int) {
	for _, t := range l {
		if t.kind != kindHeader {
			n += t.n
		}
	}
	return n
}

// pack appends the bytes of all fields to body.
func (l Layout) pack(body, all []byte) []byte {
	for _, t := range l {
		switch t.kind {
		case kindHeader:
			body = appendHeader(body, t.n)
		case kindBytes:
			for _, b := range all[:t.n] {
				if b >= 0x80 {
					body = append(body, tagByte)
				}
				body = append(body, b)
			}
			all = all[t.n:]
		case kindWords:
			for word := range slices.Chunk(all[:t.n], 8) {
				body = binary.BigEndian.AppendUint64(append(body, tagWord), binary.LittleEndian.Uint64(word))
			}
			all = all[t.n:]
		}
	}
	return body
}

// unpack reads size bytes in the layout.
func (l Layout) unpack(r *reader, size int) (all []byte, ok bool) {
	all = make([]byte, 0, size)
	for _, t := range l {
		switch t.kind {
		case kindHeader:
			ok = r.header(t.n)
		case kindBytes:
			all, ok = r.numbers(all, t.n)
		case kindWords:
			all, ok = r.words(all, t.n)
		}
		if !ok {
			return nil, false
		}
	}
	return all, true
}

// Tags of MessagePack.
const (
	tagByte    = 0xcc
	tagWord    = 0xcf
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

// numbers appends n numbers below 256, each in its shortest form.
func (r *reader) numbers(to []byte, n int) ([]byte, bool) {
	for range n {
		v := r.take(1)
		if v == nil {
			return nil, false
		}
		if v[0] == tagByte {
			v = r.take(1)
			if v == nil || v[0] < 0x80 {
				return nil, false
			}
		} else if v[0] >= 0x80 {
			return nil, false
		}
		to = append(to, v[0])
	}
	return to, true
}

// words appends n bytes of words, each with its tag.
func (r *reader) words(to []byte, n int) ([]byte, bool) {
	for range n / 8 {
		v := r.take(9)
		if v == nil || v[0] != tagWord {
			return nil, false
		}
		to = binary.LittleEndian.AppendUint64(to, binary.BigEndian.Uint64(v[1:]))
	}
	return to, true
}
