package capacity

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/zkatbench/zkatbench/runner/stats"
)

// queue is a node under load: servers take requests in the order of arrival. With a
// batch above 1, requests are collected until the batch is full or its first request
// has waited for linger, and a server takes a whole batch.
type queue struct {
	rate    float64     // requests a second
	swing   float64     // mean time in seconds between changes of the rate; 0 is Poisson
	gaps    []float64   // between measured arrivals, with mean 1; empty without
	part    float64     // of the measured arrivals that this node serves
	block   int         // requests that arrive together
	servers int         // cores of the node
	stretch float64     // factor of service times when all servers work
	mix     []Share     // of the actions
	samples [][]float64 // service times of each action in seconds; a draw is one of them
	batch   int
	linger  float64 // seconds
	ratios  []ratio
}

// warmUp is the uncounted part of the simulated requests: the queue begins empty.
const warmUp = 0.1

// simulate returns the times in seconds from the arrival to the end of service, in the
// order of arrival, of n requests after the warm-up.
func (q queue) simulate(n int, seed uint64) []float64 {
	random := rand.New(rand.NewPCG(seed, 0))
	a, free := q.arrivals(random), make(servers, q.servers)
	skip := int(float64(n) * warmUp)
	took := make([]float64, 0, n)
	pending := make([]float64, 0, q.batch)
	next := a.next()
	for done := 0; done < n+skip; {
		now := next
		pending = append(pending[:0], now)
		next = a.next()
		latest := now + q.linger
		for len(pending) < q.batch && next <= latest {
			now = next
			pending = append(pending, now)
			next = a.next()
		}
		if q.batch > 1 && len(pending) < q.batch {
			now = latest
		}
		work := 0.0
		for range pending {
			work += q.draw(random)
		}
		end := free.serve(now, work*q.stretch*ratioAt(q.ratios, float64(len(pending))))
		for _, at := range pending {
			done++
			if done > skip && len(took) < n {
				took = append(took, end-at)
			}
		}
	}
	return took
}

// draw draws the service time of a request alone.
func (q queue) draw(r *rand.Rand) float64 {
	action, x := 0, r.Float64()
	for action < len(q.mix)-1 && x >= q.mix[action].Share {
		x -= q.mix[action].Share
		action++
	}
	return q.samples[action][r.IntN(len(q.samples[action]))]
}

// servers are the times when servers are free.
type servers []float64

// serve gives work to the server that is free first, and returns its end.
func (s servers) serve(now, work float64) (end float64) {
	first := 0
	for i := range s {
		if s[i] < s[first] {
			first = i
		}
	}
	s[first] = math.Max(now, s[first]) + work
	return s[first]
}

// Wait is the distribution of the time from the arrival of a request to the end of its
// service, in seconds. A quantile is 0 if the samples do not reach it.
type Wait struct {
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Mean float64 `json:"mean"`
	// Slowest is the 99 % quantile of the slowest of the parties that each serve
	// a request, if they are independent.
	Slowest float64 `json:"slowest_p99"`
	// Interval of Slowest with 95 % confidence, by bootstrap over rounds.
	Interval stats.Interval `json:"slowest_p99_interval"`

	took []float64 // simulated
}

// waitOf summarises times; each request is served by this number of parties.
func waitOf(took []float64, parties int) Wait {
	sorted := slices.Clone(took)
	slices.Sort(sorted)
	at := func(q float64) float64 { return stats.Quantile(sorted, q) }
	return Wait{P50: at(0.5), P99: at(0.99), Mean: stats.Average(took),
		Slowest: at(math.Pow(0.99, 1/float64(parties))), took: took}
}

// Lengths of simulations in requests.
const (
	shortRun    = 100_000
	longRun     = 2_000_000
	seedOfPlans = 1
)

// settle simulates more requests the longer the queue remembers: in proportion to
// 1/(1-ρ)² (Whitt, Management Science 35, 1989). P99 is then known to some percent.
func (q queue) settle(parties int) Wait {
	load := q.rate * meanWork(q.samples, q.mix) * q.stretch * ratioAt(q.ratios, float64(q.batch)) /
		float64(q.servers)
	n := shortRun * max(1, math.Pow(0.4/max(1e-3, 1-load), 2))
	once := float64(len(q.gaps)) * q.part * float64(q.block) // all measured arrivals
	return waitOf(q.simulate(int(min(longRun, max(n, once))), seedOfPlans), parties)
}
