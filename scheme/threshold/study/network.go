package study

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
)

// Network is a network with equal and independent links. The zero value delivers at
// once. A message arrives after the latency, a random delay, and 8 · bytes ÷ bandwidth,
// where it counts with its frame.
type Network struct {
	Latency   time.Duration
	Bandwidth float64 // of each link in bits a second; 0 is unlimited
	Jitter    Jitter
	Peers     Peers
}

// transfer is the time of n bytes on a link.
func (n Network) transfer(bytes int) time.Duration {
	if n.Bandwidth == 0 {
		return 0
	}
	return time.Duration(8 * float64(bytes) / n.Bandwidth * float64(time.Second))
}

// BandwidthAllowed describes the texts that ParseBandwidth accepts.
const BandwidthAllowed = "a number of bits a second such as 100M, or 0 for unlimited"

// ErrBandwidth reports a text that is not a bandwidth.
var ErrBandwidth = errors.New("is not " + BandwidthAllowed)

// powers are the factors by their letters.
var powers = map[string]float64{"": 1, "k": 1e3, "M": 1e6, "G": 1e9}

// ParseBandwidth reads a number of bits a second, with k, M and G for powers of 1000.
func ParseBandwidth(text string) (float64, error) {
	number := strings.TrimRight(text, "kMG")
	factor, found := powers[text[len(number):]]
	v, err := strconv.ParseFloat(number, 64)
	v *= factor
	if err != nil || !found || v != 0 && !(v >= 1 && v <= 1e15) {
		return 0, fmt.Errorf("%q %w", text, ErrBandwidth)
	}
	return v, nil
}

// Peers says how long simulated peers take for a step.
type Peers int

// The choices.
const (
	zeroPeers     Peers = iota // no time
	samePeers                  // like the real party in that round
	recordedPeers              // like in the run of all parties together
)

// PeersNames are the names of the choices, in their order.
var PeersNames = []string{"zero", "same", "recorded"}

// steps returns the time that a party takes for a round, counted from 1.
type steps func(party uint32, round int) time.Duration

// Steps returns the steps of all parties: took are the durations of party real by
// round, recorded the durations of all parties, which only recordedPeers uses.
func (p Peers) Steps(real uint32, took []time.Duration, recorded map[uint32][]time.Duration) steps {
	return func(id uint32, round int) time.Duration {
		rounds := took
		switch {
		case id == real || p == samePeers:
		case p == recordedPeers:
			rounds = recorded[id]
		default:
			return 0
		}
		if round > len(rounds) {
			return 0
		}
		return rounds[round-1]
	}
}

// model is the messages of a run, grouped for a virtual clock. A party starts a round
// when the last of its messages of the round before has arrived, and takes the time of
// its step.
type model struct {
	parties []uint32
	rounds  [][]link // messages by round, from index 0
}

// link is all messages of a round from one party to another.
type link struct {
	from, to int   // positions of parties
	bytes    []int // of each message, with its frame
}

// newModel groups the messages of a run of parties.
func newModel(messages []engine.Message, parties []uint32) *model {
	m := &model{parties: parties, rounds: make([][]link, engine.Rounds(messages))}
	for _, msg := range messages {
		links, from := &m.rounds[msg.Round-1], slices.Index(parties, msg.From)
		for to, id := range parties {
			if msg.To != id && (msg.To != 0 || id == msg.From) {
				continue
			}
			i := slices.IndexFunc(*links, func(l link) bool { return l.from == from && l.to == to })
			if i < 0 {
				i = len(*links)
				*links = append(*links, link{from: from, to: to})
			}
			(*links)[i].bytes = append((*links)[i].bytes, engine.Frame+len(msg.Body))
		}
	}
	return m
}

// finish returns the virtual time when party real has its output.
func (m *model) finish(n Network, real uint32, steps steps) time.Duration {
	free := make([]time.Duration, len(m.parties))    // when a party has ended its last step
	arrived := make([]time.Duration, len(m.parties)) // when its last message arrives
	delay := n.Jitter.start()
	for round := 1; round <= len(m.rounds)+1; round++ {
		for i, id := range m.parties {
			free[i] = max(free[i], arrived[i]) + steps(id, round)
		}
		if round > len(m.rounds) {
			break
		}
		for _, l := range m.rounds[round-1] {
			for _, bytes := range l.bytes {
				arrived[l.to] = max(arrived[l.to], free[l.from]+n.Latency+n.transfer(bytes)+delay())
			}
		}
	}
	if i := slices.Index(m.parties, real); i >= 0 {
		return free[i]
	}
	return 0
}

// Draws returns the times of several runs. The seeds of their delays follow from
// the seed of the network. Without jitter all times are equal.
func (m *model) Draws(n Network, real uint32, steps steps, draws int) []time.Duration {
	times := make([]time.Duration, draws)
	seeds := rand.New(rand.NewPCG(n.Jitter.Seed, 1))
	for i := range times {
		n.Jitter.Seed = seeds.Uint64()
		times[i] = m.finish(n, real, steps)
	}
	return times
}

// Jitter is a random delay of each message. Equal seeds give equal delays. The
// zero value adds no delay.
type Jitter struct {
	Shape string // one of jitters
	// Scale is the mean of an exponential delay, the maximum of a uniform one, and
	// the standard deviation of a normal one. A normal delay is the absolute value.
	Scale time.Duration
	Seed  uint64
}

// jitters draw a delay in units of the scale.
var jitters = map[string]func(*rand.Rand) float64{
	"exponential": (*rand.Rand).ExpFloat64,
	"uniform":     (*rand.Rand).Float64,
	"normal":      func(r *rand.Rand) float64 { return math.Abs(r.NormFloat64()) },
}

// JitterAllowed describes the texts that ParseJitter accepts.
const JitterAllowed = "none, or exponential, uniform or normal with a duration, such as exponential:10ms"

// ErrJitter reports a text that names no distribution of delays.
var ErrJitter = errors.New("is not " + JitterAllowed)

// ParseJitter reads a shape and a scale, "exponential:10ms", or "none".
func ParseJitter(text string) (Jitter, error) {
	if text == "none" {
		return Jitter{}, nil
	}
	shape, scale, _ := strings.Cut(text, ":")
	d, err := time.ParseDuration(scale)
	if err != nil || d <= 0 || jitters[shape] == nil {
		return Jitter{}, fmt.Errorf("%q %w", text, ErrJitter)
	}
	return Jitter{Shape: shape, Scale: d}, nil
}

// String is the text that ParseJitter reads.
func (j Jitter) String() string {
	if j.Shape == "" {
		return "none"
	}
	return j.Shape + ":" + j.Scale.String()
}

// start returns the delays of the messages of a run.
func (j Jitter) start() func() time.Duration {
	draw := jitters[j.Shape]
	if draw == nil {
		return func() time.Duration { return 0 }
	}
	random := rand.New(rand.NewPCG(j.Seed, 0))
	return func() time.Duration { return time.Duration(draw(random) * float64(j.Scale)) }
}
