package limb

import (
	"context"
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/scheme/p256/limb/proofcheck"
)

// A Verdict answers a question of head-room.
type Verdict int

const (
	// ProvedSafe: no accumulator can leave a word.
	ProvedSafe Verdict = iota
	// HasWitness: there are operands with a wrong product.
	HasWitness
	// Unknown: a bound is crossed, and no witness was found.
	Unknown
)

func (v Verdict) String() string {
	return [...]string{ProvedSafe: "proved safe", HasWitness: "witness", Unknown: "unknown"}[v]
}

// A Result is the answer to a question of head-room, with the grounds for it.
type Result struct {
	Setting
	Verdict Verdict
	// Peak is the largest bound of an accumulator if the verdict is ProvedSafe,
	// else the first bound that leaves the word.
	Peak Bound
	// Proof is set if the verdict is ProvedSafe and covers programs of any
	// length, not only one product.
	Proof *Proof
	// Witness is set if the verdict is HasWitness.
	Witness *Witness
	// Tried says how far the search for a witness went.
	Tried Tried
}

// Headroom answers the question s: by proof, or else by a search for a witness
// that ends with ctx or with the search's own bound. A verdict ProvedSafe has
// been verified by package proofcheck. The error is that of Setting.Validate.
func Headroom(ctx context.Context, s Setting, search Search) (*Result, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	a := newAnalysis(s)
	r := &Result{Setting: s}
	var invariant []interval
	safe := false
	if s.Operand == Decoded {
		invariant = a.fixPoint()
		safe = invariant != nil
	} else {
		safe = a.oneProduct()
	}
	if safe {
		r.Peak = a.peak
		if invariant != nil {
			r.Proof = a.proof(invariant)
			if err := r.Proof.check(); err != nil {
				return nil, err
			}
		}
		return r, nil
	}
	r.Verdict, r.Peak = Unknown, *a.over
	if r.Witness, r.Tried = search.Find(ctx, s); r.Witness != nil {
		r.Verdict = HasWitness
	}
	return r, nil
}

// check verifies p by package proofcheck.
func (p *Proof) check() error {
	raw, err := p.Encode()
	if err != nil {
		return err
	}
	c, err := proofcheck.Check(raw)
	if err != nil {
		return err
	}
	if c.ModulusBits != p.ModulusBits || !slices.Equal(c.Terms, p.Terms) || c.Bits != p.Bits || c.Limbs != p.Limbs ||
		c.Word != p.Word || c.Passes != p.Passes || c.MaxAdds != p.MaxAdds {
		return fmt.Errorf("limb: the proof shows another claim: %+v", c)
	}
	return nil
}
