package engine

import "time"

// Network is a network with equal links.
type Network struct {
	Latency time.Duration
	// Bandwidth of each link in bits a second; 0 is unlimited.
	Bandwidth float64
}

// Peers says how long simulated peers take for a step.
type Peers int

// The choices.
const (
	Zero       Peers = iota // no time
	Same                    // as long as the real party in that round
	AsMeasured              // as long as they took when they were recorded
)

// Finish returns the virtual time at which party real is done. A party starts a
// round when the last of its messages of the round before has arrived, takes the
// time of its step, and its messages arrive after the latency and their time on the
// link. took are the durations of the real party by round, recorded those of all
// parties, which only AsMeasured uses.
func (n Network) Finish(messages []Message, parties []uint32, real uint32, took []time.Duration, peers Peers, recorded map[uint32][]time.Duration) time.Duration {
	step := func(id uint32, round int) time.Duration {
		of := took
		switch {
		case id == real || peers == Same:
		case peers == AsMeasured:
			of = recorded[id]
		default:
			return 0
		}
		if round-1 < len(of) {
			return of[round-1]
		}
		return 0
	}
	free := map[uint32]time.Duration{}    // when a party has ended its last step
	arrived := map[uint32]time.Duration{} // when its last message of the round before arrives
	rounds := Rounds(messages)
	for round := 1; round <= rounds+1; round++ {
		next := map[uint32]time.Duration{}
		for _, id := range parties {
			free[id] = max(free[id], arrived[id]) + step(id, round)
			next[id] = free[id]
		}
		arrived = map[uint32]time.Duration{}
		for _, m := range messages {
			if m.Round != round {
				continue
			}
			at := next[m.From] + n.Latency + n.transfer(len(m.Body))
			for _, id := range parties {
				if m.To == id || m.To == 0 && id != m.From {
					arrived[id] = max(arrived[id], at)
				}
			}
		}
	}
	return free[real]
}

// transfer is the time of a message on the link, with its frame.
func (n Network) transfer(body int) time.Duration {
	if n.Bandwidth == 0 {
		return 0
	}
	return time.Duration(8 * float64(Frame+body) / n.Bandwidth * float64(time.Second))
}
