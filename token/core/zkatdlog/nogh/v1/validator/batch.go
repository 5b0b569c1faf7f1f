package validator

import (
	"cmp"
	"errors"
	"slices"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
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

// ValidateBatch returns the verdict of each submission, which equals the verdict of
// Validate on the same ledger; a wrong v1 proof is always named. The signatures of the
// auditors of all submissions are finished together, then those of owners and issuers.
// All v1 range proofs are checked in one equation, and all v2 proofs in another one;
// halving finds the wrong ones (proof.VerifyEach). Equal proofs
// of the same tokens are checked once. Submissions are independent: the ledger decides
// between submissions that spend the same token. Options.Executor runs the
// submissions, and parts of the signatures and proofs.
func (v *Validator) ValidateBatch(submissions []Submission) []Verdict {
	b := &batch{Validator: v, checks: make([]*check, len(submissions)), verdicts: make([]Verdict, len(submissions))}
	for i, s := range submissions {
		b.checks[i] = newCheck(v, s.Anchor, s.Raw)
		b.checks[i].together = true
	}
	b.each(func(c *check) error { return c.run(rules[:beforeActions]) })
	b.finish(func(c *check) begun { return c.ofAudit })
	b.each(func(c *check) error { return c.run(rules[beforeActions:beforeProofs]) })
	b.finish((*check).ofActions)
	b.proofs()
	b.each(func(c *check) error {
		c.result = c.accepted()
		return nil
	})
	for i, c := range b.checks {
		if b.verdicts[i].Err == nil {
			b.verdicts[i].Accepted = c.result
		}
	}
	return b.verdicts
}

// batch is the state of ValidateBatch.
type batch struct {
	*Validator
	checks   []*check
	verdicts []Verdict
}

// errNoVerdict says that a step ended without a verdict on a submission.
var errNoVerdict = errors.New("a step ended without a verdict")

// step applies f to the submissions that passed all steps so far. f calls judge once
// for each, also concurrently. A submission without a verdict is refused, whether f
// returned an error, panicked in an executor or skipped it.
func (b *batch) step(f func(open []int, judge func(i int, err error)) error) {
	var open []int
	for i := range b.verdicts {
		if b.verdicts[i].Err == nil {
			open = append(open, i)
		}
	}
	judged := make([]bool, len(b.verdicts))
	err := executor.Guard(func() error {
		return f(open, func(i int, err error) { b.verdicts[i].Err, judged[i] = err, true })
	})
	for _, i := range open {
		if !judged[i] {
			b.verdicts[i].Err = refused("internal", -1, cmp.Or(err, errNoVerdict))
		}
	}
}

// each applies f to each submission.
func (b *batch) each(f func(c *check) error) {
	b.step(func(open []int, judge func(int, error)) error {
		return b.o.Executor.Run(len(open), func(k int) error {
			c := b.checks[open[k]]
			judge(open[k], c.guarded(func() error { return f(c) }))
			return nil
		})
	})
}

// finish finishes some signatures of all submissions.
func (b *batch) finish(of func(*check) begun) {
	b.step(func(open []int, judge func(int, error)) error {
		var with []int
		var sets [][]identity.Rest
		for _, i := range open {
			if rests := slices.Concat(of(b.checks[i]).rests...); len(rests) > 0 {
				with, sets = append(with, i), append(sets, rests)
			} else {
				judge(i, nil)
			}
		}
		for k, err := range identity.FinishAll(sets, b.o.Executor) {
			c := b.checks[with[k]]
			judge(with[k], c.guarded(func() error {
				if err := of(c).wrong(err); err != nil {
					return refused("signatures", -1, err)
				}
				return nil
			}))
		}
		return nil
	})
}

// leastPart is the number of submissions whose proofs are checked together at least,
// if there are as many. Larger parts share more work.
const leastPart = 16

// proofs checks the proofs of all submissions, in as many parts as the executor runs at
// a time. After an error, none of a part has a verdict.
func (b *batch) proofs() {
	b.step(func(open []int, judge func(int, error)) error {
		n := len(open)
		parts := b.o.Executor.Width((n + leastPart - 1) / leastPart)
		return b.o.Executor.Run(parts, func(part int) error {
			b.part(open[part*n/parts:(part+1)*n/parts], judge)
			return nil
		})
	})
}

// part checks the proofs of submissions.
func (b *batch) part(of []int, judge func(i int, err error)) {
	wrong := make([]error, len(of))
	for _, protocol := range proof.Protocols {
		b.partOf(protocol, of, wrong)
	}
	for k, i := range of {
		judge(i, wrong[k])
	}
}

// partOf checks the proofs of a protocol in submissions, and sets wrong where it is nil
// to the refusal of the first wrong one. A proof is determined by the bytes of its
// action and by the part of its place to which its protocol binds it.
func (b *batch) partOf(protocol proof.Protocol, of []int, wrong []error) {
	type encoding struct {
		kind request.Kind
		raw  string
		at   proof.Place
	}
	var distinct []proof.Placed
	own, places := make([][]proof.Placed, len(of)), []int(nil) // places in distinct, of all
	seen := map[encoding]int{}
	for n, i := range of {
		c := b.checks[i]
		own[n] = c.of(protocol)
		for _, a := range own[n] {
			encoded := c.request.Actions[a.At.Index]
			key := encoding{encoded.Kind, string(encoded.Raw), protocol.Bound(a.At)}
			k, ok := seen[key]
			if !ok {
				k = len(distinct)
				distinct, seen[key] = append(distinct, a), k
			}
			places = append(places, k)
		}
	}
	if len(distinct) == 0 {
		return
	}
	errs := proof.VerifyEach(b.params, protocol, distinct)
	for n := range of {
		for _, a := range own[n] {
			if err := errs[places[0]]; err != nil && wrong[n] == nil {
				wrong[n] = refused("proofs", a.At.Index, err)
			}
			places = places[1:]
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
