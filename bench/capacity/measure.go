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
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/cputime"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Options configure Measure.
type Options struct {
	// Time is the time to measure for, with all set-up.
	Time time.Duration
	// Progress, unless nil, is called from time to time.
	Progress func(done, of int)
	// Keep, unless nil, gets a line in Go benchmark format for each operation.
	Keep func(lines ...string) error
}

const (
	// environments of each operation are set up and used in turns.
	environments = 4
	// minTurns and maxTurns bound the turns of a choice. Operations on the first
	// action of a role take each turn, those on other actions every otherTurns,
	// and those on several requests every batchTurns.
	minTurns, maxTurns     = 40, 1000
	otherTurns, batchTurns = 4, 6
)

// takes reports whether an operation takes a turn.
func (j job) takes(turn int) bool {
	switch {
	case j.batch > 0:
		return turn%batchTurns == 0
	case j.action > 0:
		return turn%otherTurns == 0
	}
	return true
}

// Measure measures the operations of all choices on one thread, in its processor
// time: other programs do not count, and of the garbage collector only what
// operations assist. The operations of a choice take turns. If ctx ends, so does
// Measure, with its error.
func (s Subject) Measure(ctx context.Context, choices []Choice, o Options) (all []Costs, err error) {
	begin := time.Now()
	for i, c := range choices {
		left := o.Time - time.Since(begin)
		costs, err := s.measure(ctx, c, left/time.Duration(len(choices)-i), o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		all = append(all, costs)
		if o.Progress != nil {
			o.Progress(i+1, len(choices))
		}
	}
	return all, nil
}

// timed is a job with its environments and its samples.
type timed struct {
	job
	in     []bench.Instance
	sample Sample
}

func (s Subject) measure(ctx context.Context, c Choice, budget time.Duration, o Options) (costs Costs, err error) {
	begin := time.Now()
	costs = s.newCosts(c)
	jobs, err := s.jobs(c)
	if err != nil {
		return costs, err
	}
	if s.Tables != nil {
		tables, err := s.Tables(jobs[0].c)
		if err != nil {
			return costs, err
		}
		costs.Tables = float64(tables)
	}
	var ts []*timed
	for _, j := range jobs {
		t, err := prepare(ctx, j)
		if err != nil {
			return costs, err
		}
		ts = append(ts, t)
	}
	runtime.GC() // the garbage of the set-up is not that of the operations
	for turn := range maxTurns {
		if turn >= minTurns && time.Since(begin) > budget {
			break
		}
		for _, t := range ts {
			if err := ctx.Err(); err != nil {
				return costs, err
			}
			if !t.takes(turn) {
				continue
			}
			if err := t.once(); err != nil {
				return costs, err
			}
		}
	}
	for _, t := range ts {
		costs.set(t.job, t.sample)
		if o.Keep != nil {
			if err := o.Keep(t.lines(costs.Tables)...); err != nil {
				return costs, err
			}
		}
	}
	return costs, nil
}

// prepare sets up the environments of a job and tries the first one.
func prepare(ctx context.Context, j job) (*timed, error) {
	t := &timed{job: j, sample: Sample{Name: j.op.Name, Each: 1, Figures: map[string]float64{}}}
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
	before, after := new(runtime.MemStats), new(runtime.MemStats)
	runtime.ReadMemStats(before)
	out, err := t.in[0].Work()
	runtime.ReadMemStats(after)
	runtime.KeepAlive(out)
	t.sample.Allocated = float64(after.TotalAlloc - before.TotalAlloc)
	return t, err
}

// once times one operation.
func (t *timed) once() error {
	in := t.in[len(t.sample.Seconds)%len(t.in)]
	meter := cputime.ThreadMeter()
	defer meter.Close()
	meter.Start()
	out, err := in.Work()
	meter.Stop()
	runtime.KeepAlive(out)
	if took := meter.Sum().Seconds(); took > 0 {
		t.sample.Seconds = append(t.sample.Seconds, took)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t.op.Name, err)
	}
	return nil
}

