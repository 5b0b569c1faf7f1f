package badinput

import "strings"

// Bound reports whether n is part of a value that a proof or a decoder must
// check even if all parties sign another value: points, proofs, versions,
// openings of upgraded inputs. An input without its upgrade witness is a hidden
// one, which only the ledger can check.
func Bound(n *Node) bool {
	if strings.HasSuffix(n.Path, ".upgrade_witness") {
		return false
	}
	for _, part := range []string{".proof", ".data", ".blinding_factor", ".version", ".upgrade_witness"} {
		if strings.Contains(n.Path, part) {
			return true
		}
	}
	return false
}

// Any reports true for every node.
func Any(*Node) bool { return true }
