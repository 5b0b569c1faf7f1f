package badinput

import (
	"bytes"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Category is one way to corrupt a node. make returns nil if it does not apply.
type Category struct {
	Name string
	make func(n, parent *Node) Edit
}

// Categories returns all ways to corrupt a node of a message with elements of g.
// Their names are the same in every group.
func Categories(g group.Group) []Category {
	return slices.Concat(framing, numbers, contents, derFraming, newCurve(g).elements())
}

// replace makes a category that replaces the encoding of a node; nil means that
// it does not apply.
func replace(name string, f func(n *Node) []byte) Category {
	return Category{name, func(n, _ *Node) Edit {
		if b := f(n); b != nil {
			return Edit{n: b}
		}
		return nil
	}}
}

// inner makes a category that replaces the content of a node.
func inner(name string, f func(content []byte) []byte) Category {
	return replace(name, func(n *Node) []byte {
		if n.Form == Varint {
			return nil
		}
		if b := f(bytes.Clone(n.Content(nil))); b != nil {
			return n.frame(b)
		}
		return nil
	})
}

// field makes a category for length-delimited protobuf fields.
func field(name string, f func(n *Node) []byte) Category {
	return replace(name, func(n *Node) []byte {
		if n.Form != Field {
			return nil
		}
		return f(n)
	})
}

var framing = []Category{
	replace("missing", func(*Node) []byte { return []byte{} }),
	replace("twice", func(n *Node) []byte { b := n.Encode(nil); return append(b[:len(b):len(b)], b...) }),
	{"moved to the end", func(n, parent *Node) Edit {
		last := parent.Kids[len(parent.Kids)-1]
		if last == n {
			return nil
		}
		return Edit{n: {}, last: append(bytes.Clone(last.Encode(nil)), n.Encode(nil)...)}
	}},
	{"swapped with the next", func(n, parent *Node) Edit {
		i := slices.Index(parent.Kids, n)
		if i+1 == len(parent.Kids) {
			return nil
		}
		next := parent.Kids[i+1]
		return Edit{n: next.Encode(nil), next: n.Encode(nil)}
	}},
	field("wrong wire type", func(n *Node) []byte {
		return protowire.AppendVarint(n.tag(protowire.VarintType), 1)
	}),
	field("fixed-width wire type", func(n *Node) []byte {
		return append(n.tag(protowire.Fixed64Type), make([]byte, 8)...)
	}),
	field("group", func(n *Node) []byte {
		return append(n.tag(protowire.StartGroupType), n.tag(protowire.EndGroupType)...)
	}),
	field("open group", func(n *Node) []byte { return n.tag(protowire.StartGroupType) }),
	field("unknown field number", func(n *Node) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, 1000, protowire.BytesType), n.Content(nil))
	}),
	field("field number zero", func(n *Node) []byte { return append([]byte{2}, n.Encode(nil)[1:]...) }),
	field("tag not minimal", func(n *Node) []byte {
		b := n.Encode(nil)
		return append([]byte{b[0] | 0x80, 0}, b[1:]...)
	}),
	field("length not minimal", func(n *Node) []byte {
		content := n.Content(nil)
		length := protowire.AppendVarint(nil, uint64(len(content)))
		length[len(length)-1] |= 0x80
		return slices.Concat(n.tag(protowire.BytesType), length, []byte{0}, content)
	}),
	field("length too long", func(n *Node) []byte {
		return withLength(n, uint64(len(n.Content(nil)))+1<<20)
	}),
	field("length too short", func(n *Node) []byte {
		if len(n.Content(nil)) == 0 {
			return nil
		}
		return withLength(n, uint64(len(n.Content(nil)))-1)
	}),
	field("huge length", func(n *Node) []byte { return withLength(n, 1<<62) }),
	field("length overflows", func(n *Node) []byte { return withLength(n, 1<<64-1) }),
	field("length without end", func(n *Node) []byte {
		return append(n.tag(protowire.BytesType), bytes.Repeat([]byte{0xff}, 11)...)
	}),
}

func withLength(n *Node, length uint64) []byte {
	b := protowire.AppendVarint(n.tag(protowire.BytesType), length)
	return append(b, n.Content(nil)...)
}

// number makes a category for protobuf varints.
func number(name string, f func(n *Node) []byte) Category {
	return replace(name, func(n *Node) []byte {
		if n.Form != Varint {
			return nil
		}
		return append(n.tag(protowire.VarintType), f(n)...)
	})
}

