// Package stats provides the statistics of load measurements: pure functions
// over numbers. Each states its assumptions and its least sample size.
//
//	median.go    medians, and shares as text
//	quantile.go  intervals of quantiles from order statistics
//	cluster.go   intervals of means of autocorrelated series; effective sample size
//	stopping.go  confidence and sizes of repeated looks (sequential stopping)
//	series.go    steady state, start-up, trend
//	shape.go     modes
//	tail.go      the index of a heavy tail, skewness
//	usl.go       Amdahl's law and the Universal Scalability Law, fitted
//	power.go     power laws, fitted
//	beta.go      the incomplete beta function, for bounds of shares
//	groups.go    groups of values: the difference of their medians, analysis of variance
package stats

// An Interval is a confidence interval.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Holds reports whether v lies in i.
func (i Interval) Holds(v float64) bool { return i.Low <= v && v <= i.High }
