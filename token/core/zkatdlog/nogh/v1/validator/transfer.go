package validator

import (
	"bytes"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// transferAction is a transfer as an action.
type transferAction struct{ *transfer.Action }

var transferRules = []actionRule[*transfer.Action]{
	{"transfer: proof system", func(c *check, a *transfer.Action) error { return c.system(a.Proof) }},
	{"transfer: origin of inputs", (*check).origins},
	{"transfer: redeem", (*check).redeem},
	{"transfer: owners", func(c *check, a *transfer.Action) error { return c.owners(a.Outputs, false) }},
	{"transfer: upgrade witnesses", (*check).upgrades},
	{"transfer: scripts and metadata", (*check).scripts},
}

func (a transferAction) created(g group.Group, j int) []byte { return stored(g, a.Outputs[j]) }
func (a transferAction) accept(accepted *Accepted) {
	accepted.Transfers = append(accepted.Transfers, a.Action)
}

func (a transferAction) applyRules(c *check, index int) error {
	return apply(c, index, transferRules, a.Action)
}

func (a transferAction) requireSigners(c *check, index int) {
	for i, in := range a.Inputs {
		c.require(index, fmt.Sprintf("owner of input %d", i), in.Token.Owner, in.Token.V2)
	}
	if needsIssuer(c, a.Action) {
		c.require(index, "issuer", a.Issuer, false)
	}
}

// spend calls f for each input. The ledger has an upgraded input as the clear
// token.
func (a transferAction) spend(c *check, f func(id token.ID, raw []byte) error) error {
	for _, in := range a.Inputs {
		raw := in.Token.Encode(c.params.Group())
		if in.Upgrade != nil {
			var err error
			raw, err = in.Upgrade.Clear.Encode()
			if err != nil {
				return err
			}
		}
		if err := f(in.ID, raw); err != nil {
			return err
		}
	}
	return nil
}

// origins: a v2 transfer spends tokens of v2, clear ones that it upgrades, and
// tokens of v1 if all of them were made with sound proofs.
func (c *check) origins(a *transfer.Action) error {
	for i, in := range a.Inputs {
		if in.Upgrade == nil && !a.Protocol().MaySpend(c.params, in.Token.V2) {
			return fmt.Errorf("input %d: %w", i, ErrOrigin)
		}
	}
	return nil
}

// redeem checks that an issuer approves burned tokens, if the network has
// issuers.
func (c *check) redeem(a *transfer.Action) error {
	needed := needsIssuer(c, a)
	switch {
	case !needed && len(a.Issuer) > 0 && !c.tolerates(IdleIssuer):
		return ErrIdleIssuer
	case !needed:
		return nil
	case len(a.Issuer) == 0:
		return ErrNoIssuer
	case !listed(c.params.Issuers(), a.Issuer) && !c.tolerates(RedeemByAnyone):
		return ErrNotIssuer
	}
	return nil
}

func needsIssuer(c *check, a *transfer.Action) bool {
	return a.Redeems() && len(c.params.Issuers()) > 0
}

// upgrades checks that each input with a witness commits to its clear token
// (section 16).
func (c *check) upgrades(a *transfer.Action) error {
	for i, in := range a.Inputs {
		if in.Upgrade == nil {
			continue
		}
		if err := c.upgrade(in); err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
	}
	return nil
}

func (c *check) upgrade(in transfer.Input) error {
	clear := in.Upgrade.Clear
	value, err := token.ParseQuantity(clear.Quantity, c.params.Bits())
	if err != nil {
		return err
	}
	k := c.params.Pedersen()
	point := token.Commit(k, clear.Type, value, in.Upgrade.Blinding)
	if !k.Group().Equal(point, in.Token.Data) || !bytes.Equal(clear.Owner, in.Token.Owner) {
		return ErrUpgrade
	}
	return nil
}
