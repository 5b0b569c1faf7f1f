package engine

import (
	"fmt"
	"slices"
)

// maxRounds bounds a run of parties that never finish.
const maxRounds = 64

// transcript is all messages of a run, in canonical order.
type transcript struct{ Messages []Message }

// Run runs all parties in one goroutine, round by round, until each is done.
func Run(parties []Party) (*transcript, error) { return RunEdited(parties, nil) }

// RunEdited is Run with faults: edit, if it is not nil, changes the messages of
// each round before they are delivered.
func RunEdited(parties []Party, edit func([]Message) []Message) (*transcript, error) {
	t := &transcript{}
	done := map[uint32]bool{}
	var sent []Message
	for round := 1; len(done) < len(parties); round++ {
		if round > maxRounds {
			return t, fmt.Errorf("engine: not finished after %d rounds", maxRounds)
		}
		var next []Message
		for _, p := range parties {
			if done[p.ID()] {
				if err := unread(round, received(sent, p.ID())); err != nil {
					return t, err
				}
				continue
			}
			out, finished, err := p.Step(round, received(sent, p.ID()))
			if err != nil {
				return t, fmt.Errorf("party %d: %w", p.ID(), err)
			}
			next = append(next, out...)
			if finished {
				done[p.ID()] = true
			}
		}
		slices.SortFunc(next, order)
		if edit != nil {
			next = edit(next)
		}
		t.Messages = append(t.Messages, next...)
		sent = next
	}
	return t, unread(Rounds(sent)+1, sent)
}

// unread returns the error of messages to parties that are done.
func unread(round int, in []Message) error {
	if len(in) == 0 {
		return nil
	}
	return &Fault{Round: round, From: in[0].From, Step: in[0].Step, Err: ErrUnknown}
}

// received returns the messages that go to a party.
func received(sent []Message, to uint32) (in []Message) {
	for _, m := range sent {
		if m.To == to || m.To == 0 && m.From != to {
			in = append(in, m)
		}
	}
	return in
}

// Traffic counts the messages to a party in a run.
type Traffic struct {
	Messages int
	Bytes    int   // with frames
	ByRound  []int // bytes received at the beginning of round index+2
}

// TrafficOf returns the traffic of a party.
func TrafficOf(messages []Message, to uint32) (t Traffic) {
	for _, m := range received(messages, to) {
		for len(t.ByRound) < m.Round {
			t.ByRound = append(t.ByRound, 0)
		}
		t.Messages++
		t.Bytes += Frame + len(m.Body)
		t.ByRound[m.Round-1] += Frame + len(m.Body)
	}
	return t
}

// Rounds returns the number of rounds of messages.
func Rounds(messages []Message) (rounds int) {
	for _, m := range messages {
		rounds = max(rounds, m.Round)
	}
	return rounds
}

// Sent counts messages; one to all counts for each other party.
func Sent(messages []Message, parties int) (n int) {
	for _, m := range messages {
		if m.To == 0 {
			n += parties - 1
		} else {
			n++
		}
	}
	return n
}
