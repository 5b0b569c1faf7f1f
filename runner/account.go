package runner

import (
	"errors"
	"strings"
	"time"
)

// recorded is the record of one worker.
type recorded struct {
	response  tally // latency from the planned start
	service   tally // latency from the true start; only in an open loop
	calls     uint64
	done      uint64
	weighted  float64 // operations in the window; an operation across its end counts by its share inside
	busy      float64 // ns in operations that succeeded, in the window
	failed    uint64
	errors    map[string]uint64
	stack     string
	crowd     []company // by companyOf; only in an open loop
	late      uint64    // started more than lateThreshold after the plan
	lag       lag
	lastEnd   moment
	control   []float64 // ns
	exited    bool      // the goroutine returned by itself
	abandoned bool      // the run gave up on the worker: its records end
}

// lag is the lateness of the timer that wakes workers for a planned start.
type lag struct {
	n        uint64
	sum, max time.Duration
}

// lateThreshold is the least delay of a late start.
const lateThreshold = time.Millisecond

const (
	// maxErrors is the number of distinct messages that a worker keeps; others
	// are counted under otherErrors.
	maxErrors   = 20
	otherErrors = "other messages"
	// maxMessageBytes bounds one message in bytes.
	maxMessageBytes = 1000
)

// record counts n operations that succeeded between start and end, and one more
// failed operation if err is not nil.
func (w *worker) record(planned, start, end moment, n int, err error) {
	w.mu.Lock()
	if !w.abandoned {
		w.count(planned, start, end, n, err)
		w.recordPart(planned, start, end, n, err)
	}
	w.mu.Unlock()
}

func (w *worker) count(planned, start, end moment, n int, err error) {
	w.calls += uint64(n)
	w.quota -= int64(n)
	w.lastEnd = end
	if start-planned > lateThreshold {
		w.late++
	}
	if err != nil {
		w.response.timeline.at(end).Bad++
		w.fail(err)
	}
	if n > 0 {
		if err != nil && w.p.timeout > 0 {
			end = w.began // a failure at the timeout is not part of the latency of the others
		}
		w.succeed(planned, start, end, n)
	}
}

// company adds service times to a class of others in progress.
func (r *recorded) addCompany(class int, c company) {
	if r.crowd == nil {
		r.crowd = make([]company, companies)
	}
	to := &r.crowd[class]
	to.N, to.Others, to.Sum = to.N+c.N, to.Others+c.Others, to.Sum+c.Sum
}

// trimmed leaves out empty classes at the end.
func trimmed(cs []company) []company {
	for len(cs) > 0 && cs[len(cs)-1].N == 0 {
		cs = cs[:len(cs)-1]
	}
	return cs
}

func (w *worker) succeed(planned, start, end moment, n int) {
	w.done += uint64(n)
	service := end - start
	if till := moment(w.p.till.Load()); end <= till {
		w.addInWindow(start, end, float64(n))
	} else if start < till { // the operation crosses the end of the window
		w.addInWindow(start, till, float64(n)*float64(till-start)/float64(service))
	}
	if w.p.queue.plan == nil {
		w.response.add(service, n, end, w.id)
		return
	}
	w.addCompany(companyOf(w.others), company{1, float64(w.others), float64(service)})
	w.response.add(end-planned, n, end, w.id)
	w.service.add(service, n, end, w.id)
}

// addInWindow counts the operations, or the share of one, inside the window.
func (w *worker) addInWindow(from, till moment, ops float64) {
	w.weighted += ops
	w.busy += float64(till - from)
	w.response.timeline.spread(from, till, ops)
}

func (w *worker) fail(err error) {
	w.calls++
	w.quota--
	if w.p.ctx.Err() != nil && errors.Is(err, w.p.ctx.Err()) {
		if !w.isPart {
			w.p.cut.Add(1) // the end of the run caused the failure, not the operation
		}
		return
	}
	w.failed++
	message := err.Error()
	if len(message) > maxMessageBytes {
		message = strings.ToValidUTF8(message[:maxMessageBytes], "") + "…"
	}
	if _, known := w.errors[message]; !known && len(w.errors) >= maxErrors {
		message = otherErrors
	}
	w.errors[message]++
}

func (w *worker) keepStack(s string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stack == "" {
		w.stack = s
	}
}
