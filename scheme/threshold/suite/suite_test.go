package suite_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zkatbench/zkatbench/bench/benchtest"
	"github.com/zkatbench/zkatbench/internal/nightly"
	"github.com/zkatbench/zkatbench/scheme/threshold/codec"
	"github.com/zkatbench/zkatbench/scheme/threshold/engine"
	"github.com/zkatbench/zkatbench/scheme/threshold/internal/vectors"
	"github.com/zkatbench/zkatbench/scheme/threshold/suite"
)

var driver = benchtest.New(suite.Subject)

func TestMain(m *testing.M) { driver.Main(m) }

// BenchmarkThreshold times each phase: all parties together, and one by replay.
func BenchmarkThreshold(b *testing.B) { driver.Benchmark(b) }

func BenchmarkParallelThreshold(b *testing.B) { driver.BenchmarkParallel(b) }

func TestParallelBenchmarkThreshold(t *testing.T) { driver.Load(t) }

// BenchmarkThresholdService times a signature of a service with a pool of
// presignatures.
func BenchmarkThresholdService(b *testing.B) { driver.Benchmark(b) }

func BenchmarkParallelThresholdService(b *testing.B) { driver.BenchmarkParallel(b) }

func TestParallelBenchmarkThresholdService(t *testing.T) { driver.Load(t) }

func newRun(t *testing.T, name string, malicious int, seed uint64) *suite.Run {
	t.Helper()
	r, err := suite.New(suite.Scenario{Case: name, MaxMalicious: malicious, Codec: codec.Compact, Seed: seed})
	require.NoError(t, err)
	return r
}

// recorded returns a recording, and the bytes that each party receives.
func recorded(t *testing.T, s suite.Scenario) (snapshot *engine.Snapshot, received []int) {
	t.Helper()
	r, err := suite.New(s)
	require.NoError(t, err)
	snapshot, err = r.Record()
	require.NoError(t, err)
	for _, id := range s.IDs() {
		received = append(received, engine.TrafficOf(snapshot.All(), id).Bytes)
	}
	return snapshot, received
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

// sizes are the bytes received in the specification, section 3.
type sizes struct {
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

// byCase returns the sizes of a coordinator by case, but for made triples.
func (s sizes) byCase() map[string]int {
	return map[string]int{
		"frost-sign": s.FrostSign, "frost-presign": s.FrostPresign,
		"frost-presigned-sign": s.FrostPresignedSign,
		"robust-presign":       s.RobustPresign, "robust-sign": s.RobustSign,
		"ot-presign": s.OTPresign, "ot-sign": s.OTSign,
	}
}

func compactSizes(t *testing.T) (all []sizes) {
	t.Helper()
	for _, b := range vectors.Files(t, "threshold-sizes.json", "compact") {
		var file struct{ Compact []sizes }
		require.NoError(t, json.Unmarshal(b, &file))
		require.NotEmpty(t, file.Compact)
		all = append(all, file.Compact...)
	}
	return all
}

func TestSizes(t *testing.T) {
	for _, want := range compactSizes(t) {
		if want.F > nightly.Pick(2, 6, 15) {
			continue
		}
		for name, bytes := range want.byCase() {
			t.Run(name, func(t *testing.T) {
				s, err := newRun(t, name, want.F, 1).Record()
				require.NoError(t, err)
				require.Equal(t, bytes, engine.TrafficOf(s.All(), 1).Bytes, "%s, f = %d", name, want.F)
			})
		}
		if want.F > nightly.Pick(1, 2, 15) {
			continue
		}
		s, err := newRun(t, "ot-triples", want.F, 1).Record()
		require.NoError(t, err)
		for i, bytes := range want.OTTriplesByParty {
			require.Equal(t, bytes, engine.TrafficOf(s.All(), uint32(i+1)).Bytes,
				"ot-triples, f = %d, party %d", want.F, i+1)
		}
	}
}

// TestAShiftedReplayFails replays each party of each phase with another place in the
// stream of randomness. A party that draws randomness is refused. The others report that
// they do not draw any.
func TestAShiftedReplayFails(t *testing.T) {
	for _, name := range suite.CaseNames() {
		draws := !slices.Contains([]string{"frost-presigned-sign", "robust-sign", "ot-presign", "ot-sign"},
			name)
		s, err := newRun(t, name, 1, 1).Record()
		require.NoError(t, err)
		for id := range s.Parties {
			shifted := newRun(t, name, 1, 1)
			require.False(t, shifted.Draws(), "set-up does not count")
			shifted.Shift = true
			err := shifted.Replay(s, uint32(id+1))
			require.Equal(t, draws, shifted.Draws(), "%s, party %d", name, id+1)
			require.Equal(t, draws, errors.Is(err, engine.ErrOutgoing), "%s, party %d: %v", name, id+1, err)
			require.Equal(t, draws, err != nil, "%s, party %d", name, id+1)
		}
	}
}

// TestExpectedSizesAreThoseOfTheFile compares the formulas with the file of sizes,
// and with the means that the specification states for codec.Near.
func TestExpectedSizesAreThoseOfTheFile(t *testing.T) {
	for _, want := range compactSizes(t) {
		expected := func(name string) float64 {
			return suite.Scenario{Case: name, MaxMalicious: want.F}.Expected().Mean
		}
		for name, bytes := range want.byCase() {
			t.Run(name, func(t *testing.T) {
				require.InDelta(t, bytes, expected(name), 1e-6, "%s, f = %d", name, want.F)
			})
		}
		mean := 0.0
		for _, b := range want.OTTriplesByParty {
			mean += float64(b) / float64(len(want.OTTriplesByParty))
		}
		require.InDelta(t, mean, expected("ot-triples"), 1e-6, "f = %d", want.F)
	}
	for name, want := range map[string][2]suite.Size{ // f = 6, 15
		"frost-sign": {{1527, 12}, {3817.5, 19}}, "frost-presign": {{918, 10}, {2295, 16}},
		"frost-presigned-sign": {{609, 7}, {1522.5, 11}}, "robust-presign": {{6384, 28}, {15960, 44}},
		"robust-sign": {{1092, 10}, {2730, 16}}, "ot-presign": {{1404, 12}, {3510, 19}},
		"ot-sign":    {{546, 7}, {1365, 11}},
		"ot-triples": {{718716, 289}, {1839030, 464}},
	} {
		t.Run(name, func(t *testing.T) {
			for i, malicious := range []int{6, 15} {
				got := suite.Scenario{Case: name, MaxMalicious: malicious, Codec: codec.Near}.Expected()
				require.InDelta(t, want[i].Mean, got.Mean, 1e-6, "%s, f = %d", name, malicious)
				require.InDelta(t, want[i].StdDev, got.StdDev, 1, "%s, f = %d", name, malicious)
			}
		})
	}
}

// TestNearSizesAreAsExpected takes recordings with many seeds: the mean is within 4
// standard deviations of the mean. Seeds are fixed, so the test does not depend on
// luck.
func TestNearSizesAreAsExpected(t *testing.T) {
	seeds := nightly.Pick(10, 40, 40)
	for _, name := range suite.CaseNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := seeds
			if name == "ot-triples" {
				n = nightly.Pick(1, 2, seeds)
			}
			s := suite.Scenario{Case: name, MaxMalicious: nightly.Pick(1, 2, 6), Codec: codec.Near}
			sum := 0.0
			for seed := range n {
				s.Seed = uint64(seed)
				_, received := recorded(t, s)
				sum += s.Received(received)
			}
			want := s.Expected()
			require.InDelta(t, want.Mean, sum/float64(n), 4*want.StdDev/math.Sqrt(float64(n)))
		})
	}
}

