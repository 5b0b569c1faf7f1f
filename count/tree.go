package count

import (
	"maps"
	"slices"
	"strings"
)

// Node is a phase with the phases inside it.
type Node struct {
	Name     string // the last part of the path
	Counts   Counts // of the phase and everything inside it
	Children []*Node
}

// Tree arranges the phases in the tree given by their names, under a root
// called name. Children are sorted by name.
func (p Phases) Tree(name string) *Node {
	root := &Node{Name: name, Counts: Counts{}}
	for _, path := range slices.Sorted(maps.Keys(p)) {
		n := root
		n.Counts.Merge(p[path])
		if path == "" {
			continue
		}
		for step := range strings.SplitSeq(path, "/") {
			n = n.child(step)
			n.Counts.Merge(p[path])
		}
	}
	return root
}

// child returns the child called name, and creates it if necessary.
func (n *Node) child(name string) *Node {
	for _, c := range n.Children {
		if c.Name == name {
			return c
		}
	}
	c := &Node{Name: name, Counts: Counts{}}
	n.Children = append(n.Children, c)
	return c
}

// Walk visits n and the phases inside it, parents first, with their depth.
func (n *Node) Walk(visit func(n *Node, depth int)) { n.walk(visit, 0) }

func (n *Node) walk(visit func(n *Node, depth int), depth int) {
	visit(n, depth)
	for _, c := range n.Children {
		c.walk(visit, depth+1)
	}
}
