package v2

import (
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// Kind distinguishes transfers and issues. Its value is the byte that the
// transcript absorbs.
type Kind uint8

// The kinds of statements.
const (
	Transfer Kind = 1
	Issue    Kind = 2
)

// Bounds of a statement (section 3).
const (
	maxInputs  = 64
	maxOutputs = 64
	maxBlocks  = 16
	maxContext = 65536 // bytes
)

var (
	// ErrStatement reports a statement out of bounds.
	ErrStatement = errors.New("v2 statement")
	// ErrWitness reports a witness that does not fit the statement.
	ErrWitness = errors.New("v2 witness")
	// ErrRejected reports a proof that does not prove its statement.
	ErrRejected = errors.New("v2 proof is rejected")
	// ErrExceptional reports one of the few challenges for which the protocol
	// is undefined, with probability below 2⁻²⁴⁸.
	ErrExceptional = errors.New("v2 proof has an exceptional challenge: prove again with fresh randomness")
)

// Statement is the statement of a proof: the outputs commit to values of N
// bits, all tokens to one type, and for a transfer the values of the inputs
// equal the sum of the outputs and the public value (section 3). The proof does
// not show that values of inputs are in range: each input must be the output of
// an action with a sound proof, back to its issue.
type Statement struct {
	Kind Kind
	// PublicType means that Type is the type of all tokens. Otherwise Type is 0
	// and the proof hides the type.
	PublicType bool
	Type       group.Scalar
	// PublicValue is the value that a transfer takes out of circulation.
	PublicValue uint64
	// Inputs must be on the curve. They are compared with the ledger, which
	// contains only points of the group.
	Inputs  []group.CurvePoint
	Outputs []group.Point
	// Context is bound by the proof: anchor, token identifiers, owners, or a
	// hash of them.
	Context []byte
}

// Opening opens one token.
type Opening struct {
	Value    uint64
	Blinding group.Scalar
}

// Witness opens the tokens of a statement.
type Witness struct {
	Type            group.Scalar
	Inputs, Outputs []Opening
}

// Format prints no part of the witness.
func (Witness) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "v2 witness") }

// Format prints no part of the opening.
func (Opening) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "v2 opening") }

// check returns ErrStatement unless st is within the bounds of section 3, and
// ErrParams for the zero value of p.
func (p *Params) check(st *Statement) error {
	if err := p.made(); err != nil {
		return err
	}
	n, m := len(st.Inputs), len(st.Outputs)
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrStatement, fmt.Sprintf(format, args...))
	}
	switch {
	case st.Kind != Transfer && st.Kind != Issue:
		return wrong("kind %d is neither transfer nor issue", st.Kind)
	case st.Kind == Transfer && n == 0:
		return wrong("a transfer has no inputs")
	case st.Kind == Issue && n > 0:
		return wrong("an issue has %d inputs", n)
	case st.Kind == Issue && st.PublicValue > 0:
		return wrong("an issue has a public value")
	case n > maxInputs:
		return wrong("%d inputs are more than %d", n, maxInputs)
	case m == 0 || m > p.maxOutputs():
		return wrong("%d outputs of %d bits are not between 1 and %d", m, p.bits, p.maxOutputs())
	case len(st.Context) > maxContext:
		return wrong("%d bytes of context are more than %d", len(st.Context), maxContext)
	case !st.PublicType && st.Type != group.Scalar{}:
		return wrong("a hidden type is not 0")
	}
	for i := range st.Inputs {
		if st.Inputs[i] == (group.CurvePoint{}) {
			return wrong("input %d %v", i, group.ErrIdentity)
		}
	}
	for j := range st.Outputs {
		if group.IsIdentity(st.Outputs[j]) {
			return wrong("output %d %v", j, group.ErrIdentity)
		}
	}
	return nil
}

// maxOutputs is the largest number of outputs: of maxOutputs, and of maxBlocks blocks.
func (p *Params) maxOutputs() int { return min(maxOutputs, maxBlocks*64/p.bits) }

// checkWitness returns ErrWitness unless w fits st: numbers of openings, range,
// balance and public type. It does not recompute commitments.
func (p *Params) checkWitness(st *Statement, w *Witness) error {
	wrong := func(reason string) error { return fmt.Errorf("%w: %s", ErrWitness, reason) }
	if len(w.Inputs) != len(st.Inputs) || len(w.Outputs) != len(st.Outputs) {
		return wrong("one opening for each token is needed")
	}
	var in, out uint128
	for i := range w.Inputs {
		in.add(w.Inputs[i].Value)
	}
	out.add(st.PublicValue)
	for j := range w.Outputs {
		if w.Outputs[j].Value > p.maxValue() {
			return wrong(fmt.Sprintf("output %d has a value outside the range", j))
		}
		out.add(w.Outputs[j].Value)
	}
	switch {
	case st.Kind == Transfer && in != out:
		return wrong("inputs and outputs do not balance")
	case st.PublicType && w.Type != st.Type:
		return wrong("the type is not the public one")
	}
	return nil
}

// uint128 is a sum of values.
type uint128 struct{ high, low uint64 }

func (s *uint128) add(v uint64) {
	var carry uint64
	s.low, carry = bits.Add64(s.low, v, 0)
	s.high += carry
}
