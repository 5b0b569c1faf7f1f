package limb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/internal/text"
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

var verdicts = [...]string{ProvedSafe: "proved safe", HasWitness: "witness", Unknown: "unknown"}

func (v Verdict) String() string { return verdicts[v] }

// A Result is the answer to a question of head-room, with the grounds for it.
type Result struct {
	Setting
	Verdict Verdict
	// Peak is the largest bound of an accumulator if the verdict is ProvedSafe,
	// otherwise the first bound that leaves the word.
	Peak Bound
	// Proof is set if the verdict is ProvedSafe. It covers programs of any length.
	Proof *Proof
	// Witness is set if the verdict is HasWitness.
	Witness *Witness
	// Pairs is the number of pairs that the search for a witness tried.
	Pairs int
}

// Headroom answers the question s: by proof, otherwise by a search for a witness
// that ends with ctx or with the search's own bound. A verdict ProvedSafe has
// been verified by package proofcheck. It returns the error of Setting.Validate.
func Headroom(ctx context.Context, s Setting, search Search) (*Result, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	a := newAnalysis(s)
	r := &Result{Setting: s}
	if invariant := a.fixPoint(); invariant != nil {
		r.Peak, r.Proof = a.peak, a.proof(invariant)
		if err := r.Proof.check(); err != nil {
			return nil, err
		}
		return r, nil
	}
	r.Verdict, r.Peak = Unknown, *a.over
	r.Witness, r.Pairs = search.find(ctx, s)
	if r.Witness != nil {
		r.Verdict = HasWitness
	}
	return r, nil
}

// HeadroomWithin is Headroom with a search for a witness that ends after budget. It returns ctx's error
// if ctx ends.
func HeadroomWithin(ctx context.Context, budget time.Duration, s Setting, search Search) (*Result, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	r, err := Headroom(bounded, s, search)
	return r, cmp.Or(err, ctx.Err())
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
	want := proofcheck.Claim{
		ModulusBits: p.ModulusBits, Terms: p.Terms, Bits: p.Bits, Limbs: p.Limbs,
		Word: p.Word, Passes: p.Passes, ExtraTop: p.ExtraTop, MaxAdds: p.MaxAdds,
	}
	if !reflect.DeepEqual(c, want) {
		return fmt.Errorf("limb: the proof shows another claim: %+v", c)
	}
	return nil
}

// ErrNotProved reports a setting without a proof.
var ErrNotProved = errors.New("limb: not proved safe")

// MostAdds returns the result of the largest MaxAdds for which s is proved
// safe, or ErrNotProved if it is not for 0. It makes no search.
func MostAdds(ctx context.Context, s Setting) (best *Result, err error) {
	never, cancel := context.WithCancel(ctx)
	cancel()
	for s.MaxAdds = 0; ; s.MaxAdds++ {
		r, err := Headroom(never, s, Search{})
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return nil, err
		case r.Verdict == ProvedSafe:
			best = r
		case best == nil:
			return nil, ErrNotProved
		default:
			return best, nil
		}
	}
}

// String describes the question.
func (s Setting) String() string {
	return fmt.Sprintf("%s, %v, %s, up to %s before a product", s.Modulus.Name, s.Geometry, s.reduction(),
		text.Plural(s.MaxAdds, "addition"))
}

// reduction describes the final reduction.
func (s Setting) reduction() string {
	passes := text.Plural(s.Passes, "pass")
	if s.ExtraTop {
		passes += " with an extra reduction of the top limb"
	}
	return passes
}

// String is the report on r, in lines: bounds, witness, search, verdict.
func (r *Result) String() string {
	if r.Peak.Size == nil {
		return "no verdict\n"
	}
	var b strings.Builder
	if r.Verdict == ProvedSafe {
		fmt.Fprintf(&b, "bounds: %s reaches %v, 2^%d is %.4g times as much\n", r.Peak.Where, r.Peak.Size,
			r.Word-1, r.Margin(r.Peak.Size))
		top := r.Proof.Invariant[r.Limbs-1]
		fmt.Fprintf(&b, "bounds: the top limb of a result is from %d to %d\n", top[0], top[1])
	} else {
		fmt.Fprintf(&b, "bounds: %s reaches %v > 2^%d - 1\n", r.Peak.Where, r.Peak.Size, r.Word-1)
	}
	if w := r.Witness; w != nil {
		factor := fmt.Sprint(1 << r.MaxAdds)
		if r.MaxAdds == 0 {
			factor = ""
		}
		fmt.Fprintf(&b, "witness: a = 0x%x b = 0x%x: (%sa)(%sb) wrong in %d bits\n", r.Value(w.A),
			r.Value(w.B), factor, factor, r.Word)
	}
	if r.Verdict == Unknown {
		fmt.Fprintf(&b, "search: %d pairs without a wrong product\n", r.Pairs)
	}
	fmt.Fprintf(&b, "verdict: %v\n", r.Verdict)
	return b.String()
}

// ClaimText returns a claim as words: the prime, the limbs, and the additions before a product.
func ClaimText(c proofcheck.Claim) string {
	m := Modulus{Bits: c.ModulusBits}
	for _, t := range c.Terms {
		m.Terms = append(m.Terms, Term{Coef: t[0], Exp: int(t[1])})
	}
	return fmt.Sprintf("p = 0x%x: %d limbs of %d bits, words of %d bits, %d passes, %d additions before a "+
		"product", m.P(), c.Limbs, c.Bits, c.Word, c.Passes, c.MaxAdds)
}
