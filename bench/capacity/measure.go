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
// time with all set-up, shows its progress, and returns the results in Go benchmark
// format. If ctx ends, so does Measure, with its error.
func (s Subject) Measure(ctx context.Context, choices []Choice, budget time.Duration, progress func(done, total int)) (lines []string, err error) {
	begin := time.Now()
	var prepared [][]*job
	for _, c := range choices {
		jobs, err := s.jobs(c)
		if err != nil {
			return nil, err
		}
		for _, j := range jobs {
			if err := j.prepare(ctx); err != nil {
				return nil, fmt.Errorf("%s: %w", c.Name, err)
			}
		}
		prepared = append(prepared, jobs)
	}
	parts, done := rounds*len(choices), 0
	var speeds []string
	for round := range rounds {
		for _, jobs := range prepared {
			left := budget - time.Since(begin)
			if err := turns(ctx, jobs, round, left/time.Duration(parts-done)); err != nil {
				return nil, err
			}
			done++
			progress(done, parts)
		}
		more, err := speedUpRound(ctx, prepared[0])
		if err != nil {
			return nil, err
		}
		speeds = append(speeds, more...)
	}
	for _, jobs := range prepared {
		for _, j := range jobs {
			lines = append(lines, j.lines()...)
		}
	}
	return append(lines, speeds...), nil
}

// turns measures the operations of a choice for a time.
func turns(ctx context.Context, jobs []*job, round int, budget time.Duration) error {
	runtime.GC() // the garbage of others is not that of the operations
	begin := time.Now()
	for _, j := range jobs {
		j.Rounds = append(j.Rounds, nil)
	}
	for turn := 0; turn < maxTurns && (turn < minTurns || time.Since(begin) <= budget); turn++ {
		for _, j := range jobs {
			if turn%j.every != 0 {
				continue
			}
			if err := errors.Join(ctx.Err(), j.once(round, turn)); err != nil {
				return err
			}
		}
	}
	return nil
}

// prepare sets up the environments of a job and tries the first one.
func (j *job) prepare(ctx context.Context) error {
	n := environments
	if j.Batch > 0 {
		n = 1
	}
	for seed := range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		in, err := j.op.New(j.c, uint64(seed))
		if err != nil {
			return err
		}
		j.in = append(j.in, in)
	}
	figures, err := j.in[0].Try()
	if err != nil {
		return fmt.Errorf("%s: %w", j.op.Name, err)
	}
	for _, f := range figures {
		j.Figures[f.Unit] = f.Value
	}
	return nil
}

// once times one operation.
func (j *job) once(round, turn int) error {
	in := j.in[turn%len(j.in)]
	meter := cputime.ThreadMeter()
	defer meter.Close()
	meter.Start()
	out, err := in.Work()
	meter.Stop()
	runtime.KeepAlive(out)
	if took := meter.Sum().Seconds(); took > 0 {
		j.Rounds[round] = append(j.Rounds[round], took)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", j.op.Name, err)
	}
	return nil
}

// lines are the results in Go benchmark format.
func (j *job) lines() (lines []string) {
	var figures strings.Builder
	for _, unit := range slices.Sorted(maps.Keys(j.Figures)) {
		fmt.Fprintf(&figures, "\t%v %s", j.Figures[unit], unit)
	}
	for round, values := range j.Rounds {
		for _, took := range values {
			line := fmt.Sprintf("Benchmark%s/%s\t1\t%.0f cpu-ns/op\t%d %s", j.op.Name, j.c.Name(), 1e9*took, round, roundUnit)
			if len(lines) == 0 { // figures that are equal in all of them
				line += figures.String()
			}
			lines = append(lines, line)
		}
	}
	return lines
}
