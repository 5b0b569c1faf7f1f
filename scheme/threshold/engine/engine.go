// Package engine runs protocols of several parties in rounds, records their
// messages, and replays one party against a recording of the others.
//
// A Snapshot is a recording of a run, as JSON with a digest. A replay counts if
// its checks hold.
//
// A party is a pure function of its inputs, its randomness and the messages that
// it receives: no goroutine, clock or global state reaches its messages, so equal
// seeds give equal bytes.
package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Message is sent at the end of a round. To is 0 for a message to all others.
// Step names the message; it is unique for its round, sender and recipient.
type Message struct {
	From, To uint32
	Round    int
	Step     string
	Body     []byte
}

// order is the canonical order of messages.
func order(a, b Message) int {
	return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To),
		cmp.Compare(a.Step, b.Step))
}

// Frame is the size of the frame of each received message in bytes: a channel tag
// of 32 bytes and a number of 8.
const Frame = 40

// Party is one participant of a protocol.
type Party interface {
	ID() uint32
	// Step takes the messages sent to this party in the round before, in canonical
	// order, and returns the messages that it sends in this round. done says that
	// the party has its output. Rounds begin at 1. Errors of a wrong message are a
	// *Fault.
	Step(round int, in []Message) (out []Message, done bool, err error)
	// Output returns a canonical encoding of the output after done.
	Output() []byte
}

// Observe returns p with each step run by around.
func Observe(p Party, around func(round int, step func() []Message)) Party {
	return observed{p, around}
}

type observed struct {
	Party
	around func(round int, step func() []Message)
}

// Step implements Party.
func (o observed) Step(round int, in []Message) (out []Message, done bool, err error) {
	o.around(round, func() []Message {
		out, done, err = o.Party.Step(round, in)
		return out
	})
	return out, done, err
}

// Fault is an error that a message caused. From is 0 if no sender can be named.
type Fault struct {
	Round int // when the fault was noticed
	From  uint32
	Step  string
	Err   error
}

func (f *Fault) Error() string {
	where := fmt.Sprintf("round %d", f.Round)
	if f.From != 0 {
		where += fmt.Sprintf(": party %d", f.From)
	}
	if f.Step != "" {
		where += ": " + f.Step
	}
	return fmt.Sprintf("%s: %v", where, f.Err)
}

func (f *Fault) Unwrap() error { return f.Err }

// The reasons to refuse a message before it is read.
var (
	ErrMissing = errors.New("message is missing")
	ErrUnknown = errors.New("message is not expected")
	ErrTwice   = errors.New("message came twice")
)

// Slot is a message that a party expects.
type Slot struct {
	From uint32
	Step string
}

// Inbox holds exactly the expected messages of a round.
type Inbox struct{ bodies map[Slot][]byte }

// body returns a message that the round expects.
func (in Inbox) body(from uint32, step string) []byte { return in.bodies[Slot{from, step}] }

// Read decodes a message that the round expects. Errors name its sender.
func (in Inbox) Read(from uint32, step string, decode func(body []byte) error) error {
	if err := decode(in.body(from, step)); err != nil {
		return &Fault{From: from, Step: step, Err: err}
	}
	return nil
}

// Round is a step of a machine: the messages that it expects from the round
// before, and its work. Work returns errors about a sender as a *Fault without a
// round, which the machine adds.
type Round struct {
	Expect []Slot
	Work   func(in Inbox) (out []Message, err error)
}

// Machine is a Party made of a list of rounds. It is done after the last one.
type Machine struct {
	Self   uint32
	Rounds []Round
	Result func() []byte
}

// ID implements Party.
func (m *Machine) ID() uint32 { return m.Self }

// Output implements Party.
func (m *Machine) Output() []byte {
	if m.Result == nil {
		return nil
	}
	return m.Result()
}

// Step implements Party.
func (m *Machine) Step(round int, in []Message) (out []Message, done bool, err error) {
	if round < 1 || round > len(m.Rounds) {
		return nil, false, fmt.Errorf("round %d: party %d has %d rounds", round, m.Self, len(m.Rounds))
	}
	r := m.Rounds[round-1]
	inbox, err := r.open(in)
	if err == nil {
		out, err = r.Work(inbox)
	}
	if err != nil {
		fault := new(Fault)
		if !errors.As(err, &fault) {
			fault = &Fault{Err: err}
		}
		fault.Round = round
		return nil, false, fault
	}
	for i := range out {
		out[i].From, out[i].Round = m.Self, round
	}
	slices.SortFunc(out, order)
	return out, round == len(m.Rounds), nil
}

// open checks that in holds each expected message once, and no other.
func (r Round) open(in []Message) (Inbox, error) {
	box := Inbox{make(map[Slot][]byte, len(r.Expect))}
	for _, s := range r.Expect {
		box.bodies[s] = nil
	}
	seen := make(map[Slot]bool, len(in))
	for _, m := range in {
		s := Slot{m.From, m.Step}
		if _, expected := box.bodies[s]; !expected {
			return box, &Fault{From: m.From, Step: m.Step, Err: ErrUnknown}
		}
		if seen[s] {
			return box, &Fault{From: m.From, Step: m.Step, Err: ErrTwice}
		}
		seen[s] = true
		box.bodies[s] = m.Body
	}
	for _, s := range r.Expect {
		if !seen[s] {
			return box, &Fault{From: s.From, Step: s.Step, Err: ErrMissing}
		}
	}
	return box, nil
}

// From returns the slots of one step from each of the senders, without self.
func From(senders []uint32, self uint32, steps ...string) (slots []Slot) {
	for _, id := range senders {
		for _, step := range steps {
			if id != self {
				slots = append(slots, Slot{id, step})
			}
		}
	}
	return slots
}
