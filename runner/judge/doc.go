// Package judge interprets a Result of the load runner. It reads results and does not
// measure.
//
// An Estimate is a figure with its interval, or the reason for its absence:
// percentiles, means, throughput, the share of latencies beyond a limit, the queue of
// an open loop. Findings are judgements of a Result, ordered for readers with the
// machine first. Check compares a Result with the laws that each must keep.
//
// Package judge/require judges a Result against requirements.
package judge
