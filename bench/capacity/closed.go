package capacity

import "math"

// Closed is a figure of a queue by a closed form, with the same figure of the
// simulation.
type Closed struct {
	Name      string  `json:"name"`   // of the formula
	Figure    string  `json:"figure"` // "mean" or "P99"
	Value     float64 `json:"value"`  // seconds
	Simulated float64 `json:"simulated"`
}

// differs reports whether the two figures differ by more than 10 %.
func (c Closed) differs() bool { return math.Abs(c.Value/c.Simulated-1) > 0.1 }

// pollaczekKhinchine is the mean time in seconds from arrival to end of service
// in the queue M/G/1 with the rate of arrivals, the mean of the service times
// and the mean of their squares (Kleinrock, Queueing Systems 1, §5.6); +Inf
// without a steady state.
func pollaczekKhinchine(rate, mean, square float64) float64 {
	if rate*mean >= 1 {
		return math.Inf(1)
	}
	return mean + rate*square/(2*(1-rate*mean))
}

// erlangC is the probability that a request waits in the queue M/M/k with an
// offered load of rate times mean service time (Kleinrock, §3.5); 1 without a
// steady state.
func erlangC(load float64, servers int) float64 {
	if load >= float64(servers) {
		return 1
	}
	// The Erlang B formula by its recursion, which does not overflow.
	b := 1.0
	for k := 1; k <= servers; k++ {
		b = load * b / (float64(k) + load*b)
	}
	rho := load / float64(servers)
	return b / (1 - rho + rho*b)
}

// quantileMMk is the q-quantile of the time from arrival to end of service in
// the queue M/M/k, in seconds.
func quantileMMk(rate, mean float64, servers int, q float64) float64 {
	load := rate * mean
	if load >= float64(servers) {
		return math.Inf(1)
	}
	c, gap := erlangC(load, servers), float64(servers)-load-1
	above := func(t float64) float64 { // P(T > t), t in service times
		if math.Abs(gap) < 1e-9 {
			return math.Exp(-t) * (1 + c*t)
		}
		return math.Exp(-t) + c/gap*(math.Exp(-t)-math.Exp(-t*(gap+1)))
	}
	return mean * bisect(func(t float64) bool { return above(t) > 1-q })
}

// bisect returns the greatest t ≥ 0, up to rounding, where below holds.
func bisect(below func(t float64) bool) float64 {
	high := 1.0
	for below(high) {
		high *= 2
	}
	low := 0.0
	for range 80 {
		if middle := (low + high) / 2; below(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// closed is the closed form for q, if there is one: exact for the mean of one
// server, and for several servers P99 as if service times were exponential.
func (q queue) closed(w Wait) *Closed {
	if q.batch > 1 {
		return nil
	}
	mean, square := 0.0, 0.0
	for a, of := range q.samples {
		for _, t := range of {
			t *= q.stretch
			mean += q.shares[a] * t / float64(len(of))
			square += q.shares[a] * t * t / float64(len(of))
		}
	}
	if q.servers == 1 {
		return &Closed{"Pollaczek–Khinchine", "mean", pollaczekKhinchine(q.rate, mean, square), w.Mean}
	}
	return &Closed{"Erlang C, exponential service", "P99", quantileMMk(q.rate, mean, q.servers, 0.99), w.P99}
}
