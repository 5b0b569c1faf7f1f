package runner

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/zkatbench/zkatbench/runner/result"
)

// Replay returns the Result that Run would return in simulated time, where
// operation number i, counted from 0, takes service(i, start) and the runner takes no
// time. start is its true start, from the start of the window, and does not
// decrease: a service can have an internal queue, or wander. Replay has no warm-up. It audits figures against
// known service times without a clock: a minute of 10 000 operations a second takes some 0.1 s.
func Replay(c Config, service func(i int, start time.Duration) time.Duration) (*result.Result, error) {
	if err := complete(&c); err != nil {
		return nil, err
	}
	c.Batch = max(1, c.Batch)
	res := measuring{Result: &result.Result{Version: result.Version, Config: c, SetUp: "none"}}
	p := newPhase(c, c.Plan, c.Duration, c.Ops)
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
		s.ws[i].Exited = true
	}
	res.End = s.run(service)
	res.fill(gather(s.ws), p)
	res.looked(looks)
	return res.Result, nil
}

// maxRecords bounds the memory of a replay: workers share so many records.
const maxRecords = 8

// replayed is a phase in simulated time.
type replayed struct {
	*phase
	ws   []*worker
	free []ending // of all workers, the earliest first
}

// An ending is the end of an operation of a worker.
type ending struct {
	at     moment
	worker int
}

func (a ending) compare(b ending) int {
	return cmp.Or(cmp.Compare(a.at, b.at), a.worker-b.worker)
}

// after returns the index of the first worker that becomes free after b.
func (s *replayed) after(b ending) int {
	at, _ := slices.BinarySearchFunc(s.free, b, ending.compare)
	return at
}

// run gives each operation to the first free worker, and returns the reason for
// the end.
func (s *replayed) run(service func(int, time.Duration) time.Duration) (end string) {
	look := s.every
	for i := 0; ; {
		first := s.free[0]
		for ; s.look != nil && look <= first.at; look += s.every {
			end = s.look(look, s.ws)
			if end != "" {
				s.till.Store(int64(look))
				return end
			}
		}
		w := s.ws[first.worker%len(s.ws)]
		planned, ok := w.next(first.at)
		if !ok { // others may have operations left
			s.free = s.free[1:]
			if len(s.free) == 0 {
				return s.normalEnd()
			}
			continue
		}
		start := max(first.at, planned)
		w.others = len(s.free) - s.after(ending{start, math.MaxInt})
		first.at = start + service(i, start)
		i++
		s.free = s.free[1:]
		s.free = slices.Insert(s.free, s.after(first), first) // near the end: few move
		w.record(planned, start, first.at, 1, nil)
	}
}
