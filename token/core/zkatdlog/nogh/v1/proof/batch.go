package proof

import (
	"errors"
	"fmt"

	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/rangeproof"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
)

// RejectedError says which action of a batch is wrong, Unknown if that was not
// looked for, and wraps the reason.
type RejectedError struct {
	Index int
	Err   error
}

func (e *RejectedError) Error() string { return fmt.Sprintf("action %d: %v", e.Index, e.Err) }

func (e *RejectedError) Unwrap() error { return e.Err }

// ErrUnchecked says that a Claim is the zero value: no sigma proof was checked.
var ErrUnchecked = errors.New("claim was not checked")

// VerifyOne checks one action whose sigma proof claim checks.
func VerifyOne[A any](p *params.Params, a A, claim func(*params.Params, A) (Claim, error)) error {
	c, err := claim(p, a)
	if err != nil {
		return err
	}
	err = Verify([]Claim{c})
	var rejected *RejectedError
	if errors.As(err, &rejected) {
		return rejected.Err
	}
	return err
}

// VerifyBatch checks many actions, their range proofs in one equation. A
// *RejectedError names the first wrong one.
func VerifyBatch[A any](p *params.Params, actions []A, claim func(*params.Params, A) (Claim, error)) error {
	claims := make([]Claim, 0, len(actions))
	for i, a := range actions {
		c, err := claim(p, a)
		if err != nil {
			// A wrong range proof may stand before this action.
			if earlier := Verify(claims); earlier != nil {
				return earlier
			}
			return &RejectedError{Index: i, Err: err}
		}
		claims = append(claims, c)
	}
	return Verify(claims)
}

// Verify checks the range proofs of all claims, those of one system in one
// equation. A *RejectedError names the first wrong claim, or one that is the
// zero value.
func Verify(claims []Claim) error { return verify(claims, (*together).verify) }

// Unknown is the Index of a RejectedError about some of many.
const Unknown = -1

// Judge is Verify that looks for the wrong claim among few range proofs only,
// since that takes as long again, and requests of enemies should not. The Index
// is else Unknown.
func Judge(claims []Claim) error { return verify(claims, (*together).judge) }

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

// together is the items of one system, each with the index of its claim.
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

// few range proofs are those among which a wrong one is looked for.
const few = 8

func (g *together) judge() *RejectedError {
	if len(g.items) <= few {
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
