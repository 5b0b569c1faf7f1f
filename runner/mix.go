package runner

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/zkatbench/zkatbench/runner/result"
)

// A Share is an operation of a Mix.
type Share struct {
	Name   string
	Weight float64 // relative to the other shares; above 0
	Op     Operation
}

// Mix returns an operation that calls one of several operations each time, drawn
// by weight in an order determined by Config.Seed and the worker. The Result has
// the figures of all of them together, and in Parts the figures of each. Its calls are
// never batched.
func Mix(shares ...Share) Operation {
	return Operation{
		policy: "mix", mix: shares,
		once: func(ctx context.Context) error {
			for _, s := range shares {
				if s.Op.once == nil {
					continue
				}
				if err := s.Op.once(ctx); err != nil {
					return fmt.Errorf("%s: %w", s.Name, err)
				}
			}
			return nil
		},
		bind: func(ctx context.Context, b binding) (bound, error) { return bindMix(ctx, b, shares) },
	}
}

// maxShares bounds the operations of a Mix: each takes as much memory in every
// worker as a single operation.
const maxShares = 64

func checkMix(shares []Share) error {
	if len(shares) == 0 || len(shares) > maxShares {
		return fmt.Errorf("%w: a mix of %d operations, which are not 1 to %d", ErrConfig, len(shares),
			maxShares)
	}
	names := map[string]bool{}
	for _, s := range shares {
		switch {
		case s.Name == "" || names[s.Name]:
			return fmt.Errorf("%w: a mix in which %q names no operation, or two", ErrConfig, s.Name)
		case !(s.Weight > 0) || math.IsInf(s.Weight, 0):
			return fmt.Errorf("%w: the weight of %s is %g, which is not above 0", ErrConfig, s.Name, s.Weight)
		case s.Op.bind == nil || s.Op.mix != nil:
			return fmt.Errorf("%w: %s is the zero Operation or a mix itself", ErrConfig, s.Name)
		}
		names[s.Name] = true
	}
	return nil
}

// bindMix binds all operations of a mix and returns one that draws among them by weight. If any
// of them prepares its input, the draw is made in the preparation.
func bindMix(ctx context.Context, b binding, shares []Share) (bound, error) {
	if err := checkMix(shares); err != nil {
		return bound{}, err
	}
	var parts []bound
	var upTo []float64 // sums of weights
	all, prepares := 0.0, false
	for _, s := range shares {
		p, err := s.Op.bind(ctx, b)
		if err != nil {
			return bound{}, fmt.Errorf("%s: %w", s.Name, err)
		}
		all += s.Weight
		parts, upTo = append(parts, p), append(upTo, all)
		prepares = prepares || p.before != nil
	}
	at := new(int)
	random := rand.New(rand.NewPCG(b.seed, uint64(b.worker)+1))
	draw := func() *bound {
		x := random.Float64() * all
		for *at = 0; *at < len(upTo)-1 && x >= upTo[*at]; *at++ {
		}
		return &parts[*at]
	}
	mixed := bound{part: at, parts: len(parts), work: func(ctx context.Context) error {
		return draw().work(ctx)
	}}
	if prepares {
		mixed.before = func(ctx context.Context) error {
			if p := draw(); p.before != nil {
				return p.before(ctx)
			}
			return nil
		}
		mixed.work = func(ctx context.Context) error { return parts[*at].work(ctx) }
	}
	return mixed, nil
}

// recordPart counts the same as count, for the operation of a mix that was
// called. The caller holds the lock of w.
func (w *worker) recordPart(planned, start, end moment, n int, err error) {
	if w.op.part == nil {
		return
	}
	w.parts[*w.op.part].others = w.others
	w.parts[*w.op.part].count(planned, start, end, n, err)
}

// fillParts sets r.Parts from the records of all workers.
func (r measuring) fillParts(shares []Share, ws []*worker, p *phase) {
	for i, s := range shares {
		var workers []*worker
		for _, w := range ws {
			w.parts[i].Exited = true // the run counts abandoned operations
			workers = append(workers, w.parts[i])
		}
		g := gather(workers)
		one := measuring{Result: &result.Result{
			Version: result.Version, Config: r.Config, Started: r.Started, End: r.End,
			Interrupted: r.Interrupted, SetUp: s.Op.policy, Clock: r.Clock,
		}}
		one.fill(g, p)
		one.Elapsed, one.Abandoned, one.Control = r.Elapsed, 0, result.Control{}
		if one.Open != nil {
			one.Open.Offered, one.Open.Started = int64(g.Calls), int64(g.Calls)
			one.Open.Backlog, one.Open.Present = 0, nil
		}
		r.Parts = append(r.Parts, result.Part{Name: s.Name, Weight: s.Weight, Result: one.Result})
	}
}
