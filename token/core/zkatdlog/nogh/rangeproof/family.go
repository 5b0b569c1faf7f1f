package rangeproof

import "github.com/zkatbench/zkatbench/token/crypto/group"

// Family describes a range-proof system to the rest of the module: its name, its
// place on the wire, its generators and its constructor. A new system is a
// Family in a new package, and one line in package systems.
type Family struct {
	Kind Kind
	// Sound says that proofs hold against a malicious prover.
	Sound bool
	// Variant is the protobuf field with the proof bytes in an action
	// (specification, section 10).
	Variant int32
	// Params is the protobuf field of the public parameters for the generators
	// (section 3.2). Its message has the lists, the points, the bit length and the
	// number of rounds in this order.
	Params int32
	// Lists are the lists of generators in the order of decoding; each has
	// ListLen(n) points for n bits. Points are the single generators.
	Lists, Points []Generator
	ListLen       func(bits int) int
	// Rounds is the number of rounds in the parameters' message for n bits.
	Rounds func(bits int) int
	// New makes the System of checked generators.
	New func(Generators) (System, error)
}

// Generator names a generator or a list of generators.
type Generator struct {
	Name string // in errors
	// Domain is the part of the hashed string that tells generators apart
	// (section 3.3). A dot and the index follow it in a list.
	Domain string
}

// Generators are the points that a System is made of.
type Generators struct {
	Group      group.Group
	Bits       int
	Pedersen   [3]group.Point  // g₀, g₁, h
	Lists      [][]group.Point // in the order of Family.Lists
	Points     []group.Point   // in the order of Family.Points
	TableBytes int             // memory for precomputed multiples, 0 for the default
}
