package validator

import (
	"errors"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	v2 "github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v2"
)

// v2Claims collects the claims of the v2 proofs.
func (c *check) v2Claims() error {
	for _, a := range c.actions {
		if !a.isV2() {
			continue
		}
		claim, err := a.v2Claim(c, proof.Place{Anchor: c.anchor, Index: a.index})
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
