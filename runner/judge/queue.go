package judge

import (
	"math"

	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/stats"
)

// A Queue describes the queue of an open loop, wherever it is: planned starts that
// wait for a worker, and operations that wait inside the service under test.
type Queue struct {
	// Load is the greater of two estimates. The load of the workers is the planned
	// rate times the mean service time over the workers. The load of the service is
	// the planned rate times the time that each other operation in progress delays
	// an operation. Both use the planned rate of the later half of the window if it is
	// greater.
	Load    float64
	Growing bool // the number of starts that have not ended grows until the plan ends
	// Memory is the number of starts that the queue remembers, (c²ₐ+c²ₛ)/2 / (1-ρ)²;
	// infinite at a load of 1 or more.
	Memory float64
	// Clump is the expected number of starts that exceed a high limit together
	// before the queue is empty again: ρ(c²ₐ+c²ₛ)/2 / (1-ρ)², by heavy traffic (D.
	// Aldous, Probability Approximations via the Poisson Clumping Heuristic, 1989,
	// §D); exact for M/M/1. At least 1.
	Clump float64
	// Settled is the number of starts in the window over Memory.
	Settled float64
	// ServiceCV is the coefficient of variation of the service times.
	ServiceCV float64
}

// Queue returns the queue of an open loop; ok is false in a closed loop.
func QueueOf(r *result.Result) (q Queue, ok bool) {
	if r.Open == nil || r.Config.Plan == nil || r.Elapsed <= 0 || r.Open.ServiceMean <= 0 {
		return q, false
	}
	o := r.Open
	rate := greatestRate(r)
	q.ServiceCV = o.ServiceStdDev / o.ServiceMean
	workers, service := rate*o.ServiceMean/float64(r.Config.Workers), rate*crowding(o.Crowd)
	// Service times that contain a queue vary less than the services themselves, so
	// these count as exponential.
	cs := q.ServiceCV
	if service > workers {
		cs = max(1, cs)
	}
	variability := cs * cs / 2
	if r.Config.Plan.Random() {
		variability += 0.5
	}
	q.Load, q.Growing = max(workers, service), growing(r, workers, service)
	starts := r.Config.Plan.Expected(r.Elapsed)
	atMost := max(workers, min(service, 1)*(1+serviceError/math.Sqrt(max(1, starts))))
	q.Memory = variability / ((1 - atMost) * (1 - atMost))
	if atMost >= 1 {
		q.Memory = math.Inf(1)
	}
	q.Clump = max(1, q.Load*q.Memory)
	q.Settled = starts / max(1, q.Memory)
	return q, true
}

// greatestRate is the planned rate in operations a nanosecond: of the window, or of
// its later half if that is greater.
func greatestRate(r *result.Result) float64 {
	half := scaled(r.Elapsed, 0.5)
	all, first := r.Config.Plan.Expected(r.Elapsed), r.Config.Plan.Expected(half)
	return max(all/float64(r.Elapsed), (all-first)/float64(r.Elapsed-half))
}

// serviceError, over the square root of the starts, is a relative error of the load of a
// service that hardly any window exceeds: by simulation of busy queues.
const serviceError = 6.5

// The limits of a growing queue.
const (
	// stableLoad is a load that stable queues may have, and growingScore the normal
	// quantile of the 2 % of them that may be called growing.
	stableLoad   = 0.95
	growingScore = 2.05
	// growingPresent, times the square root of the starts, is a number of unfinished
	// starts that a stable queue hardly reaches; with a load of the service above 1,
	// suspectPresent of them suffice.
	growingPresent = 2.5
	suspectPresent = 1
	// rising is the least growth of the number of unfinished starts from the first
	// half of the window to its end, relative to the number at the end: a half in a
	// queue that grows steadily, 0 while operations only take long.
	rising = 0.2
)

// growing reports whether the number of unfinished starts grows until the plan
// ends. It is the only definition of a growing queue: of findings, of intervals,
// and of requirements. The planned rate is known exactly, so the best test is
// whether the service times of the workers allow it; snapshots of a busy stable
// queue differ by multiples. Where the queue is inside the service, its length
// decides, or its load.
func growing(r *result.Result, workers, service float64) bool {
	o := r.Open
	if stdErr := workers * o.ServiceStdErr / o.ServiceMean; o.Backlog > 0 &&
		workers > max(1, stableLoad+growingScore*stdErr) {
		return true
	}
	n := len(o.Present)
	if n < result.PresentMarks {
		return false
	}
	end := float64(o.Present[n-1])
	early, late := stats.Average(o.Present[2:5]), stats.Average(o.Present[n-3:])
	if late-early < rising*end {
		return false
	}
	starts := math.Sqrt(float64(o.Offered))
	cs := o.ServiceStdDev / o.ServiceMean
	variability := math.Sqrt(max(1, (1+cs*cs)/2))
	return end > growingPresent*starts*variability || service > 1 && end > suspectPresent*starts
}

// crowding returns the time in ns that each other operation in progress delays an
// operation that finds more than a number k of them: a line with a bend at k is
// fitted to the service times by least squares, where at least half of the
// operations are beyond the bend. In a queue with one server it is the time of a
// service without waiting, in a busy one with k servers a k-th of it, and 0 if
// operations do not wait for each other.
func crowding(cs []result.Company) (slope float64) {
	all, below := uint64(0), uint64(0)
	for _, c := range cs {
		all += c.N
	}
	best := -1.0
	for _, bend := range cs {
		if bend.N == 0 {
			continue
		}
		if 2*below > all {
			break
		}
		below += bend.N
		var line stats.Line
		for _, c := range cs {
			if c.N > 0 {
				line.Add(max(0, c.Others/float64(c.N)-bend.Others/float64(bend.N)), c.Sum/float64(c.N),
					float64(c.N))
			}
		}
		if b, explained := line.Fit(); explained > best {
			slope, best = b, explained
		}
	}
	return max(0, slope)
}
