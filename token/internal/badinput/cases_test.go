package badinput // make is private: Cases applies it for external tests

import (
	"bytes"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/pb"
)

// Case is one malformed message.
type Case struct {
	Category string
	Node     *Node
	Edit     Edit
}

// Cases returns all cases for all nodes below root, a message with elements of g,
// with an encoding that differs from the honest one.
func Cases(g group.Group, root *Node) (cases []Case) {
	categories := Categories(g)
	root.Walk(func(n, parent *Node) {
		if parent == nil {
			return
		}
		honest := parent.Encode(nil)
		for _, c := range categories {
			e := c.make(n, parent)
			if e != nil && !bytes.Equal(parent.Encode(e), honest) {
				cases = append(cases, Case{Category: c.Name, Node: n, Edit: e})
			}
		}
	})
	return cases
}

// ParseMetadata returns the tree of the serialised metadata of a request, which
// must be well formed.
func ParseMetadata(raw []byte) (*Node, error) {
	root := &Node{Path: "metadata"}
	err := root.parseMessage(pb.Message("TokenRequestMetadata"), raw)
	return root, err
}
