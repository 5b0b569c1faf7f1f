package engine_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
)

// adder is a protocol with three rounds: each party sends a random number to all, then
// the sum of the numbers to party 1, which compares all sums.
type adder struct {
	ids    []uint32
	self   uint32
	random io.Reader
	sum    uint64
}

var errSum = errors.New("another sum")

func newAdder(t *testing.T, seed uint64, ids []uint32, self uint32) *engine.Machine {
	t.Helper()
	random, err := engine.Random(seed,
		engine.Place{Case: "adder", Parties: len(ids), MaxMalicious: 1, ID: self})
	require.NoError(t, err)
	a := &adder{ids: ids, self: self, random: random}
	m := &engine.Machine{Self: self, Result: func() []byte {
		return binary.BigEndian.AppendUint64(nil, a.sum)
	}, Rounds: []engine.Round{
		{Work: a.draw},
		{Expect: engine.From(ids, self, "number"), Work: a.add},
	}}
	if self == 1 {
		m.Rounds = append(m.Rounds, engine.Round{Expect: engine.From(ids, self, "sum"), Work: a.compare})
	}
	return m
}

func (a *adder) draw(engine.Inbox) ([]engine.Message, error) {
	body := make([]byte, 8)
	if _, err := io.ReadFull(a.random, body); err != nil {
		return nil, err
	}
	a.sum = binary.BigEndian.Uint64(body)
	return []engine.Message{{Step: "number", Body: body}}, nil
}

func (a *adder) add(in engine.Inbox) ([]engine.Message, error) {
	for _, id := range a.ids {
		if id != a.self {
			a.sum += binary.BigEndian.Uint64(in.Body(id, "number"))
		}
	}
	if a.self == 1 {
		return nil, nil
	}
	return []engine.Message{{To: 1, Step: "sum", Body: binary.BigEndian.AppendUint64(nil, a.sum)}}, nil
}

func (a *adder) compare(in engine.Inbox) ([]engine.Message, error) {
	for _, id := range a.ids[1:] {
		if binary.BigEndian.Uint64(in.Body(id, "sum")) != a.sum {
			return nil, &engine.Fault{From: id, Step: "sum", Err: errSum}
		}
	}
	return nil, nil
}

var ids = []uint32{1, 2, 3}

func adders(t *testing.T, seed uint64) (parties []engine.Party) {
	t.Helper()
	for _, id := range ids {
		parties = append(parties, newAdder(t, seed, ids, id))
	}
	return parties
}

func TestRunDeliversByRound(t *testing.T) {
	parties := adders(t, 1)
	transcript, err := engine.Run(parties)
	require.NoError(t, err)
	for _, p := range parties {
		require.Equal(t, parties[0].Output(), p.Output())
	}
	var order []string
	for _, m := range transcript.Messages {
		order = append(order,
			(&engine.Fault{Round: m.Round, From: m.From, Step: m.Step, Err: io.EOF}).Error())
	}
	require.Equal(t, []string{
		"round 1: party 1: number: EOF", "round 1: party 2: number: EOF", "round 1: party 3: number: EOF",
		"round 2: party 2: sum: EOF", "round 2: party 3: sum: EOF",
	}, order)
	require.Equal(t, 2, engine.Rounds(transcript.Messages))
	require.Equal(t, 8, engine.Sent(transcript.Messages, 3))
	require.Equal(t, engine.Traffic{Messages: 4, Bytes: 4 * 48, ByRound: []int{96, 96}},
		engine.TrafficOf(transcript.Messages, 1))
	require.Equal(t, engine.Traffic{Messages: 2, Bytes: 2 * 48, ByRound: []int{96}},
		engine.TrafficOf(transcript.Messages, 2))
}

func TestRandomnessBelongsToAPlace(t *testing.T) {
	draw := func(seed uint64, p engine.Place) string {
		r, err := engine.Random(seed, p)
		require.NoError(t, err)
		b := make([]byte, 32)
		_, err = io.ReadFull(r, b)
		require.NoError(t, err)
		return string(b)
	}
	place := engine.Place{Case: "case", Parties: 3, MaxMalicious: 2, ID: 1}
	require.Equal(t, draw(1, place), draw(1, place))
	seen := map[string]bool{draw(1, place): true, draw(2, place): true}
	for _, change := range []func(*engine.Place){
		func(p *engine.Place) { p.Case = "case2" }, func(p *engine.Place) { p.Parties = 4 },
		func(p *engine.Place) { p.MaxMalicious = 1 }, func(p *engine.Place) { p.ID = 2 },
	} {
		other := place
		change(&other)
		seen[draw(1, other)] = true
	}
	require.Len(t, seen, 6)
}

