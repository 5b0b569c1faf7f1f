package badinput

import (
	"fmt"

	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/internal/pb"
)

// Form is the framing of a node.
type Form int

// The forms.
const (
	Root   Form = iota // no frame
	Varint             // protobuf field with a number
	Field              // protobuf field with a length
	DER                // tag, length, content
)

// Node is one value of a serialised message.
type Node struct {
	Path   string // "actions.typed_action.raw.inputs.token_id"
	Field  string // full name of the protobuf field, "" inside DER
	Form   Form
	Number protowire.Number // of a protobuf field
	Tag    byte             // of a DER value
	Kids   []*Node
	Leaf   []byte // the content, without Kids
	Value  uint64 // of a Varint
}

// Edit replaces the encodings of nodes; an empty one deletes the node.
type Edit map[*Node][]byte

// Encode returns the bytes of n with the replacements of e.
func (n *Node) Encode(e Edit) []byte {
	if b, ok := e[n]; ok {
		return b
	}
	return n.frame(n.Content(e))
}

// Content returns the content of n without its frame.
func (n *Node) Content(e Edit) []byte {
	if len(n.Kids) == 0 {
		return n.Leaf
	}
	var b []byte
	for _, k := range n.Kids {
		b = append(b, k.Encode(e)...)
	}
	return b
}

// frame wraps content in the frame of n.
func (n *Node) frame(content []byte) []byte {
	switch n.Form {
	case Varint:
		return protowire.AppendVarint(n.tag(protowire.VarintType), n.Value)
	case Field:
		return protowire.AppendBytes(n.tag(protowire.BytesType), content)
	case DER:
		var b cryptobyte.Builder
		b.AddASN1(asn1.Tag(n.Tag), func(b *cryptobyte.Builder) { b.AddBytes(content) })
		return b.BytesOrPanic()
	}
	return content
}

func (n *Node) tag(t protowire.Type) []byte { return protowire.AppendTag(nil, n.Number, t) }

// Walk calls f for n and all its descendants, with their parents.
func (n *Node) Walk(f func(n, parent *Node)) { n.walk(nil, f) }

func (n *Node) walk(parent *Node, f func(n, parent *Node)) {
	f(n, parent)
	for _, k := range n.Kids {
		k.walk(n, f)
	}
}

// Parse returns the tree of a serialised request, which must be well formed.
func Parse(request []byte) (*Node, error) {
	root := &Node{Path: "request"}
	err := root.parseMessage(pb.Message("TokenRequest"), request)
	return root, err
}

// ParseAction returns the tree of a serialised action, which must be well
// formed.
func ParseAction(kind request.Kind, raw []byte) (*Node, error) {
	root := &Node{Path: "action"}
	err := root.parseMessage(actionDescriptor(kind), raw)
	return root, err
}

func actionDescriptor(kind request.Kind) protoreflect.MessageDescriptor {
	if kind == request.Issue {
		return pb.Message("IssueAction")
	}
	return pb.Message("TransferAction")
}

// parseMessage adds the fields of b to n, one after the other, and descends into messages. The
// last number read tells the kind of a typed action that follows.
func (n *Node) parseMessage(d protoreflect.MessageDescriptor, b []byte) error {
	kind := protoreflect.EnumNumber(0) // of a typed action
	for len(b) > 0 {
		number, wireType, size := protowire.ConsumeTag(b)
		field := d.Fields().ByNumber(number)
		if size < 0 || field == nil {
			return fmt.Errorf("%s: not a field of %s", n.Path, d.FullName())
		}
		kid := &Node{Path: n.Path + "." + string(field.Name()), Field: string(field.FullName()),
			Number: number}
		n.Kids = append(n.Kids, kid)
		b = b[size:]
		if wireType == protowire.VarintType {
			kid.Form = Varint
			kid.Value, size = protowire.ConsumeVarint(b)
			kind = protoreflect.EnumNumber(kid.Value)
			b = b[size:]
			continue
		}
		kid.Form = Field
		content, size := protowire.ConsumeBytes(b)
		if err := kid.parseField(field, kind, content); err != nil {
			return err
		}
		b = b[size:]
	}
	return nil
}

// inside lists the bytes fields with DER content.
var inside = map[protoreflect.Name]bool{"Proof": true, "Signature": true, "Identity": true, "Token": true}

func (n *Node) parseField(f protoreflect.FieldDescriptor, kind protoreflect.EnumNumber,
	content []byte) error {
	switch parent := f.Parent().Name(); {
	case f.Message() != nil:
		return n.parseMessage(f.Message(), content)
	case parent == "TypedAction":
		return n.parseMessage(actionDescriptor(request.Kind(kind)), content)
	case inside[parent]:
		n.Kids = parseDER(n.Path, content)
	}
	n.Leaf = content
	return nil
}

// parseDER returns the values of b if it is well formed and starts with a
// SEQUENCE, and otherwise nil.
func parseDER(path string, b []byte) []*Node {
	if len(b) == 0 || asn1.Tag(b[0]) != asn1.SEQUENCE {
		return nil
	}
	return parseValues(path, b)
}

func parseValues(path string, s cryptobyte.String) (kids []*Node) {
	for !s.Empty() {
		var content cryptobyte.String
		var tag asn1.Tag
		if !s.ReadAnyASN1(&content, &tag) {
			return nil
		}
		kid := &Node{Path: fmt.Sprintf("%s.%d", path, len(kids)), Form: DER, Tag: byte(tag), Leaf: content}
		switch tag {
		case asn1.SEQUENCE:
			kid.Kids = parseValues(kid.Path, content)
		case asn1.OCTET_STRING:
			kid.Kids = parseDER(kid.Path, content)
		}
		kids = append(kids, kid)
	}
	return kids
}
