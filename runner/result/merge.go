package result

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/runner/hist"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// ErrMerge reports results that are not parts of one measurement.
var ErrMerge = errors.New("results are not merged")

// Merge joins the results of generators that ran at the same time against one
// service. Latencies are added bucket for bucket, workers and throughputs add
// up, and the timeline starts with the first window. Shares
// and figures of the machine come from the first result; allocations and
// processor time are averages over all operations.
//
// The results must keep the laws of measurement. Errors wrap ErrMerge: results of
// closed and open loops, of different operations of a mix or batch sizes, equal results, and
// windows that hardly overlap are not merged.
func Merge(rs ...*Result) (*Result, error) {
	if len(rs) == 0 {
		return nil, fmt.Errorf("%w: no result was given", ErrMerge)
	}
	for i, r := range rs {
		for _, other := range rs[:i] {
			if err := mergeable(other, r); err != nil {
				return nil, err
			}
		}
	}
	m, begun := merged(rs), begunFirst(rs)
	for i := range rs[0].Parts {
		parts := make([]*Result, len(rs))
		for k, r := range rs {
			// The windows of the runs are kept, also for their parts.
			part := *r.Parts[i].Result
			part.Begun = r.Begun
			parts[k] = &part
		}
		one := merged(parts)
		one.Elapsed, one.Begun = m.Elapsed, begun
		m.Parts = append(m.Parts, Part{Name: rs[0].Parts[i].Name, Weight: rs[0].Parts[i].Weight, Result: one})
	}
	return m, nil
}

// minOverlap is the least share of a window that must overlap with others.
const minOverlap = 0.5

// mergeable returns an ErrMerge with the first reason against merging a and b, nil if
// there is none.
func mergeable(a, b *Result) error {
	names := func(r *Result) (names []string) {
		for _, p := range r.Parts {
			names = append(names, p.Name)
		}
		return names
	}
	from, till := a.Begun, a.Begun.Add(a.Elapsed)
	if b.Begun.After(from) {
		from = b.Begun
	}
	if end := b.Begun.Add(b.Elapsed); end.Before(till) {
		till = end
	}
	switch {
	case (a.Open == nil) != (b.Open == nil):
		return fmt.Errorf("%w: one is of a closed loop, another of an open loop", ErrMerge)
	case !slices.Equal(names(a), names(b)):
		return fmt.Errorf("%w: they have different operations: %q and %q", ErrMerge, names(a), names(b))
	case a.Config.Batch != b.Config.Batch:
		return fmt.Errorf("%w: latencies of %d and of %d operations timed as one; choose a number with "+
			"-timed-as-one", ErrMerge, a.Config.Batch, b.Config.Batch)
	case generator(a) == generator(b) && a.Begun.Equal(b.Begun) && reflect.DeepEqual(a.Latency, b.Latency) &&
		a.Records > 0:
		return fmt.Errorf("%w: one is present twice, begun %v", ErrMerge, a.Begun.Format(time.RFC3339Nano))
	case till.Sub(from).Seconds() < minOverlap*min(a.Elapsed, b.Elapsed).Seconds():
		return fmt.Errorf("%w: they did not run at the same time, but at %v and %v", ErrMerge,
			a.Begun.Format(time.TimeOnly), b.Begun.Format(time.TimeOnly))
	}
	return nil
}

func begunFirst(rs []*Result) time.Time {
	return slices.MinFunc(rs, func(a, b *Result) int { return a.Begun.Compare(b.Begun) }).Begun
}

