package capacity

import (
	"math"
	"slices"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// queue is a node under load: Poisson arrivals, servers that take requests in
// the order of arrival. With a batch above 1, requests are collected until the
// batch is full or its first request has waited for linger, and a server takes
// a whole batch. arithmetic.js has the same simulation.
type queue struct {
	rate    float64     // requests a second
	servers int         // cores of the node
	stretch float64     // factor of service times when all servers work
	shares  []float64   // of the actions
	samples [][]float64 // service times of each action in seconds; a draw is one of them
	batch   int
	linger  float64 // seconds
	ratios  []Ratio
}

// warmUp is the uncounted part of the simulated requests: the queue
// begins empty.
const warmUp = 0.1

// simulate returns the times in seconds from the arrival to the end of service,
// in the order of arrival, of n requests after the warm-up.
func (q queue) simulate(n int, seed uint32) []float64 {
	r, free := newRandom(seed), newServers(q.servers)
	skip := int(float64(n) * warmUp)
	took := make([]float64, 0, n)
	pending := make([]float64, 0, q.batch)
	now, next := 0.0, r.exponential()/q.rate
	for done := 0; done < n+skip; {
		now = next
		pending = append(pending[:0], now)
		next = now + r.exponential()/q.rate
		latest := now + q.linger
		for len(pending) < q.batch && next <= latest {
			now = next
			pending = append(pending, now)
			next = now + r.exponential()/q.rate
		}
		if q.batch > 1 && len(pending) < q.batch {
			now = latest
		}
		work := 0.0
		for range pending {
			work += q.draw(r)
		}
		end := free.serve(now, work*q.stretch*ratioAt(q.ratios, float64(len(pending))))
		for _, at := range pending {
			if done++; done > skip && len(took) < n {
				took = append(took, end-at)
			}
		}
	}
	return took
}

// draw draws the service time of a request alone.
func (q queue) draw(r *random) float64 {
	action, x := 0, float64(r.next())/(1<<32)
	for action < len(q.shares)-1 && x >= q.shares[action] {
		x -= q.shares[action]
		action++
	}
	of := q.samples[action]
	return of[r.below(len(of))]
}

// servers is a heap of the times when servers are free, the earliest first.
type servers []float64

func newServers(n int) servers { return make(servers, n) }

// serve gives work to the server that is free first, and returns its end.
func (s servers) serve(now, work float64) (end float64) {
	end = math.Max(now, s[0]) + work
	i := 0
	for {
		child := 2*i + 1
		if child >= len(s) {
			break
		}
		if child+1 < len(s) && s[child+1] < s[child] {
			child++
		}
		if s[child] >= end {
			break
		}
		s[i] = s[child]
		i = child
	}
	s[i] = end
	return end
}

// Wait is the distribution of the time from the arrival of a request to the end
// of its service, in seconds.
type Wait struct {
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	Mean float64 `json:"mean"`
	// Slowest is the 99 % quantile of the slowest of the parties that each serve
	// a request, if they are independent.
	Slowest float64 `json:"slowest_p99"`
	// Interval of P99 with 95 % confidence; nil if the simulation is too short.
	Interval *stats.Interval `json:"p99_interval,omitempty"`
	Requests int             `json:"requests"` // simulated
	// Closed is the closed form of a similar queue, if there is one.
	Closed *Closed `json:"closed_form,omitempty"`
}

// waitOf summarises times; each request is served by this number of parties.
func waitOf(took []float64, parties int) Wait {
	sorted := slices.Sorted(slices.Values(took))
	w := Wait{P50: stats.Quantile(sorted, 0.5), P99: stats.Quantile(sorted, 0.99), P999: stats.Quantile(sorted, 0.999), Requests: len(took)}
	w.Slowest = stats.Quantile(sorted, math.Pow(0.99, 1/float64(parties)))
	for _, t := range took {
		w.Mean += t
	}
	w.Mean /= float64(len(took))
	return w
}

// Lengths of simulations in requests.
const (
	shortRun = 100_000
	longRun  = 1_000_000
	// closeEnough is half the relative length of the interval of P99 at which a
	// simulation ends.
	closeEnough = 0.05
	seedOfPlans = 1
)

// settle simulates until the interval of P99 is within 5 %, at most 10⁶
// requests.
func (q queue) settle(parties int) Wait {
	for n := shortRun; ; n = min(longRun, 3*n) {
		took := q.simulate(n, seedOfPlans)
		w := waitOf(took, parties)
		w.Interval = interval(took, 0.99)
		if n == longRun || w.Interval != nil && w.Interval.High-w.Interval.Low <= 2*closeEnough*w.P99 {
			return w
		}
	}
}

// interval is the 95 % interval of the q-quantile of a series, which may be
// correlated. The correlation is that of the exceedances of the quantile.
func interval(took []float64, q float64) *stats.Interval {
	const clusters, confidence = 200, 0.95
	sorted := slices.Sorted(slices.Values(took))
	limit := stats.Quantile(sorted, q)
	cs := make([]stats.Cluster, clusters)
	for i, t := range took {
		c := &cs[i*clusters/len(took)]
		c.N++
		if t > limit {
			c.Sum++
		}
	}
	effective := stats.MemoryOf(cs, q*(1-q)).Effective(float64(len(took)), confidence)
	low, high, ok := stats.Ranks(uint64(effective), q, confidence)
	if !ok {
		return nil
	}
	return &stats.Interval{
		Low:  stats.Quantile(sorted, float64(low)/math.Floor(effective)),
		High: stats.Quantile(sorted, float64(high)/math.Floor(effective)),
	}
}
