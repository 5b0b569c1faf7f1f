package engine

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
)

// Why a replay does not count.
var (
	ErrOutgoing   = errors.New("outgoing message differs")
	ErrOutput     = errors.New("output differs")
	ErrUnfinished = errors.New("party is not done after the last round")
)

// Replay is one party that runs against a recording of the others.
type Replay struct {
	inbox  [][]Message // by round
	sent   [][]Message // the party's own recorded messages, by round
	output []byte      // recorded hash
}

// NewReplay prepares the replay of a party. Preparation is not part of the
// timed operation.
func NewReplay(s *Snapshot, id uint32) *Replay {
	all := s.All()
	rounds := Rounds(all) + 1
	r := &Replay{inbox: make([][]Message, rounds), sent: make([][]Message, rounds),
		output: s.Outputs[fmt.Sprint(id)]}
	for _, m := range received(all, id) {
		if m.Round >= 1 {
			r.inbox[m.Round] = append(r.inbox[m.Round], m)
		}
	}
	for _, m := range all {
		if m.From == id && m.Round >= 1 {
			r.sent[m.Round-1] = append(r.sent[m.Round-1], m)
		}
	}
	return r
}

// Played records the work of a replayed party.
type Played struct {
	Sent   [][]Message
	Output []byte
	Done   bool
}

// Play steps the party through all rounds. This operation is timed;
// Check says whether it counts.
func (r *Replay) Play(p Party) (*Played, error) {
	played := &Played{}
	for round := 1; round <= len(r.inbox) && !played.Done; round++ {
		out, done, err := p.Step(round, r.inbox[round-1])
		if err != nil {
			return played, err
		}
		played.Sent, played.Done = append(played.Sent, out), done
	}
	if played.Done {
		played.Output = p.Output()
	}
	return played, nil
}

// Counting returns p with the group operations of each of its rounds added to counts.
func Counting(p Party, counts *[]count.Counts) Party {
	return Observe(p, func(_ int, step func() []Message) {
		*counts = append(*counts, ops.Count(func() { step() }))
	})
}

// Check returns an error unless the party ended, sent the recorded messages byte
// for byte, and has the recorded output.
func (r *Replay) Check(played *Played) error {
	for i, want := range r.sent {
		var got []Message
		if i < len(played.Sent) {
			got = played.Sent[i]
		}
		if len(got) != len(want) {
			return fmt.Errorf("round %d: %w", i+1, ErrOutgoing)
		}
		for k := range want {
			if order(got[k], want[k]) != 0 || !bytes.Equal(got[k].Body, want[k].Body) {
				return fmt.Errorf("round %d: %w", i+1, ErrOutgoing)
			}
		}
	}
	if !played.Done {
		return ErrUnfinished
	}
	if hash := sha256.Sum256(played.Output); !bytes.Equal(hash[:], r.output) {
		return ErrOutput
	}
	return nil
}
