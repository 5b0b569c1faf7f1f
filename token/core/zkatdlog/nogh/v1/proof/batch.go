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

// Verify returns nil if the proof of a is right at its place, in the protocol of the
// action. Otherwise it returns sigma.ErrRejected, rangeproof.ErrRejected,
// v2.ErrRejected, v2.ErrStatement, a *wire.DecodeError for a malformed proof, or
// params.ErrNoSystem or params.ErrProtocol if p does not have its system. A v1 proof
// does not depend on the place. The validator checks signatures and ledger.
func Verify(p *params.Params, a Action, at Place) error {
	return VerifyEach(p, []Placed{{Action: a, At: at}})[0]
}

// maxSearched is the greatest number of v1 range proofs among which VerifyBatch
// searches for the wrong one.
const maxSearched = 8

// VerifyBatch verifies actions together, in one equation for each protocol. A
// *RejectedError names the first wrong one. Its Index is Unknown if more than
// maxSearched v1 range proofs would have to be searched, since malicious requests must
// not cause a search.
func VerifyBatch(p *params.Params, actions []Placed) error {
	errs := verify(p, actions, func(r round.Round) round.Round { return r.SearchAtMost(maxSearched) })
	unsearched := func(err error) bool { return errors.Is(err, round.ErrUnsearched) }
	for i, err := range errs {
		if unsearched(err) && slices.ContainsFunc(errs[i+1:], unsearched) {
			return &RejectedError{Index: Unknown, Err: rangeproof.ErrRejected}
		}
		if err != nil {
			return &RejectedError{Index: i, Err: err}
		}
	}
	return nil
}

// VerifyEach is VerifyBatch with the error of each action. If k of n range proofs do not
// fit their equation, sets of n·(3 + log₂ k) range proofs are checked at most.
func VerifyEach(p *params.Params, actions []Placed) []error {
	return verify(p, actions, round.Round.SearchEach)
}

// verify runs the task verifyAll.
func verify(p *params.Params, actions []Placed, search func(round.Round) round.Round) []error {
	errs, err := []error(nil), p.Check()
	if err == nil {
		err = round.Run(p.Group(), func(r round.Round) error {
			errs = verifyAll(search(r), p, actions)
			return nil
		})
	}
	if err != nil {
		return slices.Repeat([]error{err}, len(actions))
	}
	return errs
}

// verifyAll is the task Protocol.Verify of each protocol.
func verifyAll(r round.Round, p *params.Params, actions []Placed) []error {
	var errs []error
	for _, protocol := range Protocols {
		own, index := ofProtocol(protocol, actions)
		if len(own) == len(actions) {
			return protocol.Verify(r, p, actions)
		}
		if len(own) == 0 {
			continue
		}
		errs = slices.Grow(errs, len(actions))[:len(actions)]
		for k, err := range protocol.Verify(r, p, own) {
			errs[index[k]] = err
		}
	}
	return errs
}

// ofProtocol returns the actions of a protocol, and their indices unless they are all.
func ofProtocol(protocol Protocol, actions []Placed) (own []Placed, index []int) {
	if !slices.ContainsFunc(actions, func(a Placed) bool { return a.Action.Protocol() != protocol }) {
		return actions, nil
	}
	for i, a := range actions {
		if a.Action.Protocol() == protocol {
			own, index = append(own, a), append(index, i)
		}
	}
	return own, index
}
