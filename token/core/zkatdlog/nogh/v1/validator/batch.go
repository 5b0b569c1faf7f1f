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
// verdict of Validate on the same ledger. The signatures of the auditors of all
// submissions are finished together, then those of owners and issuers, and their v2 proofs are checked in one equation; halving
// finds the wrong ones (v2.Params.VerifyEach). Submissions are independent: the ledger
// decides between submissions that spend the same token. Options.Executor runs the
// submissions, and parts of the signatures and proofs.
func (v *Validator) ValidateBatch(submissions []Submission) []Verdict {
	verdicts, checks := make([]Verdict, len(submissions)), make([]*check, len(submissions))
	for i, s := range submissions {
		checks[i] = newCheck(v, s.Anchor, s.Raw)
		checks[i].together = true
	}
	each := func(f func(c *check) error) {
		// No call returns an error: verdicts have them.
		_ = v.o.Executor.Run(len(checks), func(i int) error {
			if verdicts[i].Err == nil {
				verdicts[i].Err = checks[i].guarded(func() error { return f(checks[i]) })
			}
			return nil
		})
	}
	each(func(c *check) error { return c.run(rules[:beforeActions]) })
	v.finish(checks, verdicts, func(c *check) begun { return c.ofAudit })
	each(func(c *check) error { return c.run(rules[beforeActions:beforeProofs]) })
	v.finish(checks, verdicts, (*check).ofActions)
	each(func(c *check) error { return c.run(rules[beforeProofs:]) })
	v.settle(checks, verdicts)
	each(func(c *check) error {
		c.result = c.accepted()
		return nil
	})
	for i, c := range checks {
		if verdicts[i].Err == nil {
			verdicts[i].Accepted = c.result
		}
	}
	return verdicts
}

// finish finishes some signatures of all submissions that passed the rules so far.
func (v *Validator) finish(checks []*check, verdicts []Verdict, of func(*check) begun) {
	var open []int
	var sets [][]identity.Rest
	for i, c := range checks {
		if rests := slices.Concat(of(c).rests...); verdicts[i].Err == nil && len(rests) > 0 {
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
			if err := of(c).wrong(errs[k]); err != nil {
				return refused("signatures", -1, err)
			}
			return nil
		})
	}
}

// leastPart is the number of submissions whose proofs are checked together at least,
// if there are as many. Larger parts share more work.
const leastPart = 16

// settle checks the v2 proofs of the submissions that passed all other rules, in as
// many parts as the executor runs at a time.
func (v *Validator) settle(checks []*check, verdicts []Verdict) {
	var open []int
	for i, c := range checks {
		if verdicts[i].Err == nil && len(c.claims) > 0 {
			open = append(open, i)
		}
	}
	parts := v.o.Executor.Width((len(open) + leastPart - 1) / leastPart)
	_ = v.o.Executor.Run(parts, func(k int) error {
		v.settlePart(checks, verdicts, open[k*len(open)/parts:(k+1)*len(open)/parts])
		return nil
	})
}

// settlePart settles the submissions with the given indices.
func (v *Validator) settlePart(checks []*check, verdicts []Verdict, open []int) {
	var claims []v2.Claim
	for _, i := range open {
		claims = append(claims, checks[i].claims...)
	}
	var errs []error
	panicked := checks[open[0]].guarded(func() error {
		engine, lacking := v.params.V2()
		if lacking != nil {
			return lacking
		}
		errs = engine.VerifyEach(claims)
		return nil
	})
	for _, i := range open {
		c := checks[i]
		if panicked != nil { // no verdict on any submission of the part
			verdicts[i].Err = panicked
			continue
		}
		for k, err := range errs[:len(c.claims)] {
			if err != nil {
				verdicts[i].Err = c.wrongClaim(&v2.RejectedError{Index: k, Err: err}, 0)
				break
			}
		}
		errs = errs[len(c.claims):]
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