// merged joins results without their parts.
func merged(rs []*Result) *Result {
	m := *rs[0]
	m.Begun, m.Parts = begunFirst(rs), nil
	m.Config.Workers, m.Config.Ops, m.Elapsed = 0, 0, 0
	m.Abandoned, m.Inputs, m.Usage = 0, 0, Usage{}
	m.WarmUp = WarmUp{Wanted: m.WarmUp.Wanted, Steady: true}
	all, open := NewSum(1), Open{}
	var windows []Window
	for _, r := range rs {
		offset := r.Begun.Sub(m.Begun)
		m.Elapsed = max(m.Elapsed, offset+r.Elapsed)
		all.Add(r.record(offset, m.Config.Workers, len(rs)))
		if len(rs) > 1 {
			windows = append(windows, r.windows(offset)...)
		}
		m.Config.Workers, m.Config.Ops = m.Config.Workers+r.Config.Workers, m.Config.Ops+r.Config.Ops
		m.Abandoned, m.Inputs = m.Abandoned+r.Abandoned, m.Inputs+r.Inputs
		m.worst(r)
		if r.Open != nil {
			open.add(r.Open)
			open.ServiceStdErr = math.Hypot(open.ServiceStdErr, float64(r.Records)*r.Open.ServiceStdErr)
		}
		m.Usage.add(r.Usage, float64(r.Done+r.Failed))
	}
	m.Windows = windows
	stdErr := open.ServiceStdErr / float64(max(1, all.Service.N))
	if m.Open != nil {
		m.Open, m.Config.Plan = &open, mergedPlan(rs)
	}
	m.Take(all)
	if m.Open != nil {
		m.Open.ServiceStdErr = stdErr // the timelines of service times are not kept
	}
	m.Usage.average(float64(m.Done + m.Failed))
	return &m
}

// windows returns the windows of r, which begins offset later.
func (r *Result) windows(offset time.Duration) []Window {
	if len(r.Windows) == 0 {
		return []Window{{From: offset, Length: r.Elapsed, Workers: r.Config.Workers,
			Throughput: r.Throughput()}}
	}
	later := slices.Clone(r.Windows)
	for i := range later {
		later[i].From += offset
	}
	return later
}

// record returns the record of r as if it was one worker: cells begin offset later, and
// workers are counted from first. Each of the generators knows only its own operations
// in progress.
func (r *Result) record(offset time.Duration, first, generators int) *Record {
	o := &Record{
		Response: tallyOf(r.Records, r.Moments, r.Latency), Done: r.Done, Weighted: r.Weighted,
		Busy:   float64(r.Busy),
		Failed: r.Failed, Failures: r.Failures, Errors: r.Errors, Stack: r.Stack, Exited: true,
	}
	o.Response.fine = r.Fine
	o.Response.Timeline.Merge(&r.Timeline, offset)
	for _, s := range r.Slowest {
		s.Worker, s.From = s.Worker+first, s.From+offset
		o.Response.Slow = append(o.Response.Slow, s)
	}
	if open := r.Open; open != nil {
		o.Service = tallyOf(r.Records, Moments{Mean: open.ServiceMean, StdDev: open.ServiceStdDev},
			*r.Service)
		o.Late = open.Late
		o.Lag = Lag{N: r.Records, Sum: open.LagMean * time.Duration(r.Records), Max: open.LagMax}
		for _, c := range open.Crowd {
			o.Crowd = append(o.Crowd, Company{c.N, c.Others * float64(generators), c.Sum})
		}
	}
	return o
}

// tallyOf returns a tally with the figures of n latencies, and an empty timeline.
func tallyOf(n uint64, m Moments, h hist.Histogram) Tally {
	times := float64(n)
	return Tally{
		N: n, sum: m.Mean * times, sq: m.StdDev * m.StdDev * max(0, times-1), least: m.Min, most: m.Max,
		changes: m.Jitter * times, steps: m.Steps * times, pairs: n, Hist: h, Timeline: NewTimeline(1),
	}
}

// generator returns the number of the generator of a shared plan, or 0.
func generator(r *Result) int {
	if r.Config.Plan == nil {
		return 0
	}
	return r.Config.Plan.Generator
}

