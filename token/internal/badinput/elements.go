package badinput

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/big"
	"strings"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// curve is a group as its encodings show it.
type curve struct {
	g        group.Group
	pointLen int
	coordLen int
	prime    *big.Int // of the base field
	head     string   // of a point or scalar in the JSON form
}

const jsonTail = `"}`

// newCurve derives the prime from the generator and its negative, the second
// coordinates that add up to it.
func newCurve(g group.Group) curve {
	c := curve{g: g, pointLen: g.PointLen(), coordLen: g.PointLen() / 2,
		head: fmt.Sprintf(`{"curve":%d,"element":"`, g.ID())}
	y := func(p group.Point) *big.Int { return new(big.Int).SetBytes(c.point(p)[c.pointLen-c.coordLen:]) }
	c.prime = new(big.Int).Add(y(g.Generator()), y(g.SubPoints(group.Point{}, g.Generator())))
	return c
}

func (c curve) point(p group.Point) []byte { return c.g.AppendPoint(nil, p) }

// compressed returns the generator in gnark's compressed form: the first
// coordinate with a flag in the first bit.
func (c curve) compressed() []byte {
	b := bytes.Clone(c.point(c.g.Generator())[c.pointLen-2*c.coordLen:][:c.coordLen])
	b[0] |= 0x80
	return b
}

// otherID returns the identifier of another curve.
func (c curve) otherID() int {
	if c.g.ID() == 1 {
		return 7
	}
	return 1
}

// element is a way to corrupt the bytes of a point or a scalar; nil means that it
// does not apply.
type element struct {
	name string
	raw  func(raw []byte) []byte
}

// scalars lists ways to corrupt a scalar.
func (c curve) scalars() []element {
	const n = group.ScalarLen
	return []element{
		{"scalar plus the order", func(b []byte) []byte { return plus(b, n, c.g.Order()) }},
		{"the order as scalar", func(b []byte) []byte { return fixed(b, n, c.g.Order()) }},
		{"largest scalar", func(b []byte) []byte { return only(b, n, bytes.Repeat([]byte{0xff}, n)) }},
		{"zero as scalar", func(b []byte) []byte { return only(b, n, make([]byte, n)) }},
		{"scalar with leading zeros", func(b []byte) []byte {
			return only(b, n, append(make([]byte, 8), b...))
		}},
		{"scalar without leading byte", func(b []byte) []byte { return only(b, n, b[min(1, len(b)):]) }},
	}
}

// points lists ways to corrupt a point.
func (c curve) points() []element {
	n := c.pointLen
	zeros := func(b []byte) []byte { return append(b, make([]byte, n-len(b))...) }
	onPoint := func(f func(x, y []byte) []byte) func(b []byte) []byte {
		return func(b []byte) []byte {
			if len(b) != n {
				return nil
			}
			at := n - 2*c.coordLen
			return append(bytes.Clone(b[:at]),
				f(bytes.Clone(b[at:at+c.coordLen]), bytes.Clone(b[at+c.coordLen:]))...)
		}
	}
	return []element{
		{"point off the curve", func(b []byte) []byte { return only(b, n, flip(bytes.Clone(b), n-1, 1)) }},
		{"identity as point", func(b []byte) []byte { return only(b, n, make([]byte, n)) }},
		{"compressed point", func(b []byte) []byte { return only(b, n, c.compressed()) }},
		{"compressed point with zeros after", func(b []byte) []byte {
			return only(b, n, zeros(c.compressed()))
		}},
		{"point with its coordinates swapped", onPoint(func(x, y []byte) []byte { return append(y, x...) })},
		{"negated point", onPoint(func(x, y []byte) []byte {
			v := new(big.Int).Sub(c.prime, new(big.Int).SetBytes(y))
			return append(x, v.FillBytes(y)...)
		})},
		{"coordinate not reduced",
			onPoint(func(x, y []byte) []byte { return append(plus(x, c.coordLen, c.prime), y...) })},
		{"point of another curve", func(b []byte) []byte { return only(b, n, make([]byte, 160-n)) }},
		{"another point", func(b []byte) []byte { return only(b, n, c.point(c.g.Generator())) }},
	}
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
func (c curve) elements() (categories []Category) {
	for _, e := range append(c.scalars(), c.points()...) {
		categories = append(categories, replace(e.name, func(n *Node) []byte {
			if raw, ok := c.json(n); ok {
				return instead(n, e.raw(raw), c.jsonForm)
			}
			if n.Form == DER && n.Tag == 4 && len(n.Kids) == 0 {
				return instead(n, e.raw(n.Leaf), func(b []byte) []byte { return b })
			}
			return nil
		}))
	}
	for _, e := range c.texts() {
		categories = append(categories, replace(e.name, func(n *Node) []byte {
			if _, ok := c.json(n); !ok {
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

// json returns the bytes in the JSON form.
func (c curve) json(n *Node) ([]byte, bool) {
	text, ok := bytes.CutPrefix(n.Leaf, []byte(c.head))
	if !ok || len(n.Kids) > 0 || n.Form != Field {
		return nil, false
	}
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(string(text), jsonTail))
	return raw, err == nil
}

func (c curve) jsonForm(raw []byte) []byte {
	return []byte(c.head + base64.StdEncoding.EncodeToString(raw) + jsonTail)
}

// text is a way to corrupt the JSON form of a point or a scalar.
type text struct {
	name string
	text func(s string) string
}

// texts returns the table of wrong encodings in JSON, each with the change that makes it.
func (c curve) texts() []text {
	id := fmt.Sprintf(":%d", c.g.ID())
	first := fmt.Sprintf(`"curve"%s`, id)
	otherID := func(instead string) func(s string) string {
		return func(s string) string { return strings.Replace(s, id, ":"+instead, 1) }
	}
	return []text{
		{"JSON: white space", func(s string) string { return strings.Replace(s, ":", ": ", 1) }},
		{"JSON: newline after", func(s string) string { return s + "\n" }},
		{"JSON: unknown key", func(s string) string { return strings.Replace(s, "{", `{"a":1,`, 1) }},
		{"JSON: key twice", func(s string) string { return strings.Replace(s, "{", "{"+first+",", 1) }},
		{"JSON: other key order", func(s string) string {
			return "{" + strings.TrimSuffix(strings.TrimPrefix(s, "{"+first+","), "}") + "," + first + "}"
		}},
		{"JSON: other curve", otherID(fmt.Sprint(c.otherID()))},
		{"JSON: unknown curve", otherID("100")},
		{"JSON: negative curve", otherID("-1")},
		{"JSON: curve as text", otherID(`"1"`)},
		{"JSON: huge curve", otherID("18446744073709551617")},
		// Points of 96 bytes are without padding; scalars have it.
		{"JSON: no padding", func(s string) string { return strings.ReplaceAll(s, "=", "") }},
		{"JSON: bits behind the padding", func(s string) string {
			i := strings.IndexByte(s, '=')
			if i < 0 {
				return s
			}
			return s[:i-1] + string(s[i-1]+1) + s[i:]
		}},
		{"JSON: newline in base64", func(s string) string {
			return strings.Replace(s, jsonTail, "\n"+jsonTail, 1)
		}},
		{"JSON: null", func(string) string { return "null" }},
		{"JSON: raw bytes", func(s string) string {
			raw, _ := base64.StdEncoding.DecodeString(strings.TrimSuffix(strings.TrimPrefix(s, c.head),
				jsonTail))
			return string(raw)
		}},
	}
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
