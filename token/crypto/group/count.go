package group

// Counter is a Group that counts operations outside of the interface Group, which
// only some backends have.
type Counter interface {
	// CountPairing counts a product of n pairings with one final exponentiation.
	CountPairing(n int)
	// CountDecode counts n decoded points.
	CountDecode(n int)
}

// CountPairing tells g of a product of n pairings with one final exponentiation,
// if g is a Counter.
func CountPairing(g Group, n int) {
	if c, ok := g.(Counter); ok {
		c.CountPairing(n)
	}
}

// CountDecode tells g of n decoded points, if g is a Counter.
func CountDecode(g Group, n int) {
	if c, ok := g.(Counter); ok {
		c.CountDecode(n)
	}
}
