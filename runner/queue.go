package runner

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkatbench/zkatbench/runner/schedule"
)

// A queue hands out operations to whichever worker is free.
//
// With a plan it is the one list of planned starts: what a stalled worker does
// not take, an idle one does. Without, it only counts, in portions, so that
// workers rarely meet on its cache line.
type queue struct {
	limit   int64 // operations to hand out
	taken   atomic.Int64
	portion int64

	mu     sync.Mutex
	plan   *schedule.Plan // nil in a closed loop
	cursor *schedule.Cursor
	half   moment // when to look at the backlog for the first time
	first  *int64 // the backlog then
	next   moment
	given  int64
}

// newQueue has ops operations, or no end of them if ops is 0.
func newQueue(plan *schedule.Plan, ops int64, workers int, duration time.Duration) *queue {
	q := &queue{limit: math.MaxInt64, half: duration / 2}
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

// claim takes up to a portion of the operations; 0 if there are none left.
func (q *queue) claim() int64 {
	if q.limit == math.MaxInt64 {
		return math.MaxInt64
	}
	from := q.taken.Add(q.portion) - q.portion
	return max(0, min(q.portion, q.limit-from))
}

// take returns the next planned start; false if there are none before till, or
// if now is too late for any.
func (q *queue) take(now, till moment) (planned moment, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.first == nil && now >= q.half {
		b := q.behind(now)
		q.first = &b
	}
	if now >= till || q.next >= till || q.given >= q.limit {
		return 0, false
	}
	planned = q.next
	q.next = q.cursor.Next()
	q.given++
	return planned, true
}

// exhausted reports whether all operations were handed out.
func (q *queue) exhausted() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return max(q.taken.Load(), q.given) >= q.limit
}

// mostCounted bounds how long behind counts one by one, since others wait for
// it; beyond, it says how many there should be.
const mostCounted = 10_000

// behind returns how many planned starts before now nobody took.
func (q *queue) behind(now moment) (n int64) {
	ahead, next := q.cursor.Clone(), q.next
	for next < now && q.given+n < q.limit {
		if n++; n == mostCounted {
			return max(n, int64(q.plan.Expected(now))-q.given)
		}
		next = ahead.Next()
	}
	return n
}

// kept says how the plan was kept until the window ended at till.
func (q *queue) kept(till moment) *Open {
	q.mu.Lock()
	defer q.mu.Unlock()
	o := &Open{Started: q.given, Backlog: q.behind(till)}
	o.Offered = o.Started + o.Backlog
	if q.first != nil {
		o.BacklogHalf = *q.first
	}
	return o
}
