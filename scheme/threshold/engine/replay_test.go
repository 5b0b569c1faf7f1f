package engine_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/count"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/ops"
)

func record(t *testing.T, seed uint64) *engine.Snapshot {
	t.Helper()
	s, err := engine.Record(engine.Snapshot{Case: "adder", Parties: 3, MaxMalicious: 1, Coordinator: 1,
		Codec: "none", Seed: seed}, adders(t, seed))
	require.NoError(t, err)
	return s
}

// steps changes what a party sends in a round, and whether it is done.
type steps func(round int, out []engine.Message, done bool) ([]engine.Message, bool)

// liar changes the steps or the output of a party.
type liar struct {
	engine.Party
	change steps
	output []byte
}

func (l liar) Step(round int, in []engine.Message) ([]engine.Message, bool, error) {
	out, done, err := l.Party.Step(round, in)
	if l.change != nil {
		out, done = l.change(round, out, done)
	}
	return out, done, err
}

func (l liar) Output() []byte {
	if l.output != nil {
		return l.output
	}
	return l.Party.Output()
}

// TestReplaysThatDoNotCount has a replay of party 2 for each reason to refuse it. The recording has
// two messages of round 2.
func TestReplaysThatDoNotCount(t *testing.T) {
	s := record(t, 1)
	s.Messages = append(s.Messages,
		engine.Recorded{Round: 2, From: 2, To: 3, Step: "more", Body: []byte("same")})
	more := func(body string) steps {
		return func(round int, out []engine.Message, done bool) ([]engine.Message, bool) {
			if round == 2 {
				out = append(out, engine.Message{Round: 2, From: 2, To: 3, Step: "more", Body: []byte(body)})
			}
			return out, done
		}
	}
	honest := func() engine.Party { return liar{Party: newAdder(t, 1, ids, 2), change: more("same")} }
	lies := func(change steps) engine.Party { return liar{Party: honest(), change: change} }
	for name, c := range map[string]struct {
		party engine.Party
		want  string
	}{
		"honest":           {honest(), ""},
		"other randomness": {newAdder(t, 2, ids, 2), "round 1: outgoing message differs"},
		"other output":     {liar{Party: honest(), output: []byte("sum")}, "output differs"},
		"one message less": {newAdder(t, 1, ids, 2), "round 2: outgoing message differs"},
		"the second differs": {liar{Party: newAdder(t, 1, ids, 2), change: more("other")},
			"round 2: outgoing message differs"},
		"never done": {lies(func(_ int, out []engine.Message, _ bool) ([]engine.Message, bool) {
			return out, false
		}), "party is not done after the last round"},
		"done early": {lies(func(_ int, out []engine.Message, _ bool) ([]engine.Message, bool) {
			return out, true
		}), "round 2: outgoing message differs"},
		"silent": {lies(func(_ int, _ []engine.Message, done bool) ([]engine.Message, bool) {
			return nil, done
		}), "round 1: outgoing message differs"},
		"one message more": {lies(func(round int, out []engine.Message, done bool) ([]engine.Message, bool) {
			return append(out, engine.Message{From: 2, Round: round}), done
		}), "round 1: outgoing message differs"},
		"to another party": {lies(func(round int, out []engine.Message, done bool) ([]engine.Message, bool) {
			if round == 2 {
				out[0].To = 3
			}
			return out, done
		}), "round 2: outgoing message differs"},
	} {
		t.Run(name, func(t *testing.T) {
			replay := engine.NewReplay(s, 2)
			played, _ := replay.Play(c.party)
			err := replay.Check(played)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, c.want)
		})
	}
	unknown := engine.NewReplay(s, 4)
	played, err := unknown.Play(newAdder(t, 1, ids, 2))
	require.Error(t, err)
	require.Error(t, unknown.Check(played))
	require.ErrorIs(t, unknown.Check(&engine.Played{Done: true}), engine.ErrOutput)
}

// TestReplayStopsAtTheFirstError replays against a message that was changed.
func TestReplayStopsAtTheFirstError(t *testing.T) {
	s := record(t, 1)
	for i, m := range s.Messages {
		if m.Step == "sum" && m.From == 3 {
			s.Messages[i].Body = make([]byte, 8)
		}
	}
	replay := engine.NewReplay(s, 1)
	played, err := replay.Play(newAdder(t, 1, ids, 1))
	require.EqualError(t, err, "round 3: party 3: sum: another sum")
	require.Len(t, played.Sent, 2)
	require.ErrorIs(t, replay.Check(played), engine.ErrUnfinished)
}

// counted reports operations in its rounds.
type counted struct{ engine.Party }

func (c counted) Step(round int, in []engine.Message) ([]engine.Message, bool, error) {
	ops.Add(ops.Mul, round)
	return c.Party.Step(round, in)
}

func TestOperationsAreByRound(t *testing.T) {
	replay := engine.NewReplay(record(t, 1), 1)
	var counts []count.Counts
	played, err := replay.Play(engine.Counting(counted{newAdder(t, 1, ids, 1)}, &counts))
	require.NoError(t, err)
	require.NoError(t, replay.Check(played))
	require.Equal(t, []count.Counts{{ops.Mul: 1}, {ops.Mul: 2}, {ops.Mul: 3}}, counts)
}

func TestSnapshotsHaveOneEncoding(t *testing.T) {
	s := record(t, 1)
	encoded := s.Encode()
	require.Equal(t, encoded, record(t, 1).Encode())
	require.NotEqual(t, encoded, record(t, 2).Encode())
	back, err := engine.DecodeSnapshot(encoded)
	require.NoError(t, err)
	require.Equal(t, s, back)
	require.True(t, bytes.HasSuffix(encoded, []byte("\n}\n")))
	second := *s
	second.Version = 2
	_, err = engine.DecodeSnapshot(second.Encode())
	require.EqualError(t, err, "is not a snapshot: version 2 is not 1")
	swapped := *s
	swapped.Messages = append([]engine.Recorded{s.Messages[1], s.Messages[0]}, s.Messages[2:]...)
	_, err = engine.DecodeSnapshot(swapped.Encode())
	require.ErrorContains(t, err, "messages are not in order")
}

// TestEveryBitOfASnapshotCounts flips each bit of the file.
func TestEveryBitOfASnapshotCounts(t *testing.T) {
	encoded := record(t, 1).Encode()
	for i := range 8 * len(encoded) {
		changed := bytes.Clone(encoded)
		changed[i/8] ^= 1 << (i % 8)
		_, err := engine.DecodeSnapshot(changed)
		require.Error(t, err, fmt.Sprint("bit ", i))
	}
}

// FuzzDecodeSnapshot begins with other texts of a snapshot.
func FuzzDecodeSnapshot(f *testing.F) {
	s := engine.Snapshot{Version: 1, Case: "adder", Digest: []byte{0xab},
		Messages: []engine.Recorded{{Round: 1, From: 1, Step: "x", Body: engine.Bytes{1}}}}
	text := string(s.Encode())
	for _, other := range []string{
		"", "{}", text, text + "{}", text + " ", strings.Replace(text, "{", `{"more": 1,`, 1),
		strings.Replace(text, `"version"`, `"Version"`, 1), strings.Replace(text, `"ab"`, `"AB"`, 1),
	} {
		f.Add([]byte(other))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := engine.DecodeSnapshot(b)
		if s == nil {
			require.ErrorIs(t, err, engine.ErrSnapshot)
			return
		}
		require.Equal(t, b, s.Encode())
	})
}
