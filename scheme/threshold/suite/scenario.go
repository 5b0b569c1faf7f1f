package suite

import (
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/secp"
)

// Scenario is common to all parties of a run.
type Scenario struct {
	Case         string
	MaxMalicious int
	Codec        codec.Codec
	Seed         uint64
	// N is the number of parties, 0 for the number that the case needs.
	N int
	// Coordinator is the party that collects signature shares, 0 for party 1.
	Coordinator uint32
	// Shift replays with randomness from another place in the stream: a fault that
	// every replay must find.
	Shift bool
}

// Parties returns the number of parties of the case, 0 for an unknown case.
func (s Scenario) Parties() int {
	if s.N != 0 {
		return s.N
	}
	if p := protocolOf(s.Case); p != nil {
		return p.parties(s.MaxMalicious)
	}
	return 0
}

// coordinator returns the party that collects signature shares.
func (s Scenario) coordinator() uint32 { return max(s.Coordinator, 1) }

// IDs returns the identifiers of the parties.
func (s Scenario) IDs() []uint32 { return secp.IDs(s.Parties()) }

// random returns the randomness of a party in a phase; party 0 is the dealer.
func (s Scenario) random(phase string, id uint32) io.Reader {
	r, err := engine.Random(s.Seed,
		engine.Place{Case: phase, Parties: s.Parties(), MaxMalicious: s.MaxMalicious, ID: id})
	if err != nil {
		panic("suite: HKDF gives 32 bytes: " + err.Error())
	}
	if s.Shift && id != 0 {
		_, _ = io.ReadFull(r, make([]byte, 64)) // never fails
	}
	return r
}

// random is the randomness of a party or of the dealer. Draws reports its use.
func (r *Run) random(phase string, id uint32) io.Reader {
	return noting{r.Scenario.random(phase, id), &r.drawn}
}

// noting notes that something was read.
type noting struct {
	io.Reader
	read *atomic.Bool
}

func (n noting) Read(p []byte) (int, error) {
	n.read.Store(true)
	return n.Reader.Read(p)
}

// Draws reports whether a party drew randomness since the last Replay began, or since
// the set-up.
func (r *Run) Draws() bool { return r.drawn.Load() }

// Run is a scenario with its set-up: keys, and the phases before.
type Run struct {
	Scenario
	drawn   atomic.Bool
	message []byte // that the parties sign
	keys    any    // of all parties; runs of a service share them
	// party returns a new party of the phase.
	party func(id uint32) (engine.Party, error)
	// verify checks the outputs of all parties that party made last, check a signature.
	verify func(outputs [][]byte) error
	check  func(message, signature []byte) error
}

// New prepares a run.
func New(s Scenario) (*Run, error) { return newRun(s, nil) }

// newRun prepares a run with these keys, or deals keys if they are nil.
func newRun(s Scenario, keys any) (*Run, error) {
	protocol := protocolOf(s.Case)
	if protocol == nil {
		return nil, fmt.Errorf("case %q is not one of %v", s.Case, CaseNames())
	}
	if s.MaxMalicious < 1 || s.MaxMalicious > maxMalicious {
		return nil,
			fmt.Errorf("%d malicious parties are not a number from 1 to %d", s.MaxMalicious, maxMalicious)
	}
	r := &Run{Scenario: s, message: fixedMessage, keys: keys}
	if s.Parties() != (Scenario{Case: s.Case, MaxMalicious: s.MaxMalicious}).Parties() {
		return nil, fmt.Errorf("%w: %s needs %d for %d malicious ones, not %d", errParties, s.Case,
			(Scenario{Case: s.Case, MaxMalicious: s.MaxMalicious}).Parties(), s.MaxMalicious, s.Parties())
	}
	if int(s.coordinator()) > s.Parties() {
		return nil, fmt.Errorf("coordinator %d is not a number from 1 to %d", s.Coordinator, s.Parties())
	}
	err := protocol.prepare(r)
	r.drawn.Store(false)
	return r, err
}

// deal returns the keys of a run.
func deal[K any](r *Run, dealer func(random io.Reader, parties, malicious int) ([]K, error)) ([]K, error) {
	if keys, dealt := r.keys.([]K); dealt {
		return keys, nil
	}
	keys, err := dealer(r.random("dealer", 0), r.Parties(), r.MaxMalicious)
	r.keys = keys
	return keys, err
}

// maxMalicious bounds the number of malicious parties.
const maxMalicious = 64

// errParties says that a case needs another number of parties.
var errParties = errors.New("wrong number of parties")

// Party returns a new party.
func (r *Run) Party(id uint32) (engine.Party, error) {
	if r.party == nil {
		return nil, errUnprepared
	}
	if id == 0 || int(id) > r.Parties() {
		return nil, fmt.Errorf("party %d of %d", id, r.Parties())
	}
	return r.party(id)
}

var errUnprepared = errors.New("run was not made by New")

// All returns new parties.
func (r *Run) All() (parties []engine.Party, err error) {
	for _, id := range r.IDs() {
		p, err := r.Party(id)
		if err != nil {
			return nil, err
		}
		parties = append(parties, p)
	}
	return parties, nil
}

// Verify checks the outputs of a run of all parties: signatures are verified,
// presignatures sign, triples multiply.
func (r *Run) Verify(parties []engine.Party) error {
	if r.verify == nil {
		return errUnprepared
	}
	return r.verify(outputsOf(parties))
}

func outputsOf(parties []engine.Party) [][]byte {
	outputs := make([][]byte, len(parties))
	for i, p := range parties {
		outputs[i] = p.Output()
	}
	return outputs
}

// Record runs all parties, verifies their outputs, and returns the recording.
func (r *Run) Record() (*engine.Snapshot, error) {
	parties, err := r.All()
	if err != nil {
		return nil, err
	}
	s, err := engine.Record(engine.Snapshot{
		Case: r.Case, MaxMalicious: r.MaxMalicious, Parties: r.Parties(), Coordinator: r.coordinator(),
		Codec: r.Codec.String(), Seed: r.Seed,
	}, parties)
	if err != nil {
		return nil, err
	}
	return s, r.Verify(parties)
}

// Of returns the run that a snapshot records.
func Of(s *engine.Snapshot) (*Run, error) {
	c, err := codec.ByName(s.Codec)
	if err != nil {
		return nil, err
	}
	return New(Scenario{
		Case: s.Case, MaxMalicious: s.MaxMalicious, Codec: c, Seed: s.Seed, N: s.Parties,
		Coordinator: s.Coordinator,
	})
}

// Replay replays a party against a recording and checks it.
func (r *Run) Replay(s *engine.Snapshot, id uint32) error {
	r.drawn.Store(false)
	p, err := r.Party(id)
	if err != nil {
		return err
	}
	return Play(s, p)
}

// Play replays a party and checks it.
func Play(s *engine.Snapshot, p engine.Party) error {
	if s == nil {
		return engine.ErrSnapshot
	}
	recorded := engine.NewReplay(s, p.ID())
	played, err := recorded.Play(p)
	if bad := recorded.Check(played); bad != nil && (err == nil || errors.Is(bad, engine.ErrOutgoing)) {
		return bad
	}
	return err
}
