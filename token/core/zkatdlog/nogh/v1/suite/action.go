package suite

import (
	"bytes"
	"errors"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// errAccepted reports a verifier that accepts a wrong proof.
var errAccepted = errors.New("a changed proof is accepted")

// refused returns errAccepted unless err is a refusal.
func refused(err error) error {
	if err == nil {
		return errAccepted
	}
	return nil
}

// actionVerifier decodes a serialised action of one kind and verifies its proof
// or, if edit is not nil, the edited proof. It returns the proof.
type actionVerifier func(s setting, action []byte, edit func(proof.Proof) proof.Proof) (proof.Proof, error)

// verifierOf returns the actionVerifier of actions that decode reads, with their proofs.
func verifierOf[A proof.Action](
	decode func(group.Group, []byte, token.Limits) (A, error), proofOf func(A) *proof.Proof,
) actionVerifier {
	return func(s setting, action []byte, edit func(proof.Proof) proof.Proof) (p proof.Proof, err error) {
		a, err := decode(s.params().Group(), action, token.DefaultLimits)
		if err != nil {
			return p, err
		}
		if edit != nil {
			*proofOf(a) = edit(*proofOf(a))
		}
		return *proofOf(a), proof.Verify(s.params(), a, place)
	}
}

// accepts verifies an unchanged action.
func (j actionVerifier) accepts(s setting, action []byte) error {
	_, err := j(s, action, nil)
	return err
}

// refusesChange returns an error unless the action is refused after a change of
// the last byte of its proof.
func (j actionVerifier) refusesChange(s setting, action []byte) error {
	_, err := j(s, action, func(p proof.Proof) proof.Proof {
		p.Raw = bytes.Clone(p.Raw)
		p.Raw[len(p.Raw)-1] ^= 1
		return p
	})
	return refused(err)
}

// sizes returns the sizes of a valid action.
func (j actionVerifier) sizes(s setting, action []byte) []bench.Metric {
	p, err := j(s, action, nil)
	if err != nil {
		return nil
	}
	return []bench.Metric{{Value: float64(len(p.Raw)), Unit: "proof-B"},
		{Value: float64(len(action)), Unit: "action-B"}}
}

// verifying is the operation that decodes and verifies an action.
func (j actionVerifier) verifying(s setting, action []byte) bench.Instance {
	return bench.Instance{
		Work:   func() ([]byte, error) { return nil, j.accepts(s, action) },
		Check:  func([]byte) error { return j.refusesChange(s, action) },
		Exact:  func([]byte) []bench.Metric { return j.sizes(s, action) },
		Fresh:  func() (bench.Instance, error) { return j.verifying(s, bytes.Clone(action)), nil },
		Inputs: func() [][]byte { return [][]byte{action} },
	}
}

// read is the operation that verifies an action read from its encoding.
func (j actionVerifier) read(s setting, inputs [][]byte) (bench.Instance, error) {
	if len(inputs) != 1 {
		return bench.Instance{}, errInputs
	}
	return j.verifying(s, inputs[0]), nil
}

// making is the operation that makes an action.
func (j actionVerifier) making(s setting, work func() ([]byte, error)) bench.Instance {
	return bench.Instance{
		Work:  work,
		Check: func(action []byte) error { return j.accepts(s, action) },
		Exact: func(action []byte) []bench.Metric { return j.sizes(s, action) },
	}
}
