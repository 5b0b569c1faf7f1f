package runner

import (
	"cmp"
	"container/heap"
	"time"
)

// Replay returns the Result that Run would return in simulated time, where
// operation number i, counted from 0, takes service(i, start) and the runner takes no
// time. start is its true start, from the start of the window, and does not
// decrease: a service can have a queue of its own, or wander. Replay has no warm-up. It audits figures against known service times
// without a clock: a minute of 10 000 operations a second takes some 0.1 s.
func Replay(c Config, service func(i int, start time.Duration) time.Duration) (*Result, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	c.Batch = max(1, c.Batch)
	res := &Result{Version: Version, Config: c, SetUp: "none"}
	p := newPhase(c, c.Plan, c.Duration, c.Ops)
	p.exact = c.Exact
	looks := &looker{c: c, p: p, next: firstLook}
	if c.Precision > 0 {
		p.look, p.every = looks.precise, lookInterval
	}
	s := replayed{phase: p}
	for i := range c.Workers {
		s.free = append(s.free, ending{0, i})
	}
	for i := range min(c.Workers, maxRecords) {
		s.ws = append(s.ws, newWorker(i, p, bound{}))
		s.ws[i].exited = true
	}
	res.End = s.run(service)
	res.fill(gather(s.ws), p)
	res.looked(looks)
	return res, nil
}

// maxRecords bounds the memory of a replay: workers share so many records.
const maxRecords = 8

// replayed is a phase in simulated time.
type replayed struct {
	*phase
	ws   []*worker
	free endings // of each worker
	busy endings // of the operations in progress
}

// An ending is the end of an operation of a worker; endings are a heap of them.
type ending struct {
	at     moment
	worker int
}
type endings []ending

func (e endings) Len() int { return len(e) }
func (e endings) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(e[i].at, e[j].at), e[i].worker-e[j].worker) < 0
}
func (e endings) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *endings) Push(x any)   { *e = append(*e, x.(ending)) }
func (e *endings) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// begin counts the operations in progress at a start, and adds one.
func (e *endings) begin(start moment, this ending) (others int) {
	for len(*e) > 0 && (*e)[0].at <= start {
		heap.Pop(e)
	}
	others = len(*e)
	heap.Push(e, this)
	return others
}

// run gives each operation to the first free worker, and returns the reason for
// the end.
func (s *replayed) run(service func(int, time.Duration) time.Duration) (end string) {
	look := s.every
	for i := 0; ; i++ {
		now := s.free[0].at
		for ; s.look != nil && look <= now; look += s.every {
			if end = s.look(look, s.ws); end != "" {
				s.till.Store(int64(look))
				return end
			}
		}
		w := s.ws[s.free[0].worker%len(s.ws)]
		planned, ok := w.next(now)
		if !ok {
			return s.normalEnd()
		}
		start := max(now, planned)
		s.free[0].at = start + service(i, start)
		this := s.free[0]
		heap.Fix(&s.free, 0)
		if s.queue.plan != nil {
			w.others = s.busy.begin(start, this)
		}
		w.record(planned, start, this.at, 1, nil)
	}
}
