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
	Flags      result.Flags
	Rules      Rules
	Count      int // results of each side before the first look
	// Layouts is the number of further layouts of each side that confirm a change of
	// time, after the first look; 0 if none can be built.
	Layouts int
	Started time.Time     // of the budget; the start of Run if it is zero
	Budget  time.Duration // no measurement starts after it
	Profile bool          // name the functions of regressions of time
	Seed    uint64        // seed of the order within each block
	Shard   result.Shard  // part of the cases
	Show    func(result.Progress)
}

// Run measures base against head. With an error it also returns the report so far.
func (t Trial) Run(ctx context.Context) (Report, error) {
	if t.Started.IsZero() {
		t.Started = time.Now()
	}
	if len(t.Base.Binaries) > 0 {
		t.Head.Module = t.Base.Binaries[0].Module // so that the packages of two modules match
	}
	var keys [2][]result.Key
	for i, side := range []*result.Contender{t.Base, t.Head} {
		found, err := side.Cases(ctx, t.Flags)
		if err != nil {
			return Report{Interrupted: ctx.Err() != nil}, err
		}
		keys[i] = slices.DeleteFunc(found, t.Rules.ignoresCase)
	}
	gone, both := split(keys[0], keys[1])
	more, _ := split(keys[1], keys[0])
	both = t.Shard.Select(both, nil)
	m := &measuring{Trial: t, rng: rand.New(rand.NewPCG(t.Seed, 0)), measured: time.Now()}
	r, err := m.run(ctx, both)
	r.Unmeasured = slices.DeleteFunc(both, func(k result.Key) bool {
		return t.Base.Data.Values[k] != nil && t.Head.Data.Values[k] != nil
	})
	// Cases that both sides have are missing from the results only if the trial
	// did not reach them.
	r.Missing = slices.DeleteFunc(r.Missing, func(c Cell) bool { return c.Unit == "" })
	for _, k := range gone {
		r.Missing = append(r.Missing, Cell{Key: k})
	}
	if m.spent() && len(r.open())+len(r.Unmeasured) > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("the budget of %v ended the trial", t.Budget))
	}
	r.New, r.Interrupted = more, ctx.Err() != nil
	return r, err
}

// split divides keys into absent and present in others.
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
	rng         *rand.Rand
	measured    time.Time // since when
	done, total int       // blocks
	profiles    []Profiles
}

// run measures and looks until no case is open or the budget is spent.
func (m *measuring) run(ctx context.Context, keys []result.Key) (Report, error) {
	j := Judge{Rules: m.Rules, Fewest: m.Count}
	sides := [2]*result.Contender{m.Base, m.Head}
	open, n, next := keys, 0, m.Count
	for {
		more := blocks(next - n)
		m.total = max(m.total, m.done+more*len(open))
		err := m.rounds(ctx, sides, open, more)
		n += 2 * more
		// Within each block, base was measured twice.
		j.Floor = floorOf(m.Base.Data, odd)
		j.More = m.Layouts > 0 && !m.spent()
		r := j.Look(m.Base.Data, m.Head.Data)
		if err == nil && m.Profile {
			m.profiles, err = m.profiled(ctx, r, m.profiles)
		}
		r.add(m.profiles)
		open = r.open()
		if err != nil || len(open) == 0 || r.exactRegression() || m.spent() {
			return r, err
		}
		next = max(n+2, int(stats.NextLook(float64(n))+0.5))
		if m.Layouts > 0 {
			for _, side := range sides {
				if err := side.Relink(ctx, open, m.Layouts); err != nil {
					return r, err
				}
			}
			m.Layouts, next = 0, n+m.Count // as many results as the first layouts have
		}
	}
}

func (m *measuring) spent() bool { return time.Since(m.Started) >= m.Budget }

// rounds measures blocks of all cases, times times or until the budget is
// spent.
func (m *measuring) rounds(ctx context.Context, sides [2]*result.Contender, keys []result.Key, times int) error {
	for range times {
		for _, k := range keys {
			if m.spent() {
				return nil
			}
			if err := result.Block(ctx, sides, m.Flags, k, m.rng, m.spent); err != nil {
				return err
			}
			m.done++
			p := result.Progress{Done: m.done, Of: max(m.total, m.done), Case: k}
			p.Remaining = max(0, min(result.Remaining(m.measured, p.Done, p.Of), m.Budget-time.Since(m.Started)))
			m.Show(p)
		}
	}
	return nil
}
