package validator

import (
	"errors"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
)

// isV2 reports whether a has a v2 proof.
func (a action) isV2() bool {
	if a.issue != nil {
		return a.issue.IsV2()
	}
	return a.transfer.IsV2()
}

// v2Claims collects what is to check of the v2 proofs.
func (c *check) v2Claims() (err error) {
	for _, a := range c.actions {
		if !a.isV2() {
			continue
		}
		var claim v2.Claim
		at := proof.Place{Anchor: c.anchor, Index: a.index}
		if a.issue != nil {
			claim, err = issue.NewV2Claim(c.params, a.issue, at)
		} else {
			claim, err = transfer.NewV2Claim(c.params, a.transfer, at)
		}
		if err != nil {
			return refused("proofs", a.index, err)
		}
		c.claims, c.claimed = append(c.claims, claim), append(c.claimed, a.index)
	}
	return nil
}

// v2Proofs checks all v2 proofs in one equation.
func (c *check) v2Proofs() error {
	if len(c.claims) == 0 {
		return nil
	}
	engine, err := c.params.V2()
	if err != nil {
		return refused("proofs", -1, err)
	}
	return c.wrongClaim(engine.VerifyBatch(c.claims), 0)
}

// wrongClaim returns the refusal for an error of a batch in which the claims of
// c begin at index first.
func (c *check) wrongClaim(err error, first int) error {
	if wrong := new(v2.RejectedError); errors.As(err, &wrong) {
		return refused("proofs", c.claimed[wrong.Index-first], wrong.Err)
	}
	return err
}
