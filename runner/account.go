package runner

import (
	"errors"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/runner/result"
)

// lateThreshold is the least delay of a late start.
const lateThreshold = time.Millisecond

const (
	// maxMessageBytes bounds one message in bytes.
	maxMessageBytes = 1000
)

// record counts n operations that succeeded between start and end, and one more
// failed operation if err is not nil.
func (w *worker) record(planned, start, end moment, n int, err error) {
	w.mu.Lock()
	if !w.Abandoned {
		w.count(planned, start, end, n, err)
		w.recordPart(planned, start, end, n, err)
	}
	w.mu.Unlock()
}

func (w *worker) count(planned, start, end moment, n int, err error) {
	w.Calls += uint64(n)
	w.quota -= int64(n)
	w.LastEnd = max(w.LastEnd, end) // workers of a replay share records
	if start-planned > lateThreshold {
		w.Late++
	}
	if err != nil {
		w.Response.Timeline.At(end).Bad++
		w.fail(err, w.took(planned, start, end, n))
	}
	if n > 0 {
		if err != nil && w.p.timeout > 0 {
			end = w.began // a failure at the timeout is not part of the latency of the others
		}
		w.succeed(planned, start, end, n)
	}
}

func (w *worker) succeed(planned, start, end moment, n int) {
	w.Done += uint64(n)
	service := end - start
	if till := moment(w.p.till.Load()); end <= till {
		w.addInWindow(start, end, float64(n))
	} else if start < till { // the operation crosses the end of the window
		w.addInWindow(start, till, float64(n)*float64(till-start)/float64(service))
	}
	if w.p.queue.plan == nil {
		w.Response.Add(service, n, end, w.id)
		return
	}
	w.AddCompany(result.CompanyOf(w.others),
		result.Company{N: 1, Others: float64(w.others), Sum: float64(service)})
	w.Response.Add(end-planned, n, end, w.id)
	w.Service.Add(service, n, end, w.id)
}

// addInWindow counts the operations, or the share of one, inside the window.
func (w *worker) addInWindow(from, till moment, ops float64) {
	w.Weighted += ops
	w.Busy += float64(till - from)
	w.Response.Timeline.Spread(from, till, ops)
}

// took returns the time that a failed operation took after n of its batch had succeeded.
func (w *worker) took(planned, start, end moment, n int) time.Duration {
	switch {
	case w.p.queue.plan != nil:
		return end - planned
	case n > 0 && w.p.timeout > 0:
		return end - w.began
	}
	return (end - start) / time.Duration(n+1)
}

// fail counts a failed operation that took a time.
func (w *worker) fail(err error, took time.Duration) {
	w.Calls++
	w.quota--
	if w.p.ctx.Err() != nil && errors.Is(err, w.p.ctx.Err()) {
		if !w.isPart {
			w.p.cut.Add(1) // the end of the run caused the failure, not the operation
		}
		return
	}
	w.Failed++
	w.Fail(took, w.p.timeout > 0 && errors.Is(err, errTimeout))
	message := err.Error()
	if len(message) > maxMessageBytes {
		message = strings.ToValidUTF8(message[:maxMessageBytes], "") + "…"
	}
	if _, known := w.Errors[message]; !known && len(w.Errors) >= result.MaxErrors {
		message = result.OtherErrors
	}
	w.Errors[message]++
}

func (w *worker) keepStack(s string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.Stack == "" {
		w.Stack = s
	}
}
