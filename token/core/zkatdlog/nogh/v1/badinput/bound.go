package badinput

import "strings"

// Bound reports whether n is, or is inside, what a proof or a decoder holds to
// be right even if everybody signed something else: points, proofs, versions,
// openings of upgraded inputs. An input without its upgrade witness is a hidden
// one, of which the ledger knows or not.
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

// Any is every node.
func Any(*Node) bool { return true }
