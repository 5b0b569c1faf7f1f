package group

import "math/big"

// Observer is a Group that counts or times operations. It tells the phases of a
// protocol apart. Callers report operations to it that only some backends have.
type Observer interface {
	Group
	// Phase returns the same group for the phase called name, inside the
	// phase of the receiver: "range proof" and then "commit" gives
	// "range proof/commit".
	Phase(name string) Group
	// CountWork counts work outside the calls of a group.
	CountWork(w Work, n int)
	// CountSignatures counts n ECDSA signatures over P-256 that are verified together.
	CountSignatures(n int, signature func(i int) Signature)
}

// Work is a kind of work outside the calls of a group.
type Work uint8

// The kinds of work, by their numbers.
const (
	Pairings     Work = iota // of a product with one final exponentiation
	Decodings                // of points
	HashedBlocks             // of 64 bytes, by SHA-256
)

// Signature is an ECDSA signature to an Observer: its verification adds a multiple of
// the generator to one of the key.
type Signature struct {
	OfGenerator, OfKey *big.Int
	Known              bool // the key is remembered
}

// Phase returns g for the named phase of a protocol: a view if g is an Observer,
// and otherwise g itself, which costs one type assertion.
func Phase(g Group, name string) Group {
	if o, ok := g.(Observer); ok {
		return o.Phase(name)
	}
	return g
}

// CountSignatures tells g of n signatures, if g is an Observer.
func CountSignatures(g Group, n int, signature func(i int) Signature) {
	if o, ok := g.(Observer); ok {
		o.CountSignatures(n, signature)
	}
}

// CountWork tells g of work, if g is an Observer.
func CountWork(g Group, w Work, n int) {
	if o, ok := g.(Observer); ok {
		o.CountWork(w, n)
	}
}

// stepper is a Group that divides the cost of an operation among its steps.
type stepper interface {
	Group
	// Enter enters the step called name. leave returns to the step before.
	Enter(name string) (leave func())
}

// Enter enters a step of work that calls no group, such as the verification of
// signatures, if g is a stepper.
func Enter(g Group, name string) (leave func()) {
	if s, ok := g.(stepper); ok {
		return s.Enter(name)
	}
	return func() {}
}
