package suite

import (
	"time"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
)

// Measured is one recording of a case with the replay of one party.
type Measured struct {
	Messages []engine.Message
	// Took are the times of the replayed party by round, Recorded those of all
	// parties in the naive run.
	Took     []time.Duration
	Recorded map[uint32][]time.Duration
	Naive    time.Duration
	Traffic  []int // bytes received by each party
}

// Replay returns the time of the replayed party.
func (m *Measured) Replay() (sum time.Duration) {
	for _, t := range m.Took {
		sum += t
	}
	return sum
}

// Measure records a case, verifies the recording, and replays a party, which must
// count.
func Measure(s Scenario, real uint32) (*Measured, error) {
	r, err := New(s)
	if err != nil {
		return nil, err
	}
	snapshot, err := r.Record()
	if err != nil {
		return nil, err
	}
	parties, err := r.All()
	if err != nil {
		return nil, err
	}
	start := time.Now()
	transcript, err := engine.Run(parties)
	if err != nil {
		return nil, err
	}
	m := &Measured{Messages: snapshot.All(), Recorded: transcript.Took, Naive: time.Since(start)}
	played, err := r.play(snapshot, real)
	if err != nil {
		return nil, err
	}
	m.Took = played.Took
	for _, id := range r.IDs() {
		m.Traffic = append(m.Traffic, engine.TrafficOf(m.Messages, id).Bytes)
	}
	return m, nil
}
