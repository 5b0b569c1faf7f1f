package validator

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof/systems"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/transfer"
)

// An actionRule accepts or refuses one action, A.
type actionRule[A any] struct {
	name  string
	check func(*check, A) error
}

var issueRules = []actionRule[*issue.Action]{
	{"issue: proof system", func(c *check, a *issue.Action) error { return c.system(a.Proof) }},
	{"issue: issuer", (*check).issuer},
	{"issue: inputs", (*check).burned},
	{"issue: owners", (*check).issueOwners},
	{"issue: metadata", func(_ *check, a *issue.Action) error { return counted(a.Metadata, nil) }},
}

var transferRules = []actionRule[*transfer.Action]{
	{"transfer: proof system", func(c *check, a *transfer.Action) error { return c.system(a.Proof) }},
	{"transfer: origin of inputs", (*check).origins},
	{"transfer: redeem", (*check).redeem},
	{"transfer: owners", (*check).transferOwners},
	{"transfer: upgrade witnesses", (*check).upgrades},
	{"transfer: scripts and metadata", (*check).scripts},
}

func (c *check) actionRules() error {
	for _, a := range c.actions {
		var err error
		if a.issue != nil {
			err = apply(c, a.index, issueRules, a.issue)
		} else {
			err = apply(c, a.index, transferRules, a.transfer)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func apply[A any](c *check, index int, rules []actionRule[A], a A) error {
	for _, r := range rules {
		if err := r.check(c, a); err != nil {
			return refused(r.name, index, err)
		}
	}
	return nil
}

// system checks that the range-proof system of a proof is in the parameters and
// allowed.
func (c *check) system(p proof.Proof) error {
	protocols := c.params.Protocols()
	switch {
	case p.Kind == proof.V2 && !protocols.V2:
		return fmt.Errorf("%w v2", params.ErrProtocol)
	case p.Kind == proof.V2:
		return nil
	case !protocols.V1:
		return fmt.Errorf("%w v1", params.ErrProtocol)
	}
	if _, err := c.params.RangeProof(p.Kind); err != nil {
		return err
	}
	if !systems.Sound(p.Kind) && (!c.o.AllowUnsoundV1Bulletproofs || protocols.SoundV1) {
		return ErrUnsound
	}
	return nil
}

// origins: a v2 transfer spends tokens of v2, clear ones that it upgrades, and
// those of v1 if all of them were made with sound proofs.
func (c *check) origins(a *transfer.Action) error {
	if !a.IsV2() || c.params.Protocols().SoundV1 {
		return nil
	}
	for i, in := range a.Inputs {
		if !in.Token.V2 && in.Upgrade == nil {
			return fmt.Errorf("input %d: %w", i, ErrOrigin)
		}
	}
	return nil
}

// issuer: one of the issuers, if there are any.
func (c *check) issuer(a *issue.Action) error {
	if issuers := c.params.Issuers(); len(issuers) > 0 && !listed(issuers, a.Issuer) {
		return ErrNotIssuer
	}
	return nil
}

// burned checks that an issue burns only clear tokens, for which an issuer
// signs; only owners can spend hidden tokens.
func (c *check) burned(a *issue.Action) error {
	if len(a.Inputs) > 0 && len(c.params.Issuers()) == 0 && !c.o.AsReference.BurnedByAnyone {
		return ErrBurnNoIssuer
	}
	for i, in := range a.Inputs {
		if token.IsHidden(in.Token) && !c.o.AsReference.HiddenBurned {
			return fmt.Errorf("input %d: %w", i, ErrBurn)
		}
	}
	return nil
}

func (c *check) issueOwners(a *issue.Action) error {
	return c.owners(a.Outputs, c.o.AsReference.UnspendableOwners)
}

func (c *check) transferOwners(a *transfer.Action) error { return c.owners(a.Outputs, false) }

// owners checks that the owners of new tokens can spend them later.
func (c *check) owners(outputs []token.Token, untyped bool) error {
	for j, out := range outputs {
		if out.IsRedeemed() {
			continue
		}
		_, err := identity.Decode(out.Owner)
		switch {
		case err == nil:
			err = c.spendable(out.Owner)
		case untyped:
			err = nil
		}
		if err != nil {
			return fmt.Errorf("output %d: %w", j, err)
		}
	}
	return nil
}

// spendable opens a typed identity down to its plain members, both as claimant
// and as reclaimant of a script.
func (c *check) spendable(owner []byte) error {
	for _, shape := range c.shapes {
		err := shape.Open(owner)
		if err != nil && (!c.o.AsReference.UnspendableOwners || errors.Is(err, ErrNestedScript)) {
			return err
		}
	}
	return nil
}

// redeem checks that an issuer approves burned tokens, if the network has
// issuers.
func (c *check) redeem(a *transfer.Action) error {
	needed := needsIssuer(c, a)
	switch {
	case !needed && len(a.Issuer) > 0 && !c.o.AsReference.IdleIssuer:
		return ErrIdleIssuer
	case !needed:
		return nil
	case len(a.Issuer) == 0:
		return ErrNoIssuer
	case !listed(c.params.Issuers(), a.Issuer) && !c.o.AsReference.RedeemByAnyone:
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
