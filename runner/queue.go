package runner

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/zkatbench/zkatbench/runner/result"
	"github.com/zkatbench/zkatbench/runner/schedule"
)

// A queue hands out operations to free workers.
//
// With a plan it is the shared list of planned starts: an idle worker takes the
// starts that a stalled worker does not take. Without a plan it only counts, in
// portions, so that workers rarely contend for its cache line.
type queue struct {
	limit   int64 // operations to hand out
	taken   atomic.Int64
	portion int64

	mu      sync.Mutex
	plan    *schedule.Plan // nil in a closed loop
	cursor  *schedule.Cursor
	working atomic.Int64 // operations in progress
	next    moment
	started int64
}

// newQueue returns a queue of ops operations; 0 means no limit.
func newQueue(plan *schedule.Plan, ops int64, workers int) *queue {
	q := &queue{limit: math.MaxInt64}
	if ops > 0 {
		q.limit = ops
		q.portion = max(1, ops/int64(100*workers))
	}
	if plan != nil {
		q.plan, q.cursor = plan, plan.Cursor()
		q.next = q.cursor.Next()
	}
	return q
}

// claim takes up to one portion of the operations; 0 means that all are taken.
func (q *queue) claim() int64 {
	if q.limit == math.MaxInt64 {
		return math.MaxInt64
	}
	from := q.taken.Add(q.portion) - q.portion
	return max(0, min(q.portion, q.limit-from))
}

// take returns the next planned start; ok is false after the last start
// before till, or if now is after till.
func (q *queue) take(now, till moment) (planned moment, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if now >= till || q.next >= till || q.started >= q.limit {
		return 0, false
	}
	planned = q.next
	q.next = q.cursor.Next()
	q.started++
	return planned, true
}

// exhausted reports whether all operations were handed out.
func (q *queue) exhausted() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return max(q.taken.Load(), q.started) >= q.limit
}

// maxCounted bounds the loop of overdue, which holds the lock; above it,
// overdue returns the expected number.
const maxCounted = 10_000

// overdue returns the number of planned starts before now that were not taken.
func (q *queue) overdue(now moment) (n int64) {
	upcoming, next := q.cursor.Clone(), q.next
	for next < now && q.started+n < q.limit {
		n++
		if n == maxCounted {
			return max(n, int64(q.plan.Expected(now))-q.started)
		}
		next = upcoming.Next()
	}
	return n
}

// openStats returns the statistics of the plan for a window that ended at till.
func (q *queue) openStats(till moment) *result.Open {
	q.mu.Lock()
	defer q.mu.Unlock()
	o := &result.Open{Started: q.started, Backlog: q.overdue(till)}
	o.Offered = o.Started + o.Backlog
	return o
}

// present returns the number of starts that are due and have not ended, at the end
// of each tenth of a window that ended at till.
func (q *queue) present(t *result.Timeline, till moment, offered int64) (counts []int64) {
	upcoming := q.plan.Cursor()
	next, due := upcoming.Next(), int64(0)
	for k := range result.PresentMarks {
		at := till / result.PresentMarks * moment(k+1)
		for ; next < at && due < offered; due++ {
			next = upcoming.Next()
		}
		counts = append(counts, max(0, due-int64(t.EndedBy(at))))
	}
	return counts
}
