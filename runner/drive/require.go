package drive

import (
	"errors"
	"fmt"

	"github.com/zkatbench/zkatbench/runner/judge/require"
	"github.com/zkatbench/zkatbench/runner/result"
)

// Reasons for which a run with requirements is not a success.
var (
	ErrBroken    = errors.New("requirements are broken")
	ErrUndecided = errors.New("requirements are undecided: run longer")
)

// unclear is the exit status if requirements are undecided.
const unclear = 3

// Verdict returns the first reason why one of the results is a failure: an early end, a
// requirement that is broken or undecided, or failed operations unless a requirement
// bounds their share; or nil.
func (x *Session) Verdict(rs ...*result.Result) error {
	var undecided error
	for _, r := range rs {
		err := Verdict(r)
		if errors.Is(err, ErrFailed) && require.Bounds(x.o.Require, "errors") {
			err = nil
		}
		if err != nil {
			return err
		}
		for _, c := range require.Judge(r, x.o.Require) {
			switch c.Verdict {
			case require.Broken:
				return fmt.Errorf("%w: %v: %s", ErrBroken, c.Requirement, c.Detail())
			case require.Undecided:
				undecided = fmt.Errorf("%w: %v: %s", ErrUndecided, c.Requirement, c.Detail())
			}
		}
	}
	return undecided
}
