package validator

import (
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/issue"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/token"
	"github.com/zkatbench/zkatbench/token/crypto/group"
)

// issueAction is an issue as an action.
type issueAction struct{ *issue.Action }

var issueRules = []actionRule[*issue.Action]{
	{"issue: proof system", func(c *check, a *issue.Action) error { return c.system(a.Proof) }},
	{"issue: issuer", (*check).issuer},
	{"issue: inputs", (*check).burned},
	{"issue: owners", func(c *check, a *issue.Action) error { return c.owners(a.Outputs, true) }},
	{"issue: metadata", func(_ *check, a *issue.Action) error { return counted(a.Metadata, nil) }},
}

func (a issueAction) created(g group.Group, j int) []byte { return stored(g, a.Outputs[j]) }
func (a issueAction) applyRules(c *check, index int) error {
	return apply(c, index, issueRules, a.Action)
}
func (a issueAction) requireSigners(c *check, index int) { c.require(index, "issuer", a.Issuer, false) }
func (a issueAction) accept(accepted *Accepted) {
	accepted.Issues = append(accepted.Issues, a.Action)
}

func (a issueAction) spend(_ *check, f func(id token.ID, raw []byte) error) error {
	for _, in := range a.Inputs {
		if err := f(in.ID, in.Token); err != nil {
			return err
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
	if len(a.Inputs) > 0 && len(c.params.Issuers()) == 0 && !c.tolerates(BurnedByAnyone) {
		return ErrBurnNoIssuer
	}
	for i, in := range a.Inputs {
		if token.IsHidden(in.Token) && !c.tolerates(HiddenBurned) {
			return fmt.Errorf("input %d: %w", i, ErrBurn)
		}
	}
	return nil
}
