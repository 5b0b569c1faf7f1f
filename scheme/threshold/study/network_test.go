package study_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/study"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

// chatter is a party that sends a body to all others in each round.
type chatter struct {
	id           uint32
	rounds, body int
}

func (c chatter) ID() uint32     { return c.id }
func (c chatter) Output() []byte { return []byte{1} }

func (c chatter) Step(round int, _ []engine.Message) (out []engine.Message, done bool, err error) {
	if round > c.rounds {
		return nil, true, nil
	}
	return []engine.Message{{From: c.id, Round: round, Step: "m", Body: make([]byte, c.body)}}, false, nil
}

func record(t *testing.T, parties, rounds, body int) *engine.Snapshot {
	t.Helper()
	var all []engine.Party
	for id := range parties {
		all = append(all, chatter{id: uint32(id + 1), rounds: rounds, body: body})
	}
	s, err := engine.Record(engine.Snapshot{Parties: parties, Coordinator: 1}, all)
	require.NoError(t, err)
	return s
}

func ids(n int) (all []uint32) {
	for id := range n {
		all = append(all, uint32(id+1))
	}
	return all
}

const ms = time.Millisecond

func TestFinish(t *testing.T) {
	m := study.NewModel(record(t, 3, 2, 60).All(), ids(3))
	took := []time.Duration{5 * ms, 2 * ms, 1 * ms}
	recorded := map[uint32][]time.Duration{1: took, 2: {9 * ms, 0, 0}, 3: {0, 4 * ms, 0}}
	for name, c := range map[string]struct {
		n     study.Network
		peers study.Peers
		want  time.Duration
	}{
		"no latency, peers take no time": {study.Network{}, study.Zero, 8 * ms},
		"peers as long as the party: rounds × L + raw": {study.Network{Latency: 100 * ms}, study.Same,
			208 * ms},
		// The party waits for peers, which took no time in round 1 but wait for it in round 2.
		"own work overlaps with waiting": {study.Network{Latency: 3 * ms}, study.Zero, (5 + 3 + 3 + 1) * ms},
		"slow peers": {study.Network{Latency: 10 * ms}, study.Recorded,
			(9 + 10 + 4 + 10 + 1) * ms},
		"100 bytes in 8 ms on each link": {study.Network{Bandwidth: 100_000}, study.Same, (8 + 2*8) * ms},
		// Peers send at 0, and again when the message of the party comes at 5+3+8 ms.
		"latency and bandwidth": {study.Network{Latency: 3 * ms, Bandwidth: 100_000}, study.Zero,
			(5 + 2*(3+8) + 1) * ms},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, m.Finish(c.n, 1, c.peers.Steps(1, took, recorded)))
		})
	}
	require.Zero(t, m.Finish(study.Network{}, 9, study.Zero.Steps(9, took, nil)))
}

// TestZeroIsNeverAboveRounds holds for every latency: own work overlaps with
// waiting.
func TestZeroIsNeverAboveRounds(t *testing.T) {
	m := study.NewModel(record(t, 4, 5, 10).All(), ids(4))
	took := []time.Duration{7 * ms, 1 * ms, 3 * ms, 0, 2 * ms, 6 * ms}
	for latency := range 30 {
		n := study.Network{Latency: time.Duration(latency) * ms}
		inRounds := 5*n.Latency + 19*ms
		require.Equal(t, inRounds, m.Finish(n, 1, study.Same.Steps(1, took, nil)))
		require.LessOrEqual(t, m.Finish(n, 1, study.Zero.Steps(1, took, nil)), inRounds)
	}
}

// TestJitter compares moments of delays of one message with the moments of the
// distributions; seeds are fixed.
func TestJitter(t *testing.T) {
	m := study.NewModel(record(t, 2, 1, 0).All(), ids(2))
	none := study.Zero.Steps(1, nil, nil)
	for text, mean := range map[string]float64{"exponential:10ms": 10, "uniform:10ms": 5,
		"normal:10ms": 10 * math.Sqrt(2/math.Pi)} {
		t.Run(text, func(t *testing.T) {
			j, err := study.ParseJitter(text)
			require.NoError(t, err)
			require.Equal(t, text, j.String())
			j.Seed = 7
			n := study.Network{Latency: 100 * ms, Jitter: j}
			times := m.Draws(n, 1, none, 4000)
			require.Equal(t, times, m.Draws(n, 1, none, 4000), "equal seeds give equal delays")
			require.GreaterOrEqual(t, slices.Min(times), 100*ms)
			sum := 0.0
			for _, d := range times {
				sum += float64(d-100*ms) / float64(ms)
			}
			require.InDelta(t, mean, sum/float64(len(times)), 0.5)
			n.Jitter.Seed = 8
			require.NotEqual(t, times, m.Draws(n, 1, none, 4000))
		})
	}
	none1, err := study.ParseJitter("none")
	require.NoError(t, err)
	require.Equal(t, "none", none1.String())
	require.Equal(t, []time.Duration{ms, ms}, m.Draws(study.Network{Latency: ms, Jitter: none1}, 1, none, 2))
	for _, bad := range []string{"", "10ms", "normal", "normal:0s", "normal:-1ms", "cauchy:1ms"} {
		_, err := study.ParseJitter(bad)
		require.ErrorIs(t, err, study.ErrJitter, bad)
	}
}

func TestParseBandwidth(t *testing.T) {
	for text, want := range map[string]float64{"0": 0, "1": 1, "10k": 1e4, "1.5M": 1.5e6, "100G": 1e11} {
		t.Run(text, func(t *testing.T) {
			got, err := study.ParseBandwidth(text)
			require.NoError(t, err, text)
			require.Equal(t, want, got, text)
		})
	}
	for _, text := range []string{"", "k", "-1", "0.5", "1kk", "1T", "1e16", "NaN", "Inf"} {
		_, err := study.ParseBandwidth(text)
		require.ErrorIs(t, err, study.ErrBandwidth, text)
	}
}

func TestCheck(t *testing.T) {
	cases := []string{"robust-presign"}
	require.NoError(t, study.Check(suite.Scenario{MaxMalicious: 2, Coordinator: 5}, cases, "coordinator"))
	require.EqualError(t, study.Check(suite.Scenario{MaxMalicious: 2, Coordinator: 6}, cases, "coordinator"),
		"-coordinator: robust-presign has 5 parties")
	require.Error(t, study.Check(suite.Scenario{MaxMalicious: 2}, cases, "6"))
}
