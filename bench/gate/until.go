package gate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Trial measures two sides in turns until all their cases are decided.
type Trial struct {
	Base, Head *result.Contender
	Flags      result.Flags
	Rules      Rules
	Count      int // results of each side before the first look
	// Layouts is the number of layouts of each side that are linked after each look,
	// while cases are open, up to mostLayouts; 0 if layouts cannot be linked.
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
	building := time.Since(t.Started)
	within, cancel := context.WithDeadline(ctx, t.Started.Add(t.most()))
	defer cancel()
	var keys [2][]result.Key
	var all []result.Key
	for i, side := range []*result.Contender{t.Base, t.Head} {
		found, err := side.Cases(within, t.Flags)
		if ended(ctx, within, err) {
			return Report{
				Notes: []string{
					fmt.Sprintf("the budget of %v was spent before the first measurement: raise -budget",
						t.Budget),
				},
			}, nil
		}
		if err != nil {
			return Report{Interrupted: ctx.Err() != nil}, err
		}
		all = append(all, found...)
		keys[i] = slices.DeleteFunc(found, t.Rules.ignoresCase)
	}
	gone, both := split(keys[0], keys[1])
	more, _ := split(keys[1], keys[0])
	both = t.Shard.Select(both, nil)
	m := &measuring{Trial: t, within: within, rng: rand.New(rand.NewPCG(t.Seed, 0)), measured: time.Now(),
		built: building}
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
		const note = "the budget of %v ended the trial: building took %v, measuring %v"
		r.Notes = append(r.Notes, fmt.Sprintf(note, t.Budget, m.built.Round(100*time.Millisecond),
			(time.Since(t.Started)-m.built).Round(100*time.Millisecond)))
	}
	for _, k := range more {
		r.New = append(r.New, Cell{Key: k})
	}
	for _, none := range result.Unmatched(all, t.Flags.Bench) {
		r.Incomplete = append(r.Incomplete, "no name matches -bench="+none)
	}
	r.Interrupted = ctx.Err() != nil
	return r, errors.Join(err, t.record(r))
}

// record writes the cases that the files of both sides lack into them.
func (t Trial) record(r Report) (err error) {
	for _, c := range r.Missing {
		if c.Unit == "" {
			err = errors.Join(err, t.Head.Lacks(c.Key.String()+" is missing"))
		}
	}
	for _, why := range r.Incomplete {
		err = errors.Join(err, t.Base.Lacks(why))
	}
	for _, k := range r.Unmeasured {
		err = errors.Join(err, t.Base.Lacks(k.String()+" was not measured"))
	}
	return err
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

// mostLayouts bounds the layouts of each side that are linked after looks. With so many,
// layouts of 2 % standard deviation hide a change of 5 % in 1 of 20 trials.
const mostLayouts = 21

// most is the time after which processes are ended: a tenth more than the budget. After the budget, processes
// are not started.
func (t Trial) most() time.Duration {
	const century = 100 * 365 * 24 * time.Hour
	return min(t.Budget, century) / 10 * 11
}

// ended reports an error that follows from the end of within alone.
func ended(ctx, within context.Context, err error) bool {
	return err != nil && ctx.Err() == nil && within.Err() != nil
}

// blocks returns the number of blocks that give at least n results of each
// side.
func blocks(n int) int { return (n + 1) / 2 }

// measuring is a trial in progress.
type measuring struct {
	Trial
	within      context.Context // ends the processes that outlast the budget
	rng         *rand.Rand
	measured    time.Time     // since when
	built       time.Duration // time of builds and links
	done, total int           // blocks
	profiles    []Profiles
}

// run measures and looks until no case is open or the budget is spent.
func (m *measuring) run(ctx context.Context, keys []result.Key) (Report, error) {
	j := Judge{Rules: m.Rules}
	sides := [2]*result.Contender{m.Base, m.Head}
	open, n := keys, 0
	next, linked := m.Count, 0
	for {
		more := blocks(next - n)
		m.total = max(m.total, m.done+more*len(open))
		err := m.rounds(ctx, sides, open, more)
		n += 2 * more
		// Within each block, base was measured twice.
		j.Floor = floorOf(m.Base.Data, odd)
		j.More = m.Layouts > 0 && !m.spent()
		r := j.Look(m.Base.Data, m.Head.Data)
		for _, side := range sides {
			err = errors.Join(err, side.Judged(result.Look{More: j.More}))
		}
		if err == nil && m.Profile {
			m.profiles, err = m.profiled(m.within, r, m.profiles)
			if ended(ctx, m.within, err) {
				err = nil
			}
		}
		r.add(m.profiles)
		open = r.open()
		if err != nil || len(open) == 0 || r.exactRegression() || m.spent() {
			return r, err
		}
		next = max(n+2, int(stats.NextLook(float64(n))+0.5))
		if m.Layouts > 0 {
			linked += m.Layouts
			err := m.link(sides, open)
			if ended(ctx, m.within, err) {
				return r, nil
			}
			if err != nil {
				return r, err
			}
			next = n + m.Count // as many results as the first layouts have
			if linked >= mostLayouts {
				m.Layouts = 0
			}
		}
	}
}

// link links further layouts of open cases while the share of the budget for building lasts. After it the
// cases are measured with the layouts until then.
func (m *measuring) link(sides [2]*result.Contender, open []result.Key) (err error) {
	begun := time.Now()
	building, cancel := context.WithTimeout(m.within, BuildingShare(m.Budget)-m.built)
	defer cancel()
	m.Show(result.Progress{Step: fmt.Sprintf("linking %s more of %s", text.Plural(m.Layouts, "layout"),
		text.Plural(len(open), "open case"))})
	for _, side := range sides {
		err = side.Relink(building, open, m.Layouts)
		if err != nil {
			break
		}
	}
	m.built += time.Since(begun)
	if ended(m.within, building, err) {
		m.Layouts, err = 0, nil
	}
	return err
}

// BuildingShare is the part of a budget that builds and links may take.
func BuildingShare(budget time.Duration) time.Duration { return budget / 4 * 3 }

func (m *measuring) spent() bool { return time.Since(m.Started) >= m.Budget }

// rounds measures blocks of all cases, times times or until the budget is
// spent.
func (m *measuring) rounds(ctx context.Context, sides [2]*result.Contender, keys []result.Key,
	times int) error {
	for range times {
		for _, k := range keys {
			if m.spent() {
				return nil
			}
			err := result.Block(m.within, sides, m.Flags, k, m.rng, m.spent)
			if ended(ctx, m.within, err) {
				return nil
			}
			if err != nil {
				return err
			}
			m.done++
			p := result.Progress{Done: m.done, Of: max(m.total, m.done), Case: k}
			p.Remaining = max(0,
				min(result.Remaining(m.measured, p.Done, p.Of), m.Budget-time.Since(m.Started)))
			m.Show(p)
		}
	}
	return nil
}
