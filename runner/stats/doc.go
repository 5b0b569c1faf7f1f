// Package stats has the statistics that a load measurement needs: pure
// functions over numbers, each with its assumption and its least sample.
//
//	quantile.go  intervals of quantiles from order statistics
//	cluster.go   intervals of means of series that remember; inflation
//	stopping.go  confidence that survives looking at it often
//	series.go    steady state, trend
//	shape.go     outliers, modes
//	usl.go       Amdahl's law and the Universal Scalability Law, fitted
package stats

// An Interval is a confidence interval.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Holds reports whether v lies in i.
func (i Interval) Holds(v float64) bool { return i.Low <= v && v <= i.High }
