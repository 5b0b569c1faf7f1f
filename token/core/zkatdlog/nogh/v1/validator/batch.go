package validator

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/crypto/executor"
	"github.com/zkatbench/zkatbench/token/crypto/group"
	"github.com/zkatbench/zkatbench/token/crypto/round"
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

// ValidateBatch returns the verdict of each submission, which equals the verdict of
// Validate on the same ledger; a wrong v1 proof is always named. Submissions are
// independent: the ledger decides between submissions that spend the same token.
//
// Each submission is a task that applies the rules in their order. Where the tasks wait,
// all signatures are verified together, then all v1 range proofs in one equation and
// all v2 proofs in another one; halving finds the wrong ones (proof.VerifyEach). The
// proofs of equal submissions are checked once. Options.Executor runs parts of the submissions.
func (v *Validator) ValidateBatch(submissions []Submission) []Verdict {
	n, verdicts, e := len(submissions), make([]Verdict, len(submissions)), v.o.Executor
	parts := max(e.Width((n+leastPart-1)/leastPart), (n+mostPart-1)/mostPart)
	if parts > 1 {
		e = executor.Serial{}
	}
	err := guarded(v.params, func() error {
		return v.o.Executor.Run(parts, func(part int) error {
			from, to := part*n/parts, (part+1)*n/parts
			return v.validatePart(e, submissions[from:to], verdicts[from:to])
		})
	})
	for i := range verdicts {
		if verdicts[i] == (Verdict{}) {
			verdicts[i].Err = refused("internal", noAction, cmp.Or(err, errNoVerdict))
		}
	}
	return verdicts
}

// Bounds of the number of submissions that are checked together, if there are as many.
// Larger parts share more work, until their state leaves the caches.
const (
	leastPart = 16
	mostPart  = 64
)

// errNoVerdict says that an executor skipped a submission.
var errNoVerdict = errors.New("no step gave a verdict")

// validatePart sets the verdicts of submissions.
func (v *Validator) validatePart(e executor.Executor, submissions []Submission, verdicts []Verdict) error {
	proofs := round.Work[*check]{Do: func(_ group.Group, _ executor.Executor, checks []*check) []error {
		wrong := make([]error, len(checks))
		for _, protocol := range proof.Protocols {
			v.verifyEach(protocol, checks, wrong)
		}
		for n := range checks {
			wrong[n] = wrong[firstCopy(checks, n)]
		}
		return wrong
	}}
	prove := func(c *check) error { return proofs.Wait(c.round, c) }
	return round.RunOn(e, v.params.Group(), func(r round.Round) error {
		return r.SearchEach().Each(len(submissions), func(r round.Round, i int) error {
			c := newCheck(v, r, submissions[i])
			c.prove = prove
			verdicts[i].Accepted, verdicts[i].Err = c.run()
			return nil
		})
	})
}

// verifyEach checks the proofs of a protocol in submissions, and sets wrong where it is nil
// to the refusal of the first wrong one. Of equal submissions it checks the first.
func (v *Validator) verifyEach(protocol proof.Protocol, checks []*check, wrong []error) {
	var all []proof.Placed
	var owners []int // the submissions of all
	for n, c := range checks {
		if firstCopy(checks, n) == n {
			all = append(all, c.of(protocol)...)
			owners = append(owners, slices.Repeat([]int{n}, len(all)-len(owners))...)
		}
	}
	if len(all) == 0 {
		return
	}
	for k, err := range proof.VerifyEach(v.params, all) {
		if n := owners[k]; err != nil && wrong[n] == nil {
			wrong[n] = refused("proofs", all[k].At.Index, err)
		}
	}
}

// firstCopy returns the index of the first submission that equals submission n.
func firstCopy(checks []*check, n int) int {
	return slices.IndexFunc(checks, func(c *check) bool {
		return c.anchor == checks[n].anchor && bytes.Equal(c.raw, checks[n].raw)
	})
}
