package capacity

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/bench/result"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/host"
	"github.com/zkatbench/zkatbench/runner/pin"
)

const (
	// environments of each operation are set up and used in turns.
	environments = 4
	// rounds of all choices are spread over the measurement: a machine is faster in
	// some minutes than in others. Six are the fewest with an interval of a median.
	rounds = 6
	// minTurns and maxTurns bound the turns of a choice in a round. Operations on the
	// first action of a role take each turn, operations on other actions every
	// otherTurns, and operations on several requests every batchTurns.
	minTurns, maxTurns     = 7, 500
	otherTurns, batchTurns = 4, 6
)

// Measure measures the operations of all choices on one thread, in its processor
// time: other programs do not count, and of the garbage collector only what
// operations assist. In each round the choices take turns, and the operations of a
// choice; the speed-up of the first choice is measured between rounds. It takes some
// time with all set-up, shows its progress, and returns the results in Go benchmark
// format. If ctx ends, so does Measure, with its error.
func (s Subject) Measure(ctx context.Context, choices []Choice, budget time.Duration,
	progress func(done, total int)) (lines []string, err error) {
	return s.measure(ctx, choices, budget, gainSlice, progress)
}

// measure is Measure; a round of the speed-up has a slice of time for each number of workers.
func (s Subject) measure(ctx context.Context, choices []Choice, budget, slice time.Duration,
	progress func(done, total int)) (lines []string, err error) {
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
	for round := range rounds {
		for _, jobs := range prepared {
			left := budget - time.Since(begin)
			measured, err := turns(ctx, jobs, round, left/time.Duration(parts-done))
			if err != nil {
				return nil, err
			}
			lines = append(lines, measured...)
			done++
			progress(done, parts)
		}
		speeds, err := speedUpRound(ctx, prepared[0], slice)
		if err != nil {
			return nil, err
		}
		lines = append(lines, speeds...)
	}
	return lines, nil
}

// Record is Measure with the environment of the measurement, and with the noise after it. It
// returns the results as data; if name is not empty, they also go to a file with that name. warn
// receives reasons to doubt the figures before and after.
func (s Subject) Record(ctx context.Context, choices []Choice, budget time.Duration, command, name string,
	warn func([]string), progress func(done, total int)) (*result.Data, error) {
	return record(ctx, command, name, warn, func() ([]string, error) {
		return s.Measure(ctx, choices, budget, progress)
	})
}

// record is Record of the results that measure returns.
func record(ctx context.Context, command, name string, warn func([]string),
	measure func() ([]string, error)) (d *result.Data, err error) {
	e := result.Observe(ctx, ".", command, pin.Plan{})
	warn(e.Noise)
	keep := func(...string) error { return nil }
	if name != "" {
		f, err := result.Create(name, e.Lines())
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		keep = f.Append
	}
	lines, err := measure()
	if err != nil {
		return nil, err
	}
	end := result.EndLine(len(lines))
	if after := result.NoiseAfter(e.State, host.Read(), time.Since(e.Started)); len(after) > 0 {
		warn(after)
		lines = append(lines, "noise-after: "+strings.Join(after, "; "))
	}
	lines = append(lines, end)
	d = result.NewData()
	return d,
		errors.Join(keep(lines...),
			d.Read(strings.NewReader(strings.Join(slices.Concat(e.Lines(), lines), "\n")+"\n"),
				"measurement"))
}

// turns measures the operations of a choice for a time, and returns the results. The first
// use of each is not counted: caches hold the data of others.
func turns(ctx context.Context, jobs []*job, round int, budget time.Duration) (lines []string, err error) {
	runtime.GC() // do not charge the operations with earlier garbage
	begin := time.Now()
	for _, j := range jobs {
		if _, err := j.once(0); err != nil {
			return nil, err
		}
	}
	for turn := 0; turn < maxTurns && (turn < minTurns || time.Since(begin) <= budget); turn++ {
		for _, j := range jobs {
			if turn%j.every != 0 {
				continue
			}
			took, err := j.once(turn)
			err = errors.Join(ctx.Err(), err)
			if err != nil {
				return nil, err
			}
			if took > 0 {
				lines = append(lines,
					fmt.Sprintf("Benchmark%s/%s\t1\t%d cpu-ns/op\t%d %s%s", j.op.Name, j.c.Name(),
						took.Nanoseconds(), round, roundUnit, j.figures))
				j.figures = ""
			}
		}
	}
	return lines, nil
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
		j.figures += fmt.Sprintf("\t%v %s", f.Value, f.Unit)
	}
	return nil
}

// once returns the processor time of one operation.
func (j *job) once(turn int) (took time.Duration, err error) {
	meter := cputime.ThreadMeter()
	defer meter.Close()
	meter.Start()
	out, err := j.in[turn%len(j.in)].Work()
	meter.Stop()
	runtime.KeepAlive(out)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", j.op.Name, err)
	}
	return meter.Sum(), nil
}
