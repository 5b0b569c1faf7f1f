// Package faults runs threshold protocols with one faulty message.
//
//	kinds_test.go   kinds of faults, and their enumeration for a run
//	trial_test.go   one run with a fault, and the judgement of it
//	faults_test.go  which faults may end otherwise
//
// A fault drops, repeats, reorders or misattributes a message, replaces its body, or flips one
// bit of it. The tests show that a faulty run ends with an error, or with
// outputs that verify.
package faults_test

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
)

// Kind is a kind of fault.
type Kind int

// The kinds.
const (
	Drop     Kind = iota // the message does not arrive
	Repeat               // it arrives twice
	Reorder              // all messages of its round arrive in reverse order
	Other                // it comes from another party of the protocol
	Stranger             // it comes from a party outside of the protocol
	Empty                // it has no body
	Ones                 // all bits of it are 1, which is no point and no scalar
	Tail                 // all bits of its last 32 bytes are 1
	Flip                 // one bit of it changes
)

var names = [...]string{"dropped", "repeated", "reordered", "from another party", "from a stranger",
	"empty", "all ones", "ones at the end", "bit flipped"}

// String describes the fault.
func (k Kind) String() string { return names[k] }

// Fault is a fault in one message of a recorded run.
type Fault struct {
	Kind    Kind
	Message engine.Message // as it was recorded
	Bit     int            // for Flip: bit Bit%8 of byte Bit/8
}

// String names the fault and the message.
func (f Fault) String() string {
	s := fmt.Sprintf("round %d: party %d: %s: %s", f.Message.Round, f.Message.From, f.Message.Step, f.Kind)
	if f.Kind == Flip {
		s += fmt.Sprintf(" (%d)", f.Bit)
	}
	return s
}

// Whole returns the faults of whole messages: each kind for each message.
func Whole(messages []engine.Message) (faults []Fault) {
	for _, m := range messages {
		for kind := range Flip {
			faults = append(faults, Fault{Kind: kind, Message: m})
		}
	}
	return faults
}

// Flips returns a regular sample of at most n faults of single bits.
func Flips(messages []engine.Message, n int) (faults []Fault) {
	all := 0
	for _, m := range messages {
		all += 8 * len(m.Body)
	}
	n = min(n, all)
	for i := range n {
		bit := i * all / n
		for _, m := range messages {
			if bit < 8*len(m.Body) {
				faults = append(faults, Fault{Flip, m, bit})
				break
			}
			bit -= 8 * len(m.Body)
		}
	}
	return faults
}

// edit applies the fault to the messages of a round of n parties.
func (f Fault) edit(sent []engine.Message, n int) []engine.Message {
	at := slices.IndexFunc(sent, func(m engine.Message) bool {
		return m.Round == f.Message.Round && m.From == f.Message.From && m.To == f.Message.To &&
			m.Step == f.Message.Step
	})
	if at < 0 {
		return sent
	}
	sent = slices.Clone(sent)
	switch f.Kind {
	case Drop:
		return slices.Delete(sent, at, at+1)
	case Repeat:
		return append(sent, sent[at])
	case Reorder:
		slices.Reverse(sent)
	case Other:
		sent[at].From = sent[at].From%uint32(n) + 1
	case Stranger:
		sent[at].From = uint32(n) + 1
	case Empty:
		sent[at].Body = nil
	case Ones:
		sent[at].Body = bytes.Repeat([]byte{0xff}, len(sent[at].Body))
	case Tail:
		head := sent[at].Body[:max(0, len(sent[at].Body)-32)]
		sent[at].Body = append(bytes.Clone(head), bytes.Repeat([]byte{0xff}, len(sent[at].Body)-len(head))...)
	case Flip:
		sent[at].Body = bytes.Clone(sent[at].Body)
		sent[at].Body[f.Bit/8] ^= 1 << (f.Bit % 8)
	}
	return sent
}
