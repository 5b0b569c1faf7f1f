package suite

import (
	"time"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
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

// Replay returns the time of a replayed party.
func (t *Trial) Replay(id uint32) (sum time.Duration) {
	for _, d := range t.Took[id] {
		sum += d
	}
	return sum
}

// Bytes returns the bytes that each party receives.
func (t *Trial) Bytes() (all []int) {
	for _, traffic := range t.Traffic {
		all = append(all, traffic.Bytes)
	}
	return all
}

// Measure records a case, verifies the recording, and replays the real parties,
// which must count. If naive is set, it times all parties together as well, right
// before the replays.
func Measure(s Scenario, real []uint32, naive bool) (*Trial, error) {
	r, snapshot, err := record(s)
	if err != nil {
		return nil, err
	}
	t := &Trial{Messages: snapshot.All(), Took: map[uint32][]time.Duration{}}
	for _, id := range r.IDs() {
		t.Traffic = append(t.Traffic, engine.TrafficOf(t.Messages, id))
	}
	if naive {
		parties, err := r.All()
		if err != nil {
			return nil, err
		}
		start := time.Now()
		transcript, err := engine.Run(parties)
		if err != nil {
			return nil, err
		}
		t.Naive, t.Recorded = time.Since(start), transcript.Took
	}
	for _, id := range real {
		played, err := r.play(snapshot, id)
		if err != nil {
			return nil, err
		}
		t.Took[id] = played.Took
	}
	return t, nil
}

// Bytes records a case and returns the bytes that each party receives.
func Bytes(s Scenario) ([]int, error) {
	t, err := Measure(s, nil, false)
	if err != nil {
		return nil, err
	}
	return t.Bytes(), nil
}

// Count returns the group operations of a party in each round, from a replay that
// counts.
func Count(s Scenario, id uint32) ([]ops.Counts, error) {
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
