// Package rangeproof is what issue and transfer know of range proofs: that a
// committed value is an n-bit integer.
//
//	rangeproof.go  System, and the statement, witness and proof
//	family.go      the description of a system: names, wire format, constructor
//	base.go        what every System shares: views, tables, memory
//	lockstep.go    proofs that are made or checked together
//	batch.go       many proofs in one equation, and the first wrong one
//	equation.go    the one sum that a verification ends with
//	list.go        the proofs of an action ↔ bytes
//	carve.go       scratch vectors in one piece of memory
//
// The systems stand below it:
//
//	bulletproof/  v1 Bulletproof with inner-product argument: for measurement
//	              and interoperation only, see its package comment
//	csp/          compressed sigma protocol
//	systems/      the list of both
package rangeproof

import (
	"errors"
	"fmt"
	"io"

	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/nonce"
)

// ErrRejected says that a well-formed proof does not prove its statement.
var ErrRejected = errors.New("range proof is rejected")

// ErrWitness says that the witness given to a prover does not open the
// commitment to a value in the range.
var ErrWitness = errors.New("witness is not an opening in the range")

// Kind names a proof system as flags and benchmark names do.
type Kind string

// The kinds of the v1 wire format.
const (
	Bulletproof Kind = "bulletproof"
	CSP         Kind = "csp"
)

// Witness opens V = Value·g₁ + Blinding·h.
type Witness struct {
	Value    uint64
	Blinding group.Scalar
}

// Format implements fmt.Formatter for every verb: it writes no secret.
func (Witness) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "range-proof witness") }

// Proof is a decoded or fresh proof of one System.
type Proof interface {
	// Append appends the encoding of the proof.
	Append(dst []byte) []byte
}

// Item is one statement with its proof: that V is g₁ times a value below
// 2ⁿ plus h times something that the prover knows.
type Item struct {
	V     group.Point
	Proof Proof
}

// System proves and verifies under one set of public parameters. It is
// immutable and safe for concurrent use.
type System interface {
	Kind() Kind
	// Bits is n, the length of the range.
	Bits() int
	// ProofLen is the length of every encoded proof in bytes.
	ProofLen() int
	// Prove returns a proof for V, with nonces from src. ErrWitness if w is
	// not an opening of V with w.Value < 2ⁿ, or the error of src.
	Prove(V group.Point, w Witness, src nonce.Source) (Proof, error)
	// ProveAll sets dst[i] to the proof of jobs[i]. It does up to MaxLockstep
	// jobs at a time step by step with each other, which costs less; the proofs
	// are those that Prove makes of the same nonces. A *JobError names a job
	// that failed.
	ProveAll(dst []Proof, jobs []Job) error
	// Decode reads exactly one proof; errors are *wire.DecodeError.
	Decode(b []byte) (Proof, error)
	// DecodeAll is Decode of many proofs for less: it decodes their points
	// together. The error is the one of the first proof that Decode refuses.
	DecodeAll(bs [][]byte) ([]Proof, error)
	// Holds reports whether every item is right, all checked in one equation
	// with random weights.
	Holds(items []Item) bool
	// Verify is Holds that returns a *RejectedError for the first wrong item. To
	// find it takes about as long again.
	Verify(items []Item) error
	// VerifyBeside is Verify that may compute the sums of aside, which may be
	// nil, together with its own.
	VerifyBeside(items []Item, aside *Aside) error
	// On returns the system for g, a view of the same group (group.Phase).
	On(g group.Group) System
	// Precompute builds the tables now rather than on first use, and returns
	// the memory that they take in bytes.
	Precompute() int
}

// RejectedError says which item of a Verify was wrong. It wraps ErrRejected.
type RejectedError struct{ Index int }

func (e *RejectedError) Error() string { return fmt.Sprintf("item %d: %v", e.Index, ErrRejected) }

func (e *RejectedError) Unwrap() error { return ErrRejected }
