package runner

import "math"

func moments(n uint64, sum, sumSq float64) (m Moments) {
	if n == 0 {
		return m
	}
	m.Mean = sum / float64(n)
	if n > 1 {
		m.StdDev = math.Sqrt(max(0, (sumSq-sum*m.Mean)/float64(n-1)))
	}
	return m
}

// Throughput is operations a second by the wall clock.
func (r *Result) Throughput() float64 {
	if r.Elapsed <= 0 {
		return 0
	}
	return r.Weighted / r.Elapsed.Seconds()
}

// PureThroughput is what the workers would reach if they did nothing but the
// operation: workers over mean latency, in operations a second.
func (r *Result) PureThroughput() float64 {
	if r.Moments.Mean == 0 {
		return 0
	}
	return float64(r.Config.Workers) * 1e9 / r.Moments.Mean
}

// Overhead is the share of the workers' time that was not spent in operations
// that succeeded.
func (r *Result) Overhead() float64 {
	pure := r.PureThroughput()
	if pure == 0 {
		return 0
	}
	return max(0, 1-r.Throughput()/pure)
}

// CV is the coefficient of variation: standard deviation over mean.
func (r *Result) CV() float64 {
	if r.Moments.Mean == 0 {
		return 0
	}
	return r.Moments.StdDev / r.Moments.Mean
}

// IQR is the width of the middle half of the latencies in nanoseconds.
func (r *Result) IQR() float64 { return r.Latency.Quantile(0.75) - r.Latency.Quantile(0.25) }

// Supports reports whether there are enough operations for the quantile q: at
// least ten beyond it.
func (r *Result) Supports(q float64) bool { return float64(r.Done)*(1-q) >= 10 }
