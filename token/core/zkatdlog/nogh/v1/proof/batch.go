package proof

import (
	"errors"
	"fmt"

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

// maxSearched is the greatest number of range proofs among which VerifyBounded
// searches for the wrong one.
const maxSearched = 8

// VerifyBatch verifies n actions together, where verify is a task for one of them.
// A *RejectedError names the first wrong action.
func VerifyBatch(p *params.Params, n int, verify func(r round.Round, i int) error) error {
	if n == 0 {
		return nil
	}
	if err := p.Check(); err != nil {
		return &RejectedError{Err: err}
	}
	return round.Run(p.Group(), func(r round.Round) error {
		return r.Each(n, func(r round.Round, i int) error {
			if err := verify(r, i); err != nil {
				return &RejectedError{Index: i, Err: err}
			}
			return nil
		})
	})
}

// VerifyBounded is VerifyBatch with bounded work: it searches for the wrong action
// only among at most maxSearched range proofs, since malicious requests must not
// cause a search. Otherwise the Index is Unknown.
func VerifyBounded(p *params.Params, n int, verify func(r round.Round, i int) error) error {
	err := VerifyBatch(p, n, func(r round.Round, i int) error { return verify(r.SearchAtMost(maxSearched), i) })
	if wrong := new(RejectedError); n > 1 && errors.Is(err, round.ErrUnsearched) && errors.As(err, &wrong) {
		return &RejectedError{Index: Unknown, Err: rangeproof.ErrRejected}
	}
	return err
}

// errNoVerdict reports an action without verdict.
var errNoVerdict = errors.New("the verification ended without a verdict")

// VerifyEach verifies n actions together and returns the error of each. If k of n
// range proofs do not fit their equation, sets of n·(3 + log₂ k) range proofs are
// checked at most.
func VerifyEach(p *params.Params, n int, verify func(r round.Round, i int) error) []error {
	errs := make([]error, n)
	for i := range errs {
		errs[i] = errNoVerdict
	}
	err := p.Check()
	if err == nil {
		err = round.Run(p.Group(), func(r round.Round) error {
			return r.SearchEach().Each(n, func(r round.Round, i int) error {
				errs[i] = verify(r, i)
				return nil
			})
		})
	}
	if err != nil {
		for i := range errs {
			errs[i] = err
		}
	}
	return errs
}
