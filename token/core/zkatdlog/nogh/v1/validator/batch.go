package validator

import (
	"errors"
	"slices"

	"github.com/zkatbench/zkatbench/token/core/identity"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
)

// Submission is a request with its anchor.
type Submission struct {
	Anchor string
	Raw    []byte
}

// Verdict is the result of Validate for a submission.
type Verdict struct {
	Accepted *Accepted
	Err      error // a *RefusedError, or nil
}

// ValidateBatch returns the verdict of each submission, which equals the
// verdict of Validate on the same ledger. The signatures of all submissions are
// finished together, and their v2 proofs are checked in one equation; bisection
// finds the wrong ones. Submissions are independent: the ledger decides between
// submissions that spend the same token.
func (v *Validator) ValidateBatch(submissions []Submission) []Verdict {
	verdicts, checks := make([]Verdict, len(submissions)), make([]*check, len(submissions))
	for i, s := range submissions {
		checks[i] = newCheck(v, s.Anchor, s.Raw)
		checks[i].together = true
	}
	each := func(rules []rule) {
		for i, c := range checks {
			if verdicts[i].Err == nil {
				verdicts[i].Err = c.guarded(func() error { return c.run(rules) })
			}
		}
	}
	each(rules[:beforeProofs])
	v.finish(checks, verdicts)
	each(rules[beforeProofs:])
	for next := 0; next < len(checks); {
		next = v.settle(checks, verdicts, next)
	}
	for i, c := range checks {
		if verdicts[i].Err == nil {
			verdicts[i].Accepted = c.accepted()
		}
	}
	return verdicts
}

// finish finishes the signatures of all submissions that passed the rules so far.
func (v *Validator) finish(checks []*check, verdicts []Verdict) {
	var open []int
	var sets [][]identity.Rest
	for i, c := range checks {
		if rests := slices.Concat(c.rests...); verdicts[i].Err == nil && len(rests) > 0 {
			open, sets = append(open, i), append(sets, rests)
		}
	}
	if len(sets) == 0 {
		return
	}
	var errs []error
	panicked := checks[open[0]].guarded(func() error {
		errs = identity.FinishAll(sets, v.o.Executor)
		return nil
	})
	for k, i := range open {
		c := checks[i]
		verdicts[i].Err = c.guarded(func() error {
			if panicked != nil { // no verdict on any submission
				return panicked
			}
			if err := c.finished(errs[k]); err != nil {
				return refused("signatures", -1, err)
			}
			return nil
		})
	}
}

// settle checks the v2 proofs of the submissions from index one on that passed
// all other rules, and refuses the first one with a wrong proof. It returns the
// index of the first submission without a verdict.
func (v *Validator) settle(checks []*check, verdicts []Verdict, from int) (next int) {
	var claims []v2.Claim
	firsts := make([]int, len(checks)) // of each submission in claims
	for i := from; i < len(checks); i++ {
		firsts[i] = len(claims)
		if verdicts[i].Err == nil {
			claims = append(claims, checks[i].claims...)
		}
	}
	if len(claims) == 0 {
		return len(checks)
	}
	var err error
	panicked := checks[from].guarded(func() error {
		engine, lacking := v.params.V2()
		if lacking != nil {
			return lacking
		}
		err = engine.VerifyBatch(claims)
		return nil
	})
	wrong := new(v2.RejectedError)
	switch {
	case panicked != nil: // no verdict on any submission
		for i := from; i < len(checks); i++ {
			if verdicts[i].Err == nil && len(checks[i].claims) > 0 {
				verdicts[i].Err = panicked
			}
		}
		return len(checks)
	case !errors.As(err, &wrong):
		return len(checks)
	}
	for i := from; ; i++ {
		if c := checks[i]; verdicts[i].Err == nil && wrong.Index < firsts[i]+len(c.claims) {
			verdicts[i].Err = c.wrongClaim(err, firsts[i])
			return i + 1
		}
	}
}

// guarded runs f and turns a panic or invalid parameters into a refusal.
func (c *check) guarded(f func() error) error {
	err := executor.Guard(func() error {
		if err := c.params.Check(); err != nil {
			return &RefusedError{Rule: "public parameters", Action: -1, Err: err}
		}
		c.now = c.o.Now()
		return f()
	})
	if panicked := new(executor.PanicError); errors.As(err, &panicked) {
		return &RefusedError{Rule: "internal", Action: -1, Err: err}
	}
	return err
}
