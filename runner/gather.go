package runner

import "github.com/zkatbench/zkatbench/runner/result"

// gather sums the records of the workers so far.
func gather(ws []*worker) *result.Sum {
	g := result.NewSum(ws[0].p.tick)
	for _, w := range ws {
		w.mu.Lock()
		g.Add(&w.Record)
		w.mu.Unlock()
	}
	return g
}

// abandon stops the recording of workers that are still in an operation.
func abandon(ws []*worker) {
	for _, w := range ws {
		w.mu.Lock()
		w.Abandoned = !w.Exited
		w.mu.Unlock()
	}
}

// fill copies the records of the window into r.
func (r measuring) fill(g *result.Sum, p *phase) {
	till := moment(p.till.Load())
	r.Begun = p.origin.Round(0)
	r.Elapsed = till
	if r.End == result.EndOps {
		r.Elapsed = min(till, g.LastEnd)
	}
	r.Abandoned = g.Abandoned + int(p.cut.Load())
	r.Control = summary(g.Control)
	if p.queue.plan != nil {
		r.Open = p.queue.openStats(till)
	}
	r.Take(g)
	if r.Open != nil {
		r.Open.Present = p.queue.present(&r.Timeline, r.Elapsed, r.Open.Offered)
	}
}