// mergedPlan is the plan of the first result with the rates of all. It is exact for
// generators that share a plan. Other plans cannot be stated as one, and then only the sum
// at the start is right.
func mergedPlan(rs []*Result) *schedule.Plan {
	plan, factor := *rs[0].Config.Plan, 0.0
	for _, r := range rs {
		factor += r.Config.Plan.Rate / plan.Rate / float64(max(1, r.Config.Plan.Generators))
	}
	if math.Abs(factor-1) < 1e-9 { // all generators of the plan
		factor = 1
	}
	plan.Generator, plan.Generators = 0, 0
	plan.Rate *= factor
	plan.To *= factor
	plan.Then = slices.Clone(plan.Then)
	for i := range plan.Then {
		plan.Then[i].To *= factor
	}
	return &plan
}

// worst takes over the reasons to doubt r: an early end, an unsteady warm-up, a
// noisier machine.
func (r *Result) worst(o *Result) {
	if o.Interrupted && !r.Interrupted {
		r.Interrupted, r.End = true, o.End
	}
	if r.Dump == "" {
		r.Dump = o.Dump
	}
	if o.Control.N > 0 && (r.Control.N == 0 || o.Control.Noise() > r.Control.Noise()) {
		r.Control = o.Control
	}
	r.WarmUp.Took = max(r.WarmUp.Took, o.WarmUp.Took)
	r.WarmUp.Operations += o.WarmUp.Operations
	r.WarmUp.Steady = r.WarmUp.Steady && o.WarmUp.Steady
	r.Clock.Step, r.Clock.Record = max(r.Clock.Step, o.Clock.Step), max(r.Clock.Record, o.Clock.Record)
	r.Looks, r.Confidence = max(r.Looks, o.Looks), max(r.Confidence, o.Confidence)
}

// add adds the starts of another generator.
func (o *Open) add(other *Open) {
	o.Offered, o.Started, o.Backlog = o.Offered+other.Offered, o.Started+other.Started,
		o.Backlog+other.Backlog
	for i, v := range other.Present {
		if len(o.Present) == i {
			o.Present = append(o.Present, 0)
		}
		o.Present[i] += v
	}
}

// add adds the usage of another process that ran n operations.
func (u *Usage) add(o Usage, n float64) {
	u.BytesPerOp, u.AllocsPerOp, u.CPUPerOp = u.BytesPerOp+n*o.BytesPerOp, u.AllocsPerOp+n*o.AllocsPerOp,
		u.CPUPerOp+n*o.CPUPerOp
	u.GCCycles, u.GCPauses, u.GCPauseMax = u.GCCycles+o.GCCycles, u.GCPauses+o.GCPauses,
		max(u.GCPauseMax, o.GCPauseMax)
	u.GCShare, u.AssistShare, u.ProcessorUse = max(u.GCShare, o.GCShare), max(u.AssistShare, o.AssistShare),
		max(u.ProcessorUse, o.ProcessorUse)
	u.HeapBytes, u.MutexWait = u.HeapBytes+o.HeapBytes, u.MutexWait+o.MutexWait
	u.SchedP50, u.SchedP99 = max(u.SchedP50, o.SchedP50), max(u.SchedP99, o.SchedP99)
	u.Scheduled, u.Goroutines = u.Scheduled+o.Scheduled, u.Goroutines+o.Goroutines
}

func (u *Usage) average(n float64) {
	if n > 0 {
		u.BytesPerOp, u.AllocsPerOp, u.CPUPerOp = u.BytesPerOp/n, u.AllocsPerOp/n, u.CPUPerOp/n
	}
}

// MostErrors keeps the most frequent messages and sums the others.
func MostErrors(all map[string]uint64) map[string]uint64 {
	messages := slices.DeleteFunc(mostFrequent(all), func(m string) bool { return m == OtherErrors })
	for _, m := range messages[min(len(messages), MaxErrors):] {
		all[OtherErrors] += all[m]
		delete(all, m)
	}
	return all
}
