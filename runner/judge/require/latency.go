package require

import (
	"math"

	"github.com/zkatbench/zkatbench/runner/judge"
	"github.com/zkatbench/zkatbench/runner/stats"
)

const (
	// confidence is the level of intervals of rates and shares, which have two
	// sides.
	confidence = 0.95
	// oneSided is the level of a bound of a latency, which has one.
	oneSided = 0.95
	// leastSettled is the least length of a window, in memories of its queue, for
	// the verdict that a latency is below a limit: a run begins with an empty queue.
	leastSettled = 30
	// maxLightCV is the greatest coefficient of variation of services with a tail that
	// counts as light.
	maxLightCV = 1.1
)

const growing = "the queue grows, so a longer window has longer latencies"

// percentile judges the q-quantile by the share of operations beyond the limit:
// the quantile is below it if the share is below 1-q. The share needs no interval
// of the quantile, and a distant limit decides at once.
func (c *Check) percentile(r judgement, q float64) {
	e := judge.Quantile(r.Result, q)
	c.Value, c.Interval = e.Value, e.Interval
	queue, open := judge.QueueOf(r.whole)
	if open && queue.Growing {
		c.whileGrowing(r, 1-q)
		return
	}
	s := beyond(r, queue, open, c.Limit)
	s.Allowed = 1 - q
	c.Share = &s
	less := s.High < s.Allowed || open && extrapolated(r, queue, c.Limit, s)
	if less && open && queue.Settled < leastSettled {
		less = false
		c.Why = "the window is too short for the queue to settle"
		c.needs(leastSettled / queue.Settled)
	}
	c.decide(less, s.Low > s.Allowed)
	if c.Verdict == Undecided && c.Needs == 0 {
		half, distance := (s.High-s.Low)/2, math.Abs(s.Value-s.Allowed)
		c.needs(half / distance * half / distance)
	}
}

// whileGrowing judges a figure that grows with the window: it is never below the
// limit, and above it if every later batch of the window is.
func (c *Check) whileGrowing(r judgement, allowed float64) {
	c.Interval = nil
	c.decide(false, judge.LaterBeyond(r.Result, c.Limit, allowed))
	c.Why = growing
}

// beyond returns the share of operations above a limit with its bounds. In the
// queue of an open loop operations exceed a high limit in clumps; the operations
// of a mix have their part of each.
func beyond(r judgement, queue judge.Queue, open bool, limit float64) Share {
	share, effective := judge.Beyond(r.Result, limit)
	if open {
		clump := queue.Clump * float64(r.Records) / float64(max(1, r.whole.Records))
		effective = min(effective, float64(r.Records)/max(1, clump))
	}
	return Share{Value: share, Interval: stats.ShareBounds(share*effective, effective, oneSided)}
}

// extrapolated reports whether the share beyond the limit is below the allowed
// one by the shares beyond a half and a quarter of the limit. In a queue with
// light-tailed services, the tail of the response time decays exponentially (Kingman,
// Proceedings of the Cambridge Philosophical Society 60, 1964), so the share beyond the
// limit is about the square of the share beyond half of it. This is used only if few
// operations exceeded the limit, the services alone show that they do not, and they have
// a light tail.
func extrapolated(r judgement, queue judge.Queue, limit float64, at Share) bool {
	if at.Value > at.Allowed/2 || queue.ServiceCV > maxLightCV {
		return false
	}
	n := float64(r.Records) // services count as independent
	if stats.ShareBounds(n*judge.ServiceBeyond(r.Result, limit), n, oneSided).High >= at.Allowed {
		return false
	}
	for parts := 2.0; parts <= 4; parts *= 2 {
		if s := beyond(r, queue, true, limit/parts); s.High < math.Pow(at.Allowed, 1/parts) {
			return true
		}
	}
	return false
}

// mean judges the mean by bounds of batch means.
func (c *Check) mean(r judgement) {
	e := judge.Mean(r.Result)
	c.Value, c.Interval = e.Value, e.Interval
	queue, open := judge.QueueOf(r.whole)
	if open && queue.Growing {
		c.whileGrowing(r, 0)
		return
	}
	i, ok := judge.MeanBounds(r.Result, oneSided)
	if !ok {
		c.Why = "the window is too short"
		return
	}
	if c.Failed > 0 { // each took at least its time, so they move the mean up
		done, failed := float64(r.Records), float64(c.Failed)
		moved := (r.Moments.Mean*done+r.Failures.Sum)/(done+failed) - r.Moments.Mean
		c.Value += moved
		i.Low, i.High = i.Low+moved, i.High+moved
	}
	if c.Cut > 0 {
		i.High = math.Inf(1)
	}
	c.within(i)
	if c.Interval.High < c.Limit && open && queue.Settled < leastSettled {
		c.Verdict, c.Why = Undecided, "the window is too short for the queue to settle"
		c.needs(leastSettled / queue.Settled)
	}
}
