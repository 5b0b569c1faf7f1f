// Package network computes the time that a run takes over a network, with a
// virtual clock.
//
//	network.go  Model: messages of a run; Network: latency and bandwidth; Finish
//	jitter.go   random delays of messages, from a seed
//	sleep.go    the same run in real time, to compare
//
// A party starts a round when the last of its messages of the round before has
// arrived, and takes the time of its step. Its messages arrive after the latency,
// a random delay, and 8 · bytes ÷ bandwidth, where a message counts with its
// frame. Links are equal and independent of each other.
package network

import (
	"time"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
)

// Network is a network with equal links. The zero value delivers at once.
type Network struct {
	Latency time.Duration
	// Bandwidth of each link in bits a second; 0 is unlimited.
	Bandwidth float64
	Jitter    Jitter
}

// transfer is the time of n bytes on a link.
func (n Network) transfer(bytes int) time.Duration {
	if n.Bandwidth == 0 {
		return 0
	}
	return time.Duration(8 * float64(bytes) / n.Bandwidth * float64(time.Second))
}

// Steps returns the time that a party takes for a round, counted from 1.
type Steps func(party uint32, round int) time.Duration

// Peers says how long simulated peers take for a step.
type Peers int

// The choices.
const (
	Zero     Peers = iota // no time
	Same                  // like the real party in that round
	Recorded              // like in the run of all parties together
)

// PeersNames are the names of the choices, in their order.
var PeersNames = []string{"zero", "same", "recorded"}

// Steps returns the steps of all parties: took are the durations of party real by
// round, recorded the durations of all parties, which only Recorded uses.
func (p Peers) Steps(real uint32, took []time.Duration, recorded map[uint32][]time.Duration) Steps {
	return func(id uint32, round int) time.Duration {
		of := took
		switch {
		case id == real || p == Same:
		case p == Recorded:
			of = recorded[id]
		default:
			return 0
		}
		if round > len(of) {
			return 0
		}
		return of[round-1]
	}
}

// Model is the messages of a run, grouped for the clock.
type Model struct {
	parties []uint32
	rounds  [][]link // messages by round, from index 0
}

// link is all messages of a round from one party to another.
type link struct {
	from, to int   // positions of parties
	bytes    []int // of each message, with its frame
	largest  int
}

// NewModel groups the messages of a run of parties.
func NewModel(messages []engine.Message, parties []uint32) *Model {
	m := &Model{parties: parties, rounds: make([][]link, engine.Rounds(messages))}
	at := map[uint32]int{}
	for i, id := range parties {
		at[id] = i
	}
	open := map[[3]int]int{} // round, from, to: index of the link
	for _, msg := range messages {
		for to, id := range parties {
			if msg.To != id && (msg.To != 0 || id == msg.From) {
				continue
			}
			key := [3]int{msg.Round, at[msg.From], to}
			links := &m.rounds[msg.Round-1]
			i, known := open[key]
			if !known {
				i = len(*links)
				open[key] = i
				*links = append(*links, link{from: key[1], to: to})
			}
			l := &(*links)[i]
			l.bytes = append(l.bytes, engine.Frame+len(msg.Body))
			l.largest = max(l.largest, engine.Frame+len(msg.Body))
		}
	}
	return m
}

// Rounds returns the number of rounds of messages.
func (m *Model) Rounds() int { return len(m.rounds) }

// Finish returns the virtual time when party real has its output.
func (m *Model) Finish(n Network, real uint32, steps Steps) time.Duration {
	free := make([]time.Duration, len(m.parties))    // when a party has ended its last step
	arrived := make([]time.Duration, len(m.parties)) // when its last message arrives
	delays := n.Jitter.start()
	for round := 1; round <= len(m.rounds)+1; round++ {
		for i, id := range m.parties {
			free[i] = max(free[i], arrived[i]) + steps(id, round)
		}
		if round > len(m.rounds) {
			break
		}
		for _, l := range m.rounds[round-1] {
			arrived[l.to] = max(arrived[l.to], free[l.from]+n.Latency+n.slowest(l, delays))
		}
	}
	for i, id := range m.parties {
		if id == real {
			return free[i]
		}
	}
	return 0
}

// slowest is the time, after the latency, until all messages of a link arrived.
func (n Network) slowest(l link, delays *delays) (latest time.Duration) {
	if delays == nil {
		return n.transfer(l.largest)
	}
	for _, bytes := range l.bytes {
		latest = max(latest, n.transfer(bytes)+delays.next())
	}
	return latest
}

// InRounds returns rounds × latency + the time of the party's own steps: the sum
// that published tables use.
func (m *Model) InRounds(n Network, took []time.Duration) time.Duration {
	sum := time.Duration(len(m.rounds)) * n.Latency
	for _, d := range took {
		sum += d
	}
	return sum
}

// Messages returns the number of messages; one to all counts for each recipient.
func (m *Model) Messages() (n int) {
	for _, links := range m.rounds {
		for _, l := range links {
			n += len(l.bytes)
		}
	}
	return n
}