var numbers = []Category{
	number("number one more", func(n *Node) []byte { return protowire.AppendVarint(nil, n.Value+1) }),
	number("number zero", func(*Node) []byte { return []byte{0} }),
	number("number of 32 bits", func(*Node) []byte { return protowire.AppendVarint(nil, 1<<32) }),
	number("largest number", func(*Node) []byte { return protowire.AppendVarint(nil, 1<<64-1) }),
	number("number not minimal", func(n *Node) []byte {
		b := protowire.AppendVarint(nil, n.Value)
		b[len(b)-1] |= 0x80
		return append(b, 0)
	}),
	number("number overflows", func(*Node) []byte { return bytes.Repeat([]byte{0xff}, 10) }),
	number("number without end", func(*Node) []byte { return []byte{0x80} }),
	replace("number as bytes", func(n *Node) []byte {
		if n.Form != Varint {
			return nil
		}
		return protowire.AppendBytes(n.tag(protowire.BytesType), []byte{1})
	}),
}

var contents = []Category{
	inner("empty", func([]byte) []byte { return []byte{} }),
	inner("one byte", func([]byte) []byte { return []byte{0x30} }),
	inner("first byte missing", func(b []byte) []byte { return b[min(1, len(b)):] }),
	inner("last byte missing", func(b []byte) []byte { return b[:max(0, len(b)-1)] }),
	inner("first half", func(b []byte) []byte { return b[:len(b)/2] }),
	inner("zero byte after", func(b []byte) []byte { return append(b, 0) }),
	inner("zero byte before", func(b []byte) []byte { return append([]byte{0}, b...) }),
	inner("unknown field after", func(b []byte) []byte { return append(b, 0xa2, 0x06, 0x01, 0x00) }),
	inner("content twice", func(b []byte) []byte { return append(b[:len(b):len(b)], b...) }),
	inner("first bit flipped", func(b []byte) []byte { return flip(b, 0, 0x80) }),
	inner("last bit flipped", func(b []byte) []byte { return flip(b, len(b)-1, 1) }),
	inner("middle bit flipped", func(b []byte) []byte { return flip(b, len(b)/2, 0x10) }),
	inner("all zero", func(b []byte) []byte { return make([]byte, len(b)) }),
	inner("all ones", func(b []byte) []byte { return bytes.Repeat([]byte{0xff}, len(b)) }),
	inner("reversed", func(b []byte) []byte { slices.Reverse(b); return b }),
	inner("a megabyte", func([]byte) []byte { return make([]byte, 1<<20) }),
}

func flip(b []byte, i int, bit byte) []byte {
	if i < 0 || i >= len(b) {
		return nil
	}
	b[i] ^= bit
	return b
}

// der makes a category for DER values with a short or long form of length.
func der(name string, f func(n *Node, content []byte) []byte) Category {
	return replace(name, func(n *Node) []byte {
		if n.Form != DER {
			return nil
		}
		return f(n, n.Content(nil))
	})
}

var derFraming = []Category{
	der("DER: other tag", func(n *Node, c []byte) []byte { b := n.frame(c); b[0] ^= 0x01; return b }),
	der("DER: constructed bit flipped", func(n *Node, c []byte) []byte {
		b := n.frame(c)
		b[0] ^= 0x20
		return b
	}),
	der("DER: context tag", func(n *Node, c []byte) []byte { b := n.frame(c); b[0] |= 0x80; return b }),
	der("DER: long tag", func(n *Node, c []byte) []byte {
		b := n.frame(c)
		return append([]byte{n.Tag | 0x1f, 0x1f}, b[1:]...)
	}),
	der("DER: indefinite length", func(n *Node, c []byte) []byte {
		return slices.Concat([]byte{n.Tag | 0x20, 0x80}, c, []byte{0, 0})
	}),
	der("DER: length not minimal", func(n *Node, c []byte) []byte {
		size := len(c)
		return slices.Concat([]byte{n.Tag, 0x84, byte(size >> 24), byte(size >> 16), byte(size >> 8),
			byte(size)}, c)
	}),
	der("DER: length too long", func(n *Node, c []byte) []byte {
		size := len(c) + 1<<20
		return slices.Concat([]byte{n.Tag, 0x83, byte(size >> 16), byte(size >> 8), byte(size)}, c)
	}),
	der("DER: huge length", func(n *Node, c []byte) []byte {
		return slices.Concat([]byte{n.Tag, 0x84, 0xff, 0xff, 0xff, 0xff}, c)
	}),
	der("DER: length of nine bytes", func(n *Node, c []byte) []byte {
		return slices.Concat([]byte{n.Tag, 0x89, 0, 0, 0, 0, 0, 0, 0, 0, byte(len(c))}, c)
	}),
	der("DER: null after", func(n *Node, c []byte) []byte { return append(n.frame(c), 5, 0) }),
}