// lines are the samples in Go benchmark format.
func (t *timed) lines(tables float64) (lines []string) {
	var figures strings.Builder
	for _, unit := range slices.Sorted(maps.Keys(t.sample.Figures)) {
		fmt.Fprintf(&figures, "\t%v %s", t.sample.Figures[unit], unit)
	}
	for i, took := range t.sample.Seconds {
		line := fmt.Sprintf("Benchmark%s/%s\t1\t%.0f cpu-ns/op", t.op.Name, t.c.Name(), 1e9*took)
		if i == 0 { // figures that are equal in all of them
			line += fmt.Sprintf("\t%.0f B/op\t%.0f %s%s", t.sample.Allocated, tables, tablesUnit, figures.String())
		}
		lines = append(lines, line)
	}
	return lines
}

// SpeedUp is the measured speed-up of several workers.
type SpeedUp struct {
	Scale
	Points []stats.Point `json:"points"` // operations a second of processor time
	// Fit is the fitted law; nil if the points do not determine one. Scale is
	// then that of the largest number of workers, with kappa 0.
	Fit *stats.Scalability `json:"fit,omitempty"`
	// Assumed means that the speed-up was not measured: N workers do the work of N.
	Assumed bool `json:"assumed,omitempty"`
}

// Rounds of the measurement of a speed-up, and the time of each with one number
// of workers.
const (
	speedUpRounds = 5
	speedUpSlice  = 200 * time.Millisecond
)

// MeasureSpeedUp measures the first role that clients wait for with growing
// numbers of workers, up to the processors of the machine, in turns. The work of
// N workers is N times the time of an operation alone over its time beside the
// others, in processor time.
func (s Subject) MeasureSpeedUp(ctx context.Context, c Choice) (u SpeedUp, err error) {
	jobs, err := s.jobs(c)
	if err != nil {
		return u, err
	}
	i := slices.IndexFunc(jobs, func(j job) bool { return s.Roles[j.role].Waits })
	t, err := prepare(ctx, jobs[max(i, 0)])
	if err != nil {
		return u, err
	}
	op := runner.Pool(t.in, func(_ context.Context, in bench.Instance) error {
		out, err := in.Work()
		runtime.KeepAlive(out)
		return err
	})
	counts := workerCounts(runtime.GOMAXPROCS(0))
	each := make([][]float64, len(counts))
	for range speedUpRounds {
		for i, n := range counts {
			r, err := runner.Run(ctx, runner.Config{Workers: n, Duration: speedUpSlice, WarmUp: speedUpSlice / 10}, op)
			if err != nil {
				return u, err
			}
			if r.Interrupted {
				return u, errors.Join(ctx.Err(), context.Cause(ctx))
			}
			if r.Usage.CPUPerOp > 0 {
				each[i] = append(each[i], r.Usage.CPUPerOp)
			}
		}
	}
	for i, n := range counts {
		if len(each[i]) > 0 {
			u.Points = append(u.Points, stats.Point{Workers: float64(n), Throughput: 1e9 * float64(n) / stats.Median(each[i])})
		}
	}
	u.fit()
	return u, nil
}

// workerCounts are up to eight numbers from 1 to n, with 1 and n.
func workerCounts(n int) (counts []int) {
	step := max(1, n/8)
	for k := 1; k < n; k += step {
		counts = append(counts, k)
	}
	return append(counts, n)
}

// fit fits the law, or takes the loss of the most workers as contention.
func (u *SpeedUp) fit() {
	if f, err := stats.FitUSL(u.Points); err == nil {
		u.Fit, u.Scale = &f, Scale{f.Sigma, f.Kappa}
		return
	}
	if n := len(u.Points); n > 1 {
		first, last := u.Points[0], u.Points[n-1]
		gain := last.Throughput / first.Throughput
		u.Sigma = max(0, (last.Workers/gain-1)/(last.Workers-1))
		return
	}
	u.Assumed = len(u.Points) == 0
}
