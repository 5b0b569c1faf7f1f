// Package stats provides the statistics of load measurements: pure functions
// over numbers. Each states its assumptions and its least sample size.
//
// The functions are medians and quantiles with intervals from order statistics;
// means of autocorrelated series; the confidence of repeated looks; trends,
// modes and tails; Amdahl's law, the Universal Scalability Law and power laws,
// fitted; bounds of shares; and differences between groups.
package stats

// An Interval is a confidence interval.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Holds reports whether v lies in i.
func (i Interval) Holds(v float64) bool { return i.Low <= v && v <= i.High }
