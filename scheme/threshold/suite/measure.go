package suite

import (
	"time"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
)

// Trial is one recording of a case, with a naive run and replays that were timed.
// Each of its replays ended, sent the recorded bytes, and has the recorded output.
type Trial struct {
	Messages []engine.Message
	// Naive is the time of all parties together; 0 if it was not measured.
	Naive time.Duration
	// Recorded are the times of the steps of all parties in the naive run.
	Recorded map[uint32][]time.Duration
	// Took are the times of the steps of each replayed party.
	Took map[uint32][]time.Duration
	// Traffic is the traffic of each party, in the order of identifiers.
	Traffic []engine.Traffic
}

// Bytes returns the bytes that each party receives.
func (t *Trial) Bytes() (all []int) {
	for _, traffic := range t.Traffic {
		all = append(all, traffic.Bytes)
	}
	return all
}

// Timing selects the runs that Measure times.
type Timing struct {
	Real []uint32 // parties that are replayed
	// Naive times all parties together as well, right before the replays.
	Naive bool
	// Now is the clock; nil is wall time.
	Now func() time.Duration
}

// wall is a clock of wall time.
func wall() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// timed is a party with timed steps.
type timed struct {
	engine.Party
	now  func() time.Duration
	took []time.Duration
}

// Step implements engine.Party.
func (p *timed) Step(round int, in []engine.Message) ([]engine.Message, bool, error) {
	start := p.now()
	out, done, err := p.Party.Step(round, in)
	p.took = append(p.took, p.now()-start)
	return out, done, err
}

// Measure records a case, verifies the recording, and replays the real parties,
// which must count.
func Measure(s Scenario, what Timing) (*Trial, error) {
	if what.Now == nil {
		what.Now = wall()
	}
	r, snapshot, err := record(s)
	if err != nil {
		return nil, err
	}
	t := &Trial{Messages: snapshot.All(), Took: map[uint32][]time.Duration{}, Recorded: map[uint32][]time.Duration{}}
	for _, id := range r.IDs() {
		t.Traffic = append(t.Traffic, engine.TrafficOf(t.Messages, id))
	}
	if what.Naive {
		if err := t.timeAll(r, what.Now); err != nil {
			return nil, err
		}
	}
	for _, id := range what.Real {
		p, err := r.Party(id)
		if err != nil {
			return nil, err
		}
		watched := &timed{Party: p, now: what.Now}
		if err := play(snapshot, watched); err != nil {
			return nil, err
		}
		t.Took[id] = watched.took
	}
	return t, nil
}

// timeAll times all parties in one run.
func (t *Trial) timeAll(r *Run, now func() time.Duration) error {
	parties, err := r.All()
	if err != nil {
		return err
	}
	watched := make([]*timed, len(parties))
	for i, p := range parties {
		watched[i] = &timed{Party: p, now: now}
		parties[i] = watched[i]
	}
	start := now()
	if _, err := engine.Run(parties); err != nil {
		return err
	}
	t.Naive = now() - start
	for _, p := range watched {
		t.Recorded[p.ID()] = p.took
	}
	return nil
}

// Count returns the group operations of a party in each round, from a replay that
// counts.
func Count(s Scenario, id uint32) ([]count.Counts, error) {
	r, snapshot, err := record(s)
	if err != nil {
		return nil, err
	}
	p, err := r.Party(id)
	if err != nil {
		return nil, err
	}
	recorded := engine.NewReplay(snapshot, id)
	played, err := recorded.Count(p)
	if err == nil {
		err = recorded.Check(played)
	}
	return played.Ops, err
}

func record(s Scenario) (*Run, *engine.Snapshot, error) {
	r, err := New(s)
	if err != nil {
		return nil, nil, err
	}
	snapshot, err := r.Record()
	return r, snapshot, err
}
