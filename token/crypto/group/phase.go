package group

// Phaser is a Group that tells phases of a protocol apart, as a counting one
// does.
type Phaser interface {
	// Phase returns the same group for the phase called name, inside the
	// phase of the receiver: "range proof" and then "commit" gives
	// "range proof/commit".
	Phase(name string) Group
}

// Phase returns g for the named phase of a protocol: a view if g is a Phaser,
// and otherwise g itself, which costs one type assertion.
func Phase(g Group, name string) Group {
	if p, ok := g.(Phaser); ok {
		return p.Phase(name)
	}
	return g
}
