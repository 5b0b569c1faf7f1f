// Package scale measures an operation with growing numbers of workers and finds
// its limits.
//
// Repeat measures the same run several times.
package scale

import (
	"math"
	"slices"

	"github.com/zkatbench/zkatbench/internal/text"
	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// Result holds the runs with each number of workers and the fitted laws.
type Result struct {
	Runs []*result.Result
	// Amdahl and Universal are fits; nil for fewer than three or four worker
	// counts.
	Amdahl, Universal *stats.Scalability
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
			p := stats.Point{Workers: float64(r.Config.Workers), Throughput: x}
			if i, ok := judge.ThroughputInterval(r); ok {
				p.Error = (i.High - i.Low) / 4 / x
			}
			ps = append(ps, p)
		}
	}
	return ps
}

func byWorkers(a, b *result.Result) int { return a.Config.Workers - b.Config.Workers }

// SpeedUp is the throughput of a run over the throughput of one worker. Without
// a run of one worker, the run with the fewest workers and its throughput per
// worker take its place.
func (s *Result) SpeedUp(r *result.Result) float64 {
	base := slices.MinFunc(s.Runs, byWorkers)
	if base.Throughput() == 0 {
		return 0
	}
	return r.Throughput() / base.Throughput() * float64(base.Config.Workers)
}

// Efficiency is the speed-up of a run divided by its number of workers.
func (s *Result) Efficiency(r *result.Result) float64 {
	return s.SpeedUp(r) / float64(r.Config.Workers)
}

// Limits of findings that end the search for others.
const (
	enough = 0.90 // efficiency
	noGain = 1.10 // of the throughput by more workers than processors
	noLaw  = 0.10 // error of a fit
)

// rules are the kinds of findings.
var rules = []judge.Rule{
	{Kind: "scales well", Limit: enough, Write: text.Percent,
		Observed: "no limit found: the efficiency is still %s", Advice: "try more workers"},
	{Kind: "one processor", Limit: 0, Write: text.Percent,
		Observed: "one processor runs all workers (efficiency %s): waiting for it looks like waiting for " +
			"locks", Advice: "measure with several processors"},
	{Kind: "processors", Below: true, Limit: noGain, Write: text.Percent,
		Observed: "processors: more workers than processors give %s of the best throughput up to that number",
		Advice:   "add processors, or use less processor time"},
	{Kind: "locks", Limit: 0.10, Write: text.Percent,
		Observed: "locks: goroutines waited for locks for %s of the workers' time",
		Advice:   "find the locks with -diagnose"},
	{Kind: "not USL", Limit: 0, Write: text.Percent,
		Observed: "the throughputs follow no scalability law (not USL): the fit misses them by %s, more " +
			"than their errors allow",
		Advice: "look for a change with the number of workers: caches, batches, a limit of connections"},
	{Kind: "no law", Limit: noLaw, Write: text.Percent, Observed: "no law fits (error %s)",
		Advice: "check whether the runs themselves are steady"},
	{Kind: "contention", Limit: 0.05, Write: text.Percent,
		Observed: "contention (σ): waiting for exclusive resources adds at least %s to the time of an " +
			"operation", Advice: "shorten or split the serial part"},
	{Kind: "coherence", Limit: 0.05, Write: text.Percent,
		Observed: "coherence (κ): exchanging data between workers adds at least %s to the time of an " +
			"operation", Advice: "share and write less data"},
	{Kind: "not separated", Limit: 0, Write: text.Percent,
		Observed: "the runs do not separate the causes (efficiency %s)",
		Advice:   "measure at more numbers of workers, or longer"},
}

// Findings returns the limits of scaling at the greatest number of workers.
func (s *Result) Findings() (fs []judge.Finding) {
	if len(s.Runs) == 0 {
		return nil
	}
	r := slices.MaxFunc(s.Runs, byWorkers)
	e, procs, shares := s.Efficiency(r), r.Before.GOMAXPROCS, map[string]float64{}
	law, n := s.Universal, float64(r.Config.Workers)
	switch gain, known := s.gain(procs); {
	case e > enough:
		return judge.Judge(rules, map[string]float64{"scales well": e})
	case procs == 1: // waiting for it looks like waiting for a lock
		return judge.Judge(rules, map[string]float64{"one processor": e})
	case known && gain < noGain:
		shares["processors"] = gain
		// Beyond the processors, a law would describe them.
		law, n = nil, float64(procs)
		if f, err := stats.FitUSL(s.points(procs)); err == nil {
			law = &f
		}
	}
	shares["locks"] = float64(r.Usage.MutexWait) / max(1, float64(r.Elapsed)*float64(r.Config.Workers))
	switch {
	case law == nil:
	case law.Misfit:
		shares["not USL"] = law.Residual
	case law.Residual > noLaw:
		shares["no law"] = law.Residual
	default:
		contention, coherence := law.Bounds.Sigma.Low*(n-1), law.Bounds.Kappa.Low*n*(n-1)
		if contention >= coherence {
			shares["contention"] = contention
		} else {
			shares["coherence"] = coherence
		}
	}
	fs = judge.Judge(rules, shares)
	if len(fs) == 0 && law != nil {
		return judge.Judge(rules, map[string]float64{"not separated": e})
	}
	return fs
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
