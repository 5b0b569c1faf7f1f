package runner

import "time"

// Replay returns the Result that Run would return in simulated time, where
// operation number i, counted from 0, takes service(i) and the runner takes no
// time. Replay has no warm-up. It audits figures against known service times
// without a clock: a minute of 10 000 operations a second takes some 0.1 s.
func Replay(c Config, service func(i int) time.Duration) (*Result, error) {
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
	ws := make([]*worker, c.Workers)
	for i := range ws {
		ws[i] = newWorker(i, p, bound{})
		ws[i].exited = true
	}
	res.End = p.replay(ws, service)
	res.fill(gather(ws), p)
	res.looked(looks)
	return res, nil
}

// replay gives each operation to the first free worker, and returns the
// reason for the end.
func (p *phase) replay(ws []*worker, service func(int) time.Duration) (end string) {
	free := make([]moment, len(ws))
	look := p.every
	for i := 0; ; i++ {
		next := 0
		for k := range free {
			if free[k] < free[next] {
				next = k
			}
		}
		now := free[next]
		for ; p.look != nil && look <= now; look += p.every {
			if end = p.look(look, ws); end != "" {
				p.till.Store(int64(look))
				return end
			}
		}
		w := ws[next]
		planned, ok := w.next(now)
		if !ok {
			return p.normalEnd()
		}
		start := max(now, planned)
		free[next] = start + service(i)
		w.record(planned, start, free[next], 1, nil)
	}
}
