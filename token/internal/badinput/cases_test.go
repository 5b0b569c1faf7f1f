package badinput // make is private: Cases applies it for external tests

import (
	"bytes"
	"iter"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/internal/pb"
)

// Case is one malformed message.
type Case struct {
	Category string
	Node     *Node
	Edit     Edit
}

// Cases returns malformed messages below root, a message with elements of g, whose
// encoding differs from the honest one: of each category those of every so many nodes,
// beginning with another node. A category that applies anywhere has a case.
func Cases(g group.Group, root *Node, every int) iter.Seq[Case] {
	var nodes []pair
	root.Walk(func(n, parent *Node) {
		if parent != nil {
			nodes = append(nodes, pair{n, parent})
		}
	})
	return func(yield func(Case) bool) {
		for k, c := range Categories(g) {
			next := 0
			for i := range nodes {
				at := nodes[(i+k)%len(nodes)]
				if i < next {
					continue
				}
				e := c.make(at.node, at.parent)
				if e == nil || bytes.Equal(at.parent.Encode(e), at.parent.Encode(nil)) {
					continue
				}
				if next = i + every; !yield(Case{Category: c.Name, Node: at.node, Edit: e}) {
					return
				}
			}
		}
	}
}

// ParseMetadata returns the tree of the serialised metadata of a request, which
// must be well formed.
func ParseMetadata(raw []byte) (*Node, error) {
	root := &Node{Path: "metadata"}
	err := root.parseMessage(pb.Message("TokenRequestMetadata"), raw)
	return root, err
}
