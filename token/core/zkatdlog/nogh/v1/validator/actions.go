package validator

import (
	"errors"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/identity"
	"github.com/zkatbench/zkatbench/token/core/identity/hashed"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/proof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// action is a decoded action of a request: an issueAction, a transferAction or a
// clearAction.
type action interface {
	proof.Action
	// created returns new token j as the ledger stores it, nil if it is redeemed.
	created(g group.Group, j int) []byte
	Sizes() token.Sizes
	// applyRules applies the rules of the kind of action. Errors name the rule.
	applyRules(c *check, index int) error
	// requireSigners lists the required signers in the order of their signatures.
	requireSigners(c *check, index int)
	// spend calls f for each input with its bytes on the ledger.
	spend(c *check, f func(id token.ID, raw []byte) error) error
	// accept adds the action to the effects of the request.
	accept(a *Accepted)
}

// stored returns a token as the ledger stores it, nil if it is redeemed.
func stored(g group.Group, t token.Token) []byte {
	if t.IsRedeemed() {
		return nil
	}
	return t.Encode(g)
}

// placed is an action with its index in the request.
type placed struct {
	action
	index int
}

// An actionRule accepts or refuses one action, A.
type actionRule[A any] struct {
	name  string
	check func(*check, A) error
}

func (c *check) actionRules() error {
	for _, a := range c.actions {
		c.at = a.index
		if err := a.applyRules(c, a.index); err != nil {
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

// system checks that the protocol and the range-proof system of a proof are in the
// parameters and allowed.
func (c *check) system(p proof.Proof) error {
	protocol := p.Protocol()
	if err := protocol.Accepts(c.params, p.Kind); err != nil {
		return err
	}
	if !protocol.Sound(p.Kind) && (!c.o.AllowUnsoundV1Bulletproofs || c.params.Protocols().SoundV1) {
		return ErrUnsound
	}
	return nil
}

// owners checks that the owners of new tokens can spend them later. untyped says
// that the reference accepts owners that are not typed identities.
func (c *check) owners(outputs []token.Token, untyped bool) error {
	for j, out := range outputs {
		if out.IsRedeemed() {
			continue
		}
		typed, err := identity.Decode(out.Owner)
		switch {
		case err == nil:
			err = c.spendable(j, typed, out)
		case untyped && c.tolerates(UnspendableOwners):
			err = nil
		}
		if err != nil {
			return fmt.Errorf("output %d: %w", j, err)
		}
	}
	return nil
}

// spendable checks that the owner of output j can sign: a plain one has a known
// type, one with several parties can be opened with all of them, and one by hash is of
// a token of v2.
func (c *check) spendable(j int, typed identity.Typed, out token.Token) error {
	if typed.Type == identity.Hashed && out.V2 && c.hashAllowed() {
		return hashed.CheckLen(typed.Raw)
	}
	if _, plain := c.o.Identities[typed.Type]; plain {
		return nil
	}
	if c.makers == nil {
		left := budget(c.o.Limits.Verifications)
		c.makers = composites{
			check: c, plain: left.limited(c.o.Identities), nested: refuseNested, rule: identity.Distinct,
		}.registry(0)
	}
	proof, err := c.makers.BeginOpen(out.Owner)
	switch {
	case err == nil && proof != nil && !c.allows(UnspendableOwners):
		c.opened = append(c.opened,
			signature{action: c.at, role: fmt.Sprintf("owner of output %d", j), proof: proof})
	case err == nil:
	case errors.Is(err, ErrManySigners) && c.allows(UnspendableOwners):
	case errors.Is(err, ErrNestedScript) && c.tolerates(NestedScripts):
	case !errors.Is(err, ErrNestedScript) && c.tolerates(UnspendableOwners):
	default:
		return err
	}
	return nil
}
