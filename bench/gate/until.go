package gate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Trial measures two sides in turns until all their cases are decided.
type Trial struct {
	Base, Head *result.Contender
	Noise      [2]*result.Contender // both measure the base
	Flags      result.Flags
	Rules      Rules
	Count      int           // results of each side before the first look
	Budget     time.Duration // no measurement starts after it
	Seed       uint64        // seed of the order within each block
	Show       func(result.Progress)
}

// noiseShare is the divisor of the budget for the base against itself: it may
// take a third.
const noiseShare = 3

// Run first measures the base against itself, then base against head. With an
// error it also returns the report so far.
func (t Trial) Run(ctx context.Context) (Report, error) {
	var keys [2][]result.Key
	for i, side := range []*result.Contender{t.Base, t.Head} {
		found, err := side.Cases(ctx, t.Flags)
		if err != nil {
			return Report{Interrupted: ctx.Err() != nil}, err
		}
		keys[i] = slices.DeleteFunc(found, t.Rules.ignoresCase)
	}
	keys[1] = t.Head.Adopt(keys[1], t.Base, keys[0])
	missing, both := split(keys[0], keys[1])
	fresh, _ := split(keys[1], keys[0])
	m := &measuring{Trial: t, rng: rand.New(rand.NewPCG(t.Seed, 0)), started: time.Now()}
	m.of = len(both) * (blocks(t.Count/2) + blocks(t.Count))
	r, err := m.run(ctx, both)
	r.Unmeasured = slices.DeleteFunc(both, func(k result.Key) bool {
		return t.Base.Data.Values[k] != nil && t.Head.Data.Values[k] != nil
	})
	// Cases that both sides have are missing from the results only if the trial
	// did not reach them.
	r.Missing = slices.DeleteFunc(r.Missing, func(c Cell) bool { return c.Unit == "" })
	for _, k := range missing {
		r.Missing = append(r.Missing, Cell{Key: k})
	}
	if m.spent(t.Budget) && len(r.open())+len(r.Unmeasured) > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("the budget of %v ended the trial", t.Budget))
	}
	r.New, r.Interrupted = fresh, ctx.Err() != nil
	return r, err
}

// split divides keys into the ones absent from others and the ones present.
func split(keys, others []result.Key) (not, have []result.Key) {
	for _, k := range keys {
		if slices.Contains(others, k) {
			have = append(have, k)
		} else {
			not = append(not, k)
		}
	}
	return not, have
}

// blocks returns the number of blocks that give at least n results of each
// side.
func blocks(n int) int { return (n + 1) / 2 }

// measuring is a trial in progress.
type measuring struct {
	Trial
	rng      *rand.Rand
	started  time.Time
	done, of int // blocks
}

// run measures and looks until no case is open or the budget is spent.
func (m *measuring) run(ctx context.Context, keys []result.Key) (Report, error) {
	err := m.rounds(ctx, m.Noise, keys, blocks(m.Count/2), m.Budget/noiseShare)
	if err != nil {
		return Report{}, err
	}
	j := Judge{Rules: m.Rules}
	sides := [2]*result.Contender{m.Base, m.Head}
	open, n := keys, 0
	for {
		more := blocks(max(m.Count, int(stats.NextLook(float64(n))+0.5)) - n)
		m.of = max(m.of, m.done+more*len(open))
		err := m.rounds(ctx, sides, open, more, m.Budget)
		n += 2 * more
		// Within each block, base was measured twice too.
		j.Floor = FloorOf(Twins{m.Noise[0].Data, m.Noise[1].Data}, TwinsOf(m.Base.Data.Alternate()))
		r := j.Look(m.Base.Data, m.Head.Data)
		open = r.open()
		if err != nil || len(open) == 0 || r.exactRegression() || m.spent(m.Budget) {
			return r, err
		}
	}
}

func (m *measuring) spent(budget time.Duration) bool { return time.Since(m.started) >= budget }

// rounds measures blocks of all cases, times times or until the budget is
// spent.
func (m *measuring) rounds(ctx context.Context, sides [2]*result.Contender, keys []result.Key, times int, budget time.Duration) error {
	for range times {
		for _, k := range keys {
			if m.spent(budget) {
				return nil
			}
			if err := result.Block(ctx, sides, m.Flags, k, m.rng); err != nil {
				return err
			}
			m.done++
			p := result.Progress{Done: m.done, Of: max(m.of, m.done), Case: k}
			p.Remaining = min(result.Remaining(m.started, p.Done, p.Of), m.Budget-time.Since(m.started))
			m.Show(p)
		}
	}
	return nil
}
