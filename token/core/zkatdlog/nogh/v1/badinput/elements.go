package badinput

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"math/big"
	"strings"
)

// The order and the field prime of BN254, on which the cases are made.
var (
	order, _ = new(big.Int).SetString("30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001", 16)
	prime, _ = new(big.Int).SetString("30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47", 16)
)

const (
	scalarLen = 32
	pointLen  = 64
)

// compressed returns the generator in gnark's compressed form.
func compressed() []byte {
	b, _ := hex.DecodeString("80" + strings.Repeat("00", 30) + "01")
	return b
}

// bad lists ways to corrupt the bytes of a point or a scalar; nil means that
// one does not apply.
var bad = []struct {
	name string
	raw  func(raw []byte) []byte
}{
	{"scalar plus the order", func(b []byte) []byte { return plus(b, scalarLen, order) }},
	{"the order as scalar", func(b []byte) []byte { return fixed(b, scalarLen, order) }},
	{"largest scalar", func(b []byte) []byte { return only(b, scalarLen, bytes.Repeat([]byte{0xff}, scalarLen)) }},
	{"zero as scalar", func(b []byte) []byte { return only(b, scalarLen, make([]byte, scalarLen)) }},
	{"scalar with leading zeros", func(b []byte) []byte { return only(b, scalarLen, append(make([]byte, 8), b...)) }},
	{"scalar without leading byte", func(b []byte) []byte { return only(b, scalarLen, b[1:]) }},
	{"point off the curve", func(b []byte) []byte { return only(b, pointLen, flip(bytes.Clone(b), pointLen-1, 1)) }},
	{"identity as point", func(b []byte) []byte { return only(b, pointLen, make([]byte, pointLen)) }},
	{"compressed point", func(b []byte) []byte { return only(b, pointLen, compressed()) }},
	{"compressed point with zeros after", func(b []byte) []byte {
		return only(b, pointLen, append(compressed(), make([]byte, pointLen-len(compressed()))...))
	}},
	{"point with its coordinates swapped", func(b []byte) []byte {
		if len(b) != pointLen {
			return nil
		}
		return append(bytes.Clone(b[32:]), b[:32]...)
	}},
	{"negated point", func(b []byte) []byte {
		if len(b) != pointLen {
			return nil
		}
		y := new(big.Int).Sub(prime, new(big.Int).SetBytes(b[32:]))
		return append(bytes.Clone(b[:32]), y.FillBytes(make([]byte, 32))...)
	}},
	{"coordinate not reduced", func(b []byte) []byte {
		if len(b) != pointLen {
			return nil
		}
		return append(plus(b[:32], 32, prime), b[32:]...)
	}},
	{"point of another curve", func(b []byte) []byte { return only(b, pointLen, make([]byte, 96)) }},
	{"another point", func(b []byte) []byte { return only(b, pointLen, generator()) }},
}

func generator() []byte {
	b := make([]byte, pointLen)
	b[31], b[63] = 1, 2
	return b
}

func only(b []byte, n int, instead []byte) []byte {
	if len(b) != n {
		return nil
	}
	return instead
}

func plus(b []byte, n int, v *big.Int) []byte {
	return fixed(b, n, new(big.Int).Add(new(big.Int).SetBytes(b), v))
}

// fixed returns v in n bytes, or nil if v needs more bytes or b has another
// length.
func fixed(b []byte, n int, v *big.Int) []byte {
	if len(b) != n || v.BitLen() > 8*n {
		return nil
	}
	return v.FillBytes(make([]byte, n))
}

