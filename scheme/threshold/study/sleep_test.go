package study // newModel is private: Sleep sends the messages of a model in real time

import (
	"context"
	"sync"
	"time"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
)

// Sleep plays one party against a recording in real time: a goroutine sleeps for
// each peer and each message, and the party does its steps. It returns the time until
// the party has its output, and the times of its steps. Messages take as long as in
// Finish without jitter, simulated peers the time of steps.
func Sleep(ctx context.Context, n Network, s *engine.Snapshot, party engine.Party,
	steps steps) (elapsed time.Duration, took []time.Duration, err error) {
	ctx, cancel := context.WithCancel(ctx)
	var peers sync.WaitGroup
	defer peers.Wait()
	defer cancel()
	ids := make([]uint32, s.Parties)
	for i := range ids {
		ids[i] = uint32(i + 1)
	}
	c := newClocked(n, newModel(s.All(), ids))
	start := time.Now()
	for i, id := range ids {
		if id != party.ID() {
			peers.Go(func() {
				for round := 1; round <= len(c.rounds)+1; round++ {
					c.round(ctx, i, round, func() { time.Sleep(steps(id, round)) })
				}
			})
		}
	}
	recorded := engine.NewReplay(s, party.ID())
	played, err := recorded.Play(engine.Observe(party, func(round int, step func() []engine.Message) {
		c.round(ctx, int(party.ID())-1, round, func() {
			took = append(took, timed(wall(), func() { step() }))
		})
	}))
	elapsed = time.Since(start)
	if ctx.Err() != nil {
		return elapsed, took, ctx.Err()
	}
	if err == nil {
		err = recorded.Check(played)
	}
	return elapsed, took, err
}

// clocked is a run in real time.
type clocked struct {
	Network
	*model
	arrivals []map[int]chan struct{} // by round of the messages, from index 0, and receiver
}

func newClocked(n Network, m *model) *clocked {
	c := &clocked{Network: n, model: m}
	for _, links := range m.rounds {
		receivers := map[int]chan struct{}{}
		for _, l := range links {
			receivers[l.to] = make(chan struct{}, len(links)*len(m.parties))
		}
		c.arrivals = append(c.arrivals, receivers)
	}
	return c
}

// round waits for the messages of the round before, works, and sends the messages of
// the round. It does nothing after the end of ctx.
func (c *clocked) round(ctx context.Context, party, round int, work func()) {
	if round > 1 {
		for _, l := range c.rounds[round-2] {
			for range l.bytes {
				if l.to != party {
					continue
				}
				select {
				case <-c.arrivals[round-2][party]:
				case <-ctx.Done():
					return
				}
			}
		}
	}
	work()
	if round > len(c.rounds) {
		return
	}
	for _, l := range c.rounds[round-1] {
		for _, bytes := range l.bytes {
			if l.from == party {
				time.AfterFunc(c.Latency+c.transfer(bytes), func() {
					c.arrivals[round-1][l.to] <- struct{}{}
				})
			}
		}
	}
}
