package badinput

import (
	"bytes"
	"maps"
	"math/rand/v2"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Mutator makes random malformed messages from well-formed ones.
type Mutator struct {
	roots      []*Node
	nodes      [][]pair // by root
	categories []Category
	random     *rand.Rand
}

type pair struct{ node, parent *Node }

// NewMutator returns a Mutator of messages of the same kind with elements of g,
// such as two requests, which exchange parts. It edits the nodes for which edits reports
// true. The seed determines all mutants.
func NewMutator(g group.Group, seed uint64, edits func(*Node) bool, roots ...*Node) *Mutator {
	m := &Mutator{roots: roots, categories: Categories(g), random: rand.New(rand.NewPCG(seed, 0))}
	for _, root := range roots {
		var nodes []pair
		root.Walk(func(n, parent *Node) {
			if parent != nil && edits(n) {
				nodes = append(nodes, pair{n, parent})
			}
		})
		m.nodes = append(m.nodes, nodes)
	}
	return m
}

// maxEdits bounds the edits of one message.
const maxEdits = 3

// Next returns the next message, which can be equal to a well-formed one.
func (m *Mutator) Next() []byte {
	raw := m.Of(m.random.IntN(len(m.roots)))
	if m.random.IntN(8) == 0 {
		raw = m.scratch(raw)
	}
	return raw
}

// Of returns the next mutant of the root with index i.
func (m *Mutator) Of(i int) []byte {
	e := Edit{}
	for want := 1 + m.random.IntN(maxEdits); len(e) < want; {
		maps.Copy(e, m.edit(i)) // empty if the category does not apply
	}
	raw := m.roots[i].Encode(e)
	return raw
}

// edit makes one edit of the root with index i: a category, or the replacement
// of a node by a node of any message.
func (m *Mutator) edit(i int) Edit {
	at := m.nodes[i][m.random.IntN(len(m.nodes[i]))]
	switch m.random.IntN(4) {
	case 0:
		from := m.nodes[m.random.IntN(len(m.nodes))]
		return Edit{at.node: from[m.random.IntN(len(from))].node.Encode(nil)}
	case 1:
		return Edit{at.node: at.node.frame(m.scratch(at.node.Content(nil)))}
	}
	return m.categories[m.random.IntN(len(m.categories))].make(at.node, at.parent)
}

// scratch changes a few bytes of a copy of b.
func (m *Mutator) scratch(b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + m.random.IntN(4) {
		if len(b) > 0 {
			b[m.random.IntN(len(b))] ^= byte(1 << m.random.IntN(8))
		}
	}
	return b
}
