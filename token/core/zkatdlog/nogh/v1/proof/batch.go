package proof

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/crypto/round"
)

// RejectedError names the wrong action of a batch, or Unknown if no search was
// made, and wraps the reason.
type RejectedError struct {
	Index int
	Err   error
}

func (e *RejectedError) Error() string { return fmt.Sprintf("action %d: %v", e.Index, e.Err) }

func (e *RejectedError) Unwrap() error { return e.Err }

// Unknown is the Index of a RejectedError without a search for the wrong
// action.
const Unknown = -1

// first returns a *RejectedError for the first error of actions that were verified
// together, or nil if there is none.
func first(errs []error) error {
	for i, err := range errs {
		if errors.Is(err, round.ErrUnsearched) && len(errs) > 1 {
			return &RejectedError{Index: Unknown, Err: rangeproof.ErrRejected}
		}
		if err != nil {
			return &RejectedError{Index: i, Err: err}
		}
	}
	return nil
}

// VerifyBatch verifies actions of a protocol together. A *RejectedError names the first
// wrong one.
func VerifyBatch(p *params.Params, protocol Protocol, actions []Placed) error {
	return first(verify(p, protocol, actions, func(r round.Round) round.Round { return r }))
}

// maxSearched is the greatest number of range proofs among which VerifyBounded
// searches for the wrong one.
const maxSearched = 8

// VerifyBounded is VerifyBatch with bounded work: it searches for the wrong action
// only among at most maxSearched range proofs, since malicious requests must not
// cause a search. Otherwise the Index is Unknown.
func VerifyBounded(p *params.Params, protocol Protocol, actions []Placed) error {
	return first(verify(p, protocol, actions, func(r round.Round) round.Round { return r.SearchAtMost(maxSearched) }))
}

// VerifyEach verifies actions of a protocol together and returns the error of each. If k
// of n range proofs do not fit their equation, sets of n·(3 + log₂ k) range proofs are
// checked at most.
func VerifyEach(p *params.Params, protocol Protocol, actions []Placed) []error {
	return verify(p, protocol, actions, round.Round.SearchEach)
}

// verify runs the task Protocol.Verify.
func verify(p *params.Params, protocol Protocol, actions []Placed, search func(round.Round) round.Round) (errs []error) {
	err := p.Check()
	if err == nil {
		err = round.Run(p.Group(), func(r round.Round) error {
			errs = protocol.Verify(search(r), p, actions)
			return nil
		})
	}
	if err != nil {
		return slices.Repeat([]error{err}, len(actions))
	}
	return errs
}