// TestInboxIsExact steps party 1 with wrong sets of messages.
func TestInboxIsExact(t *testing.T) {
	body := make([]byte, 8)
	two, three := engine.Message{From: 2, Step: "number", Body: body},
		engine.Message{From: 3, Step: "number", Body: body}
	for name, c := range map[string]struct {
		in   []engine.Message
		want string
		err  error
	}{
		"missing": {[]engine.Message{two}, "round 2: party 3: number: message is missing",
			engine.ErrMissing},
		"all missing": {nil, "round 2: party 2: number: message is missing", engine.ErrMissing},
		"twice": {[]engine.Message{two, two, three},
			"round 2: party 2: number: message came twice", engine.ErrTwice},
		"another step": {[]engine.Message{two, three, {From: 3, Step: "sum"}},
			"round 2: party 3: sum: message is not expected", engine.ErrUnknown},
		"own message": {[]engine.Message{{From: 1, Step: "number"}, two, three},
			"round 2: party 1: number: message is not expected", engine.ErrUnknown},
		"from a stranger": {[]engine.Message{two, three, {From: 4, Step: "number"}},
			"round 2: party 4: number: message is not expected", engine.ErrUnknown},
		"from no party": {[]engine.Message{two, {Step: "number"}},
			"round 2: number: message is not expected", engine.ErrUnknown},
		"in another order": {[]engine.Message{three, two}, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := newAdder(t, 1, ids, 1)
			_, done, err := p.Step(1, nil)
			require.NoError(t, err)
			require.False(t, done)
			_, _, err = p.Step(2, c.in)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, c.err)
			require.EqualError(t, err, c.want)
			require.Equal(t, 2, fault(t, err).Round)
		})
	}
}

func fault(t *testing.T, err error) *engine.Fault {
	t.Helper()
	f := new(engine.Fault)
	require.ErrorAs(t, err, &f)
	return f
}

// TestErrorsNameRoundAndSender changes messages of a run.
func TestErrorsNameRoundAndSender(t *testing.T) {
	run := func(edit func(m *engine.Message)) error {
		_, err := engine.RunEdited(adders(t, 1), func(ms []engine.Message) []engine.Message {
			ms = slices.Clone(ms)
			for i := range ms {
				edit(&ms[i])
			}
			return ms
		})
		return err
	}
	require.EqualError(t, run(func(m *engine.Message) {
		if m.Step == "sum" && m.From == 3 {
			m.Body = make([]byte, 8)
		}
	}), "party 1: round 3: party 3: sum: another sum")
	require.EqualError(t, run(func(m *engine.Message) {
		if m.Step == "sum" && m.From == 3 {
			m.To = 2
		}
	}), "party 1: round 3: party 3: sum: message is missing")
	require.NoError(t, run(func(*engine.Message) {}))

	plain := &engine.Machine{Self: 7,
		Rounds: []engine.Round{{Work: func(engine.Inbox) ([]engine.Message, error) { return nil, errSum }}}}
	_, _, err := plain.Step(1, nil)
	require.ErrorIs(t, err, errSum)
	require.Equal(t, &engine.Fault{Round: 1, Err: errSum}, fault(t, err))
	require.EqualError(t, err, "round 1: another sum")
	for _, round := range []int{-1, 0, 2} {
		_, _, err = plain.Step(round, nil)
		require.EqualError(t, err, fmt.Sprintf("round %d: party 7 has 1 rounds", round))
	}
	require.Nil(t, plain.Output())
}

// talker sends a message in each of its rounds.
func talker(self uint32, to uint32, rounds int) *engine.Machine {
	m := &engine.Machine{Self: self}
	for range rounds {
		m.Rounds = append(m.Rounds, engine.Round{Work: func(engine.Inbox) ([]engine.Message, error) {
			return []engine.Message{{To: to, Step: "talk"}}, nil
		}})
	}
	return m
}

func TestRunEnds(t *testing.T) {
	_, err := engine.Run([]engine.Party{talker(1, 9, 65)})
	require.EqualError(t, err, "engine: not finished after 64 rounds")
	_, err = engine.Run([]engine.Party{&engine.Machine{Self: 1, Rounds: make([]engine.Round, 0)}})
	require.Error(t, err)
	silent := &engine.Machine{Self: 2,
		Rounds: []engine.Round{{Work: func(engine.Inbox) ([]engine.Message, error) { return nil, nil }}}}
	_, err = engine.Run([]engine.Party{talker(1, 2, 2), silent})
	require.EqualError(t, err, "round 2: party 1: talk: message is not expected")
	_, err = engine.Run([]engine.Party{talker(1, 2, 1), silent})
	require.EqualError(t, err, "round 2: party 1: talk: message is not expected")
	longer := &engine.Machine{Self: 1, Rounds: slices.Repeat(silent.Rounds, 3)}
	transcript, err := engine.Run([]engine.Party{longer, silent})
	require.NoError(t, err)
	require.Empty(t, transcript.Messages, "also after another party is done")
	transcript, err = engine.Run(nil)
	require.NoError(t, err)
	require.Empty(t, transcript.Messages)
}

func TestMessagesAreSorted(t *testing.T) {
	m := &engine.Machine{Self: 2, Rounds: []engine.Round{{Work: func(engine.Inbox) ([]engine.Message, error) {
		return []engine.Message{{To: 3, Step: "a"}, {To: 1, Step: "b"}, {To: 1, Step: "a"}}, nil
	}}}}
	out, done, err := m.Step(1, nil)
	require.NoError(t, err)
	require.True(t, done)
	require.Equal(t, []engine.Message{
		{From: 2, To: 1, Round: 1, Step: "a"}, {From: 2, To: 1, Round: 1, Step: "b"},
		{From: 2, To: 3, Round: 1, Step: "a"},
	}, out)
}
