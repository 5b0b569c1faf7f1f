// Package scale measures an operation with growing numbers of workers and finds
// its limits.
//
//	scale.go   Run: one runner.Run per worker count; Result: speed-up, fits, findings
//	repeat.go  Repeat: the same run several times; Spread between runs
//	counts.go  numbers of workers from text: "1,2,4", "1..8", "NumCPU/2"
package scale

import (
	"context"
	"math"

	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Result holds the runs with each number of workers and the fitted laws.
type Result struct {
	Runs []*runner.Result
	// Amdahl and Universal are fits; nil for fewer than three or four worker
	// counts.
	Amdahl, Universal *stats.Scalability
}

// Run runs op with c for each number of workers, in the given order. If ctx is
// cancelled, the current run ends early and the remaining runs are skipped.
func Run(ctx context.Context, c runner.Config, op runner.Operation, workers []int) (*Result, error) {
	s := &Result{}
	for _, n := range workers {
		c.Workers = n
		r, err := runner.Run(ctx, c, op)
		if err != nil {
			return s, err
		}
		s.Runs = append(s.Runs, r)
		if r.Interrupted {
			break
		}
	}
	s.Fit()
	return s, nil
}

// Fit fits the laws to the Runs, except runs without a successful operation.
func (s *Result) Fit() {
	ps := s.points(math.MaxInt)
	if f, err := stats.FitAmdahl(ps); err == nil {
		s.Amdahl = &f
	}
	if f, err := stats.FitUSL(ps); err == nil {
		s.Universal = &f
	}
}

// points returns the throughputs of the runs with at most the given number of
// workers.
func (s *Result) points(most int) (ps []stats.Point) {
	for _, r := range s.Runs {
		if x := r.Throughput(); x > 0 && !r.Interrupted && r.Config.Workers <= most {
			ps = append(ps, stats.Point{Workers: float64(r.Config.Workers), Throughput: x})
		}
	}
	return ps
}

// SpeedUp is the throughput of run i over the throughput of one worker. Without
// a run of one worker, the run with the fewest workers and its throughput per
// worker take its place.
func (s *Result) SpeedUp(i int) float64 {
	base := s.Runs[0]
	for _, r := range s.Runs {
		if r.Config.Workers < base.Config.Workers {
			base = r
		}
	}
	one := base.Throughput() / float64(base.Config.Workers)
	if one == 0 {
		return 0
	}
	return s.Runs[i].Throughput() / one
}

// Efficiency is the speed-up of run i divided by its number of workers.
func (s *Result) Efficiency(i int) float64 {
	return s.SpeedUp(i) / float64(s.Runs[i].Config.Workers)
}

// limits are the default thresholds of Findings.
var limits = map[string]float64{
	"scales well": 0.90, // efficiency of the last run at or above which scaling is not limited
	"processors":  1.10, // least gain by more workers than processors where processors are not the limit
	"locks":       0.10, // waiting for locks, as a share of the workers' time
	"no law":      0.10, // root mean square of the relative errors of the fit
	"contention":  0.05, // share that σ adds to the time of one operation in the last run
	"coherence":   0.05, // share that κ adds
}

// Findings returns the limits of scaling at the greatest number of workers. The
// kinds are "scales well" (value: efficiency), "one processor" (efficiency),
// "processors" (gain by more workers than processors), "locks" (share of time
// waiting), "contention" and "coherence" (time that σ and κ add at least to an
// operation, relative to its time alone), "not separated" (efficiency), and "no
// law" (error of the fit).
func (s *Result) Findings() (fs []runner.Finding) {
	if len(s.Runs) == 0 {
		return nil
	}
	i := s.largest()
	r := s.Runs[i]
	found := func(kind string, v float64) {
		fs = append(fs, runner.Finding{Kind: kind, Value: v, Limit: limits[kind]})
	}
	e, procs := s.Efficiency(i), r.Before.GOMAXPROCS
	switch {
	case e >= limits["scales well"]:
		found("scales well", e)
		return fs
	case procs == 1: // waiting for it looks like waiting for a lock
		found("one processor", e)
		return fs
	}
	law, n := s.Universal, float64(r.Config.Workers)
	if gain, known := s.gain(procs); known && gain < limits["processors"] {
		found("processors", gain)
		// Beyond the processors, a law would describe them.
		law, n = nil, float64(procs)
		if f, err := stats.FitUSL(s.points(procs)); err == nil {
			law = &f
		}
	}
	if share := float64(r.Usage.MutexWait) / max(1, float64(r.Elapsed)*float64(r.Config.Workers)); share > limits["locks"] {
		found("locks", share)
	}
	if law == nil {
		return fs
	}
	contention, coherence := law.Bounds.Sigma.Low*(n-1), law.Bounds.Kappa.Low*n*(n-1)
	switch {
	case law.Residual > limits["no law"]:
		found("no law", law.Residual)
	case contention >= coherence && contention > limits["contention"]:
		found("contention", contention)
	case coherence > limits["coherence"]:
		found("coherence", coherence)
	case len(fs) == 0:
		found("not separated", e)
	}
	return fs
}

// largest returns the index of the run with the most workers.
func (s *Result) largest() (at int) {
	for i, r := range s.Runs {
		if r.Config.Workers > s.Runs[at].Config.Workers {
			at = i
		}
	}
	return at
}

// gain is the best throughput with more workers than processors over the best
// throughput with at most that many.
func (s *Result) gain(procs int) (ratio float64, known bool) {
	fewer, more := 0.0, 0.0
	for _, r := range s.Runs {
		if r.Config.Workers <= procs {
			fewer = max(fewer, r.Throughput())
		} else {
			more = max(more, r.Throughput())
		}
	}
	return more / fewer, fewer > 0 && more > 0
}
