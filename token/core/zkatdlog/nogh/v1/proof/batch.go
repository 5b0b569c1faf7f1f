package proof

import (
	"errors"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
)

// RejectedError names the wrong action of a batch, or Unknown if no search was
// made, and wraps the reason.
type RejectedError struct {
	Index int
	Err   error
}

func (e *RejectedError) Error() string { return fmt.Sprintf("action %d: %v", e.Index, e.Err) }

func (e *RejectedError) Unwrap() error { return e.Err }

// ErrUnchecked reports the zero Claim, for which no sigma proof was checked.
var ErrUnchecked = errors.New("claim was not checked")

// VerifyOne verifies one action; claim verifies its sigma proof.
func VerifyOne[A any](p *params.Params, a A, claim func(*params.Params, A) (Claim, error)) error {
	c, err := claim(p, a)
	if err != nil {
		return err
	}
	return c.VerifyBeside(nil)
}

// VerifyBeside verifies the range proofs of one claim, and may compute the sums of
// aside together with theirs.
func (c Claim) VerifyBeside(aside *rangeproof.Aside) error {
	if c.system == nil {
		return ErrUnchecked
	}
	if len(c.items) == 0 {
		return nil // one input and one output
	}
	return c.system.VerifyBeside(c.items, aside)
}

// VerifyBatch verifies many actions, their range proofs in one equation. claims
// returns the claims of the actions before the first wrong one and the reason for
// which that one is wrong. A *RejectedError names the first wrong action.
func VerifyBatch[A any](p *params.Params, actions []A, claims func(*params.Params, []A) ([]Claim, error)) error {
	if len(actions) == 0 {
		return nil
	}
	cs, err := claims(p, actions)
	// An action before the one that claims found may have a wrong range proof.
	if earlier := Verify(cs); earlier != nil {
		return earlier
	}
	if err != nil {
		return &RejectedError{Index: len(cs), Err: err}
	}
	return nil
}

// Each returns the claims of actions that claim makes one by one, for
// VerifyBatch.
func Each[A any](claim func(*params.Params, A) (Claim, error)) func(*params.Params, []A) ([]Claim, error) {
	return func(p *params.Params, actions []A) ([]Claim, error) {
		claims := make([]Claim, 0, len(actions))
		for _, a := range actions {
			c, err := claim(p, a)
			if err != nil {
				return claims, err
			}
			claims = append(claims, c)
		}
		return claims, nil
	}
}

// Verify verifies the range proofs of all claims, one equation for each system.
// A *RejectedError names the first claim that is wrong or the zero value.
func Verify(claims []Claim) error { return verify(claims, (*together).verify) }

// Unknown is the Index of a RejectedError without a search for the wrong
// action.
const Unknown = -1

// VerifyBounded is Verify with bounded work: it searches for the wrong claim
// only among at most maxSearched range proofs, since a search takes as long as
// the verification and malicious requests must not cause it. Otherwise the
// Index is Unknown.
func VerifyBounded(claims []Claim) error { return verify(claims, (*together).verifyBounded) }

func verify(claims []Claim, how func(*together) *RejectedError) error {
	groups := make(map[rangeproof.Kind]*together, 2)
	for i, c := range claims {
		if c.system == nil {
			return &RejectedError{Index: i, Err: ErrUnchecked}
		}
		if len(c.items) == 0 {
			continue // one input and one output
		}
		kind := c.system.Kind()
		if groups[kind] == nil {
			groups[kind] = &together{system: c.system}
		}
		groups[kind].add(i, c.items)
	}
	var first *RejectedError
	for _, g := range groups {
		if wrong := how(g); wrong != nil && (first == nil || wrong.Index < first.Index) {
			first = wrong
		}
	}
	if first != nil {
		return first
	}
	return nil
}

// together holds the items of one system, each with the index of its claim.
type together struct {
	system rangeproof.System
	items  []rangeproof.Item
	claim  []int
}

func (g *together) add(claim int, items []rangeproof.Item) {
	g.items = append(g.items, items...)
	for range items {
		g.claim = append(g.claim, claim)
	}
}

// maxSearched is the greatest number of range proofs among which VerifyBounded
// searches for the wrong one.
const maxSearched = 8

func (g *together) verifyBounded() *RejectedError {
	if len(g.items) <= maxSearched {
		return g.verify()
	}
	if g.system.Holds(g.items) {
		return nil
	}
	index := g.claim[0]
	if index != g.claim[len(g.claim)-1] {
		index = Unknown
	}
	return &RejectedError{Index: index, Err: rangeproof.ErrRejected}
}

func (g *together) verify() *RejectedError {
	err := g.system.Verify(g.items)
	if err == nil {
		return nil
	}
	wrong := &RejectedError{Err: err}
	var rejected *rangeproof.RejectedError
	if errors.As(err, &rejected) {
		wrong.Index = g.claim[rejected.Index]
	}
	return wrong
}
