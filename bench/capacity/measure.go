package capacity

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench"
	"github.com/zkatbench/zkatbench/runner/cputime"
)

const (
	// environments of each operation are set up and used in turns.
	environments = 4
	// rounds of all choices are spread over the measurement: a machine is faster in
	// some minutes than in others. Six are the fewest with an interval of a median.
	rounds = 6
	// minTurns and maxTurns bound the turns of a choice in a round. Operations on the
	// first action of a role take each turn, those on other actions every otherTurns,
	// and those on several requests every batchTurns.
	minTurns, maxTurns     = 7, 500
	otherTurns, batchTurns = 4, 6
)

// Measure measures the operations of all choices on one thread, in its processor
// time: other programs do not count, and of the garbage collector only what
// operations assist. In each round the choices take turns, and the operations of a
// choice; the speed-up of the first choice is measured between rounds. It takes some
// time with all set-up, shows its progress, and gives the results in Go benchmark format
// to keep. If ctx ends, so does Measure, with its error.
func (s Subject) Measure(ctx context.Context, choices []Choice, budget time.Duration, progress func(done, total int), keep func(lines ...string) error) (all []Costs, u SpeedUp, err error) {
	begin := time.Now()
	var prepared [][]*timed
	for _, c := range choices {
		jobs, err := s.jobs(c)
		if err != nil {
			return nil, u, err
		}
		var ts []*timed
		for _, j := range jobs {
			t, err := prepare(ctx, j)
			if err != nil {
				return nil, u, fmt.Errorf("%s: %w", c.Name, err)
			}
			ts = append(ts, t)
		}
		all, prepared = append(all, s.newCosts(c)), append(prepared, ts)
	}
	parts, done := rounds*len(choices), 0
	for round := range rounds {
		for _, ts := range prepared {
			left := budget - time.Since(begin)
			if err := turns(ctx, ts, round, left/time.Duration(parts-done)); err != nil {
				return nil, u, err
			}
			done++
			progress(done, parts)
		}
		if err := u.round(ctx, prepared[0]); err != nil {
			return nil, u, err
		}
	}
	for i, ts := range prepared {
		for _, t := range ts {
			all[i].set(t.job, t.sample)
			if err := keep(t.lines()...); err != nil {
				return nil, u, err
			}
		}
	}
	u.fit()
	return all, u, nil
}

// turns measures the operations of a choice for a time.
func turns(ctx context.Context, ts []*timed, round int, budget time.Duration) error {
	runtime.GC() // the garbage of others is not that of the operations
	begin := time.Now()
	for _, t := range ts {
		t.sample.Rounds = append(t.sample.Rounds, nil)
	}
	for turn := 0; turn < maxTurns && (turn < minTurns || time.Since(begin) <= budget); turn++ {
		for _, t := range ts {
			if turn%t.every != 0 {
				continue
			}
			if err := errors.Join(ctx.Err(), t.once(round, turn)); err != nil {
				return err
			}
		}
	}
	return nil
}

// timed is a job with its environments and its samples.
type timed struct {
	job
	in     []bench.Instance
	sample Sample
}

// prepare sets up the environments of a job and tries the first one.
func prepare(ctx context.Context, j job) (*timed, error) {
	t := &timed{job: j, sample: Sample{Figures: map[string]float64{}}}
	n := environments
	if j.batch > 0 {
		n = 1
	}
	for seed := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		in, err := j.op.New(j.c, uint64(seed))
		if err != nil {
			return nil, err
		}
		t.in = append(t.in, in)
	}
	figures, err := t.in[0].Try()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.op.Name, err)
	}
	for _, f := range figures {
		t.sample.Figures[f.Unit] = f.Value
	}
	return t, nil
}

// once times one operation.
func (t *timed) once(round, turn int) error {
	in := t.in[turn%len(t.in)]
	meter := cputime.ThreadMeter()
	defer meter.Close()
	meter.Start()
	out, err := in.Work()
	meter.Stop()
	runtime.KeepAlive(out)
	if took := meter.Sum().Seconds(); took > 0 {
		t.sample.Rounds[round] = append(t.sample.Rounds[round], took)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t.op.Name, err)
	}
	return nil
}

// lines are the samples in Go benchmark format.
func (t *timed) lines() (lines []string) {
	var figures strings.Builder
	for _, unit := range slices.Sorted(maps.Keys(t.sample.Figures)) {
		fmt.Fprintf(&figures, "\t%v %s", t.sample.Figures[unit], unit)
	}
	for round, values := range t.sample.Rounds {
		for _, took := range values {
			line := fmt.Sprintf("Benchmark%s/%s\t1\t%.0f cpu-ns/op\t%d %s", t.op.Name, t.c.Name(), 1e9*took, round, roundUnit)
			if len(lines) == 0 { // figures that are equal in all of them
				line += figures.String()
			}
			lines = append(lines, line)
		}
	}
	return lines
}