// elements returns the categories of points and scalars, in DER and in JSON,
// and of curve identifiers.
func elements() (categories []Category) {
	for _, e := range bad {
		categories = append(categories, replace(e.name, func(n *Node) []byte {
			if raw, ok := n.json(); ok {
				return instead(n, e.raw(raw), jsonForm)
			}
			if n.Form == DER && n.Tag == 4 && len(n.Kids) == 0 {
				return instead(n, e.raw(n.Leaf), func(b []byte) []byte { return b })
			}
			return nil
		}))
	}
	for _, e := range texts {
		categories = append(categories, replace(e.name, func(n *Node) []byte {
			if _, ok := n.json(); !ok {
				return nil
			}
			return n.frame([]byte(e.text(string(n.Leaf))))
		}))
	}
	for _, e := range integers {
		categories = append(categories, der(e.name, func(n *Node, c []byte) []byte {
			if n.Tag != 2 {
				return nil
			}
			return n.frame(e.make(c))
		}))
	}
	return categories
}

func instead(n *Node, raw []byte, form func([]byte) []byte) []byte {
	if raw == nil {
		return nil
	}
	return n.frame(form(raw))
}

const jsonHead, jsonTail = `{"curve":1,"element":"`, `"}`

// json returns the bytes in the JSON form.
func (n *Node) json() ([]byte, bool) {
	text, ok := bytes.CutPrefix(n.Leaf, []byte(jsonHead))
	if !ok || len(n.Kids) > 0 || n.Form != Field {
		return nil, false
	}
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(string(text), jsonTail))
	return raw, err == nil
}

func jsonForm(raw []byte) []byte {
	return []byte(jsonHead + base64.StdEncoding.EncodeToString(raw) + jsonTail)
}

var texts = []struct {
	name string
	text func(s string) string
}{
	{"JSON: white space", func(s string) string { return strings.Replace(s, ":", ": ", 1) }},
	{"JSON: newline after", func(s string) string { return s + "\n" }},
	{"JSON: unknown key", func(s string) string { return strings.Replace(s, "{", `{"a":1,`, 1) }},
	{"JSON: key twice", func(s string) string { return strings.Replace(s, "{", `{"curve":1,`, 1) }},
	{"JSON: other key order", func(s string) string {
		return `{` + strings.TrimSuffix(strings.TrimPrefix(s, `{"curve":1,`), "}") + `,"curve":1}`
	}},
	{"JSON: other curve", func(s string) string { return strings.Replace(s, ":1", ":7", 1) }},
	{"JSON: unknown curve", func(s string) string { return strings.Replace(s, ":1", ":100", 1) }},
	{"JSON: negative curve", func(s string) string { return strings.Replace(s, ":1", ":-1", 1) }},
	{"JSON: curve as text", func(s string) string { return strings.Replace(s, ":1", `:"1"`, 1) }},
	{"JSON: huge curve", func(s string) string { return strings.Replace(s, ":1", ":18446744073709551617", 1) }},
	{"JSON: no padding", func(s string) string { return strings.ReplaceAll(s, "=", "") }},
	{"JSON: bits behind the padding", func(s string) string {
		i := strings.IndexByte(s, '=')
		return s[:i-1] + string(s[i-1]+1) + s[i:]
	}},
	{"JSON: newline in base64", func(s string) string { return strings.Replace(s, jsonTail, "\n"+jsonTail, 1) }},
	{"JSON: null", func(string) string { return "null" }},
	{"JSON: raw bytes", func(s string) string {
		raw, _ := base64.StdEncoding.DecodeString(strings.TrimSuffix(strings.TrimPrefix(s, jsonHead), jsonTail))
		return string(raw)
	}},
}

var integers = []struct {
	name string
	make func(c []byte) []byte
}{
	{"integer one more", func(c []byte) []byte { return flip(bytes.Clone(c), len(c)-1, 1) }},
	{"integer 100", func([]byte) []byte { return []byte{100} }},
	{"integer negative", func([]byte) []byte { return []byte{0xff} }},
	{"integer not minimal", func(c []byte) []byte { return append([]byte{0}, c...) }},
	{"integer of 17 bytes", func([]byte) []byte { return bytes.Repeat([]byte{0x7f}, 17) }},
	{"integer without bytes", func([]byte) []byte { return []byte{} }},
}
