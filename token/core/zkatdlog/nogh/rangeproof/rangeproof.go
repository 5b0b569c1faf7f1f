// Package rangeproof is the interface of issue and transfer to range proofs: a
// committed value is an n-bit integer.
//
// A System proves a statement with a witness. A Family describes it: its names,
// its wire format and its constructor. Systems have constants, tables and the
// combined equation of many proofs in common.
//
// The systems are in these folders:
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
	"github.com/zkatbench/zkatbench/token/crypto/round"
	"github.com/zkatbench/zkatbench/token/crypto/wire"
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

// InRange reports whether the value has at most n bits.
func (w Witness) InRange(n int) bool { return n >= 64 || w.Value>>n == 0 }

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
	// Prove is a task that returns a proof for V, with nonces from src. ErrWitness
	// if w is not an opening of V with w.Value < 2ⁿ, or the error of src.
	Prove(r round.Round, V group.Point, w Witness, src nonce.Source) (Proof, error)
	// Verify is a task that returns nil if all items are right, and otherwise an error
	// for each: nil, ErrRejected, or round.ErrUndecided if one before it is rejected
	// (round.Work). The equations of all items of all tasks are checked in one, with
	// random weights.
	Verify(r round.Round, items []Item) []error
	// Decode reads exactly one proof, with points that ps decodes; errors are
	// *wire.DecodeError.
	Decode(ps *wire.Points, b []byte) (Proof, error)
	// Precompute builds the tables now rather than on first use, and returns
	// the memory that they take in bytes.
	Precompute() int
}

// Prove returns a proof for one opening, or the error of System.Prove.
func Prove(g group.Group, s System, V group.Point, w Witness, src nonce.Source) (p Proof, err error) {
	err = round.Run(g, func(r round.Round) (err error) {
		p, err = s.Prove(r, V, w, src)
		return err
	})
	return p, err
}

// Verify returns nil if every item is right, or a *RejectedError for the first
// wrong one. To find it takes about as long again.
func Verify(g group.Group, s System, items []Item) error {
	return round.Run(g, func(r round.Round) error {
		return firstRejected(s.Verify(r, items))
	})
}

// firstRejected returns a *RejectedError for the first error, or nil if all are accepted.
func firstRejected(errs []error) error {
	for i, err := range errs {
		if err != nil {
			return &RejectedError{Index: i, Err: err}
		}
	}
	return nil
}

// RejectedError says which of several proofs was wrong. It wraps the error of
// System.Verify.
type RejectedError struct {
	Index int
	Err   error
}

func (e *RejectedError) Error() string { return fmt.Sprintf("item %d: %v", e.Index, e.Err) }

func (e *RejectedError) Unwrap() error { return e.Err }