// TestEveryCoordinator lets each party collect the shares.
func TestEveryCoordinator(t *testing.T) {
	for _, name := range []string{"frost-sign", "frost-presigned-sign", "robust-sign", "ot-sign"} {
		for coordinator := uint32(1); coordinator <= 3; coordinator++ {
			s := suite.Scenario{Case: name, MaxMalicious: 2, Coordinator: coordinator}
			real, err := s.Real("coordinator")
			require.NoError(t, err)
			require.Equal(t, []uint32{coordinator}, real)
			snapshot, received := recorded(t, s)
			require.InDelta(t, s.Expected().Mean, s.Received(received), 1e-6)
			for _, id := range s.IDs() {
				r, err := suite.New(s)
				require.NoError(t, err)
				require.NoError(t, r.Replay(snapshot, id))
			}
		}
	}
	_, err := suite.New(suite.Scenario{Case: "frost-sign", MaxMalicious: 2, Coordinator: 4})
	require.EqualError(t, err, "coordinator 4 is not a number from 1 to 3")
}

func TestConformance(t *testing.T) {
	for _, party := range []string{"coordinator", "all", "2"} {
		benchtest.Conform(t, suite.Subject, "-max-malicious=1", "-pool=2", "-party="+party,
			"-case=frost-sign,robust-sign,ot-presign")
	}
}

func TestPartiesAreNamed(t *testing.T) {
	s := suite.Scenario{Case: "robust-sign", MaxMalicious: 2}
	all, err := s.Real("all")
	require.NoError(t, err)
	require.Equal(t, []uint32{1, 2, 3, 4, 5}, all)
	_, err = s.Real("6")
	require.EqualError(t, err, `-party: "6" is not coordinator, all, or a number from 1 to 5`)
	require.Equal(t, []int{1, 2, 3, 6},
		suite.MaxMalicious.All(benchtest.Select(t, suite.Subject, "-max-malicious=1..3,6")))
}
