package network

import (
	"context"
	"sync"
	"time"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
)

// Sleep plays one party against a recording in real time: a goroutine sleeps for
// each peer and each delay, and the party does its steps. It returns the time until
// the party has its output, and the times of its steps. Messages take
// like in Finish, without jitter. Simulated peers take the time of steps.
func Sleep(ctx context.Context, n Network, s *engine.Snapshot, party engine.Party, steps Steps) (elapsed time.Duration, took []time.Duration, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ids := make([]uint32, s.Parties)
	for i := range ids {
		ids[i] = uint32(i + 1)
	}
	c := &clocked{n: n, m: NewModel(s.All(), ids)}
	c.arrivals = make([]map[int]chan struct{}, len(c.m.rounds)+1)
	for i := range c.arrivals {
		c.arrivals[i] = map[int]chan struct{}{}
	}
	for r, links := range c.m.rounds {
		for _, l := range links {
			if c.arrivals[r+1][l.to] == nil {
				c.arrivals[r+1][l.to] = make(chan struct{}, len(ids))
			}
		}
	}
	var peers sync.WaitGroup
	defer peers.Wait()
	defer cancel()
	start := time.Now()
	for i, id := range ids {
		if id != party.ID() {
			peers.Go(func() {
				c.run(ctx, i, func(round int) bool { return sleep(ctx, steps(id, round)) })
			})
		}
	}
	recorded := engine.NewReplay(s, party.ID())
	real := &waiting{Party: party, c: c, ctx: ctx}
	played, err := recorded.Play(real)
	elapsed = time.Since(start)
	if err == nil {
		err = recorded.Check(played)
	}
	return elapsed, real.took, err
}

// waiting is a party that starts a round when its messages have arrived.
type waiting struct {
	engine.Party
	c    *clocked
	ctx  context.Context
	took []time.Duration
}

// Step implements engine.Party.
func (w *waiting) Step(round int, in []engine.Message) (out []engine.Message, done bool, err error) {
	position := int(w.ID()) - 1
	if !w.c.receive(w.ctx, position, round) {
		return nil, false, w.ctx.Err()
	}
	start := time.Now()
	out, done, err = w.Party.Step(round, in)
	w.took = append(w.took, time.Since(start))
	w.c.send(position, round)
	return out, done, err
}

// clocked is a run in real time.
type clocked struct {
	n        Network
	m        *Model
	arrivals []map[int]chan struct{} // by round that waits for them, from index 0, and receiver
}

// run does the rounds of a simulated party.
func (c *clocked) run(ctx context.Context, party int, work func(round int) bool) {
	for round := 1; round <= len(c.m.rounds)+1; round++ {
		if !c.receive(ctx, party, round) || !work(round) {
			return
		}
		c.send(party, round)
	}
}

// receive waits for all links of the round before.
func (c *clocked) receive(ctx context.Context, party, round int) bool {
	if round < 2 {
		return true
	}
	for _, l := range c.m.rounds[round-2] {
		if l.to != party {
			continue
		}
		select {
		case <-c.arrivals[round-1][party]:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// send delivers the links of a round after their time.
func (c *clocked) send(party, round int) {
	if round > len(c.m.rounds) {
		return
	}
	for _, l := range c.m.rounds[round-1] {
		if l.from == party {
			arrived := c.arrivals[round][l.to]
			time.AfterFunc(c.n.Latency+c.n.transfer(l.largest), func() { arrived <- struct{}{} })
		}
	}
}

// sleep reports whether the time passed before the context ended.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
