package judge

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/result"
)

// ErrLaw reports an inconsistent Result.
var ErrLaw = errors.New("result breaks a law")

// A law is a relation that holds for every measurement.
type law struct {
	name  string
	holds func(*result.Result) bool
}

// slack allows for rounding to nanoseconds and for floating-point sums.
const slack = 1e-6

var laws = []law{
	{"there is at least one worker, and time does not go back", func(r *result.Result) bool {
		return r.Config.Workers >= 1 && r.Config.Batch >= 1 && r.Elapsed >= 0 && r.Timeline.Tick > 0
	}},
	{"an open loop has a plan and service times, a closed loop has neither", func(r *result.Result) bool {
		open := r.Open != nil
		return open == (r.Config.Plan != nil) && open == (r.Service != nil)
	}},
	{"the timeline is within its limits of ticks and rows", func(r *result.Result) bool {
		t := r.Timeline
		most := hist.Position(math.MaxUint64, hist.Buckets-1) // of a latency
		return len(t.Cells) <= result.MaxCells && t.Shift >= 0 && t.Shift < 64 &&
			!slices.ContainsFunc(t.Cells, func(c result.Cell) bool {
				return len(c.Rows) > hist.Rows || len(c.Far) > hist.Rows ||
					slices.ContainsFunc(c.Near, func(b [2]uint64) bool { return b[0] > most>>t.Shift })
			})
	}},
	{"the counts of the latency buckets sum to the latencies", func(r *result.Result) bool {
		return r.Latency.Total() == r.Records
	}},
	{"each operation or batch has one latency", func(r *result.Result) bool {
		return r.Records <= r.Done && (r.Config.Batch != 1 || r.Records == r.Done)
	}},
	{"quantiles do not decrease", func(r *result.Result) bool {
		var values []float64
		for _, q := range []float64{0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 1} {
			values = append(values, r.Latency.Quantile(q))
		}
		return slices.IsSorted(values)
	}},
	{"the mean lies between the least and the greatest latency", func(r *result.Result) bool {
		m := r.Moments
		return r.Records == 0 || m.Min <= m.Mean*(1+slack) && m.Mean <= m.Max*(1+slack)
	}},
	{"the ends of the histogram are the least and the greatest latency", func(r *result.Result) bool {
		return r.Records == 0 || inBucketOf(r.Latency.Rank(1), r.Moments.Min) &&
			inBucketOf(r.Latency.Rank(r.Records), r.Moments.Max)
	}},
	{"Little: workers are busy no longer than the window", func(r *result.Result) bool {
		return float64(r.Busy) <= float64(r.Config.Workers)*float64(r.Elapsed)*(1+slack)
	}},
	{"Little: throughput times mean time in an operation is the mean number of busy workers", littlesLaw},
	{"operations in the window started in it, except one per worker across its end",
		func(r *result.Result) bool {
			return r.Weighted <= float64(r.Done)*(1+slack) &&
				float64(r.Done)-r.Weighted <= float64(r.Config.Workers*max(1, r.Config.Batch))+
					slack*float64(r.Done)
		}},
	{"each failure has one message", func(r *result.Result) bool {
		n := uint64(0)
		for _, c := range r.Errors {
			n += c
		}
		return n == r.Failed
	}},
	{"ticks sum to the operations in the window", func(r *result.Result) bool {
		ops, latencies := 0.0, uint64(0)
		for _, c := range r.Timeline.Cells {
			ops, latencies = ops+c.Ops, latencies+c.N
		}
		return latencies == r.Records && math.Abs(ops-r.Weighted) <= 1e-3+slack*r.Weighted
	}},
}

// inBucketOf reports whether exact lies in the bucket of a value, or in the
// last one.
func inBucketOf(bucket, exact float64) bool {
	return math.Abs(bucket-exact) <= 1+0.001*exact || exact >= 1<<44
}

// littlesLaw compares L, the time when workers were busy, with λ·W from the
// throughput and the mean service time. Operations cut by the end of the window
// count in both by their share, but by their full times in the mean: each can
// shift it by the longest operation.
func littlesLaw(r *result.Result) bool {
	if r.Records == 0 || r.Config.Batch > 1 {
		return true
	}
	longest := r.Moments.Max
	total := r.ServiceMean() * float64(r.Records)
	return math.Abs(float64(r.Busy)-total) <= float64(r.Config.Workers)*longest+slack*total
}

// Check returns an error that wraps ErrLaw and names the violated law, if r
// violates a relation that holds for every measurement. Such a Result should
// not be shown.
func Check(r *result.Result) error {
	if r.Version != result.Version {
		return fmt.Errorf("%w: version %d, want %d", ErrLaw, r.Version, result.Version)
	}
	for _, l := range laws {
		if !l.holds(r) {
			return fmt.Errorf("%w: %s", ErrLaw, l.name)
		}
	}
	return checkParts(r)
}

// checkParts checks the operations of a mix, which sum to the whole.
func checkParts(r *result.Result) error {
	var done, failed, records uint64
	for _, p := range r.Parts {
		if p.Result == nil || len(p.Result.Parts) > 0 {
			return fmt.Errorf("%w: each operation of a mix has one result", ErrLaw)
		}
		if err := Check(p.Result); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		done, failed, records = done+p.Result.Done, failed+p.Result.Failed, records+p.Result.Records
	}
	if len(r.Parts) > 0 && (done != r.Done || failed != r.Failed || records != r.Records) {
		return fmt.Errorf("%w: the operations of a mix sum to the whole", ErrLaw)
	}
	return nil
}
