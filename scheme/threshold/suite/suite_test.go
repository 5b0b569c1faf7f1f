package suite_test

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/benchtest"
	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

var driver = benchtest.New(suite.Subject)

func TestMain(m *testing.M) { driver.Main(m) }

// BenchmarkThreshold times each phase: all parties together, and one by replay.
func BenchmarkThreshold(b *testing.B) { driver.Benchmark(b, suite.Threshold) }

func newRun(t *testing.T, name string, malicious int, seed uint64) *suite.Run {
	t.Helper()
	r, err := suite.New(suite.Scenario{Case: name, MaxMalicious: malicious, Codec: codec.Compact, Seed: seed})
	require.NoError(t, err)
	return r
}

// TestEveryPartyOfEveryCaseReplays records each case, and replays each party as the
// real one: complete, byte-equal, with the recorded output.
func TestEveryPartyOfEveryCaseReplays(t *testing.T) {
	for _, name := range suite.CaseNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for malicious := 1; malicious <= nightly.Pick(1, 2, 6); malicious++ {
				r := newRun(t, name, malicious, 1)
				s, err := r.Record()
				require.NoError(t, err)
				for _, id := range r.IDs() {
					p, err := r.Party(id)
					require.NoError(t, err)
					recorded := engine.NewReplay(s, id)
					played, err := recorded.Play(p)
					require.NoError(t, err)
					require.NoError(t, recorded.Check(played))
				}
			}
		})
	}
}

func TestEqualSeedsGiveEqualFiles(t *testing.T) {
	for _, name := range []string{"frost-sign", "robust-presign", "ot-presign"} {
		record := func(seed uint64) string {
			s, err := newRun(t, name, 2, seed).Record()
			require.NoError(t, err)
			return string(s.Encode())
		}
		require.Equal(t, record(1), record(1))
		require.NotEqual(t, record(1), record(2))
	}
}

// sizes are the bytes received in the specification, section 3.
type sizes struct {
	Compact []struct {
		F                  int
		FrostSign          int   `json:"frost_sign"`
		FrostPresign       int   `json:"frost_presign"`
		FrostPresignedSign int   `json:"frost_sign_after_presign"`
		RobustPresign      int   `json:"robust_presign"`
		RobustSign         int   `json:"robust_sign"`
		OTPresign          int   `json:"ot_presign"`
		OTSign             int   `json:"ot_sign"`
		OTTriplesByParty   []int `json:"ot_two_triples_by_party_1_to_N"`
	}
}

func TestSizes(t *testing.T) {
	b, err := os.ReadFile("testdata/threshold-sizes.json")
	require.NoError(t, err)
	var file sizes
	require.NoError(t, json.Unmarshal(b, &file))
	require.NotEmpty(t, file.Compact)
	for _, want := range file.Compact {
		if want.F > nightly.Pick(2, 6, 15) {
			continue
		}
		for name, bytes := range map[string]int{
			"frost-sign": want.FrostSign, "frost-presign": want.FrostPresign, "frost-presigned-sign": want.FrostPresignedSign,
			"robust-presign": want.RobustPresign, "robust-sign": want.RobustSign, "ot-presign": want.OTPresign, "ot-sign": want.OTSign,
		} {
			s, err := newRun(t, name, want.F, 1).Record()
			require.NoError(t, err)
			require.Equal(t, bytes, engine.TrafficOf(s.All(), 1).Bytes, "%s, f = %d", name, want.F)
		}
		if want.F > nightly.Pick(1, 2, 15) {
			continue
		}
		s, err := newRun(t, "ot-triples", want.F, 1).Record()
		require.NoError(t, err)
		for i, bytes := range want.OTTriplesByParty {
			require.Equal(t, bytes, engine.TrafficOf(s.All(), uint32(i+1)).Bytes, "ot-triples, f = %d, party %d", want.F, i+1)
		}
	}
}

func TestSnapshotsAreStrict(t *testing.T) {
	s, err := newRun(t, "frost-sign", 1, 1).Record()
	require.NoError(t, err)
	back, err := engine.DecodeSnapshot(s.Encode())
	require.NoError(t, err)
	require.Equal(t, s, back)
	s.Messages[0].Body[0] ^= 1
	_, err = engine.DecodeSnapshot(s.Encode())
	require.ErrorIs(t, err, engine.ErrDigest)
	for _, text := range []string{"", "{}", `{"version":1,"extra":1}`, `{"version":2}`} {
		_, err = engine.DecodeSnapshot([]byte(text))
		require.Error(t, err)
	}
}

// TestAShiftedReplayFails replays with another place in the stream of randomness:
// the party must be refused at its first message.
func TestAShiftedReplayFails(t *testing.T) {
	for _, name := range []string{"frost-sign", "robust-presign", "ot-triples"} {
		s, err := newRun(t, name, 1, 1).Record()
		require.NoError(t, err)
		shifted, err := suite.New(suite.Scenario{Case: name, MaxMalicious: 1, Codec: codec.Compact, Seed: 1, Shift: true})
		require.NoError(t, err)
		p, err := shifted.Party(1)
		if name == "frost-sign" { // the coordinator's first message depends on its nonces
			p, err = shifted.Party(2)
		}
		require.NoError(t, err)
		recorded := engine.NewReplay(s, p.ID())
		played, _ := recorded.Play(p)
		require.EqualError(t, recorded.Check(played), "round 1: outgoing message differs")
	}
}

func TestLatencyIsThatOfRounds(t *testing.T) {
	s, err := newRun(t, "robust-presign", 2, 1).Record()
	require.NoError(t, err)
	took := make([]time.Duration, 4)
	raw := time.Duration(0)
	for i := range took {
		took[i] = time.Duration(1000 * (i + 1))
		raw += took[i]
	}
	n := engine.Network{Latency: 1_000_000}
	require.Equal(t, 3*n.Latency+raw, n.Finish(s.All(), []uint32{1, 2, 3, 4, 5}, 1, took, engine.Same, nil))
	require.LessOrEqual(t, n.Finish(s.All(), []uint32{1, 2, 3, 4, 5}, 1, took, engine.Zero, nil), 3*n.Latency+raw)
}
